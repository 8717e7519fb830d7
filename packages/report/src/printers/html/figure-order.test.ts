import type { StreamTimeline } from "@assay/results";
import { expect, test } from "vitest";
import { commentFinding, resultOf, withVerdict } from "../../testing/sample-results.ts";
import { sampleTimelines } from "../../testing/sample-timelines.ts";
import { orderConversations, orderStreams } from "./figure-order.ts";
import { createPageRuns } from "./page-runs.ts";

const stream = (exchange: string, changes: Partial<StreamTimeline> = {}): StreamTimeline => ({
  exchange,
  probe: "p",
  url: "u",
  bytes: 0,
  endedMicros: 1,
  lanes: [],
  ...changes,
});

const streams = [
  stream("x1"),
  stream("x2", { buffered: "all at once" }),
  stream("x3"),
  stream("x4", { failure: "it was cut off" }),
];
const timelines = { ...sampleTimelines, streams };
const verdicts = withVerdict("two-fields", { outcome: "failed", findings: [commentFinding], moreFindings: 0 });

test("streams with findings come first, then buffered and failed ones, then the rest", () => {
  const [run] = createPageRuns([{ result: resultOf({ verdicts }), timelines }]);
  const ordered = run === undefined ? undefined : orderStreams(run, timelines);
  expect(ordered?.timelines.map(({ exchange }) => exchange)).toEqual(["x3", "x2", "x4", "x1"]);
  expect(ordered?.problemCount).toBe(3);
});

test("conversations with findings come first", () => {
  const quiet = { conversation: "0", lanes: [] };
  const [asked] = sampleTimelines.conversations;
  const conversations = [quiet, ...(asked === undefined ? [] : [asked])];
  const [run] = createPageRuns([{ result: resultOf({ verdicts }), timelines: { ...timelines, conversations } }]);
  const ordered = run === undefined ? undefined : orderConversations(run, { ...timelines, conversations });
  expect(ordered?.timelines.map(({ conversation }) => conversation)).toEqual(["1", "0"]);
  expect(ordered?.problemCount).toBe(1);
});
