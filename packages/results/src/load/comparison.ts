/** Whether something became slower. `inconclusive`: it cannot be decided with the required confidence. */
export type ComparisonVerdict = "improved" | "unchanged" | "regressed" | "inconclusive";

/** The compared metrics, as shown to people. By query: the geometric mean of the ratios of the medians of each query. */
export const comparedMetrics = [
  "first-match by query",
  "first-match p50",
  "first-match p95",
  "first-match p99",
  "terminal p50",
  "terminal p95",
  "poll p50",
  "poll p95",
  "throughput",
] as const;
export type ComparedMetric = (typeof comparedMetrics)[number];

/** Censored times: requests that had not finished when measuring stopped. Each is slower than the time it was watched for. */
export interface CensoredCount {
  readonly censored: number;
  readonly of: number;
}

/** One metric of the head compared with the base. Changes are fractions: 0.05 is 5 % more. An infinite `high` is absent. */
export interface MetricComparison {
  readonly metric: ComparedMetric;
  readonly verdict: ComparisonVerdict;
  /** Middle values of both sides: milliseconds, or requests a second for throughput. Absent if they cannot be computed. */
  readonly base?: number;
  /** Present if the value is censored: the true value is above `base`. Likewise for the head. */
  readonly baseIsCensored?: true;
  readonly head?: number;
  readonly headIsCensored?: true;
  readonly change?: number;
  /** Ends of the confidence interval of the change, corrected for the number of metrics. */
  readonly low?: number;
  readonly high?: number;
  /** Confidence of the interval after correction, such as 0.9967. */
  readonly confidence: number;
  /** Smallest change that counts. */
  readonly margin: number;
  /** Smallest change that this comparison could have detected: half the width of its interval plus the margin. */
  readonly detectable?: number;
  /** Pairs of blocks (paired), or runs of the smaller side (stored runs). */
  readonly units: number;
  /** Further units needed for a decision, if known. */
  readonly unitsNeeded?: number;
  /** Censored times of the measured pairs; absent if there are none. The interval allows for any true value. */
  readonly censored?: { readonly base: CensoredCount; readonly head: CensoredCount };
  /** Why it is inconclusive, or which way it leans, one clause. */
  readonly note?: string;
}

/** The shares of failed requests compared. Failures are not samples, so they are judged separately. */
export interface FailureComparison {
  readonly baseFailed: number;
  readonly baseTotal: number;
  readonly headFailed: number;
  readonly headTotal: number;
  /** Of Fisher's exact test, two-sided. */
  readonly pValue: number;
  /** Inconclusive if the difference is significant but occurs in one block or run only: an outage may hit either side. */
  readonly verdict: ComparisonVerdict;
}

/** Change of one query: exploratory (Benjamini and Hochberg at 5 %), never part of the verdict. */
export interface QueryComparison {
  readonly query: string;
  readonly change: number;
  readonly pValue: number;
  readonly worthALook: boolean;
}

export interface Comparison {
  /** `paired`: blocks of one run on two targets. `stored`: runs of two sides. */
  readonly design: "paired" | "stored";
  readonly preset?: ComparisonPreset;
  readonly base: string;
  readonly head: string;
  /** Regressed if any metric or the failures are; else inconclusive if the primary metric or the failures are; else that of the primary metric. */
  readonly verdict: ComparisonVerdict;
  /** One sentence. */
  readonly summary: string;
  readonly metrics: readonly MetricComparison[];
  readonly failures?: FailureComparison;
  readonly queries: readonly QueryComparison[];
  /** Why the two cannot be compared at all, one sentence each; the verdict is then inconclusive. */
  readonly incomparable: readonly string[];
}

export const comparisonPresets = ["quick", "standard", "thorough"] as const;
export type ComparisonPreset = (typeof comparisonPresets)[number];
