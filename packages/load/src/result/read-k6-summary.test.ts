import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planWith, streamAt, summaryOf } from "../testing/load-fixtures.ts";
import { temporaryFolder } from "../testing/run-folder.ts";
import { readK6Summary } from "./read-k6-summary.ts";

const conversation = {
  interface: "legacy",
  pollIntervalMs: 250,
  deadlineMs: 60_000,
  questions: [{ name: "q", text: "?" }],
  marker: "abcdefgh",
  budget: 5,
} as const;
const blocks = { pairs: 30, warmupPairs: 2, requestsPerBlock: 200, gapRequests: 2, seed: 1 } as const;
const summary = summaryOf(planWith({ conversation, blocks, targets: { base: "http://a", head: "http://b" } }), [
  streamAt(0),
]);
const read = async (value: unknown) => {
  const path = join(await temporaryFolder(), "k6-summary.json");
  await writeFile(path, JSON.stringify(value));
  return readK6Summary(path);
};

test("a summary is read as it was written, without unknown members", async () => {
  expect(await read({ ...summary, later: 1 })).toEqual(summary);
});

test("a summary with a plan of version 1 has its targets by side", async () => {
  const { base: a, head: b } = summary.plan.targets;
  expect(await read({ ...summary, plan: { ...summary.plan, version: 1, targets: { a, b } } })).toEqual(summary);
});

test("a missing summary is undefined", async () => {
  expect(await readK6Summary("/nowhere/k6-summary.json")).toBeUndefined();
});

test("a generator with only some of its facts is left out", async () => {
  expect(await read({ ...summary, generator: { cpuSeconds: 1 } })).not.toHaveProperty("generator");
});

describe("a summary is refused", () => {
  test.each<[string, unknown]>([
    ["of another version", { ...summary, version: 2 }],
    ["that is not an object", [summary]],
    ["without a plan", { ...summary, plan: undefined }],
    ["with a plan of another version", { ...summary, plan: { ...summary.plan, version: 3 } }],
    ["with a plan without targets", { ...summary, plan: { ...summary.plan, targets: {} } }],
    ["with a plan of another shape", { ...summary, plan: { ...summary.plan, shape: "zigzag" } }],
    ["with a plan with a negative rate", { ...summary, plan: { ...summary.plan, ratePerSecond: -1 } }],
  ])("%s", async (_name, value) => {
    await expect(read(value)).rejects.toMatchObject({
      code: "unreadable-summary",
      message: expect.not.stringContaining("\n"),
    });
  });
});
