import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { waitForTarget } from "./wait-for-target.ts";

/** A target that answers with these statuses, the last one for ever; `refuse` closes the connection. */
async function target(
  ...answers: readonly (number | "refuse")[]
): Promise<{ readonly url: string; readonly asked: () => number }> {
  let asked = 0;
  const server: Server = createServer((request, response) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? 200;
    asked += 1;
    if (answer === "refuse") {
      request.socket.destroy();
    } else {
      response.writeHead(answer).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked: () => asked };
}

const waited = async (url: string, seconds: number | undefined): Promise<string> => {
  let said = "";
  const access = { target: { url, embedded: false }, env: {}, extraHeaders: [] };
  await waitForTarget(access, seconds, { err: (text) => void (said += text) });
  return said;
};

describe("waiting for a target", () => {
  test("prints what it waits for, and continues with the first response of the service", async () => {
    const { url, asked } = await target("refuse", 503, 401);
    expect(await waited(url, 30)).toMatch(
      /^waiting for http:\S+, at most 30 s: .+\nwaiting for http:\S+ at most 30 s: it returns status 503\nhttp:\S+ is up after \d+ s \(status 401\)\n$/u,
    );
    expect(asked()).toBe(3);
  });

  test("sends one request and prints nothing if the target answers", async () => {
    const { url, asked } = await target(404);
    expect([await waited(url, 30), asked()]).toEqual(["", 1]);
  });

  test("sends nothing without --wait-for", async () => {
    const { url, asked } = await target(503);
    expect([await waited(url, undefined), asked()]).toEqual(["", 0]);
  });

  test("ends when the time is over, with the last reason", async () => {
    const { url } = await target(502);
    await expect(waited(url, 1)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/did not respond within 1 s: it returns status 502;.*--wait-for/u),
    });
  });
});
