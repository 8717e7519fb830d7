import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";

/** A target that answers well as long as few requests are on their way. */
export interface CrowdedTarget {
  readonly url: string;
  close(): Promise<void>;
}

/** What is between a request and the end of its answer, milliseconds. */
const lengthMs = 400;

async function listening(listener: RequestListener): Promise<CrowdedTarget> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const progress = (done: boolean): string =>
  `event: progress\ndata: {"done":${String(done)},"matchCount":1,"durationMs":1,"repositoriesCount":1,"skipped":[]}\n\n`;

const match = (text: string): string =>
  `event: matches\ndata: ${JSON.stringify([{ type: "path", repository: "github.com/a/b", path: text }])}\n\n`;

/** Starts a target that leaves out `done` when more than so many searches are on their way; what a match says is up to its number, from 1. */
export function startCrowdedTarget(mostAtATime: number, textOf: (search: number) => string): Promise<CrowdedTarget> {
  let onTheWay = 0;
  let searches = 0;
  return listening((_request, response) => {
    onTheWay += 1;
    searches += 1;
    const text = textOf(searches);
    const isCrowded = onTheWay > mostAtATime;
    response.on("close", () => {
      onTheWay -= 1;
    });
    response.writeHead(200, { "Content-Type": "text/event-stream", "X-Request-Token": text.slice(0, 60) });
    response.write(progress(false));
    // A chunk ends in the middle of the text.
    response.write(match(text).slice(0, -12));
    setTimeout(() => {
      response.end(`${match(text).slice(-12)}${progress(true)}${isCrowded ? "" : "event: done\ndata: {}\n\n"}`);
    }, lengthMs);
  });
}

/** Starts a front of a server that changes the text of its answers when more than so many requests are on their way. */
export function startCrowdedFront(
  serverUrl: string,
  mostAtATime: number,
  changed: (answer: string) => string,
): Promise<CrowdedTarget> {
  let onTheWay = 0;
  return listening((request, response) => {
    onTheWay += 1;
    response.on("close", () => {
      onTheWay -= 1;
    });
    const isCrowded = onTheWay > mostAtATime;
    const { method = "GET", url = "/", headers } = request;
    const { host: _host, connection: _connection, "content-length": _length, ...passed } = headers;
    const sent = new Headers(Object.entries(passed).map(([name, value]) => [name, String(value)]));
    const answer = async (): Promise<void> => {
      const body = await buffer(request);
      const answered = await fetch(`${serverUrl}${url}`, {
        method,
        headers: sent,
        ...(body.length === 0 ? {} : { body: Uint8Array.from(body) }),
      });
      const text = await answered.text();
      const type = answered.headers.get("content-type");
      response.writeHead(answered.status, type === null ? {} : { "Content-Type": type });
      setTimeout(() => response.end(isCrowded ? changed(text) : text), lengthMs);
    };
    answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
}
