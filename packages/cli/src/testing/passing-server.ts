import { once } from "node:events";
import { createServer, request as ask } from "node:http";
import type { ListeningTarget } from "./front.ts";

/** Header that a proxy of a test adds. */
const passedBy = "x-passed-by-the-proxy";

/** A server that streams every request to another port of this machine, whatever host it names. */
export interface PassingServer extends ListeningTarget {
  /** Number of requests since the last call: through the proxy, and directly. */
  readCounts(): { readonly byProxy: number; readonly direct: number };
}

/** Starts one on all addresses of this machine; a `proxy` marks its requests. */
export async function startPassing(port: number, kind: "target" | "proxy"): Promise<PassingServer> {
  let [byProxy, direct] = [0, 0];
  const server = createServer((request, response) => {
    const { method, url = "/", headers } = request;
    const isMarked = headers[passedBy] !== undefined;
    byProxy += isMarked || kind === "proxy" ? 1 : 0;
    direct += isMarked || kind === "proxy" ? 0 : 1;
    const address = new URL(url, "http://any.test");
    const onward = ask({
      host: "127.0.0.1",
      port,
      method,
      path: `${address.pathname}${address.search}`,
      headers: { ...headers, ...(kind === "proxy" ? { [passedBy]: "1" } : {}) },
    });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    readCounts: () => {
      const counts = { byProxy, direct };
      [byProxy, direct] = [0, 0];
      return counts;
    },
    close: async () => {
      const closed = server.listening ? once(server, "close") : Promise.resolve();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
