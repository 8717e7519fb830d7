import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { Socket } from "node:net";

/** The text from a pipe, or the reason why it was not read. */
export type PipeText = { readonly text: string } | "too-large" | "too-late";

/**
 * Reads everything written to a named pipe. Opens it without waiting for a writer and reads it as a socket, because a blocking read cannot
 * be cancelled. A pipe without a writer is empty. Throws the errors of opening it.
 */
export async function readPipe(
  path: string,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<PipeText> {
  const { O_RDONLY, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NONBLOCK);
  const socket = new Socket({ fd: handle.fd, readable: true, writable: false });
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    return await new Promise<PipeText>((resolve, reject) => {
      socket.setTimeout(timeoutMs, () => resolve("too-late"));
      socket.on("data", (piece: Buffer) => {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes > maxBytes) {
          resolve("too-large");
        }
      });
      socket.on("end", () => resolve({ text: Buffer.concat(pieces).toString("utf8") }));
      socket.on("error", reject);
    });
  } finally {
    socket.destroy();
    await handle.close().catch(() => undefined);
  }
}
