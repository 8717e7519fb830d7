import { loadSides } from "@assay/contract";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repetitions } from "@assay/tools/proving";
import {
  type K6Summary,
  type LoadOutcome,
  type LoadPlan,
  type LoadSample,
  loadOutcomes,
  type StreamSample,
  LoadResultShape,
} from "@assay/results";
import { createChecker } from "@assay/reading";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  callAt,
  conversationAt,
  environment,
  failedAt,
  idleGenerator,
  planWith,
  runWith,
  samplesText,
  streamAt,
  summaryOf,
} from "../testing/load-fixtures.ts";
import { temporaryFolder } from "../testing/run-folder.ts";
import { buildLoadResult, type FinishedLoad } from "./build-load-result.ts";
import { readLoadResult, stringifyLoadResult, writeLoadResult } from "./stored-result.ts";
import { parseThreshold } from "./threshold.ts";

const { problem } = createChecker(LoadResultShape);

interface Files {
  readonly plan: LoadPlan;
  readonly samples?: string;
  readonly summary?: string;
}
const plan = planWith();
const streams = Array.from({ length: 120 }, (_none, index) => streamAt(index * 100));
const filesOf = (samples: readonly LoadSample[], changes: Partial<K6Summary> = {}, given = plan): Files => ({
  plan: given,
  samples: samplesText(samples),
  summary: JSON.stringify(summaryOf(given, samples, changes)),
});
const notBegunFrom = (planMs: number, count: number): readonly LoadSample[] =>
  Array.from({ length: count }, (_none, at) => planMs + at * 100).map((at) =>
    failedAt(at, "not-begun", { sendMs: at, endMs: at }),
  );
/** After the streams above, none is answered for 20 seconds. */
const stalled = Array.from({ length: 10 }, (_none, at) =>
  streamAt(12_000 + at * 100, { firstMatchMs: 34_000, endMs: 34_000 }),
);
/** Of a run that could not begin some arrivals after all others. */
const withoutBegin = (samples: readonly LoadSample[], count: number, changes: Partial<K6Summary> = {}): Files =>
  filesOf([...samples, ...notBegunFrom(samples.length * 100, count)], {
    droppedIterations: count,
    notBegun: count,
    ...changes,
  });
const build = async (files: Files, changes: Partial<FinishedLoad> = {}) => {
  const folder = join(await temporaryFolder(), "run");
  await mkdir(folder);
  const contents = { "samples.ndjson": files.samples, "k6-summary.json": files.summary };
  for (const [name, text] of Object.entries(contents).filter(([, content]) => content !== undefined)) {
    await writeFile(join(folder, name), text ?? "");
  }
  const result = await buildLoadResult({
    folder,
    plan: files.plan,
    run: runWith(),
    environment,
    toolVersion: "0.1.0",
    k6End: { exitCode: 0, cause: "complete" },
    thresholds: [],
    ...changes,
  });
  return { folder, result };
};
const withoutSummary = ({ plan: given, samples = "" }: Files): Files => ({ plan: given, samples });
const withoutSamples = ({ plan: given, summary = "" }: Files): Files => ({ plan: given, summary });

