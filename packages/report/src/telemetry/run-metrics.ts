import type { ExchangeSummary, LoadHistogram, LoadResult, RunResult } from "@assay/results";
import { bucketBounds, groupBy } from "@assay/results";
import {
  type Attributes,
  bucketLimits,
  findBucket,
  createGauge,
  createHistogramMetric,
  createHistogramPoint,
  type HistogramPoint,
  type MetricPoint,
  type MetricSpan,
  type OtlpMetric,
  sum,
} from "./otlp-metrics.ts";

const toSeconds = (micros: number): number => micros / 1_000_000;

/** Returns the exit code and duration of a run or load. */
function endMetrics(
  kind: "run" | "load",
  { exitCode, outcome }: { readonly exitCode: number; readonly outcome: string },
  { span, common }: { readonly span: MetricSpan; readonly common: Attributes },
): readonly OtlpMetric[] {
  const noun = kind === "run" ? "run" : "load run";
  return [
    createGauge({ name: `assay.${kind}.exit_code`, description: `Exit code of the ${noun}.`, unit: "1" }, span, [
      { value: exitCode, attributes: { ...common, "assay.outcome": outcome } },
    ]),
    createGauge({ name: `assay.${kind}.duration`, description: `How long the ${noun} took.`, unit: "s" }, span, [
      { value: (span.endedAtMs - span.startedAtMs) / 1000, attributes: common },
    ]),
  ];
}

const requestAttributes = (exchange: ExchangeSummary): Attributes => ({
  "assay.interface": exchange.interface,
  "assay.operation": exchange.operation,
});

/** Returns the metrics of a run: rules by verdict, the outcome, requests, their durations, and times to first match. */
export function createRunMetrics(result: RunResult, span: MetricSpan): readonly OtlpMetric[] {
  const { counts, exchanges, run } = result;
  const common = { "assay.target": run.target, "assay.profile": run.profile };
  const rulePoints = Object.entries(counts).map(([standing, value]): MetricPoint => ({
    value,
    attributes: { ...common, "assay.standing": standing },
  }));
  const requestPoints = groupBy(exchanges, (exchange) =>
    [exchange.interface, exchange.operation, exchange.status, exchange.failure === undefined].join(" "),
  ).map((group): MetricPoint => {
    const [{ status, failure }] = group;
    const responseAttributes = { "http.response.status_code": status, "assay.failed": failure !== undefined };
    return { value: group.length, attributes: { ...common, ...requestAttributes(group[0]), ...responseAttributes } };
  });
  const durationPoints = groupBy(exchanges, (exchange) => `${exchange.interface} ${exchange.operation}`).map((group) =>
    createHistogramPoint(
      group.map(({ durationMicros }) => toSeconds(durationMicros)),
      { ...common, ...requestAttributes(group[0]) },
    ),
  );
  const firstMatchSeconds = exchanges.flatMap(({ firstMatchMicros }) =>
    firstMatchMicros === undefined ? [] : [toSeconds(firstMatchMicros)],
  );
  return [
    ...endMetrics("run", result, { span, common }),
    createGauge({ name: "assay.run.rules", description: "Rules by how they stand.", unit: "{rule}" }, span, rulePoints),
    sum({ name: "assay.exchanges", description: "Requests that were sent.", unit: "{exchange}" }, span, requestPoints),
    createHistogramMetric(
      { name: "assay.exchange.duration", description: "From sending a request to the end of its answer.", unit: "s" },
      span,
      durationPoints,
    ),
    createHistogramMetric(
      { name: "assay.search.time_to_first_match", description: "From sending a search to its first match.", unit: "s" },
      span,
      firstMatchSeconds.length === 0 ? [] : [createHistogramPoint(firstMatchSeconds, common)],
    ),
  ];
}

/** Converts latencies to the buckets of `bucketLimits`. Each is counted at the upper bound of its narrower bucket. */
function createLatencyPoint(latencies: LoadHistogram, common: Attributes): HistogramPoint {
  const counts = Array.from({ length: bucketLimits.length + 1 }, () => 0);
  for (const [bucket, count] of latencies.buckets) {
    const target = findBucket(toSeconds(bucketBounds(bucket).highMicros));
    counts[target] = (counts[target] ?? 0) + count;
  }
  return {
    attributes: { ...common, "assay.metric": latencies.metric, "assay.side": latencies.side },
    counts,
    sum: toSeconds(latencies.sumMicros),
    min: toSeconds(latencies.minMicros),
    max: toSeconds(latencies.maxMicros),
  };
}

const isMeasured = ({ phase }: LoadHistogram): boolean => phase === "measure";

/** Returns the metrics of a load run: the outcome, requests by outcome, latencies of the measured phase, and violations. */
export function createLoadMetrics(result: LoadResult, span: MetricSpan): readonly OtlpMetric[] {
  const { histograms, outcomes, plan, run, violations } = result;
  const common = { "assay.target": run.target, "assay.scenario": plan.scenario };
  const requestPoints = Object.entries(outcomes).flatMap(([sample, counts]) =>
    Object.entries(counts).map(([outcome, value]): MetricPoint => ({
      value,
      attributes: { ...common, "assay.sample": sample, "assay.outcome": outcome },
    })),
  );
  const unfinishedPoints = histograms
    .filter(isMeasured)
    .flatMap(({ metric, side, censored = [] }): readonly MetricPoint[] =>
      censored.length === 0
        ? []
        : [
            {
              value: censored.reduce((total, [, count]) => total + count, 0),
              attributes: { ...common, "assay.metric": metric, "assay.side": side },
            },
          ],
    );
  const violationPoints = Object.entries(violations).map(([code, value]): MetricPoint => ({
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
      requestPoints,
    ),
    createHistogramMetric(
      { name: "assay.load.latency", description: "What was timed, from the planned sending on.", unit: "s" },
      span,
      histograms
        .filter((latencies) => isMeasured(latencies) && latencies.count > 0)
        .map((latencies) => createLatencyPoint(latencies, common)),
    ),
    sum(
      {
        name: "assay.load.unfinished",
        description: "Requests that had not finished when measuring stopped.",
        unit: "{request}",
      },
      span,
      unfinishedPoints,
    ),
    sum(
      { name: "assay.load.violations", description: "Violations of the contract.", unit: "{violation}" },
      span,
      violationPoints,
    ),
  ];
}
