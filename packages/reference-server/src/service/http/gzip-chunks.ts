import { setImmediate as nextTurn } from "node:timers/promises";
import { constants, createGzip } from "node:zlib";
import type { Gzip } from "node:zlib";
import type { StreamChunk } from "../ports.ts";

/** Writes a chunk and waits until all of its output has been read. `Z_SYNC_FLUSH` makes that output complete. */
const writeAndFlush = async (gzip: Gzip, chunk: Buffer): Promise<void> => {
  await new Promise<void>((resolve, reject) => {
    gzip.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
  while (gzip.readableLength > 0) {
    await nextTurn();
  }
};

const endGzip = (gzip: Gzip): Promise<void> =>
  new Promise((resolve, reject) => {
    gzip.once("end", resolve).once("error", reject);
    gzip.end();
  });

/**
 * Compresses a stream at the fastest level. Flushes after each chunk, so that a client can decode it at once. Passes
 * connection actions (`reset`, `cut`) through unchanged.
 */
export async function* gzipChunks(chunks: AsyncIterable<StreamChunk>): AsyncGenerator<StreamChunk> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH });
  let output: Buffer[] = [];
  gzip.on("data", (part: Buffer) => output.push(part));
  const drainOutput = (): Buffer => {
    const parts = output;
    output = [];
    return Buffer.concat(parts);
  };
  try {
    for await (const chunk of chunks) {
      if (typeof chunk === "string") {
        yield chunk;
        continue;
      }
      await writeAndFlush(gzip, chunk);
      yield drainOutput();
    }
    await endGzip(gzip);
    yield drainOutput();
  } finally {
    gzip.destroy();
  }
}
