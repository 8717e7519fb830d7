import type { ComparedMetric, LoadMetricName } from "@assay/results";
import type { FailureCount } from "./paired-blocks.ts";
import type { StoredRun } from "./stored-run.ts";

/** How one figure of a run is read; a metric known only as a bracket has two. */
export interface StoredFigure {
  readonly metric: ComparedMetric;
  readonly readings: readonly ((run: StoredRun) => number | undefined)[];
}

/** Arrivals and polls that were not sent say nothing of the target. */
const unsentOutcomes: ReadonlySet<string> = new Set(["canceled", "held-back", "over-budget"]);

/** Units of work: calls are parts of conversations. */
const workKinds = ["stream", "conversation"] as const;

const okCount = (run: StoredRun): number => workKinds.reduce((sum, kind) => sum + (run.outcomes[kind]?.ok ?? 0), 0);

/** What ended well in one second. Arrivals are planned, so it falls only when requests fail, and never rises above the plan. */
const throughput = (run: StoredRun): number | undefined =>
  workKinds.some((kind) => run.outcomes[kind] !== undefined) ? okCount(run) / (run.plan.durationMs / 1000) : undefined;

const reading =
  (name: LoadMetricName, percentile: "p50" | "p95" | "p99") =>
  ({ metrics }: StoredRun): number | undefined =>
    metrics.find(({ metric, arm }) => metric === name && arm === "a")?.[percentile]?.value;

const bracket = (percentile: "p50" | "p95"): StoredFigure["readings"] => [
  reading("terminal-upper", percentile),
  reading("terminal-lower", percentile),
];

/** Everything that stored runs are compared by, the most telling first. */
export const storedFigures: readonly StoredFigure[] = [
  { metric: "first-match p50", readings: [reading("first-match", "p50")] },
  { metric: "first-match p95", readings: [reading("first-match", "p95")] },
  { metric: "first-match p99", readings: [reading("first-match", "p99")] },
  { metric: "terminal p50", readings: bracket("p50") },
  { metric: "terminal p95", readings: bracket("p95") },
  { metric: "poll p50", readings: [reading("poll", "p50")] },
  { metric: "poll p95", readings: [reading("poll", "p95")] },
  { metric: "throughput", readings: [throughput] },
];

const matchless = (run: StoredRun): number => {
  const timed = run.metrics.find(({ metric, arm }) => metric === "first-match" && arm === "a")?.count;
  return timed === undefined ? 0 : Math.max(0, (run.outcomes["stream"]?.ok ?? 0) - timed);
};

const matchlessShare = (run: StoredRun): number => matchless(run) / Math.max(1, run.outcomes["stream"]?.ok ?? 0);

/**
 * Failed streams and conversations of each run. Streams that ended well without a match count as failed beyond the smallest share
 * of them in any run: queries that have no match give every run the same share.
 */
export const storedFailures = (runs: readonly StoredRun[]): readonly FailureCount[] => {
  const usual = Math.min(1, ...runs.map(matchlessShare));
  return runs.map((run) => {
    const counts = workKinds.flatMap((kind) => Object.entries(run.outcomes[kind] ?? {}));
    const total = counts.reduce((sum, [outcome, count]) => sum + (unsentOutcomes.has(outcome) ? 0 : (count ?? 0)), 0);
    const lost = Math.round(matchless(run) - usual * (run.outcomes["stream"]?.ok ?? 0));
    return { failed: total - okCount(run) + Math.max(0, lost), total };
  });
};
