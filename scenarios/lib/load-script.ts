import type { LoadPlan } from "@assay/results";
import type { Options } from "k6/options";
import exec from "k6/execution";
import { arrivalsOf, type LoadFlow } from "./arrivals.ts";
import { scriptErrors, startLag } from "./script-metrics.ts";
import { clientCertificate } from "./credentials.ts";
import { type Task, taskOf } from "./iteration.ts";
import type { Recorder } from "./recorder.ts";
import { type Counted, k6Summary, type SummaryData, summaryText } from "./summary.ts";
import { guards } from "./thresholds.ts";

/** What a script is made of. */
export interface ScriptParts {
  readonly plan: LoadPlan;
  readonly flows: readonly LoadFlow[];
  readonly recorder: Recorder;
  readonly reader: "extension" | "stock";
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

function summaryOf({ plan, counted }: ScriptParts): LoadScript["handleSummary"] {
  return (data) => {
    const scenarioSha256 = __ENV["ASSAY_SCENARIO_SHA256"] ?? "";
    const summary = k6Summary(plan, { data, counted: counted(data), scenarioSha256 });
    const path = __ENV["ASSAY_SUMMARY"] ?? "";
    return path === "" ? { stdout: summaryText(data, summary) } : { [path]: `${JSON.stringify(summary)}\n` };
  };
}

/** Puts a script together. To be called in k6's init code. */
export function loadScript(parts: ScriptParts): LoadScript {
  const { plan, flows, recorder, reader } = parts;
  const arrivals = new Map(flows.map((flow) => [flow, arrivalsOf(plan, flow)] as const));
  const scenarios = [...arrivals.values()].flat().map(({ name, scenario }) => [name, scenario] as const);
  return {
    options: {
      scenarios: Object.fromEntries(scenarios),
      thresholds: guards(flows, reader),
      summaryTrendStats: ["med", "p(95)", "p(99)", "min", "max", "avg", "count"],
      userAgent: "assay/0.1.0",
      ...clientCertificate(__ENV),
    },
    handleSummary: summaryOf(parts),
    iteration: (flow, body) => async () => {
      try {
        const { name, iterationInTest } = exec.scenario;
        const arrival = { scenario: name, index: iterationInTest, startMs: recorder.scenarioStartMs() };
        const task = taskOf({ plan, flow, arrivals: arrivals.get(flow) ?? [] }, arrival);
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
