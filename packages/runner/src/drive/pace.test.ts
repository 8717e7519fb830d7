import { recordDraft } from "@assay/evidence";
import { ruleIds } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { conversationLimits } from "../converse/conversation-limits.ts";
import { estimateProbeCount, estimateRequests, estimateSeconds } from "../plan/estimate-requests.ts";
import { createStreamProbes } from "../plan/stream-probes.ts";
import { draftOf, type ExchangeSketch, goodStream } from "../testing/recorded.ts";
import { driveRun } from "./drive-run.ts";
import { createPace } from "./pace.ts";

const busy = (status: number, after: string): ExchangeSketch => ({ status, headers: [["retry-after", after]] });

/** Drives the searches with a clock that advances only by waits, and with these first answers. */
async function drivePaced(name: "local" | "production", answers: readonly ExchangeSketch[]) {
  let nowMs = 0;
  const { signal } = new AbortController();
  const pace = createPace({
    limits: conversationLimits(name),
    clock: { nowMicros: () => nowMs * 1000 },
    wait: (ms) => Promise.resolve((nowMs += ms)),
    signal,
    remainingMs: () => 1_000_000,
    nowMs: () => Date.parse("2026-01-01T00:00:00Z"),
  });
  const sent: (readonly [id: string, atMs: number])[] = [];
  const written: (readonly [id: string, retryOf: string | undefined])[] = [];
  const end = await driveRun({
    plan: { probes: createStreamProbes("test"), followUps: () => [] },
    mainCredential: "access-token",
    credentials: new Set(),
    parallel: 1,
    pace,
    send: ({ id, probe }) => {
      const answer = answers[sent.length] ?? { body: goodStream };
      sent.push([id, nowMs]);
      return Promise.resolve(draftOf({ ...answer, id, probe: probe.id }));
    },
    writer: {
      writeExchange: (draft) => {
        written.push([draft.id, draft.retryOf]);
        return Promise.resolve(recordDraft(draft).record);
      },
    },
    isOverdue: () => false,
    signal,
  });
  return { sent, written, end };
}

describe("a search that a busy target refuses", () => {
  test.each([
    { name: "seconds", answer: busy(429, "3"), atMs: 3000 },
    { name: "a date", answer: busy(429, "Thu, 01 Jan 2026 00:00:07 GMT"), atMs: 7000 },
    { name: "the past", answer: busy(429, "Wed, 01 Jan 2025 00:00:00 GMT"), atMs: 0 },
    { name: "status 503", answer: busy(503, "1"), atMs: 1000 },
  ])("is retried after the requested wait: $name", async ({ answer, atMs }) => {
    const { sent, written, end } = await drivePaced("local", [answer]);
    expect(sent.slice(0, 3)).toEqual([
      ["0001", 0],
      ["0001-again", atMs],
      ["0002", atMs],
    ]);
    const recorded = [
      ["0001", undefined],
      ["0001-again", "0001"],
    ];
    expect([written.slice(0, 2), end.ended]).toEqual([recorded, "complete"]);
  });

  test("twice is not retried again, but the wait applies", async () => {
    const twice = [{ body: goodStream }, busy(429, "2"), busy(429, "5")];
    const { sent } = await drivePaced("local", twice);
    expect(sent.slice(1, 4)).toEqual([
      ["0002", 0],
      ["0002-again", 2000],
      ["0003", 7000],
    ]);
  });

  test("is not retried if the target names no wait", async () => {
    const { sent } = await drivePaced("local", [{ body: goodStream }, { status: 429, headers: [] }]);
    expect(sent.slice(1, 3)).toEqual([
      ["0002", 0],
      ["0003", 0],
    ]);
  });

  test("for longer than the maximum wait ends the run", async () => {
    const { sent, end } = await drivePaced("local", [{ body: goodStream }, busy(429, "86400")]);
    expect([sent.length, end.ended]).toEqual([2, "stopped"]);
    expect(end.reason).toContain("asked for a longer wait than allowed");
  });
});

test("on production searches are sent in sequence, two per second", async () => {
  const { sent } = await drivePaced("production", []);
  expect(sent.map(([, atMs]) => atMs)).toEqual(sent.map((_, index) => index * 525));
});

test("the duration of a run is estimated in advance", () => {
  const limits = conversationLimits("production", { questions: 5 });
  const run = { rules: ruleIds, query: "test", limits, hasToken: true };
  const asked = estimateRequests(run);
  expect([estimateSeconds(run), estimateSeconds({ ...run, limits: conversationLimits("local") })]).toEqual([
    Math.ceil(asked * 0.525),
    0,
  ]);
  expect(asked - estimateRequests({ ...run, hasToken: false })).toBeGreaterThan(40);
  const sequences = 100;
  expect(estimateRequests({ ...run, limits: { ...limits, sequences } }) - asked).toBeGreaterThan(10 * sequences);
});

test("each generated sequence counts as one probe", () => {
  const run = { rules: ruleIds, query: "test", limits: conversationLimits("local"), hasToken: true };
  const sequences = 100;
  expect(estimateProbeCount({ ...run, limits: { ...run.limits, sequences } }) - estimateProbeCount(run)).toBe(100);
});
