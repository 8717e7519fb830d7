import { join } from "node:path";
import { legacyPath } from "@assay/contract";
import type { LoadSample } from "@assay/results";
import { everyNth, isProving } from "@assay/config/proving";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scenarioFolder } from "./scenario-folder.ts";
import { k6ForTests, withoutK6 } from "./testing/k6-program.ts";
import { loadRun, type PlanChanges } from "./testing/load-run.ts";
import { type ReferenceTarget, startReferenceTarget } from "./testing/reference-target.ts";

const isSkipped = k6ForTests === undefined;

const streamsOf = (samples: readonly LoadSample[]) => samples.flatMap((one) => (one.kind === "stream" ? [one] : []));
const conversationsOf = (samples: readonly LoadSample[]) =>
  samples.flatMap((one) => (one.kind === "conversation" ? [one] : []));

/** Ids of the conversations that a target still has. */
async function conversationsLeft({ url, token }: ReferenceTarget): Promise<string> {
  const headers = { Authorization: `token ${token}`, "X-Requested-With": "test 1" };
  return (await fetch(`${url}${legacyPath}`, { headers })).text();
}

const missed = (thresholds: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.keys(thresholds).filter((name) => thresholds[name] === false);

let target: ReferenceTarget;
beforeAll(async () => {
  target = isSkipped ? { url: "", token: "", stop: () => Promise.resolve() } : await startReferenceTarget();
});
afterAll(() => target.stop());

const withFault = async <Result>(fault: string, use: (faulty: ReferenceTarget) => Promise<Result>): Promise<Result> => {
  const faulty = await startReferenceTarget(fault);
  try {
    return await use(faulty);
  } finally {
    await faulty.stop();
  }
};

const fixture = (name: string): string => join(scenarioFolder, "fixtures", `${name}.ts`);

describe.skipIf(isSkipped)(`searches${withoutK6}`, () => {
  test("are sent when they were planned, seen to their end, and counted", async () => {
    const { k6, summary, samples } = await loadRun({
      scenario: "search-first-match",
      target,
      changes: { warmupMs: 500, ratePerSecond: 8 },
    });
    expect(k6).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    expect(summary).toMatchObject({
      assay: "k6-summary",
      droppedIterations: 0,
      iterations: 14,
      outcomes: { "stream ok": 10 },
      violations: {},
      generator: { cores: expect.any(Number) },
    });
    expect(missed(summary.thresholds)).toEqual([]);
    const streams = streamsOf(samples).toSorted((one, other) => one.planMs - other.planMs);
    const measured = streams.filter(({ phase }) => phase === "measure");
    expect([streams.length, measured.length]).toEqual([14, 10]);
    for (const { planMs, sendMs, headersMs = -1, firstMatchMs = -1, endMs, status, matches } of streams) {
      const times = [planMs, sendMs, headersMs, firstMatchMs, endMs];
      expect(times.toSorted((one, other) => one - other)).toEqual(times);
      expect([status, matches > 0]).toEqual([200, true]);
    }
    const plans = measured.map(({ planMs }) => Math.round(planMs - (measured[0]?.planMs ?? 0)));
    expect(plans).toEqual(Array.from({ length: 10 }, (_, index) => index * 125));
  });

  test.runIf(isProving)("of two targets alternate in blocks with the same queries", async () => {
    const blocks = { pairs: 2, warmupPairs: 1, requestsPerBlock: 4, gapRequests: 2, seed: 4 };
    const changes: PlanChanges = { blocks, ratePerSecond: 30, targets: { a: target.url, b: target.url } };
    const { summary, samples } = await loadRun({ scenario: "search-first-match", target, changes });
    const byPlan = streamsOf(samples).toSorted((one, other) => one.planMs - other.planMs);
    expect(byPlan.map(({ arm }) => arm).join("")).toBe("aaaabbbbbbbbaaaaaaaabbbb");
    const queries = (arm: string) =>
      byPlan.filter((one) => one.arm === arm && one.pair === 1).map(({ query }) => query);
    expect(queries("a")).toEqual(queries("b"));
    expect(summary.outcomes).toEqual({ "stream ok": 16 });
    expect(missed(summary.thresholds)).toEqual([]);
  });

  test.runIf(isProving)("for everything there is read long streams", async () => {
    const { summary, samples } = await loadRun({
      scenario: "search-exhaustive",
      target,
      changes: { ratePerSecond: 2 },
    });
    expect(summary.outcomes).toEqual({ "stream ok": 2 });
    expect(Math.min(...streamsOf(samples).map(({ matches }) => matches))).toBeGreaterThan(100);
  });

  test.runIf(isProving)("with a stock k6 tell of first bytes, never of first matches", async () => {
    const { k6, summary, samples } = await loadRun({ scenario: "search-first-byte", target });
    expect(k6.exitCode).toBe(0);
    expect(summary).toMatchObject({ outcomes: { "stream ok": 7 }, histograms: [] });
    expect(samples).toEqual([]);
    expect(JSON.stringify(summary)).not.toMatch(/first.match/u);
  });

  test.runIf(isProving)("of one's own script are as good as ours", async () => {
    const { summary } = await loadRun({ scenario: fixture("own-search"), target });
    expect(summary).toMatchObject({ outcomes: { "stream ok": 7 } });
  });

  // The command is tried with such a server each time.
  test.runIf(isProving)("of a server that breaks the contract fail the run with the code", async () => {
    const { k6, summary } = await withFault("no-done", (faulty) =>
      loadRun({ scenario: "search-first-match", target: faulty }),
    );
    expect(k6.exitCode).toBe(99);
    expect(summary.violations).toEqual({ "no-done": 7 });
    expect(missed(summary.thresholds).toSorted()).toEqual([
      "stream_ok{phase:measure} rate>=0.99",
      "stream_violations count==0",
    ]);
  });

  test.runIf(isProving)("of a target that is not there fail the run", async () => {
    const gone = { ...target, url: "http://127.0.0.1:1" };
    const { k6, summary } = await loadRun({ scenario: "search-first-match", target: gone });
    expect(k6.exitCode).toBe(99);
    expect(Object.keys(summary.outcomes)).toContain("stream transport");
    expect(missed(summary.thresholds)).toEqual(["stream_ok{phase:measure} rate>=0.99"]);
  });
});

describe.skipIf(isSkipped)(`conversations${withoutK6}`, () => {
  test.each(everyNth(["legacy", "current"] as const, 2))(
    "of the %s interface end, and leave nothing behind",
    async (name) => {
      const { k6, summary, samples, ledger } = await loadRun({
        scenario: "conversation-poll",
        target,
        changes: { conversation: { interface: name } },
      });
      expect(k6).toMatchObject({ exitCode: 0 });
      // Seven are planned to begin; a busy machine may begin one more or fewer in the time.
      const asked = summary.outcomes["conversation ok"] ?? 0;
      expect([6, 7, 8]).toContain(asked);
      expect(summary.violations).toEqual({});
      expect(missed(summary.thresholds)).toEqual([]);
      for (const { state, polls, lastOpenMs = -1, endMs, sendMs } of conversationsOf(samples)) {
        expect(state).toBe("completed");
        expect(polls).toBeGreaterThanOrEqual(2);
        expect(lastOpenMs).toBeGreaterThan(sendMs);
        expect(endMs).toBeGreaterThan(lastOpenMs);
      }
      expect(
        ledger.filter(({ event }) => event === "intent").map((line) => [line["marker"], line["interface"]]),
      ).toEqual(Array.from({ length: asked }, () => ["a-load-run-of-tests", name]));
      expect(ledger.filter(({ event }) => event === "deleted")).toHaveLength(asked);
      expect(await conversationsLeft(target)).not.toContain("a-load-run-of-tests");
    },
  );

  test.runIf(isProving)("stop at the budget of questions, which is no failure of the target", async () => {
    const { k6, summary, ledger } = await loadRun({
      scenario: "conversation-poll",
      target,
      changes: { conversation: { budget: 3 } },
    });
    expect(k6).toMatchObject({ exitCode: 0 });
    // Seven are planned to begin, one more or fewer on a busy machine; three may.
    expect(summary.outcomes).toMatchObject({ "conversation ok": 3, "conversation over-budget": expect.any(Number) });
    expect([3, 4, 5]).toContain(summary.outcomes["conversation over-budget"]);
    expect(ledger.filter(({ event }) => event === "intent")).toHaveLength(3);
  });

  test.runIf(isProving)("run with a stock k6", async () => {
    const { k6, summary } = await loadRun({
      scenario: "conversation-poll-stock",
      target,
      changes: { conversation: { interface: "legacy", budget: 5 } },
    });
    expect(k6).toMatchObject({ exitCode: 0 });
    expect(summary.outcomes).toMatchObject({ "conversation ok": 5, "conversation over-budget": expect.any(Number) });
    expect([1, 2, 3]).toContain(summary.outcomes["conversation over-budget"]);
    expect(await conversationsLeft(target)).not.toContain("a-load-run-of-tests");
  });

  test.runIf(isProving)("run beside searches", async () => {
    const { k6, summary, samples } = await loadRun({
      scenario: "mixed",
      target,
      changes: { ratePerSecond: 12, warmupMs: 500 },
    });
    expect(k6).toMatchObject({ exitCode: 0 });
    // Fourteen searches are planned; a busy machine may start fewer, or some more in the time.
    const { "stream ok": streams = 0, ...others } = summary.outcomes;
    expect([streams > 0, streams < 28]).toEqual([true, true]);
    expect(others).toMatchObject({ "conversation ok": 1 });
    expect(conversationsOf(samples).map(({ phase }) => phase)).toEqual(expect.arrayContaining(["warmup", "measure"]));
  });

  test("that go on after their end fail the run with illegal transitions and with nothing else", async () => {
    const changes: PlanChanges = { conversation: { interface: "legacy" } };
    const { k6, summary } = await withFault("legacy-status-set-back", (faulty) =>
      loadRun({ scenario: "conversation-poll", target: faulty, changes }),
    );
    expect(k6.exitCode).toBe(99);
    // On a busy machine the end of a conversation and what comes after it may fall between two polls.
    const { "illegal-transition": count = 0, ...others } = summary.violations;
    expect([count > 0, count <= 7, others]).toEqual([true, true, {}]);
    expect(missed(summary.thresholds)).toContain("conversation_violations count==0");
  });
});

describe.skipIf(isSkipped)(`a script${withoutK6}`, () => {
  test("that throws fails the run, although k6 does not mind", async () => {
    const { k6, summary } = await loadRun({ scenario: fixture("throwing"), target });
    expect(k6.exitCode).toBe(99);
    expect(k6.stderr).toContain("an iteration failed: broken on purpose: 0");
    expect(missed(summary.thresholds)).toContain("script_errors count==0");
  });
});
