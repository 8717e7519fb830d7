import type { ServerResponse } from "node:http";
import type { StreamChunk } from "../faults/fault.ts";

/** Head of a stream. The connection is kept alive and the body chunked by Node's own defaults. */
const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
  vary: "Authorization",
} as const;

const firedOnce = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * Sends the chunks of a stream as they come; the head goes out with the first one. A slow reader slows the source down.
 * Returns when everything was handed over, the client has left or a chunk ended the connection.
 */
export const writeStream = async (
  chunks: AsyncIterable<StreamChunk>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> => {
  const left = firedOnce(signal);
  let handedOver: Promise<void> = Promise.resolve();
  for await (const chunk of chunks) {
    if (signal.aborted) {
      return;
    }
    if (chunk === "reset" || chunk === "cut") {
      await Promise.race([handedOver, left]);
      endConnection(response, chunk);
      return;
    }
    if (!response.headersSent) {
      response.writeHead(200, streamHeaders);
    }
    let readerIsFast = true;
    handedOver = new Promise((resolve) => {
      readerIsFast = response.write(chunk, () => resolve());
    });
    if (!readerIsFast) {
      await Promise.race([handedOver, left]);
    }
  }
  if (!signal.aborted) {
    finish(response);
  }
};

const endConnection = (response: ServerResponse, how: "reset" | "cut"): void => {
  if (how === "reset") {
    response.socket?.resetAndDestroy();
  } else {
    response.socket?.destroySoon();
  }
};

const finish = (response: ServerResponse): void => {
  if (!response.headersSent) {
    response.writeHead(200, streamHeaders);
  }
  response.end();
};
