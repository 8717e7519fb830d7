import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { afterAll } from "vitest";

/** An https server on a free port of this machine, closed when the tests of the file have ended; its address. */
export async function secureFront(options: ServerOptions, answer: RequestListener): Promise<string> {
  const server = createServer(options, answer);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}
