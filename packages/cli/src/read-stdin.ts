import type { Readable } from "node:stream";

const maxBytes = 1024 * 1024;

/** Reads standard input as text. Stops after the chunk that exceeds 1 MiB. */
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
