import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { createServer as createSocketServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { afterAll } from "vitest";

const isAddress = (address: ReturnType<Server["address"]>): address is AddressInfo =>
  typeof address === "object" && address !== null;

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${isAddress(address) ? address.port : 0}`;
}

/** A server that answers in its own way, on a free port of this machine; closed when the tests of the file have ended. */
export async function httpTarget(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return listening(server);
}

/** A server that sends these bytes to every client and closes. */
export async function rawTarget(bytes: string): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(bytes);
  });
  afterAll(() => server.close());
  return listening(server);
}