describe("a run that ended as planned", () => {
  test("passes, with everything of its samples and its summary", async () => {
    const { result } = await build(filesOf(streams), { thresholds: [parseThreshold("first-match p95 < 800")] });
    expect(result).toMatchObject({
      outcome: "passed",
      exitCode: 0,
      complete: true,
      incomplete: [],
      trust: { valid: true },
      outcomes: { stream: { ok: 120 } },
      observations: { "data-first": 2 },
      thresholds: [
        { threshold: "first-match p95 < 800", valueMs: 20, ok: true },
        { threshold: "ok-rate >= 0.99", valueFraction: 1, ok: true },
      ],
    });
    expect(result.generator?.cpuSeconds).toBe(2);
  });

  test("compares nothing and finds no limit of the target if the generator left arrivals out", async () => {
    const comparison = {
      design: "paired",
      base: "a",
      head: "b",
      verdict: "improved",
      summary: "improved: it is faster.",
      metrics: [
        { metric: "first-match p50", confidence: 0.9, margin: 0.05, units: 14, verdict: "improved", detectable: 0.1 },
        { metric: "throughput", confidence: 0.9, margin: 0.05, units: 14, verdict: "unchanged" },
      ],
      failures: { baseFailed: 1, baseTotal: 9, headFailed: 0, headTotal: 9, pValue: 0, verdict: "improved" },
      queries: [],
      incomparable: [],
    } as const;
    const shape = { ...plan, shape: "breakpoint" } as const;
    const files = { ...withoutBegin(streams, 20), plan: shape };
    for (const given of [files, filesOf(streams, { droppedIterations: 1 })]) {
      const { result } = await build(given, { comparison });
      const { metrics = [], failures, verdict, summary } = result.comparison ?? {};
      expect([result.exitCode, verdict, failures?.verdict, ...metrics.map((one) => one.verdict)]).toEqual([
        3,
        ...Array.from({ length: 4 }, () => "inconclusive"),
      ]);
      expect(summary).toMatch(/^inconclusive: the two cannot be compared: /u);
      expect(result.knee).toBeUndefined();
    }
    const { result } = await build(filesOf(streams), { comparison });
    expect(result.comparison).toEqual(comparison);
  });

  test("is stored and read back as it was", async () => {
    const { folder, result } = await build(filesOf(streams));
    await writeLoadResult(folder, result);
    expect(await readLoadResult(folder)).toEqual(result);
    expect(await readFile(join(folder, "load.json"), "utf8")).toMatch(/\n {8}\[\d+, \d+\]/u);
  });

  test("without samples is incomplete, and names the missing file", async () => {
    const { result } = await build(withoutSamples(filesOf(streams)));
    expect(result).toMatchObject({ exitCode: 3, complete: false, metrics: [], histograms: [] });
    expect(result.summary).toContain("k6 did not write samples.ndjson");
  });
});

