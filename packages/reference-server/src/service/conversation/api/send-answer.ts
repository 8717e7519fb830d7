import { once } from "node:events";
import type { Exchange } from "../../http/exchange.ts";
import type { ApiAnswer } from "./api-answer.ts";

/** Time after which a client that has not read the response is disconnected. */
const maxSendMs = 30_000;

const encodeBody = ({ json, text }: ApiAnswer): Buffer =>
  Buffer.isBuffer(text) ? text : Buffer.from(text ?? (json === undefined ? "" : JSON.stringify(json)));

const waitForDisconnect = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) {
    await once(signal, "abort");
  }
};

/** Sends half of the body and closes the connection. */
const sendHalf = async ({ response, signal }: Exchange, body: Buffer): Promise<void> => {
  const writePromise = new Promise<void>((resolve) => {
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => resolve());
  });
  await Promise.race([writePromise, waitForDisconnect(signal)]);
  response.socket?.destroySoon();
};

/** Writes a response, or performs its action on the connection. */
export const sendAnswer = async (exchange: Exchange, answer: ApiAnswer): Promise<void> => {
  const { response, signal } = exchange;
  if (signal.aborted) {
    return;
  }
  if (answer.connection === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (answer.connection === "silence") {
    await waitForDisconnect(signal);
    return;
  }
  const body = encodeBody(answer);
  const timer = setTimeout(() => response.destroy(), maxSendMs);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  response.writeHead(answer.status, { "content-length": body.length, ...answer.headers });
  if (answer.connection === "cut") {
    await sendHalf(exchange, body);
    return;
  }
  response.end(body);
};
