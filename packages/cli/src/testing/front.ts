import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";

/** A target of a test; closing drops all connections, and may be done again. */
export interface ListeningTarget {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server that answers so, on a free port of this machine. */
export async function startListening(listener: RequestListener): Promise<ListeningTarget> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: async () => {
      const closed = server.listening ? once(server, "close") : Promise.resolve();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A request to a server behind a proxy. */
export interface FrontedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  /** Asks the server; the text of its answer. */
  readonly answer: () => Promise<string>;
}

/** Starts a proxy that passes requests on and changes responses as given. */
export const startFront = (
  serverUrl: string,
  reply: (request: FrontedRequest) => Promise<string>,
): Promise<ListeningTarget> =>
  startListening((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const { host: _host, connection: _connection, "content-length": _length, ...passed } = headers;
    const sent = new Headers(Object.entries(passed).map(([name, value]) => [name, String(value)]));
    const passOn = async (): Promise<void> => {
      const body = (await buffer(request)).toString("utf8");
      let head = { status: 502, type: "text/plain" };
      const answer = async (): Promise<string> => {
        const answered = await fetch(`${serverUrl}${url}`, { method, headers: sent, ...(body === "" ? {} : { body }) });
        head = { status: answered.status, type: answered.headers.get("content-type") ?? head.type };
        return answered.text();
      };
      const text = await reply({ method, url, body, answer });
      response.writeHead(head.status, { "Content-Type": head.type }).end(text);
    };
    passOn().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
