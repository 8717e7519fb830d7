import { describe, expect, test } from "vitest";
import { goalLine, goalsOf } from "./goals.ts";
import type { Goal } from "./goals.ts";
import { markdownReport, terminalTable } from "./markdown-report.ts";
import { accuracyResult } from "./measure-accuracy.ts";
import { capacitySum } from "./measure-capacity.ts";
import { clientNames, concurrencies, streamKinds } from "./measurements.ts";
import type { AccuracyResult, CapacityResult, ClientName, LoadBenchResult } from "./measurements.ts";
import { quantile } from "./quantile.ts";

const mebibyte = 2 ** 20;

const accuracy = (
  client: ClientName,
  concurrency: AccuracyResult["concurrency"],
  medianMs: number,
): AccuracyResult => ({
  client,
  concurrency,
  streams: 20,
  medianMs,
  p90Ms: 2 * medianMs,
  p99Ms: 3 * medianMs,
  cpuMsPerStream: 1,
  dropped: 0,
  emitterMedianMs: 50.2,
  rounds: [medianMs, medianMs],
});

const capacity = (client: ClientName, kind: CapacityResult["kind"], streams: number): CapacityResult => ({
  client,
  kind,
  users: 20,
  streams,
  wallSeconds: 2,
  cpuSeconds: 2,
  emitterCpuSeconds: 1,
  peakBytes: 90 * mebibyte,
  rounds: [streams / 2],
});

const result = (part: Partial<LoadBenchResult> = {}): LoadBenchResult => ({
  machine: { node: "v0.0.0", k6: "k6 v0", processor: "some", cpus: 2, isPinned: true },
  seconds: 300,
  accuracy: [],
  capacity: [],
  ...part,
});

const reached = (part: Partial<LoadBenchResult>): readonly boolean[] =>
  goalsOf(result(part)).map(({ outcome }) => outcome === "reached");

const keeping = ({ plain, kept }: Record<"plain" | "kept", readonly number[]>): readonly Goal[] =>
  goalsOf(
    result({
      accuracy: [
        { ...accuracy("assay", 1, 2), rounds: plain },
        { ...accuracy("assay-kept", 1, 2), rounds: kept },
      ],
    }),
  );

describe("goals are decided by the numbers", () => {
  test.each([
    { name: "an error at the bound", ours: 0.3, theirs: 0.5, expected: [true] },
    { name: "an error above it", ours: 0.31, theirs: 0.5, expected: [false] },
    { name: "no error that could be measured", ours: Number.NaN, theirs: 0.5, expected: [false] },
  ])("$name", ({ ours, theirs, expected }) => {
    expect(reached({ accuracy: [accuracy("assay", 12, ours), accuracy("peer", 12, theirs)] })).toEqual(expected);
  });

  test.each([
    { name: "capacity at the bound", ours: 150, theirs: 100, expected: [true] },
    { name: "capacity below it", ours: 149, theirs: 100, expected: [false] },
  ])("$name", ({ ours, theirs, expected }) => {
    expect(reached({ capacity: [capacity("assay", "small", ours), capacity("peer", "small", theirs)] })).toEqual(
      expected,
    );
  });

  test.each([
    { name: "memory below the bound", peakBytes: 100 * mebibyte - 1, expected: [true] },
    { name: "memory at the bound", peakBytes: 100 * mebibyte, expected: [false] },
  ])("$name", ({ peakBytes, expected }) => {
    expect(reached({ capacity: [{ ...capacity("assay", "large", 1), peakBytes }] })).toEqual(expected);
  });

  test.each([
    { name: "keeping costs a twentieth of the error", kept: 1.05, expected: true },
    { name: "keeping costs more of it", kept: 1.06, expected: false },
    { name: "no error with keeping that could be measured", kept: Number.NaN, expected: false },
  ])("$name", ({ kept, expected }) => {
    expect(reached({ accuracy: [accuracy("assay", 12, 1), accuracy("assay-kept", 12, kept)] })).toEqual([expected]);
  });

  test.each(
    streamKinds.flatMap((kind) => [
      { name: `keeping costs a twentieth of the capacity with ${kind} events`, kind, kept: 950, expected: true },
      { name: `keeping costs more of it with ${kind} events`, kind, kept: 949, expected: false },
    ]),
  )("$name", ({ kind, kept, expected }) => {
    const goals = goalsOf(result({ capacity: [capacity("assay", kind, 1000), capacity("assay-kept", kind, kept)] }));
    expect(goals.find(({ name }) => name.includes("kept against without"))?.outcome === "reached").toBe(expected);
  });

  test("what keeping costs is compared round by round, and told with its spread", () => {
    expect(keeping({ plain: [1, 1.05, 1.04], kept: [1.5, 1.05, 1.15] })).toEqual([
      expect.objectContaining({
        measured:
          "1.11 times (median of 3 rounds from 1.00 to 1.50); 2.00 ms to 2.00 ms, of which rounds went from 1.00 to 1.05",
        outcome: "missed",
      }),
    ]);
  });

  test("what differs less than the rounds without keeping among themselves is undecided", () => {
    expect(keeping({ plain: [1, 2, 4], kept: [1.5, 2, 4.4] })).toEqual([
      expect.objectContaining({ outcome: "undecided" }),
    ]);
    expect(keeping({ plain: [1, 2, 4], kept: [1, 2, 4] })).toEqual([expect.objectContaining({ outcome: "reached" })]);
  });

  test("each client that sees events is one to compare with, and stock k6 is none", () => {
    const all = concurrencies.flatMap((concurrency) => clientNames.map((client) => accuracy(client, concurrency, 1)));
    const names = goalsOf(result({ accuracy: all })).map(({ name }) => name);
    expect(names).toHaveLength(3 * concurrencies.length);
    expect(names.filter((name) => name.includes("xk6-sse"))).toHaveLength(concurrencies.length);
    expect(names.join()).not.toContain("http");
  });
});

