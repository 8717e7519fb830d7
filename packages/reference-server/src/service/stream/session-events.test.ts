import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Repository } from "../repositories/repository.ts";
import type { SearchResult } from "../search/search-result.ts";
import { noContext } from "../ripgrep/context-lines.ts";
import { createResultCollector } from "./result-collector.ts";
import type { SearchEvent } from "./search-event.ts";
import { sessionEvents } from "./session-events.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const repository: Repository = { name: "local/x", id: 1, directory: "/x", files: [] };

const pathResult = (path: string): SearchResult => ({ kind: "path", repository, file: { path }, pathSpans: [] });

/** Yields each group of results at its time on the fake clock. */
async function* arriving(groups: readonly (readonly [afterMs: number, ...paths: readonly string[]])[]) {
  for (const [afterMs, ...paths] of groups) {
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    yield paths.map(pathResult);
  }
}

interface Timed {
  readonly atMs: number;
  readonly event: SearchEvent;
}

const run = async (
  results: AsyncIterable<readonly SearchResult[]>,
  hasTimedFlushes = true,
): Promise<readonly Timed[]> => {
  const startMs = performance.now();
  const elapsedMs = (): number => performance.now() - startMs;
  const seen: Timed[] = [];
  const collector = createResultCollector({
    limit: 1000,
    chunkMatches: false,
    context: noContext,
    vocabulary: "field",
    elapsedMs,
  });
  const reading = (async () => {
    const events = sessionEvents(results, {
      collector,
      hasTimedFlushes,
      now: () => performance.now(),
      listUnfinishedRepositories: () => [],
      closingAlert: () => undefined,
      clientSignal: new AbortController().signal,
    });
    for await (const event of events) {
      seen.push({ atMs: elapsedMs(), event });
    }
  })();
  await vi.advanceTimersByTimeAsync(60_000);
  await reading;
  return seen;
};

const namesAt = (seen: readonly Timed[], fromMs: number, toMs: number): readonly string[] =>
  seen.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(({ event }) => event.name);

test("the first result is sent at once, the next ones with the tick", async () => {
  const seen = await run(
    arriving([
      [50, "a"],
      [10, "b"],
      [10, "c"],
      [1000, "d"],
    ]),
  );
  expect(namesAt(seen, 0, 51)).toEqual(["filters", "matches", "progress"]);
  expect(namesAt(seen, 51, 200)).toEqual([]);
  expect(namesAt(seen, 200, 500)).toEqual(["filters", "matches", "progress"]);
});

test("a search without results sends a progress every five seconds", async () => {
  const seen = await run(arriving([[17_000, "a"]]));
  expect(namesAt(seen, 0, 4999)).toEqual([]);
  expect(namesAt(seen, 0, 16_999)).toEqual(["progress", "progress", "progress"]);
});

test("without timed flushes results wait for the end", async () => {
  const seen = await run(
    arriving([
      [50, "a"],
      [10, "b"],
      [2000, "c"],
    ]),
    false,
  );
  expect(namesAt(seen, 51, 2000)).toEqual([]);
  expect(seen.map(({ event }) => event.name)).toEqual([
    "filters",
    "matches",
    "progress",
    "filters",
    "matches",
    "progress",
    "done",
  ]);
});

test("a search that fails ends with its final events, an error and done", async () => {
  async function* failing(): AsyncGenerator<readonly SearchResult[]> {
    yield [pathResult("a")];
    throw new Error("the disk is gone");
  }
  const seen = await run(failing());
  expect(seen.map(({ event }) => event.name)).toEqual([
    "filters",
    "matches",
    "progress",
    "filters",
    "progress",
    "error",
    "done",
  ]);
  expect(seen.at(-2)?.event.data).toEqual({ message: "the disk is gone" });
});
