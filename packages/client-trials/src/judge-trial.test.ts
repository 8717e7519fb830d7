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

const outputOf = (out: string): TrialRecord["output"] => ({ out, lastOut: "", err: "", lastErr: "" });

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
  output: outputOf(""),
  ...other,
});

const outcomesIn = (name: string, other: Partial<TrialRecord>): Readonly<Record<string, string>> => {
  const { checks } = judgeTrial(trialNamed(name), recordOf(other));
  return Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict.outcome]));
};

test("a stored record gives the same verdicts", () => {
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

  test.each([0, 1, 77])("only searches although the task is a question, whatever its status: %i", (status) => {
    const { checks, participation } = judgeTrial(
      trialNamed("polling-completed", "legacy"),
      recordOf({ end: { kind: "exited", status } }),
    );
    const judged = checks.filter(({ verdict }) => verdict.outcome !== "not-tested").map(({ check }) => check);
    expect([participation, judged]).toEqual(["no-request", ["process/ends"]]);
  });

  test("does not skip with status 77 after a request", () => {
    const end = { kind: "exited", status: 77 } as const;
    expect(judgeTrial(trialNamed("ordinary-search"), recordOf({ end })).participation).toBe("took-part");
  });
});

describe("a check is blocked", () => {
  test("by a refused request, which is reported once", () => {
    const refused = searchEntry(1, {
      status: 401,
      micros: { arrived: 1 },
      request: { connection: 1, headerNames: [], headers: { accept: "text/event-stream" } },
    });
    expect(outcomesIn("ordinary-search", { requests: [refused], end: { kind: "exited", status: 1 } })).toMatchObject({
      "request/access-token": "failed",
      "request/accepted": "blocked",
      "user/success-is-told": "blocked",
      "search/no-repeat": "blocked",
    });
  });

  test("by a client that was killed", () => {
    expect(outcomesIn("missing-done", { end: { kind: "killed", why: "lingering" } })).toMatchObject({
      "process/ends": "failed",
      "user/cut-off-is-told": "blocked",
    });
  });

  test("never by a client that had nothing to wait for", () => {
    const requests = [searchEntry(1, { status: 429, micros: { arrived: 1, head: 2, lastByte: 3 } })];
    const outcomes = outcomesIn("too-many-requests", { requests, end: { kind: "exited", status: 1 } });
    expect(outcomes).toMatchObject({ "retry/waits-as-told": "passed", "user/failure-is-told": "passed" });
    const silent = outcomesIn("too-many-requests", { requests });
    expect(silent).toMatchObject({ "user/failure-is-told": "failed", "user/success-is-told": "not-tested" });
  });
});

describe("a repeated search", () => {
  test.each([
    { name: "the same", again: "q=x&v=V3", outcome: "failed" },
    { name: "the same in another order", again: "v=V3&q=x", outcome: "failed" },
    { name: "the same with an undocumented parameter", again: "q=x&v=V3&_=2", outcome: "failed" },
    { name: "another query", again: "q=x+type%3Apath&v=V3", outcome: "passed" },
    { name: "another page", again: "q=x&v=V3&display=500", outcome: "passed" },
  ])("that is $name: $outcome", ({ again, outcome }) => {
    const requests = ["q=x&v=V3", again].map((text, index) =>
      searchEntry(index + 1, { url: `/.api/search/stream?${text}` }),
    );
    expect(outcomesIn("ordinary-search", { requests })["search/no-repeat"]).toBe(outcome);
  });

  const arrived = 2_000_000;
  test.each<{ name: string; first: Partial<JournalEntry["micros"]>; says: string }>([
    { name: "the client saw the end first", first: { closed: arrived + 2000 }, says: "about when the connection" },
    { name: "the server saw the end first", first: { closed: arrived - 2000 }, says: "about when the connection" },
    { name: "the first one was far from its end", first: { closed: arrived + 900_000 }, says: "while the first" },
    { name: "the first one never ended", first: { head: 10 }, says: "while the first" },
    {
      name: "the first one had ended",
      first: { lastByte: arrived - 40_000 },
      says: "40 ms after the stream had ended",
    },
    { name: "the first one went on", first: { lastByte: arrived + 1 }, says: "while the first" },
  ])("is reported with its time when $name", ({ first, says }) => {
    const requests = [searchEntry(1, { micros: { arrived: 0, ...first } }), searchEntry(2, { micros: { arrived } })];
    const { checks } = judgeTrial(trialNamed("dropped-connection"), recordOf({ requests }));
    const outcomes = checks.find(({ check }) => check === "search/no-repeat-after-cut")?.verdict;
    expect(outcomes).toMatchObject({
      outcome: "warned",
      findings: [{ message: expect.stringContaining(`it sent the same search again, ${says}`) }],
    });
  });
});

