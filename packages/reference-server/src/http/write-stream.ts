import type { ServerResponse } from "node:http";
import type { StreamChunk } from "../faults/fault.ts";
import type { ResponseHead } from "./response-head.ts";

/** One stream that is to be sent. */
export interface StreamToWrite {
  readonly head: ResponseHead;
  readonly chunks: AsyncIterable<StreamChunk>;
  /** Fires when the client has left or the server closes. */
  readonly signal: AbortSignal;
  /** Told once, when the head goes out. */
  readonly headSent?: (status: number) => void;
}

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
export const writeStream = async (stream: StreamToWrite, response: ServerResponse): Promise<void> => {
  const { chunks, signal } = stream;
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
    sendHead(response, stream);
    let readerIsFast = true;
    handedOver = new Promise((resolve) => {
      readerIsFast = response.write(chunk, () => resolve());
    });
    if (!readerIsFast) {
      await Promise.race([handedOver, left]);
    }
  }
  if (!signal.aborted) {
    sendHead(response, stream);
    response.end();
  }
};

const endConnection = (response: ServerResponse, how: "reset" | "cut"): void => {
  if (how === "reset") {
    response.socket?.resetAndDestroy();
  } else {
    response.socket?.destroySoon();
  }
};

const sendHead = (response: ServerResponse, { head: { status, headers }, headSent }: StreamToWrite): void => {
  if (!response.headersSent) {
    response.writeHead(status, headers);
    headSent?.(status);
  }
};
