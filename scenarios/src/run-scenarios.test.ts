import { join } from "node:path";
import { legacyPath } from "@assay/contract";
import type { LoadSample } from "@assay/results";
import { everyNth } from "@assay/tools/proving";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scenarioFolder } from "./scenario-folder.ts";
import { k6ForTests, runK6, withoutK6 } from "./testing/k6-program.ts";
import { type LoadRun, loadRun, type PlanChanges } from "./testing/load-run.ts";
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

/** Thresholds that a busy machine may miss: arrivals were dropped or late. */
const ofTheMachine = /^(?:dropped_iterations|start_lag)\b/u;

const missed = ({ thresholds }: LoadRun["summary"]): readonly string[] =>
  Object.keys(thresholds).filter((name) => thresholds[name] === false && !ofTheMachine.test(name));

/** The exit code that follows from the thresholds of a run. */
const exitCodeBy = ({ thresholds }: LoadRun["summary"]): number => (Object.values(thresholds).includes(false) ? 99 : 0);

/**
 * A count of at least one and at most `count`: one more than planned may begin, and a busy machine drops some or ends
 * before them.
 */
const atMost = (count: number): unknown => expect.toBeOneOf(Array.from({ length: count }, (_, index) => index + 1));

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
  test("are sent on schedule, read to their end, and counted", async () => {
    const { k6, summary, samples } = await loadRun({
      scenario: "search-first-match",
      target,
      changes: { warmupMs: 500, ratePerSecond: 8 },
    });
    expect(k6).toMatchObject({ exitCode: exitCodeBy(summary), stdout: "" });
    expect(k6.stderr).toMatch(/^(?:.*thresholds on metrics '[^']*' have been crossed"\n)*$/u);
    const streams = streamsOf(samples).toSorted((one, other) => one.planMs - other.planMs);
    const measured = streams.filter(({ phase }) => phase === "measure");
    // Four and ten, and k6 may begin one more at the end of each phase when it is late.
    expect([streams.length, measured.length]).toEqual([atMost(16), atMost(11)]);
    expect(summary).toMatchObject({
      assay: "k6-summary",
      iterations: streams.length,
      outcomes: { "stream ok": measured.length },
      violations: {},
      generator: { cores: expect.any(Number) },
    });
    expect(missed(summary)).toEqual([]);
    for (const { planMs, sendMs, headersMs = -1, firstMatchMs = -1, endMs, status, matches } of streams) {
      const times = [planMs, sendMs, headersMs, firstMatchMs, endMs];
      expect(times.toSorted((one, other) => one - other)).toEqual(times);
      expect([status, matches > 0]).toEqual([200, true]);
    }
    const plans = measured.map(({ planMs }) => Math.round(planMs - (measured[0]?.planMs ?? 0)));
    expect(Array.from({ length: 11 }, (_, index) => index * 125)).toEqual(expect.arrayContaining(plans));
    expect(new Set(plans).size).toBe(plans.length);
  });

  test("of two targets alternate in blocks with the same queries", { tags: "proof" }, async () => {
    const blocks = { pairs: 2, warmupPairs: 1, requestsPerBlock: 4, gapRequests: 2, seed: 4 };
    const changes: PlanChanges = { blocks, ratePerSecond: 30, targets: { base: target.url, head: target.url } };
    const { summary, samples } = await loadRun({ scenario: "search-first-match", target, changes });
    const byPlan = streamsOf(samples).toSorted((one, other) => one.planMs - other.planMs);
    // Six blocks of four, with two unused arrivals between them.
    const placeOf = (planMs: number): number => Math.round(((planMs - (byPlan[0]?.planMs ?? 0)) * 30) / 1000);
    const order = ["base", "head", "head", "base", "base", "head"];
    const planned = order.flatMap((side, block) => [0, 1, 2, 3].map((slot) => `${6 * block + slot} ${side}`));
    expect(planned).toEqual(expect.arrayContaining(byPlan.map(({ planMs, side }) => `${placeOf(planMs)} ${side}`)));
    const ofPair = byPlan.filter(({ pair }) => pair === 1);
    const slots = ofPair.map(({ planMs }) => placeOf(planMs) % 6);
    const queries = ofPair.map(({ query }, index) => `${slots[index]} ${query}`);
    expect(new Set(queries).size).toBe(new Set(slots).size);
    expect(summary.outcomes).toEqual({ "stream ok": atMost(16) });
    expect(missed(summary)).toEqual([]);
  });

  test("that are exhaustive read long streams", { tags: "proof" }, async () => {
    const { summary, samples } = await loadRun({
      scenario: "search-exhaustive",
      target,
      changes: { ratePerSecond: 2 },
    });
    expect(summary.outcomes).toEqual({ "stream ok": atMost(3) });
    expect(Math.min(...streamsOf(samples).map(({ matches }) => matches))).toBeGreaterThan(100);
  });

  test("of a user's script are recorded like ours", { tags: "proof" }, async () => {
    const { summary } = await loadRun({ scenario: fixture("own-search"), target });
    expect(summary).toMatchObject({ outcomes: { "stream ok": atMost(8) } });
  });

  // Tests of the command run with such a server each time.
  test("of a server that breaks the contract fail the run with the code", { tags: "proof" }, async () => {
    const { k6, summary } = await withFault("no-done", (faulty) =>
      loadRun({ scenario: "search-first-match", target: faulty }),
    );
    expect(k6.exitCode).toBe(99);
    expect(summary.violations).toEqual({ "no-done": atMost(8) });
    expect(missed(summary).toSorted()).toEqual(["stream_ok{phase:measure} rate>=0.99", "stream_violations count==0"]);
  });

  test("of an unreachable target fail the run", { tags: "proof" }, async () => {
    const gone = { ...target, url: "http://127.0.0.1:1" };
    const { k6, summary } = await loadRun({ scenario: "search-first-match", target: gone });
    expect(k6.exitCode).toBe(99);
    expect(Object.keys(summary.outcomes)).toContain("stream transport");
    expect(missed(summary)).toEqual(["stream_ok{phase:measure} rate>=0.99"]);
  });
});