describe("the report", () => {
  const measured = result({
    accuracy: [accuracy("http-get", 1, 990), accuracy("assay", 1, 0.3), accuracy("peer", 1, 0.4)],
    capacity: [capacity("assay", "small", 3000), capacity("peer", "small", 1000)],
    polling: { ratePerSecond: 500, polls: 1000, wallSeconds: 2, cpuSeconds: 0.3 },
  });

  test("says what was measured, what was missed and on what machine", () => {
    const text = markdownReport(measured);
    expect(text).toMatch(/\| MISSED \|/u);
    expect(text).toContain("0.75 times (0.30 ms to 0.40 ms)");
    expect(text).toContain("3.00 times (1500 to 500)");
    expect(text).toContain("2 processors (some), k6 on the first core");
    expect(text).toContain("500 polls a second (500 achieved) k6 takes 15 % of a core,\n0.30 ms");
  });

  test("never calls the peer xk6-sse, and says when that was not measured", () => {
    expect(markdownReport(measured)).toContain("is not xk6-sse");
    expect(markdownReport(measured)).toContain("xk6-sse** itself: not measured");
    const withSse = result({ accuracy: [...measured.accuracy, accuracy("xk6-sse", 1, 1)] });
    expect(markdownReport(withSse)).not.toContain("not measured in this run");
  });

  test("has tables whose rows have as many cells as their head", () => {
    const cells = markdownReport(measured)
      .split("\n\n")
      .filter((block) => block.startsWith("|"))
      .map((block) => new Set(block.split("\n").map((line) => line.split("|").length)).size);
    expect(cells.length).toBeGreaterThan(2);
    expect(new Set(cells)).toEqual(new Set([1]));
  });

  test("tells the share of the streams that are kept, and that of those that are lost", () => {
    const exchanges = { sent: 1000, kept: 250, lost: 0 };
    const text = (lost: number): string =>
      markdownReport(
        result({ capacity: [{ ...capacity("assay-kept", "large", 1), exchanges: { ...exchanges, lost } }] }),
      );
    expect(text(0)).toContain("| 25 % |");
    expect(text(10)).toContain("| 25 %, 1 % lost |");
  });

  test("is short on the terminal, with those first that see events", () => {
    const lines = terminalTable(measured).split("\n");
    expect(lines.slice(1, 4).map((line) => line.split(/\s{2,}/u)[1])).toEqual(["assay", "peer", "http-get"]);
    expect(goalsOf(measured).map(goalLine)).toEqual([
      expect.stringMatching(/^MISSED .*1 stream at a time/u),
      expect.stringMatching(/^reached .*3\.00 times/u),
    ]);
  });
});

describe("rounds are combined", () => {
  test("errors as one set, processor time over all streams", () => {
    const stretch = { streams: 10, wallSeconds: 1, cpuSeconds: 0.02, emitterCpuSeconds: 0 };
    const rounds = [
      { errorsMs: [1, 5], delaysMs: [50, 50], stretch, dropped: 1 },
      { errorsMs: [2], delaysMs: [51], stretch: { ...stretch, cpuSeconds: 0.04 }, dropped: 2 },
    ];
    expect(accuracyResult("peer", 12, rounds)).toMatchObject({
      streams: 3,
      medianMs: 2,
      p99Ms: 5,
      cpuMsPerStream: 3,
      dropped: 3,
      emitterMedianMs: 50,
    });
  });

  test("capacity as sums, memory as the highest peak", () => {
    const one = capacity("assay", "small", 100);
    expect(capacitySum([one, { ...one, streams: 50, peakBytes: 1 }])).toMatchObject({
      streams: 150,
      cpuSeconds: 4,
      wallSeconds: 4,
      peakBytes: one.peakBytes,
      rounds: [50, 50],
    });
    const exchanges = { sent: 3, kept: 2, lost: 1 };
    expect(
      capacitySum([
        { ...one, exchanges },
        { ...one, exchanges },
      ]).exchanges,
    ).toEqual({ sent: 6, kept: 4, lost: 2 });
  });
});

test.each([
  { values: [3, 1, 2], share: 0.5, expected: 2 },
  { values: [4, 1, 2, 3], share: 0.99, expected: 4 },
  { values: [], share: 0.5, expected: Number.NaN },
])("the quantile $share of $values is $expected", ({ values, share, expected }) => {
  expect(quantile(values, share)).toBe(expected);
});
