import type { GeneratorFacts, K6Summary, LoadHistogram, LoadMetric, LoadPlan } from "@assay/results";

/** What k6 gives `handleSummary`, as far as it is used. */
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

/** What is counted outside of k6's own metrics. */
export interface Counted {
  readonly k6Version: string;
  readonly histograms: readonly LoadHistogram[];
  readonly timings?: readonly LoadMetric[];
  readonly outcomes: Readonly<Record<string, number>>;
  readonly violations: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
  readonly generator?: GeneratorFacts;
}

/** A value of a metric; 0 where it was never fed. */
export const valueOf = ({ metrics }: SummaryData, metric: string, value: string): number =>
  metrics[metric]?.values[value] ?? 0;

/** Whether each threshold held, by metric and condition, such as `dropped_iterations count==0`. */
function thresholdsOf({ metrics }: SummaryData): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
      Object.entries(thresholds).map(([condition, { ok }]) => [`${metric} ${condition}`, ok] as const),
    ),
  );
}

/** What is known when a script has ended. */
export interface FinishedScript {
  readonly data: SummaryData;
  readonly counted: Counted;
  readonly scenarioSha256: string;
  /** The share of the plan that this process made: `0:1/3`, or `0:1`. */
  readonly segment: string;
  /** Of the dropped iterations, those that could not begin because the plan allows no more virtual users. */
  readonly notBegun: number;
}

/** The summary of a run: k6's figures and what was counted beside them. */
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
  thresholds: thresholdsOf(data),
  ...counted,
});

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/** Metrics that a person wants to see; streams, first bytes and conversations. */
const shown = [
  "stream_first_match",
  "first_byte",
  "last_byte",
  "conversation_create",
  "conversation_poll",
  "conversation_terminal",
];

/** A few lines for a terminal, where k6 was started by hand. */
export function summaryText(data: SummaryData, summary: K6Summary): string {
  const times = shown.flatMap((metric) => {
    const values = data.metrics[metric]?.values;
    return values === undefined || values["count"] === 0
      ? []
      : [
          `  ${metric}: p50 ${rounded(values["med"] ?? 0)} ms, p95 ${rounded(values["p(95)"] ?? 0)} ms, ` +
            `p99 ${rounded(values["p(99)"] ?? 0)} ms of ${values["count"] ?? 0}`,
        ];
  });
  const missed = Object.entries(summary.thresholds).flatMap(([threshold, ok]) =>
    ok ? [] : [`  missed: ${threshold}`],
  );
  const counts = Object.entries({ ...summary.outcomes, ...summary.violations }).map(
    ([name, times]) => `  ${name}: ${times}`,
  );
  return [
    `${summary.plan.scenario}: ${summary.iterations} iterations; times include the warm-up`,
    ...counts,
    ...times,
    ...missed,
    "",
  ].join("\n");
}