describe.skipIf(isSkipped)(`conversations${withoutK6}`, () => {
  test.each(everyNth(["legacy", "current"] as const, 2))(
    "of the %s interface end, and leave nothing behind",
    { tags: "more" },
    async (name) => {
      const { k6, summary, samples, ledger } = await loadRun({
        scenario: "conversation-poll",
        target,
        changes: { conversation: { interface: name } },
      });
      expect(k6).toMatchObject({ exitCode: exitCodeBy(summary) });
      // Seven are planned. A busy machine may begin one more or fewer in the time.
      const asked = summary.outcomes["conversation ok"] ?? 0;
      expect(asked).toEqual(atMost(8));
      expect(summary.violations).toEqual({});
      expect(missed(summary)).toEqual([]);
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

  test("stop at the budget of questions, which is not a failure of the target", { tags: "proof" }, async () => {
    const { k6, summary, ledger } = await loadRun({
      scenario: "conversation-poll",
      target,
      changes: { conversation: { budget: 3 } },
    });
    expect(k6).toMatchObject({ exitCode: exitCodeBy(summary) });
    expect(missed(summary)).toEqual([]);
    // Seven are planned, one more or fewer on a busy machine. Three may begin.
    expect(summary.outcomes).toMatchObject({ "conversation ok": 3, "conversation over-budget": expect.any(Number) });
    expect(summary.outcomes["conversation over-budget"]).toEqual(atMost(5));
    expect(ledger.filter(({ event }) => event === "intent")).toHaveLength(3);
  });

  test("run together with searches", { tags: "proof" }, async () => {
    const { k6, summary, samples } = await loadRun({
      scenario: "mixed",
      target,
      changes: { ratePerSecond: 12, warmupMs: 500 },
    });
    expect(k6).toMatchObject({ exitCode: exitCodeBy(summary) });
    expect(missed(summary)).toEqual([]);
    // Fourteen searches are planned. A busy machine may start fewer, or some more in the time.
    const { "stream ok": streams = 0, ...others } = summary.outcomes;
    expect([streams > 0, streams < 28]).toEqual([true, true]);
    expect(others).toMatchObject({ "conversation ok": 1 });
    expect(conversationsOf(samples).map(({ phase }) => phase)).toEqual(expect.arrayContaining(["warmup", "measure"]));
  });

  test("that continue after their end fail the run with illegal transitions and nothing else", async () => {
    const changes: PlanChanges = { conversation: { interface: "legacy" } };
    const { k6, summary } = await withFault("legacy-status-set-back", (faulty) =>
      loadRun({ scenario: "conversation-poll", target: faulty, changes }),
    );
    expect(k6.exitCode).toBe(99);
    // On a busy machine the end of a conversation and the step after it may fall between two polls.
    const { "illegal-transition": count = 0, ...others } = summary.violations;
    expect([count, others]).toEqual([atMost(8), {}]);
    expect(missed(summary)).toContain("conversation_violations count==0");
  });
});

// Without the import of `k6/x/assay`, our k6 behaves like a stock k6.
describe.skipIf(isSkipped)(`an example for a stock k6${withoutK6}`, () => {
  test.each([
    ["search-first-byte", "search_ok"],
    ["conversation-poll", "conversation_ok"],
  ])("%s runs, and leaves nothing on the target", { tags: "proof" }, async (name, rate) => {
    const script = join(scenarioFolder, "examples", `${name}.js`);
    const env = {
      ASSAY_URL: target.url,
      ASSAY_TOKEN: target.token,
      ASSAY_DURATION: "2s",
      ASSAY_QUESTIONS: "2",
    };
    const { exitCode, stdout, stderr } = await runK6({ args: ["run", "--address", "", script], env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`${rate}\\S*: 100\\.00%`, "u"));
    expect(await conversationsLeft(target)).not.toContain("assay example");
  });
});

describe.skipIf(isSkipped)(`a script${withoutK6}`, () => {
  test("that throws fails the run, although k6 ignores it", async () => {
    const { k6, summary } = await loadRun({ scenario: fixture("throwing"), target });
    expect(k6.exitCode).toBe(99);
    expect(k6.stderr).toContain("an iteration failed: broken on purpose: 0");
    expect(missed(summary)).toContain("script_errors count==0");
  });
});
