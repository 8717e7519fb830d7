import type { ServerResponse } from "node:http";
import { type ListeningTarget, startListening } from "./front.ts";

/** How a target treats the search with this number, from 0. */
export type Treatment =
  /** Milliseconds before the first match; the end follows it. */
  | { readonly firstMatchMs: number }
  /** The target dies: it drops all connections and accepts no new ones. */
  | "dies"
  /** Never answers. */
  | "silent"
  /** Sends a login page instead of a stream. */
  | "page";

const progress = `event: progress\ndata: {"done":false,"matchCount":0,"durationMs":1,"skipped":[]}\n\n`;
const match = `event: matches\ndata: [{"type":"path","repository":"github.com/a/b","path":"c.go"}]\n\n`;
const done = `event: progress\ndata: {"done":true,"matchCount":1,"repositoriesCount":1,"durationMs":2,"skipped":[]}\n\nevent: done\ndata: {}\n\n`;

/** Starts a target that answers searches with well-formed streams and the given delays. */
export async function startStreamTarget(treat: (search: number) => Treatment): Promise<ListeningTarget> {
  let searches = 0;
  const timers = new Set<NodeJS.Timeout>();
  const target = await startListening((_request, response) => {
    const treatment = treat(searches);
    searches += 1;
    if (treatment === "dies") {
      void target.close();
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
  return {
    url: target.url,
    close: async () => {
      for (const timer of timers) {
        clearTimeout(timer);
      }
      await target.close();
    },
  };
}
