/** Asks a question through the legacy interface, outside of a run; its conversation stays. Returns whether it was accepted. */
export async function askQuestion(url: string, token: string, question: string): Promise<boolean> {
  const response = await fetch(`${url}/.api/deepsearch/v1`, {
    method: "POST",
    headers: {
      authorization: `token ${token}`,
      "x-requested-with": "test 1.0.0",
      "content-type": "application/json",
    },
    body: JSON.stringify({ question }),
  });
  await response.arrayBuffer();
  return response.ok;
}