describe("polls", () => {
  const call = { interface: "legacy", operation: "get", bodyBytes: 0 } as const;
  const pollsAt = (intervalsMs: readonly number[]): readonly JournalEntry[] => {
    let now = 0;
    const instants = [0, ...intervalsMs].map((ms) => (now += ms));
    return instants.map((ms, index) =>
      searchEntry(index + 1, { url: "/.api/deepsearch/v1/1", call, micros: { arrived: ms * 1000 } }),
    );
  };
  const creation = searchEntry(0, { url: "/.api/deepsearch/v1", call: { ...call, operation: "create" } });

  test.each([
    { name: "without a pause", intervals: [20, 20, 20, 20], outcome: "warned" },
    { name: "every other one at once", intervals: [450, 10, 450, 10, 450], outcome: "warned" },
    { name: "in threes", intervals: [10, 10, 1000, 10, 10, 1000], outcome: "warned" },
    { name: "steadily", intervals: [250, 250, 250, 250], outcome: "passed" },
    { name: "steadily on a busy machine", intervals: [250, 380, 120, 250, 320, 180, 250], outcome: "passed" },
    {
      name: "steadily on a machine that paused once",
      intervals: [250, 460, 40, 250, 250, 250],
      outcome: "passed",
    },
    { name: "ever more slowly", intervals: [50, 100, 200, 400, 800], outcome: "passed" },
    { name: "twice", intervals: [10], outcome: "not-tested" },
  ])("sent $name: $outcome", ({ intervals, outcome }) => {
    const record = recordOf({ requests: [creation, ...pollsAt(intervals)] });
    const { checks } = judgeTrial(trialNamed("polling-completed", "legacy"), record);
    expect(checks.find(({ check }) => check === "polling/interval")?.verdict.outcome).toBe(outcome);
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
    { name: "not at all", out: "3 results", outcome: "not-tested" },
  ])("is intact when it is shown $name: $outcome", ({ out, outcome }) => {
    const shown = outcomesIn("odd-chunks", { foundTexts: ["日本語 🚀"], output: outputOf(out) });
    expect(shown["reading/text-intact"]).toBe(outcome);
  });
});

describe("the result", () => {
  test.each([
    { name: "is shown", out: "src/größe-日本語.ts", outcome: "passed" },
    { name: "is not shown", out: "5 results", outcome: "not-tested" },
  ])("that $name, also with strict: $outcome", ({ out, outcome }) => {
    const record = recordOf({ foundTexts: ["größe-日本語"], output: outputOf(out) });
    const outcomes = ["odd-chunks", "large-event", "slow-first-match", "new-fields", "unusual-form"].map((name) => {
      const trial = trialNamed(name);
      return judgeTrial(trial, record, true).checks.find(({ check }) => check === trial.readingCheck)?.verdict.outcome;
    });
    expect(new Set(outcomes)).toEqual(new Set([outcome]));
  });

  test("counts wherever the client prints it", () => {
    const output = { ...outputOf("x"), lastOut: "src/größe-日本語.ts" };
    const outcomes = outcomesIn("large-event", { foundTexts: ["größe-日本語"], output });
    expect(outcomes["reading/large-events"]).toBe("passed");
  });

  test("fails if it is incomplete, shown or not", () => {
    const end = { kind: "exited", status: 1 } as const;
    expect(outcomesIn("large-event", { foundTexts: ["größe"], end })["reading/large-events"]).toBe("failed");
  });
});

test("a warning fails with strict", () => {
  const record = recordOf({ output: outputOf("") });
  const outcomes = [false, true].map((strict) =>
    judgeTrial(trialNamed("alert"), record, strict).checks.find(({ check }) => check === "user/alert-is-told"),
  );
  expect(outcomes.map((one) => one?.verdict.outcome)).toEqual(["warned", "failed"]);
});

test("unspecified behaviour never fails, not even with strict", () => {
  const record = recordOf({ end: { kind: "exited", status: 1 }, output: outputOf("") });
  const { checks } = judgeTrial(trialNamed("unusual-form"), record, true);
  expect(checks.find(({ check }) => check === "reading/any-form")?.verdict.outcome).toBe("warned");
});
