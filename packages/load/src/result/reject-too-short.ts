import { HarnessError } from "@assay/contract";
import { type LoadPlan, percentileMinimum } from "@assay/results";
import { plannedArrivals } from "./planned-arrivals.ts";
import type { LatencyThreshold, Threshold } from "./threshold.ts";
import { hasPlannedCount } from "./threshold.ts";

/** The number of values of a metric in a plan. */
interface PlannedCount {
  readonly count: number;
  readonly unit: "searches" | "conversations";
}

/** Rounding may make a run this much smaller than its plan. */
const rounding = 2;

/** Metrics with one value for each conversation. Those of searches have one for each search. */
const conversationMetrics: ReadonlySet<string> = new Set(["create", "terminal-lower", "terminal-upper"]);

/** Number of values of a metric in the measured phase of a plan, for each target. */
function plannedCount(metric: string, plan: LoadPlan, conversationRate: (rate: number) => number): PlannedCount {
  const unit = conversationMetrics.has(metric) ? "conversations" : "searches";
  const { blocks, ratePerSecond } = plan;
  if (blocks !== undefined) {
    return { unit, count: blocks.pairs * blocks.requestsPerBlock };
  }
  const share =
    unit === "conversations" && plan.queries.length > 0 ? conversationRate(ratePerSecond) / ratePerSecond : 1;
  return { unit, count: Math.ceil(plannedArrivals(plan) * share) };
}

type PercentileThreshold = LatencyThreshold & { readonly statistic: keyof typeof percentileMinimum };

const isPercentile = (threshold: Threshold): threshold is PercentileThreshold =>
  threshold.kind === "latency" && Object.hasOwn(percentileMinimum, threshold.statistic);

interface TooShortOptions {
  /** Rate of conversations in a mixed load by the rate of searches. */
  readonly conversationRate: (rate: number) => number;
  /** Maximum rate for the target. */
  readonly maxRatePerSecond: number;
}

/**
 * Refuses a plan with fewer values than a percentile of a threshold needs, since the run could only be undecided.
 * Thresholds that warn are ignored. Fails with a `HarnessError` that names a sufficient duration, and a rate if the
 * target may get it.
 */
export function rejectTooShort(thresholds: readonly Threshold[], plan: LoadPlan, options: TooShortOptions): void {
  for (const threshold of thresholds.filter(isPercentile)) {
    const { metric, statistic, severity, text } = threshold;
    const needed = percentileMinimum[statistic];
    const { count, unit } = plannedCount(metric, plan, options.conversationRate);
    if (severity !== "warn" && hasPlannedCount(metric) && count < needed) {
      throw new HarnessError(
        "usage",
        `\`${text}\` needs ${needed} ${unit}, and this load sends ${count}; ${describeRemedy((needed + rounding) / Math.max(count, 1), plan, options)}`,
      );
    }
  }
}

/** Advice for `factor` times as many values. */
function describeRemedy(
  factor: number,
  { blocks, durationMs, ratePerSecond }: LoadPlan,
  options: TooShortOptions,
): string {
  const duration = `use --duration ${Math.ceil((durationMs * factor) / 1000)}s`;
  const rate = Math.ceil(ratePerSecond * factor);
  return blocks !== undefined || rate > options.maxRatePerSecond ? duration : `${duration} or --rate ${rate}`;
}
