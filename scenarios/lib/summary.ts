import type { GeneratorFacts, K6Summary, LoadPlan } from "@assay/results";

/** The parts of k6's `handleSummary` argument that are read. */
export interface SummaryData {
  readonly metrics: Readonly<
    Record<
      string,
      {
        readonly values: Readonly<Record<string, number>>;
        readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
      }
    >
  >;
  readonly state: { readonly testRunDurationMs: number };
}

/** Counts outside k6's own metrics. */
export interface Counted {
  readonly k6Version: string;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
  readonly generator: GeneratorFacts;
}

/** Returns a value of a metric, or 0 if it has no samples. */
export const valueOf = ({ metrics }: SummaryData, metric: string, value: string): number =>
  metrics[metric]?.values[value] ?? 0;

/** Reports whether each threshold passed, by metric and condition, such as `dropped_iterations count==0`. */
function readThresholds({ metrics }: SummaryData): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
      Object.entries(thresholds).map(([condition, { ok }]) => [`${metric} ${condition}`, ok] as const),
    ),
  );
}

/** The data of a script that has ended. */
export interface FinishedScript {
  readonly data: SummaryData;
  readonly counted: Counted;
  readonly scenarioSha256: string;
  /** The share of the plan that this process ran, such as `0:1/3`; `0:1` for all of it. */
  readonly segment: string;
  /** Dropped iterations that could not begin because the plan allows no more virtual users. */
  readonly notBegun: number;
}

/** Returns the summary of a run: k6's figures and Assay's counts. */
export const k6Summary = (
  plan: LoadPlan,
  { data, counted, scenarioSha256, segment, notBegun }: FinishedScript,
): K6Summary => ({
  assay: "k6-summary",
  version: 1,
  plan,
  segment,
  scenarioSha256,
  testDurationMs: data.state.testRunDurationMs,
  droppedIterations: valueOf(data, "dropped_iterations", "count"),
  ...(notBegun === 0 ? {} : { notBegun }),
  iterations: valueOf(data, "iterations", "count"),
  maxVus: valueOf(data, "vus", "max"),
  thresholds: readThresholds(data),
  ...counted,
});

const formatTenths = (value: number): string => String(Math.round(value * 10) / 10);

/** Metrics printed for people. */
const printedMetrics = ["stream_first_match", "conversation_create", "conversation_poll", "conversation_terminal"];

/** Formats a short summary for the terminal, printed if k6 was started by hand. */
export function summaryText(data: SummaryData, summary: K6Summary): string {
  const timeLines = printedMetrics.flatMap((metric) => {
    const values = data.metrics[metric]?.values;
    return values === undefined || values["count"] === 0
      ? []
      : [
          `  ${metric}: p50 ${formatTenths(values["med"] ?? 0)} ms, p95 ${formatTenths(values["p(95)"] ?? 0)} ms, ` +
            `p99 ${formatTenths(values["p(99)"] ?? 0)} ms of ${values["count"] ?? 0}`,
        ];
  });
  const missedLines = Object.entries(summary.thresholds).flatMap(([threshold, ok]) =>
    ok ? [] : [`  missed: ${threshold}`],
  );
  const countLines = Object.entries({ ...summary.outcomes, ...summary.violations }).map(
    ([name, count]) => `  ${name}: ${count}`,
  );
  return [
    `${summary.plan.scenario}: ${summary.iterations} iterations; times include the warm-up`,
    ...countLines,
    ...timeLines,
    ...missedLines,
    "",
  ].join("\n");
}
