import type { Readable } from "node:stream";

const maxBytes = 1024 * 1024;

/** Standard input as text: at most 1 MiB and one more chunk. */
export async function readStdin(stream: Readable): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(Buffer.from(chunk), { stream: true });
    if (text.length > maxBytes) {
      break;
    }
  }
  return text + decoder.decode();
}
