import type { LoadPlan } from "@assay/results";
import type { Options, Scenario } from "k6/options";
import exec from "k6/execution";
import { type Arrivals, arrivalAt, arrivalsOf, type LoadFlow } from "./arrivals.ts";
import { scriptErrors, startLag } from "./script-metrics.ts";
import { clientCertificate } from "./credentials.ts";
import { type Task, taskOf } from "./iteration.ts";
import { notBegun } from "./not-begun.ts";
import type { Recorder } from "./recorder.ts";
import { type Counted, k6Summary, type SummaryData, summaryText, valueOf } from "./summary.ts";
import { guards } from "./thresholds.ts";

/** What a script is made of. */
export interface ScriptParts {
  readonly plan: LoadPlan;
  readonly flows: readonly LoadFlow[];
  readonly recorder: Recorder;
  readonly reader: "extension" | "stock";
  /** Whether k6 has executors that tell when arrivals were left out [false]. */
  readonly tellsMissed?: boolean;
  /** Whether these make virtual users before they are needed [false]. */
  readonly makesUsersAhead?: boolean;
  /** What was counted, asked for when all is over. */
  readonly counted: (data: SummaryData) => Counted;
}

/** What a script exports to k6, besides a function for each flow. */
export interface LoadScript {
  readonly options: Options;
  readonly handleSummary: (data: SummaryData) => Record<string, string>;
  /** What k6 calls for an arrival of a flow. */
  iteration(flow: LoadFlow, body: (task: Task) => Promise<void> | void): () => Promise<void>;
}

let hasComplained = false;

/** k6 goes on after an exception, and ends as if nothing had happened: it is counted, and a threshold fails the run. */
function complain(error: unknown): void {
  scriptErrors.add(1);
  if (!hasComplained) {
    hasComplained = true;
    // oxlint-disable-next-line no-console -- The only way in which a script of k6 can say something.
    console.error(`an iteration failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What a flow of a script is made of. */
interface ScriptFlow {
  readonly plan: LoadPlan;
  readonly flow: LoadFlow;
  readonly arrivals: readonly Arrivals[];
}

/** Tells of the arrivals of a scenario that could not begin since somebody told of them last. */
function tellMissed(script: ScriptFlow, recorder: Recorder, scenario: string): void {
  const mine = script.arrivals.find(({ name }) => name === scenario);
  if (mine === undefined || !mine.isAtLimit || recorder.missed(scenario) === 0) {
    return;
  }
  const { startMs, afterMs } = recorder.takeMissed(scenario);
  for (const atMs of afterMs) {
    const task = taskOf(script, { scenario, index: arrivalAt(mine, atMs), startMs });
    if (task !== undefined) {
      recorder.record(notBegun(script.flow, task));
    }
  }
}

/** How many arrivals could not begin because the plan allows no more virtual users. */
function countNotBegun(
  { recorder, reader }: Pick<ScriptParts, "recorder" | "reader">,
  flows: readonly ScriptFlow[],
  data: SummaryData,
): number {
  const all = flows.flatMap(({ arrivals }) => arrivals);
  const dropped = valueOf(data, "dropped_iterations", "count");
  if (reader === "stock") {
    return all.every(({ isAtLimit }) => isAtLimit) ? dropped : 0;
  }
  return all.reduce((sum, { name, isAtLimit }) => sum + (isAtLimit ? recorder.missed(name) : 0), 0);
}

function summaryOf(parts: ScriptParts, flows: readonly ScriptFlow[]): LoadScript["handleSummary"] {
  const { plan, counted, recorder } = parts;
  return (data) => {
    for (const flow of flows) {
      for (const { name } of flow.arrivals) {
        tellMissed(flow, recorder, name);
      }
    }
    const scenarioSha256 = __ENV["ASSAY_SCENARIO_SHA256"] ?? "";
    const notBegun = countNotBegun(parts, flows, data);
    // k6 has none where it makes the whole load.
    const segment = exec.test.options.executionSegment ?? "0:1";
    const summary = k6Summary(plan, { data, counted: counted(data), scenarioSha256, segment, notBegun });
    const path = __ENV["ASSAY_SUMMARY"] ?? "";
    return path === "" ? { stdout: summaryText(data, summary) } : { [path]: `${JSON.stringify(summary)}\n` };
  };
}

/**
 * Which arrival of its scenario an iteration is, from 0. k6 does not count those that it leaves out. Where it runs a segment of a test,
 * how many other processes leave out is not known: then it is the last one that was to come by now.
 */
function arrivalIndex({ arrivals }: ScriptFlow, recorder: Recorder, startMs: number): number {
  const { name, iterationInTest, iterationInInstance } = exec.scenario;
  const missed = recorder.missed(name);
  const mine = arrivals.find((one) => one.name === name);
  if (missed === 0 || mine === undefined || iterationInTest === iterationInInstance) {
    return iterationInTest + missed;
  }
  return arrivalAt(mine, recorder.nowMs() - startMs);
}

/** The same as one of the extension, which tells when arrivals were left out, and may make virtual users before they are needed. */
const listened = ({ scenario, reserved }: Arrivals, makesUsersAhead: boolean): Scenario =>
  Object.assign(
    {},
    scenario,
    { executor: `assay-${scenario.executor}` },
    makesUsersAhead ? { preAllocatedVUs: reserved } : {},
  );

/** Puts a script together. To be called in k6's init code. */
export function loadScript(parts: ScriptParts): LoadScript {
  const { plan, flows, recorder, reader, tellsMissed = false, makesUsersAhead = false } = parts;
  const scripts = flows.map((flow): ScriptFlow => ({ plan, flow, arrivals: arrivalsOf(plan, flow) }));
  const scenarios = scripts
    .flatMap(({ arrivals }) => arrivals)
    .map((one) => [one.name, tellsMissed ? listened(one, makesUsersAhead) : one.scenario] as const);
  return {
    options: {
      scenarios: Object.fromEntries(scenarios),
      thresholds: guards(flows, reader),
      summaryTrendStats: ["med", "p(95)", "p(99)", "min", "max", "avg", "count"],
      userAgent: "assay/0.1.0",
      ...clientCertificate(__ENV),
    },
    handleSummary: summaryOf(parts, scripts),
    iteration: (flow, body) => async () => {
      try {
        const script = scripts.find((one) => one.flow === flow) ?? { plan, flow, arrivals: [] };
        const { name } = exec.scenario;
        const startMs = recorder.scenarioStartMs();
        const task = taskOf(script, { scenario: name, index: arrivalIndex(script, recorder, startMs), startMs });
        tellMissed(script, recorder, name);
        if (task !== undefined) {
          const { phase, arm, planMs } = task.iteration;
          // With blocks both change from one iteration to the next; all metrics take their tags from here.
          Object.assign(exec.vu.metrics.tags, { phase, arm });
          startLag.add(recorder.nowMs() - planMs);
          await body(task);
        }
      } catch (error) {
        complain(error);
      }
    },
  };
}
