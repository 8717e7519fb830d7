import type { StreamEvent } from "@assay/stream-grammar";
import { describe, expect, test } from "vitest";
import { addProgress, noProgress } from "./search-progress.ts";
import type { SearchProgress } from "./search-progress.ts";
import { streamEvent } from "../testing/stream-event.ts";

const progressAfter = (...events: readonly StreamEvent[]): SearchProgress => {
  const progress = noProgress();
  for (const each of events) {
    addProgress(progress, each);
  }
  return progress;
};

describe("the progress of a search", () => {
  test.each([
    { name: "matches", is: true },
    { name: "filters", is: true },
    { name: "progress", is: true },
    { name: "alert", is: false },
    { name: "error", is: false },
    { name: "done", is: false },
  ])("has an event of a search after $name: $is", ({ name, is }) => {
    expect(progressAfter(streamEvent(name)).hasSearchEvent).toBe(is);
  });

  test.each([
    { done: true, is: true },
    { done: false, is: false },
    { done: "true", is: false },
  ])("is finished after `done` $done: $is", ({ done, is }) => {
    expect(progressAfter(streamEvent("progress", { done })).isFinished).toBe(is);
  });

  test("has each number from the first final event that contains it", () => {
    const early = streamEvent("progress", { done: false, matchCount: 1, repositoriesCount: 1 });
    const final = streamEvent("progress", { done: true, matchCount: 2 });
    const later = streamEvent("progress", { done: true, matchCount: 3, repositoriesCount: 3 });
    const { matchCount, repositoriesCount } = progressAfter(early, final, later);
    expect([matchCount, repositoriesCount]).toEqual([
      { count: 2, event: final },
      { count: 3, event: later },
    ]);
  });
});
