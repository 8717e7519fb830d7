import type { Readable } from "node:stream";

const maxBytes = 1024 * 1024;

/** Standard input to its end, at most 1 MiB of it. */
export async function readStdin(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.length > maxBytes) {
      break;
    }
  }
  return text;
}
