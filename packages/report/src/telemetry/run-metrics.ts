import type { ExchangeSummary, LoadHistogram, LoadResult, RunResult } from "@assay/results";
import { bucketBounds, groupedBy } from "@assay/results";
import {
  type Attributes,
  bucketLimits,
  bucketOf,
  gauge,
  histogram,
  histogramPoint,
  type HistogramPoint,
  type MetricPoint,
  type MetricSpan,
  type OtlpMetric,
  sum,
} from "./otlp-metrics.ts";

const seconds = (micros: number): number => micros / 1_000_000;

/** Metrics of the end of a run of any kind. */
function endMetrics(
  kind: "run" | "load",
  { exitCode, outcome }: { readonly exitCode: number; readonly outcome: string },
  { span, common }: { readonly span: MetricSpan; readonly common: Attributes },
): readonly OtlpMetric[] {
  const what = kind === "run" ? "run" : "load run";
  return [
    gauge({ name: `assay.${kind}.exit_code`, description: `Exit code of the ${what}.`, unit: "1" }, span, [
      { value: exitCode, attributes: { ...common, "assay.outcome": outcome } },
    ]),
    gauge({ name: `assay.${kind}.duration`, description: `How long the ${what} took.`, unit: "s" }, span, [
      { value: (span.endedAtMs - span.startedAtMs) / 1000, attributes: common },
    ]),
  ];
}

/** Attributes of a request. */
const requestAttributes = (exchange: ExchangeSummary): Attributes => ({
  "assay.interface": exchange.interface,
  "assay.operation": exchange.operation,
});

/** Metrics of a run: rules by verdict, the outcome, requests, their durations, times to first match. */
export function metricsOfRun(result: RunResult, span: MetricSpan): readonly OtlpMetric[] {
  const { counts, exchanges, run } = result;
  const common = { "assay.target": run.target, "assay.profile": run.profile };
  const rules = Object.entries(counts).map(([standing, value]): MetricPoint => ({
    value,
    attributes: { ...common, "assay.standing": standing },
  }));
  const requests = groupedBy(exchanges, (each) =>
    [each.interface, each.operation, each.status, each.failure === undefined].join(" "),
  ).map((group): MetricPoint => {
    const [{ status, failure }] = group;
    const answer = { "http.response.status_code": status, "assay.failed": failure !== undefined };
    return { value: group.length, attributes: { ...common, ...requestAttributes(group[0]), ...answer } };
  });
  const durations = groupedBy(exchanges, (each) => `${each.interface} ${each.operation}`).map((group) =>
    histogramPoint(
      group.map(({ durationMicros }) => seconds(durationMicros)),
      { ...common, ...requestAttributes(group[0]) },
    ),
  );
  const matches = exchanges.flatMap(({ firstMatchMicros }) =>
    firstMatchMicros === undefined ? [] : [seconds(firstMatchMicros)],
  );
  return [
    ...endMetrics("run", result, { span, common }),
    gauge({ name: "assay.run.rules", description: "Rules by how they stand.", unit: "{rule}" }, span, rules),
    sum({ name: "assay.exchanges", description: "Requests that were sent.", unit: "{exchange}" }, span, requests),
    histogram(
      { name: "assay.exchange.duration", description: "From sending a request to the end of its answer.", unit: "s" },
      span,
      durations,
    ),
    histogram(
      { name: "assay.search.time_to_first_match", description: "From sending a search to its first match.", unit: "s" },
      span,
      matches.length === 0 ? [] : [histogramPoint(matches, common)],
    ),
  ];
}

/** Latencies of the measured phase in the buckets of `bucketLimits`; each is counted at the upper bound of its own narrow bucket. */
function pointOf(latencies: LoadHistogram, common: Attributes): HistogramPoint {
  const counts = Array.from({ length: bucketLimits.length + 1 }, () => 0);
  for (const [bucket, count] of latencies.buckets) {
    const into = bucketOf(seconds(bucketBounds(bucket).highMicros));
    counts[into] = (counts[into] ?? 0) + count;
  }
  return {
    attributes: { ...common, "assay.metric": latencies.metric, "assay.side": latencies.side },
    counts,
    sum: seconds(latencies.sumMicros),
    min: seconds(latencies.minMicros),
    max: seconds(latencies.maxMicros),
  };
}

const isMeasured = ({ phase }: LoadHistogram): boolean => phase === "measure";

/** Metrics of a load run: the outcome, requests by outcome, latencies of the measured phase, violations of the contract. */
export function metricsOfLoad(result: LoadResult, span: MetricSpan): readonly OtlpMetric[] {
  const { histograms, outcomes, plan, run, violations } = result;
  const common = { "assay.target": run.target, "assay.scenario": plan.scenario };
  const ended = Object.entries(outcomes).flatMap(([sample, counts]) =>
    Object.entries(counts).map(([outcome, value]): MetricPoint => ({
      value,
      attributes: { ...common, "assay.sample": sample, "assay.outcome": outcome },
    })),
  );
  const late = histograms.filter(isMeasured).flatMap(({ metric, side, censored = [] }): readonly MetricPoint[] =>
    censored.length === 0
      ? []
      : [
          {
            value: censored.reduce((all, [, count]) => all + count, 0),
            attributes: { ...common, "assay.metric": metric, "assay.side": side },
          },
        ],
  );
  const broken = Object.entries(violations).map(([code, value]): MetricPoint => ({
    value,
    attributes: { ...common, "assay.violation": code },
  }));
  return [
    ...endMetrics("load", result, { span, common }),
    sum(
      {
        name: "assay.load.requests",
        description: "Streams, calls and conversations by how they ended.",
        unit: "{request}",
      },
      span,
      ended,
    ),
    histogram(
      { name: "assay.load.latency", description: "What was timed, from the planned sending on.", unit: "s" },
      span,
      histograms.filter((each) => isMeasured(each) && each.count > 0).map((each) => pointOf(each, common)),
    ),
    sum(
      {
        name: "assay.load.unfinished",
        description: "Requests that had not finished when measuring stopped.",
        unit: "{request}",
      },
      span,
      late,
    ),
    sum(
      { name: "assay.load.violations", description: "Violations of the contract.", unit: "{violation}" },
      span,
      broken,
    ),
  ];
}
