import { setTimeout as sleep } from "node:timers/promises";
import { type ListeningTarget, startFront, startListening } from "./front.ts";

/** What is between a request and the end of its answer, milliseconds. */
const lengthMs = 400;

const progress = (done: boolean): string =>
  `event: progress\ndata: {"done":${String(done)},"matchCount":1,"durationMs":1,"repositoriesCount":1,"skipped":[]}\n\n`;

const match = (text: string): string =>
  `event: matches\ndata: ${JSON.stringify([{ type: "path", repository: "github.com/a/b", path: text }])}\n\n`;

/** Starts a target that leaves out `done` when more than so many searches are on their way; what a match says is up to its number, from 1. */
export function startCrowdedTarget(mostAtATime: number, textOf: (search: number) => string): Promise<ListeningTarget> {
  let onTheWay = 0;
  let searches = 0;
  return startListening((_request, response) => {
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
): Promise<ListeningTarget> {
  let onTheWay = 0;
  return startFront(serverUrl, async ({ answer }) => {
    onTheWay += 1;
    const isCrowded = onTheWay > mostAtATime;
    try {
      const text = await answer();
      await sleep(lengthMs);
      return isCrowded ? changed(text) : text;
    } finally {
      onTheWay -= 1;
    }
  });
}
