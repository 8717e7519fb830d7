import type { LoadPlan } from "@assay/results";
import type { Options, Scenario } from "k6/options";
import exec from "k6/execution";
import { type Arrivals, arrivalAt, arrivalsOf, type LoadFlow } from "./arrivals.ts";
import { scriptErrors, startLag } from "./script-metrics.ts";
import { clientCertificate } from "./credentials.ts";
import { type Task, taskOf } from "./iteration.ts";
import { notBegun } from "./not-begun.ts";
import type { Recorder } from "./recorder.ts";
import { type Counted, k6Summary, type SummaryData, summaryText } from "./summary.ts";
import { guards } from "./thresholds.ts";

export interface ScriptParts {
  readonly plan: LoadPlan;
  readonly flows: readonly LoadFlow[];
  readonly recorder: Recorder;
  /** True if k6 has executors that report dropped arrivals with their times. */
  readonly reportsMissed: boolean;
  /** True if these executors make virtual users before they are needed. */
  readonly makesUsersAhead: boolean;
  /** The counts of the run, read at its end. */
  readonly counted: () => Counted;
}

/** The exports of a script, besides one function for each flow. */
export interface LoadScript {
  readonly options: Options;
  readonly handleSummary: (data: SummaryData) => Record<string, string>;
  /** The function that k6 calls for each arrival of a flow. */
  iteration(flow: LoadFlow, body: (task: Task) => Promise<void> | void): () => Promise<void>;
}

let hasReportedError = false;

/** k6 ignores exceptions in iterations. The count lets a threshold fail the run. */
function reportError(error: unknown): void {
  scriptErrors.add(1);
  if (!hasReportedError) {
    hasReportedError = true;
    // oxlint-disable-next-line no-console -- The only output of a k6 script.
    console.error(`an iteration failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface ScriptFlow {
  readonly plan: LoadPlan;
  readonly flow: LoadFlow;
  readonly arrivals: readonly Arrivals[];
}

/** Records the arrivals of a k6 scenario that could not begin since the last call. */
function recordMissed(scriptFlow: ScriptFlow, recorder: Recorder, scenario: string): void {
  const scenarioArrivals = scriptFlow.arrivals.find(({ name }) => name === scenario);
  if (scenarioArrivals === undefined || !scenarioArrivals.isAtLimit || recorder.missed(scenario) === 0) {
    return;
  }
  const { startMs, afterMs } = recorder.takeMissed(scenario);
  for (const atMs of afterMs) {
    const task = taskOf(scriptFlow, { scenario, index: arrivalAt(scenarioArrivals, atMs), startMs });
    if (task !== undefined) {
      recorder.record(notBegun(scriptFlow.flow, task));
    }
  }
}

/** Counts the arrivals that could not begin because the plan allows no more virtual users. */
const countNotBegun = (recorder: Recorder, flows: readonly ScriptFlow[]): number =>
  flows
    .flatMap(({ arrivals }) => arrivals)
    .reduce((sum, { name, isAtLimit }) => sum + (isAtLimit ? recorder.missed(name) : 0), 0);

function createSummaryHandler(parts: ScriptParts, flows: readonly ScriptFlow[]): LoadScript["handleSummary"] {
  const { plan, counted, recorder } = parts;
  return (data) => {
    for (const flow of flows) {
      for (const { name } of flow.arrivals) {
        recordMissed(flow, recorder, name);
      }
    }
    const scenarioSha256 = __ENV["ASSAY_SCENARIO_SHA256"] ?? "";
    const notBegunCount = countNotBegun(recorder, flows);
    // Undefined if k6 runs the whole load.
    const segment = exec.test.options.executionSegment ?? "0:1";
    const summary = k6Summary(plan, { data, counted: counted(), scenarioSha256, segment, notBegun: notBegunCount });
    const path = __ENV["ASSAY_SUMMARY"] ?? "";
    return path === "" ? { stdout: summaryText(data, summary) } : { [path]: `${JSON.stringify(summary)}\n` };
  };
}

/**
 * Returns the index of an iteration's arrival in its k6 scenario, from 0. k6 does not count dropped arrivals. With
 * execution segments the drops of other processes are unknown, so the index is that of the last arrival planned by now.
 */
function findArrivalIndex({ arrivals }: ScriptFlow, recorder: Recorder, startMs: number): number {
  const { name, iterationInTest, iterationInInstance } = exec.scenario;
  const missed = recorder.missed(name);
  const scenarioArrivals = arrivals.find((candidate) => candidate.name === name);
  if (missed === 0 || scenarioArrivals === undefined || iterationInTest === iterationInInstance) {
    return iterationInTest + missed;
  }
  return arrivalAt(scenarioArrivals, recorder.nowMs() - startMs);
}

/**
 * Returns the same scenario with an executor of `k6/x/assay`, which reports dropped arrivals and may create virtual
 * users before they are needed.
 */
const useAssayExecutor = ({ scenario, reserved }: Arrivals, makesUsersAhead: boolean): Scenario =>
  Object.assign(
    {},
    scenario,
    { executor: `assay-${scenario.executor}` },
    makesUsersAhead ? { preAllocatedVUs: reserved } : {},
  );

/** Assembles a script. Call it in k6's init code. */
export function loadScript(parts: ScriptParts): LoadScript {
  const { plan, flows, recorder, reportsMissed, makesUsersAhead } = parts;
  const scriptFlows = flows.map((flow): ScriptFlow => ({ plan, flow, arrivals: arrivalsOf(plan, flow) }));
  const scenarios = scriptFlows
    .flatMap(({ arrivals }) => arrivals)
    .map(
      (scenario) =>
        [scenario.name, reportsMissed ? useAssayExecutor(scenario, makesUsersAhead) : scenario.scenario] as const,
    );
  return {
    options: {
      scenarios: Object.fromEntries(scenarios),
      thresholds: guards(flows),
      summaryTrendStats: ["med", "p(95)", "p(99)", "min", "max", "avg", "count"],
      userAgent: "assay/0.1.0",
      ...clientCertificate(__ENV),
    },
    handleSummary: createSummaryHandler(parts, scriptFlows),
    iteration: (flow, body) => async () => {
      try {
        const scriptFlow = scriptFlows.find((candidate) => candidate.flow === flow) ?? { plan, flow, arrivals: [] };
        const { name } = exec.scenario;
        const startMs = recorder.scenarioStartMs();
        const task = taskOf(scriptFlow, {
          scenario: name,
          index: findArrivalIndex(scriptFlow, recorder, startMs),
          startMs,
        });
        recordMissed(scriptFlow, recorder, name);
        if (task !== undefined) {
          const { phase, side, planMs } = task.iteration;
          // With blocks, both change between iterations. All metrics take their tags from here.
          Object.assign(exec.vu.metrics.tags, { phase, side });
          startLag.add(recorder.nowMs() - planMs);
          await body(task);
        }
      } catch (error) {
        reportError(error);
      }
    },
  };
}
