import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** How a target treats the search with this number, from 0. */
export type Treatment =
  /** The first match comes after so many milliseconds, and then the end. */
  | { readonly firstMatchMs: number }
  /** The target dies: it drops all connections and takes no more. */
  | "dies"
  /** No answer ever comes. */
  | "silent"
  /** A page to log in comes in the place of a stream. */
  | "page";

/** A target that answers searches, well-formed and as slow as it is told. */
export interface StreamTarget {
  readonly url: string;
  close(): Promise<void>;
}

const progress = `event: progress\ndata: {"done":false,"matchCount":0,"durationMs":1,"skipped":[]}\n\n`;
const match = `event: matches\ndata: [{"type":"path","repository":"github.com/a/b","path":"c.go"}]\n\n`;
const done = `event: progress\ndata: {"done":true,"matchCount":1,"repositoriesCount":1,"durationMs":2,"skipped":[]}\n\nevent: done\ndata: {}\n\n`;

/** Starts a target on a free port of this machine. */
export async function startStreamTarget(treat: (search: number) => Treatment): Promise<StreamTarget> {
  let searches = 0;
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((_request, response) => {
    const treatment = treat(searches);
    searches += 1;
    if (treatment === "dies") {
      stop();
    } else if (treatment === "page") {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end("<!doctype html>\n<title>Sign in</title>\n");
    } else if (treatment !== "silent") {
      answer(response, treatment.firstMatchMs);
    }
  });
  function answer(response: ServerResponse, firstMatchMs: number): void {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(progress);
    const timer = setTimeout(() => {
      timers.delete(timer);
      response.end(`${match}${done}`);
    }, firstMatchMs);
    timers.add(timer);
  }
  function stop(): void {
    server.close();
    server.closeAllConnections();
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: async () => {
      for (const timer of timers) {
        clearTimeout(timer);
      }
      const closed = server.listening ? once(server, "close") : Promise.resolve();
      stop();
      await closed;
    },
  };
}
