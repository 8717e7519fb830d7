import { HarnessError } from "@assay/contract";
import { type LoadPlan, percentileMinimum } from "@assay/results";
import { estimateArrivals } from "./planned-arrivals.ts";
import type { LatencyThreshold, Threshold } from "./threshold.ts";
import { hasPlannedCount } from "./threshold.ts";

/** The number of values of a metric in a plan. */
interface PlannedCount {
  readonly count: number;
  readonly unit: "searches" | "conversations";
}

/** Rounding may leave a run this many arrivals short of its plan. */
const maxRoundingArrivals = 2;

/** Metrics with one value per conversation. All others have one value per search. */
const conversationMetrics: ReadonlySet<string> = new Set(["create", "terminal-lower", "terminal-upper"]);

/** Counts the values of a metric in the measured phase of a plan, for each target. */
function countPlannedValues(metric: string, plan: LoadPlan, conversationRate: (rate: number) => number): PlannedCount {
  const unit = conversationMetrics.has(metric) ? "conversations" : "searches";
  const { blocks, ratePerSecond } = plan;
  if (blocks !== undefined) {
    return { unit, count: blocks.pairs * blocks.requestsPerBlock };
  }
  const share =
    unit === "conversations" && plan.queries.length > 0 ? conversationRate(ratePerSecond) / ratePerSecond : 1;
  return { unit, count: Math.ceil(estimateArrivals(plan) * share) };
}

type PercentileThreshold = LatencyThreshold & { readonly statistic: keyof typeof percentileMinimum };

const isPercentile = (threshold: Threshold): threshold is PercentileThreshold =>
  threshold.kind === "latency" && Object.hasOwn(percentileMinimum, threshold.statistic);

interface TooShortOptions {
  /** Returns the rate of conversations in a mixed load for a rate of searches. */
  readonly conversationRate: (rate: number) => number;
  /** Maximum rate for the target. */
  readonly maxRatePerSecond: number;
}

/**
 * Rejects a plan with fewer values than a percentile of a threshold needs, since the run could only be undecided.
 * Ignores thresholds that only warn. Fails with a `HarnessError` that names a sufficient duration, and a sufficient rate
 * if the target allows it.
 */
export function rejectTooShort(thresholds: readonly Threshold[], plan: LoadPlan, options: TooShortOptions): void {
  for (const threshold of thresholds.filter(isPercentile)) {
    const { metric, statistic, severity, text } = threshold;
    const minCount = percentileMinimum[statistic];
    const { count, unit } = countPlannedValues(metric, plan, options.conversationRate);
    if (severity !== "warn" && hasPlannedCount(metric) && count < minCount) {
      throw new HarnessError(
        "usage",
        `\`${text}\` needs ${minCount} ${unit}, and this load sends ${count}; ${describeRemedy((minCount + maxRoundingArrivals) / Math.max(count, 1), plan, options)}`,
      );
    }
  }
}

/** Advises how to get `factor` times as many values. */
function describeRemedy(
  factor: number,
  { blocks, durationMs, ratePerSecond }: LoadPlan,
  options: TooShortOptions,
): string {
  const duration = `use --duration ${Math.ceil((durationMs * factor) / 1000)}s`;
  const rate = Math.ceil(ratePerSecond * factor);
  return blocks !== undefined || rate > options.maxRatePerSecond ? duration : `${duration} or --rate ${rate}`;
}