describe("how a run ends", () => {
  const ended = (cause: FinishedLoad["k6End"]["cause"], sentence: string) => ({ k6End: { cause, sentence } });
  const ofSomethingElse = {
    groups: [],
    rules: [],
    broken: [],
    notTheApi: { code: "not-the-api", message: "it redirects to /sign-in" },
    unloaded: 3,
    sentence: "no exchange of the load was stored, so none was checked",
    keptBytes: 0,
    capBytes: 1,
    problems: [],
  } as const;
  const threw = { thresholds: { "script_errors count==0": false } };
  const late = { generator: { ...idleGenerator, timerLagP99Ms: 50 } };
  const failing = (outcome: LoadOutcome, changes: Partial<StreamSample> = {}): readonly LoadSample[] => [
    ...streams,
    ...Array.from({ length: 20 }, (_none, at) => failedAt(at * 500, outcome, changes)),
  ];
  test.each<[string, string, Files, Partial<FinishedLoad>, string]>([
    [
      "a late generator met a target that took no connection",
      "performance-failed",
      filesOf(failing("transport"), late),
      {},
      "missed: `ok-rate >= 0.99` (85.71 %); the target caused the failures, but no other figure is valid: timers of k6 fired",
    ],
    ...(
      [
        ["answers that did not come in time", "timeout", {}],
        ["connections that broke in the middle", "transport", { status: 200, headersMs: 1 }],
        ["connections that were given up after long", "transport", { endMs: 20_000 }],
        ["failures of a burst that it made itself", "bad-status", { status: 500, sendMs: 15_000, endMs: 15_001 }],
        ["a target that asked for fewer", "distress", { status: 503 }],
        ["redirects to log in", "bad-status", { status: 302 }],
      ] as const
    ).map(([what, outcome, changes]): [string, string, Files, Partial<FinishedLoad>, string] => [
      `a late generator met ${what}`,
      "incomplete",
      filesOf(failing(outcome, changes), late),
      {},
      "no verdict: ",
    ]),
    [
      "k6 was killed",
      "incomplete",
      withoutSummary(filesOf(streams)),
      ended("crashed", "k6 was killed"),
      "k6 was killed",
    ],
    ["the limit was reached", "incomplete", filesOf(streams), ended("deadline", "the limit"), "no verdict: the limit"],
    [
      "a session ended on the way",
      "incomplete",
      filesOf([...streams, ...[12_500, 12_000].map((at) => failedAt(at, "bad-status", { status: 302 }))]),
      {},
      "was not always the API: 2 responses were web pages or redirects, the first in second 12 (status 302)",
    ],
    [
      "a token ended on the way",
      "incomplete",
      filesOf([...streams, ...[12_500, 12_700, 12_600].map((at) => failedAt(at, "refused", { status: 401 }))]),
      ended("distress", "the target could not handle the load"),
      "refused all 3 requests from second 12 on (401 or 403), and none before; the token may have expired",
    ],
    [
      "some were refused between answers",
      "performance-failed",
      filesOf([...streams, ...[500, 600, 700].map((at) => failedAt(at, "refused", { status: 401 }))]),
      {},
      "missed: `ok-rate >= 0.99` (97.56 %)",
    ],
    ["the target was in distress", "incomplete", filesOf(streams), ended("distress", "429"), "no verdict: 429"],
    [
      "the target died, and a threshold was missed before",
      "performance-failed",
      filesOf([...streams, ...Array.from({ length: 20 }, (_none, at) => failedAt(12_000 + at * 100, "transport"))]),
      ended("distress", "the target could not handle the load"),
      "missed: `ok-rate >= 0.99` (85.71 %); the target could not handle the load",
    ],
    [
      "a threshold could not be kept any more",
      "performance-failed",
      filesOf(streams),
      {
        ...ended("decided", "the run was ended"),
        thresholds: [parseThreshold("stream p50 < 1", "abort")],
      },
      "missed: `stream p50 < 1` (40.0 ms); the run was ended",
    ],
    [
      "a warning",
      "passed",
      filesOf(streams),
      { thresholds: [parseThreshold("stream p50 < 1", "warn")] },
      "warning: `stream p50 < 1` (40.0 ms) was missed; 120 requests succeeded, no rule failed, the threshold passed",
    ],
    [
      "one arrival could not begin, because the target took longer, and nothing was demanded",
      "passed",
      withoutBegin([...streams, ...stalled], 1),
      {},
      "warning: the target is saturated: 1 of 131 arrivals could not begin, because all 20 virtual users",
    ],
    [
      "many could not, because the target took longer, and nothing was demanded",
      "performance-failed",
      withoutBegin([...streams, ...stalled], 40),
      {},
      "missed: `ok-rate >= 0.99` (76.47 %; 40 of 170 could not begin); the target is saturated: ",
    ],
    [
      "the same, and what is demanded is missed by them",
      "performance-failed",
      withoutBegin([...streams, ...stalled], 40),
      { thresholds: [parseThreshold("first-match p95 < 800")] },
      "missed: `first-match p95 < 800` (21.9 s), `ok-rate >= 0.99` (76.47 %; 40 of 170 could not begin); the target is saturated: ",
    ],
    [
      "one arrival could not begin for want of a virtual user, whatever else went well",
      "incomplete",
      withoutBegin(streams, 1),
      { thresholds: [parseThreshold("ok-rate >= 0.01")] },
      "no verdict: the load is limited by --max-vus: 1 of 121 arrivals could not begin, because all 20 virtual users",
    ],
    [
      "many could not for want of a virtual user, so a share and a percentile are missed by them alone",
      "incomplete",
      withoutBegin(streams, 40),
      { thresholds: [parseThreshold("first-match p95 < 800")] },
      "no verdict: the load is limited by --max-vus: 40 of 160 arrivals could not begin",
    ],
    [
      "many could not for want of a virtual user, and what began misses a percentile all the same",
      "performance-failed",
      withoutBegin(streams, 40),
      { thresholds: [parseThreshold("first-match p95 < 8")] },
      "missed: `first-match p95 < 8` (> 3100.0 ms; at least 159 of 160 over it, 1 not watched that long); the target caused the failures, but no other figure is valid: the load is limited by --max-vus",
    ],
    [
      "the same, and the generator was late as well",
      "incomplete",
      withoutBegin(streams, 40, { generator: { ...idleGenerator, timerLagP99Ms: 50 } }),
      { thresholds: [parseThreshold("first-match p95 < 8")] },
      "no verdict: the load is limited by --max-vus: 40 of 160 arrivals could not begin",
    ],
    [
      "arrivals could not begin, and the generator dropped others",
      "incomplete",
      withoutBegin(streams, 1, { droppedIterations: 3 }),
      { thresholds: [parseThreshold("first-match p50 < 1")] },
      "no verdict: k6 did not start 2 of the planned iterations",
    ],
    [
      "Ctrl-C",
      "interrupted",
      filesOf(streams),
      ended("interrupted", "the run was interrupted"),
      "interrupted by SIGINT",
    ],
    ["SIGTERM", "interrupted", filesOf(streams), { interrupted: "SIGTERM" }, "interrupted by SIGTERM"],
    [
      "k6 panicked",
      "harness-error",
      filesOf(streams),
      { k6End: { exitCode: 109, cause: "crashed", sentence: "it panicked", isHarnessFault: true } },
      "it panicked",
    ],
    [
      "something else than the API was asked, so no load was sent",
      "incomplete",
      { plan },
      { ...ended("not-started", "no load was sent"), judgement: ofSomethingElse },
      "no verdict: it redirects to /sign-in",
    ],
    [
      "something else than the API has answered the load",
      "incomplete",
      filesOf([failedAt(1, "violation", { codes: { "no-done": 1 } })]),
      { judgement: ofSomethingElse },
      "no verdict: it redirects to /sign-in",
    ],
    [
      "there is nothing",
      "incomplete",
      { plan },
      {},
      "k6 did not write samples.ndjson; k6 did not write k6-summary.json",
    ],
    [
      "no summary though k6 ended well",
      "incomplete",
      withoutSummary(filesOf(streams)),
      {},
      "k6 did not write k6-summary.json",
    ],
    [
      "the last sample is cut off",
      "incomplete",
      { ...filesOf(streams), samples: samplesText(streams).slice(0, -9) },
      {},
      "truncated",
    ],
    [
      "samples are missing",
      "incomplete",
      { ...filesOf(streams), samples: samplesText(streams.slice(1)) },
      {},
      "k6 counted 120",
    ],
    [
      "a sample cannot be read",
      "incomplete",
      { ...filesOf(streams), samples: `${samplesText(streams)}x\n` },
      {},
      "1 sample line cannot be parsed",
    ],
    [
      "the summary is cut off",
      "incomplete",
      { ...filesOf(streams), summary: '{"assay":' },
      {},
      "is not a summary of a load scenario",
    ],
    ["the script threw", "incomplete", filesOf(streams, threw), {}, "some iterations threw"],
    ["iterations were dropped", "incomplete", filesOf(streams, { droppedIterations: 3 }), {}, "did not start 3"],
    ["all was refused", "incomplete", filesOf([failedAt(0, "refused")]), {}, "check the token"],
    ["nothing was reached", "incomplete", filesOf([failedAt(0, "transport")]), {}, "check the address"],
    [
      "a stream went beyond a limit",
      "incomplete",
      filesOf([...streams, failedAt(1, "limit")]),
      {},
      "1 stream hit a limit",
    ],
    [
      "a violation",
      "failed",
      filesOf([...streams, failedAt(1, "violation", { codes: { "no-done": 1 } })]),
      {},
      "no-done",
    ],
    ["a violation that k6 alone saw", "failed", filesOf(streams, { violations: { comment: 1 } }), {}, "comment"],
    [
      "a violation in a run that was killed",
      "failed",
      withoutSummary(filesOf([failedAt(0, "violation")])),
      ended("crashed", "x"),
      "also incomplete: x",
    ],
    [
      "every hundredth failed and one more",
      "performance-failed",
      filesOf([...streams, failedAt(1, "timeout"), failedAt(2, "timeout")]),
      {},
      "ok-rate",
    ],
    ["all failed", "performance-failed", filesOf([failedAt(1, "bad-status")]), {}, "missed: `ok-rate >= 0.99` (0 %)"],
    [
      "a threshold was missed",
      "performance-failed",
      filesOf(streams),
      { thresholds: [parseThreshold("stream p50 < 1")] },
      "(40.0 ms)",
    ],
    [
      "too few samples for a threshold",
      "incomplete",
      filesOf(streams),
      { thresholds: [parseThreshold("stream p99 < 60")] },
      "has 120 samples and needs 500",
    ],
    [
      "a threshold of the script's own was missed",
      "performance-failed",
      filesOf(streams, { thresholds: { "mine p(95)<5": false } }),
      {},
      "k6: mine",
    ],
    [
      "conversations are left",
      "cleanup-incomplete",
      filesOf(streams),
      { cleanUp: { created: 2, removed: 1, left: ["x"] } },
      "1 of 2",
    ],
  ])("%s: %s", async (...[, outcome, files, changes, words]) => {
    const { result } = await build(files, changes);
    expect([result.outcome, result.summary]).toEqual([outcome, expect.stringContaining(words)]);
    expect(problem(JSON.parse(stringifyLoadResult(result)))).toBeUndefined();
  });

  test("the shape that looks for the limit may let requests fail", async () => {
    const breaking = planWith({ shape: "breakpoint" });
    const samples = [...streams, failedAt(1, "timeout"), failedAt(2, "timeout")];
    const { result } = await build(filesOf(samples, {}, breaking));
    expect([result.outcome, result.thresholds]).toEqual(["passed", []]);
  });
});

