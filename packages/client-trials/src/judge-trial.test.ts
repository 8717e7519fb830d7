import type { JournalEntry } from "@assay/reference-server";
import { describe, expect, test } from "vitest";
import { judgeTrial } from "./judge-trial.ts";
import { trials } from "./trial-list.ts";
import type { TrialRecord } from "./trial-record.ts";
import type { Trial } from "./trial.ts";

const trialNamed = (name: string, wanted = "stream"): Trial =>
  trials.find((trial) => trial.name === name && trial.interface === wanted)!;

const searchEntry = (id: number, other: Partial<JournalEntry> = {}): JournalEntry => ({
  id,
  method: "GET",
  url: "/.api/search/stream?q=x",
  at: 0,
  faultApplied: false,
  end: "finished",
  request: {
    connection: 1,
    headerNames: ["accept", "authorization"],
    headers: { accept: "text/event-stream" },
    credential: { scheme: "token", token: "access" },
  },
  status: 200,
  bytesSent: 10,
  micros: {
    arrived: id * 1_000_000,
    head: id * 1_000_000 + 10,
    done: id * 1_000_000 + 20,
    lastByte: id * 1_000_000 + 30,
  },
  ...other,
});

const recordOf = (other: Partial<TrialRecord> = {}): TrialRecord => ({
  trial: "ordinary-search",
  interface: "stream",
  text: "x",
  foundTexts: [],
  requests: [searchEntry(1)],
  elsewhere: [],
  end: { kind: "exited", status: 0 },
  startedMicros: 0,
  endedMicros: 2_000_000,
  lingerMs: 4000,
  output: { out: "", err: "", lastErr: "" },
  ...other,
});

const outcomesIn = (name: string, other: Partial<TrialRecord>): Readonly<Record<string, string>> => {
  const { checks } = judgeTrial(trialNamed(name), recordOf(other));
  return Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict.outcome]));
};

test("a record that was stored and read again gives the same verdicts", () => {
  const record = recordOf({ requests: [searchEntry(1), searchEntry(2)] });
  const stored: TrialRecord = JSON.parse(JSON.stringify(record));
  expect(judgeTrial(trialNamed("ordinary-search"), stored)).toEqual(judgeTrial(trialNamed("ordinary-search"), record));
});

describe("a client that took no part", () => {
  test.each([
    { name: "skipped", end: { kind: "exited", status: 77 } },
    { name: "no-request", end: { kind: "exited", status: 0 } },
    { name: "no-request", end: { kind: "signalled", signal: "SIGSEGV" } },
  ] as const)("is $name, and nothing of it passes that needs a request", ({ end, name }) => {
    const { checks, participation } = judgeTrial(trialNamed("ordinary-search"), recordOf({ requests: [], end }));
    const passed = checks.filter(({ verdict }) => verdict.outcome === "passed").map(({ check }) => check);
    expect([participation, passed.filter((check) => check !== "process/ends")]).toEqual([name, []]);
  });

  test("does not skip with status 77 once it has asked for something", () => {
    const end = { kind: "exited", status: 77 } as const;
    expect(judgeTrial(trialNamed("ordinary-search"), recordOf({ end })).participation).toBe("took-part");
  });
});

describe("what kept a check from its evidence", () => {
  test("is a request that was refused, told once", () => {
    const refused = searchEntry(1, {
      status: 401,
      micros: { arrived: 1 },
      request: { connection: 1, headerNames: [], headers: { accept: "text/event-stream" } },
    });
    expect(outcomesIn("ordinary-search", { requests: [refused], end: { kind: "exited", status: 1 } })).toMatchObject({
      "request/access-token": "failed",
      "request/accepted": "could-not-run",
      "user/success-is-told": "could-not-run",
      "search/no-repeat": "could-not-run",
    });
  });

  test("is an end that was not its own", () => {
    expect(outcomesIn("missing-done", { end: { kind: "killed", why: "lingering" } })).toMatchObject({
      "process/ends": "failed",
      "user/cut-off-is-told": "could-not-run",
    });
  });

  test("is never that it had nothing to wait for", () => {
    const requests = [searchEntry(1, { status: 429, micros: { arrived: 1, head: 2, lastByte: 3 } })];
    const told = outcomesIn("too-many-requests", { requests, end: { kind: "exited", status: 1 } });
    expect(told).toMatchObject({ "retry/waits-as-told": "passed", "user/failure-is-told": "passed" });
    const silent = outcomesIn("too-many-requests", { requests });
    expect(silent).toMatchObject({ "user/failure-is-told": "failed", "user/success-is-told": "not-observed" });
  });
});

describe("a repeated search", () => {
  test.each([
    { name: "the same", url: "/.api/search/stream?q=x", outcome: "failed" },
    { name: "another one", url: "/.api/search/stream?q=x+type%3Apath", outcome: "passed" },
  ])("is only one that is $name", ({ outcome, url }) => {
    const requests = [searchEntry(1), searchEntry(2, { url })];
    expect(outcomesIn("ordinary-search", { requests })["search/no-repeat"]).toBe(outcome);
  });
});

describe("a token elsewhere", () => {
  test.each([
    { name: "in a header", tokenIn: ["the header authorization"], outcome: "failed" },
    { name: "nowhere", tokenIn: [], outcome: "passed" },
  ])("counts when it is $name", ({ outcome, tokenIn }) => {
    const requests = [searchEntry(1, { status: 307 })];
    const elsewhere = [{ method: "GET", url: "/", tokenIn }];
    const end = { kind: "exited", status: 1 } as const;
    expect(outcomesIn("redirect", { requests, elsewhere, end })["redirect/token-stays"]).toBe(outcome);
  });
});

describe("text", () => {
  test.each([
    { name: "as it is", out: "a 日本語 🚀", outcome: "passed" },
    { name: "with escapes", out: String.raw`a \u65e5\u672c\u8a9e \ud83d\ude80`, outcome: "passed" },
    { name: "with replacements", out: "a 日\u{fffd} 🚀", outcome: "failed" },
    { name: "not at all", out: "3 results", outcome: "not-observed" },
  ])("is intact when it is shown $name: $outcome", ({ out, outcome }) => {
    const shown = outcomesIn("odd-chunks", { foundTexts: ["日本語 🚀"], output: { out, err: "", lastErr: "" } });
    expect(shown["reading/text-intact"]).toBe(outcome);
  });
});

test("a warning fails when that is asked for", () => {
  const record = recordOf({ output: { out: "", err: "", lastErr: "" } });
  const outcomes = [false, true].map((strict) =>
    judgeTrial(trialNamed("alert"), record, strict).checks.find(({ check }) => check === "user/alert-is-told"),
  );
  expect(outcomes.map((one) => one?.verdict.outcome)).toEqual(["warned", "failed"]);
});
