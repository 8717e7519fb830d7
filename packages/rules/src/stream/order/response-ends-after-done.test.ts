import type { ExchangeEnd, FailureCode } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { judgeExchanges } from "../../testing/judge-streams.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/response-ends-after-done";
const progress = wireEvent("progress", { done: true });
const body = progress + doneEvent;
const failed = (code: FailureCode): ExchangeEnd => ({ kind: "failed", code, message: code });
const closedByUs: ExchangeEnd = { kind: "complete", closedBy: "client" };

describe("a response that the server ends after `done`", () => {
  test.each<{ readonly name: string; readonly sketch: ExchangeSketch; readonly is: string }>([
    { name: "at once", sketch: { body }, is: "holds, 1 observed" },
    { name: "late", sketch: { body, tookMicros: 1_900_000 }, is: "holds, 1 observed" },
    { name: "without `done`", sketch: { body: progress }, is: "not observed" },
    { name: "without a stream", sketch: { status: 401 }, is: "not observed" },
    { name: "in a recording made elsewhere", sketch: { body, probe: "import" }, is: "not observed" },
  ])("$name: $is", ({ sketch, is }) => {
    expect(summarizeReport(id, sketch)).toBe(is);
  });
});

describe("a connection that is closed before the response ends", () => {
  test.each<{ readonly name: string; readonly sketch: ExchangeSketch; readonly is: string }>([
    { name: "after `done`", sketch: { body, end: failed("truncated") }, is: "broken 1 times, 1 observed" },
    { name: "by a reset after `done`", sketch: { body, end: failed("reset") }, is: "broken 1 times, 1 observed" },
    {
      name: "after bytes that follow `done`",
      sketch: { body: `${body}event: ma`, end: failed("truncated") },
      is: "broken 1 times, 1 observed",
    },
    { name: "before `done`", sketch: { body: progress, end: failed("truncated") }, is: "not observed" },
    {
      name: "before the blank line after `done`",
      sketch: { body: body.slice(0, -1), end: failed("truncated") },
      is: "not observed",
    },
    { name: "by our deadline", sketch: { body, end: failed("total-timeout") }, is: "not observed" },
    {
      name: "in a recording made elsewhere",
      sketch: { body, end: failed("reset"), probe: "import" },
      is: "not observed",
    },
  ])("$name: $is", ({ sketch, is }) => {
    expect(summarizeReport(id, sketch)).toBe(is);
  });

  test.each([
    { headers: [["Transfer-Encoding", "chunked"]] as const, lacks: "the final chunk of the HTTP response" },
    { headers: [], lacks: "the end of the HTTP response" },
  ])("lacks $lacks", ({ headers, lacks }) => {
    const [finding] = streamReport(id, { body, end: failed("truncated"), headers }).violations;
    expect([finding?.code, finding?.message]).toEqual([
      "closed-early",
      `the connection was closed after \`done\` without ${lacks}; strict HTTP clients report an error although every event arrived`,
    ]);
  });
});

describe("a response that we had to close", () => {
  test.each([
    { tookMicros: 1_000_000, is: "broken 1 times, 1 observed" },
    { tookMicros: 999_999, is: "not observed" },
  ])("$tookMicros microseconds after `done`: $is", ({ tookMicros, is }) => {
    expect(summarizeReport(id, { body, end: closedByUs, tookMicros })).toBe(is);
  });

  test.each<{ readonly name: string; readonly stalls: ExchangeSketch["stalls"]; readonly is: string }>([
    { name: "in a busy process", stalls: [[500_000, 1_500_001]], is: "not observed" },
    {
      name: "in a process that was busy again and again",
      stalls: [
        [0, 600_000],
        [900_000, 1_400_001],
      ],
      is: "not observed",
    },
    {
      name: "in a process that was busy for less of the time",
      stalls: [[500_000, 1_500_000]],
      is: "broken 1 times, 1 observed",
    },
    { name: "in a process that was busy after it", stalls: [[2_000_001, 4_000_000]], is: "broken 1 times, 1 observed" },
  ])("two seconds after `done`, $name: $is", ({ stalls, is }) => {
    expect(summarizeReport(id, { body, end: closedByUs, tookMicros: 2_000_000, stalls })).toBe(is);
  });

  test("was left open", () => {
    const [finding] = streamReport(id, { body, end: closedByUs, tookMicros: 2_000_500 }).violations;
    expect([finding?.code, finding?.message]).toEqual([
      "left-open",
      "the response was still open 2 s after `done`; clients that read to its end hang",
    ]);
  });
});

test("a stream that is closed after `done` is judged by every rule about it, and one that is closed before is not whole", () => {
  const ids = ["stream/done-is-last", "stream/last-event-is-complete", "stream/final-progress-before-done"] as const;
  const of = (sketch: ExchangeSketch) =>
    ids.map((rule) => {
      const { observations = 0, findings = [], blockedBy } = judgeExchanges([sketch]).get(rule) ?? {};
      return [observations, findings.length, blockedBy?.missing];
    });
  expect(of({ body, end: failed("truncated") })).toEqual(of({ body }));
  expect(of({ body: progress, end: failed("truncated") })[0]).toEqual([0, 0, "truncated"]);
});
