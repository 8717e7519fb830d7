import { expect, test } from "vitest";
import { isInsideSkippedEntry, skippedEntries, isCutReason } from "./skipped-entry.ts";

test.each([
  { pointer: "/skipped/0", isInside: true },
  { pointer: "/skipped/12", isInside: true },
  { pointer: "/skipped/0/reason", isInside: true },
  { pointer: "/skipped/12/suggested/title", isInside: true },
  { pointer: "/skipped", isInside: false },
  { pointer: "/skipped/", isInside: false },
  { pointer: "/skipped/a", isInside: false },
  { pointer: "/skipped/0a", isInside: false },
  { pointer: "/other/skipped/0", isInside: false },
  { pointer: "/matchCount", isInside: false },
  { pointer: "", isInside: false },
])("the pointer `$pointer` leads into a skipped entry: $isInside", ({ pointer, isInside }) => {
  expect(isInsideSkippedEntry(pointer)).toBe(isInside);
});

test.each<{ name: string; progress: unknown; entries: readonly unknown[] }>([
  { name: "all of an array", progress: { skipped: [1, {}] }, entries: [1, {}] },
  { name: "none of what is not an array", progress: { skipped: { 0: 1, length: 1 } }, entries: [] },
  { name: "none where there is no such member", progress: {}, entries: [] },
  { name: "none of what is not an object", progress: [{ skipped: [1] }], entries: [] },
])("skipped entries are $name", ({ progress, entries }) => {
  expect(skippedEntries(progress)).toEqual(entries);
});

test.each([
  { reason: "excluded-archive", isCut: false },
  { reason: "repository-fork", isCut: false },
  { reason: "shard-match-limit", isCut: true },
  { reason: "never-seen-before", isCut: true },
  { reason: undefined, isCut: true },
])("the reason $reason means that results were cut off: $isCut", ({ reason, isCut }) => {
  expect(isCutReason(reason)).toBe(isCut);
});
