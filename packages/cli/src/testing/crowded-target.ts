import { once } from "node:events";
import { createServer } from "node:http";

/** A target that answers searches well as long as few are on their way. */
export interface CrowdedTarget {
  readonly url: string;
  close(): Promise<void>;
}

const progress = (done: boolean): string =>
  `event: progress\ndata: {"done":${String(done)},"matchCount":1,"durationMs":1,"repositoriesCount":1,"skipped":[]}\n\n`;

const match = (text: string): string =>
  `event: matches\ndata: ${JSON.stringify([{ type: "path", repository: "github.com/a/b", path: text }])}\n\n`;

/** What is between a search and its end, milliseconds. */
const lengthMs = 400;

/** Starts a target that leaves out `done` when more than so many searches are on their way; what a match says is up to its number, from 1. */
export async function startCrowdedTarget(
  mostAtATime: number,
  textOf: (search: number) => string,
): Promise<CrowdedTarget> {
  let onTheWay = 0;
  let searches = 0;
  const server = createServer((_request, response) => {
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
