import { setTimeout as sleep } from "node:timers/promises";
import { type ListeningTarget, startFront, startListening } from "./front.ts";

/** Milliseconds between a request and the end of its response. */
const lengthMs = 400;

const progress = (done: boolean): string =>
  `event: progress\ndata: {"done":${String(done)},"matchCount":1,"durationMs":1,"repositoriesCount":1,"skipped":[]}\n\n`;

const match = (text: string): string =>
  `event: matches\ndata: ${JSON.stringify([{ type: "path", repository: "github.com/a/b", path: text }])}\n\n`;

/** Starts a target that omits `done` if more than `max` searches are in flight. The text of a match depends on its number, from 1. */
export function startCrowdedTarget(
  maxConcurrent: number,
  textOf: (search: number) => string,
): Promise<ListeningTarget> {
  let onTheWay = 0;
  let searches = 0;
  return startListening((_request, response) => {
    onTheWay += 1;
    searches += 1;
    const text = textOf(searches);
    const isCrowded = onTheWay > maxConcurrent;
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

/** Starts a proxy that changes the text of responses if more than `max` requests are in flight. */
export function startCrowdedFront(
  serverUrl: string,
  maxConcurrent: number,
  changed: (answer: string) => string,
): Promise<ListeningTarget> {
  let onTheWay = 0;
  return startFront(serverUrl, async ({ answer }) => {
    onTheWay += 1;
    const isCrowded = onTheWay > maxConcurrent;
    try {
      const text = await answer();
      await sleep(lengthMs);
      return isCrowded ? changed(text) : text;
    } finally {
      onTheWay -= 1;
    }
  });
}
