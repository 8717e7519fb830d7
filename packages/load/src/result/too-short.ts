import { HarnessError } from "@assay/contract";
import { type LoadPlan, percentileMinimum } from "@assay/results";
import { plannedArrivals } from "./planned-arrivals.ts";
import type { LatencyThreshold, Threshold } from "./threshold.ts";
import { hasPlannedCount } from "./threshold.ts";

/** What a metric has one value of, and how many of them a plan has. */
interface PlannedCount {
  readonly count: number;
  readonly what: "searches" | "conversations";
}

/** What a run may have less than its plan, by rounding. */
const rounding = 2;

/** Metrics with one value for each conversation; those of searches have one for each search. */
const ofConversations: ReadonlySet<string> = new Set(["create", "terminal-lower", "terminal-upper"]);

/** How many values a metric gets in the measured part of a plan, from each target. */
function plannedCount(metric: string, plan: LoadPlan, conversationRate: (rate: number) => number): PlannedCount {
  const what = ofConversations.has(metric) ? "conversations" : "searches";
  const { blocks, ratePerSecond } = plan;
  if (blocks !== undefined) {
    return { what, count: blocks.pairs * blocks.requestsPerBlock };
  }
  const share =
    what === "conversations" && plan.queries.length > 0 ? conversationRate(ratePerSecond) / ratePerSecond : 1;
  return { what, count: Math.ceil(plannedArrivals(plan) * share) };
}

type PercentileThreshold = LatencyThreshold & { readonly statistic: keyof typeof percentileMinimum };

const isPercentile = (threshold: Threshold): threshold is PercentileThreshold =>
  threshold.kind === "latency" && Object.hasOwn(percentileMinimum, threshold.statistic);

/** What a plan is checked with. */
interface TooShortOptions {
  /** Conversations a second of a load that also searches, by the rate of searches. */
  readonly conversationRate: (rate: number) => number;
  /** Requests a second that the target may get at most. */
  readonly maxRatePerSecond: number;
}

/**
 * Refuses a plan that has fewer values than a percentile of a threshold needs: the run could only end undecided. Thresholds that
 * warn are left alone. Fails with a `HarnessError` that names a duration, and a rate where the target may get it, that suffice.
 */
export function refuseTooShort(thresholds: readonly Threshold[], plan: LoadPlan, options: TooShortOptions): void {
  for (const threshold of thresholds.filter(isPercentile)) {
    const { metric, statistic, severity, text } = threshold;
    const needed = percentileMinimum[statistic];
    const { count, what } = plannedCount(metric, plan, options.conversationRate);
    if (severity !== "warn" && hasPlannedCount(metric) && count < needed) {
      throw new HarnessError(
        "usage",
        `\`${text}\` needs ${needed} ${what}, and this load sends ${count}; ${remedy((needed + rounding) / Math.max(count, 1), plan, options)}`,
      );
    }
  }
}

/** How to get `factor` times as many values. */
function remedy(factor: number, { blocks, durationMs, ratePerSecond }: LoadPlan, options: TooShortOptions): string {
  const duration = `use --duration ${Math.ceil((durationMs * factor) / 1000)}s`;
  const rate = Math.ceil(ratePerSecond * factor);
  return blocks !== undefined || rate > options.maxRatePerSecond ? duration : `${duration} or --rate ${rate}`;
}