test("for any samples, the result fits the schema and is read as it was stored", async () => {
  const planMs = fc.nat(90_000);
  const outcome = fc.constantFrom(...loadOutcomes);
  const phase = fc.constantFrom("warmup" as const, "measure" as const);
  const side = fc.constantFrom(...loadSides);
  const sample = fc.oneof(
    fc.tuple(planMs, fc.record({ outcome, phase, side })).map(([at, changes]) => streamAt(at, changes)),
    fc.tuple(planMs, fc.record({ outcome, phase, side })).map(([at, changes]) => conversationAt(at, changes)),
    fc.tuple(planMs, fc.record({ outcome, phase })).map(([at, changes]) => callAt(at, "poll", changes)),
  );
  const shape = fc.constantFrom("steady" as const, "ramp" as const, "breakpoint" as const);
  const end = fc.constantFrom("complete" as const, "distress" as const, "interrupted" as const, "crashed" as const);
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { maxLength: 60 }), shape, end, async (samples, given, cause) => {
      const targets = { base: "http://a", head: "http://b" };
      const { result } = await build(filesOf(samples, {}, planWith({ shape: given, targets })), { k6End: { cause } });
      const stored: unknown = JSON.parse(stringifyLoadResult(result));
      expect([problem(stored), stored]).toEqual([undefined, result]);
    }),
    { numRuns: repetitions(15, 60) },
  );
});

