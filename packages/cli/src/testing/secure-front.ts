import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createSecureServer, type SecureServerOptions } from "node:http2";
import { createServer, type ServerOptions } from "node:https";
import type { Server } from "node:net";
import { afterAll } from "vitest";

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

/** An https server on a free port of this machine, closed when the tests of the file have ended; its address. */
export function secureFront(options: ServerOptions, answer: RequestListener): Promise<string> {
  const server = createServer(options, answer);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return listening(server);
}

/** The same for HTTP/2, and HTTP/1.1 with `allowHTTP1`. Each version may be answered in its own way. */
export function http2Front(
  options: SecureServerOptions,
  answers: { readonly one: RequestListener; readonly two: RequestListener },
): Promise<string> {
  const server = createSecureServer(options);
  const answer: RequestListener = (request, response) =>
    (request.httpVersion === "2.0" ? answers.two : answers.one)(request, response);
  server.on("request", answer);
  afterAll(() => void server.close());
  return listening(server);
}
