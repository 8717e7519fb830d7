import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A test server. */
export interface Loopback extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: () => number;
}

async function listen(server: Server): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    // A connection closed by the client does not fail the test.
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = isAddress(address) ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

/** A server that sends whatever the listener writes. `onRequest` is called for the first bytes of each connection. */
export const serveBytes = (onRequest: (socket: Socket, request: string) => void): Promise<Loopback> =>
  listen(
    createRawServer((socket) => {
      socket.setNoDelay(true);
      socket.once("data", (bytes) => onRequest(socket, bytes.toString("latin1")));
    }),
  );

/** An HTTP server. */
export const serveHttp = (listener: RequestListener): Promise<Loopback> => listen(createServer(listener));

/** Any other server. */
export const serve = listen;

/**
 * Waits until the client has read everything a server in the same process has written. The bytes are available at once, and
 * every turn of the event loop reads, however busy the machine is. A timer might fire before the next read.
 */
export async function untilRead(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await nextTurn();
  }
}