describe("a stored result that is refused in one sentence", () => {
  test.each<{ name: string; change: (text: string) => string; why: string }>([
    { name: "truncated", change: (text) => text.slice(0, -20), why: "is not a load result, or was cut off" },
    { name: "of something else", change: () => "[]", why: "is not a load result, or was cut off" },
    {
      name: "of another version",
      change: (text) => text.replace('"schemaVersion": 2', '"schemaVersion": 3'),
      why: "has schema version 3, and only 1 and 2 are read; use the version of Assay that wrote it",
    },
    {
      name: "without a plan",
      change: (text) => text.replace('"plan": {', '"plane": {'),
      why: "cannot be used: the whole must have required property 'plan'; pass the result of a load run",
    },
    {
      name: "with buckets that do not add up",
      change: (text) => text.replace(/\[(\d+), 120\]/u, "[$1, 119]"),
      why: "contradicts itself: the buckets of /histograms/0 are not in order, or do not add up to its count; run the load again",
    },
  ])("one $name", async ({ change, why }) => {
    const { folder, result } = await build(filesOf(streams));
    await writeFile(join(folder, "load.json"), change(stringifyLoadResult(result)));
    await expect(readLoadResult(folder)).rejects.toMatchObject({
      code: "unreadable-result",
      sentence: `${join(folder, "load.json")} ${why}`,
    });
  });

  test("a missing file", async () => {
    await expect(readLoadResult("/nowhere")).rejects.toMatchObject({ code: "unreadable-result" });
  });
});
