/** Whether something became slower. `inconclusive`: neither can be said with the promised certainty. */
export type ComparisonVerdict = "improved" | "unchanged" | "regressed" | "inconclusive";

/** What is compared, as shown to people. Queries: geometric mean over queries of the ratio of their medians. */
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

/** How many of some times had not come when nobody watched any more: each of them is later than it was watched. */
export interface LaterCount {
  readonly later: number;
  readonly of: number;
}

/** One metric of the head compared with the base. Changes are fractions: 0.05 is 5 % more; `high` may be infinite: absent. */
export interface MetricComparison {
  readonly metric: ComparedMetric;
  readonly verdict: ComparisonVerdict;
  /** Middle values of both sides: milliseconds, or for throughput requests a second. Absent where nothing could be computed. */
  readonly base?: number;
  /** Present where it lies among what had not come: it is later than `base`. Likewise for the head. */
  readonly baseIsLater?: true;
  readonly head?: number;
  readonly headIsLater?: true;
  readonly change?: number;
  /** Ends of the interval of the change, corrected for the number of metrics. */
  readonly low?: number;
  readonly high?: number;
  /** Confidence of the interval after correction, such as 0.9967. */
  readonly confidence: number;
  /** Smallest change that counts. */
  readonly margin: number;
  /** Smallest change that this comparison could have shown beyond doubt: half the width of its interval plus the margin. */
  readonly detectable?: number;
  /** Pairs of blocks (paired), or runs of the smaller side (stored runs). */
  readonly units: number;
  /** Further ones needed for a decision, when it can be said. */
  readonly unitsNeeded?: number;
  /** In the measured pairs; absent where all had come. The interval holds whatever they would have taken. */
  readonly later?: { readonly base: LaterCount; readonly head: LaterCount };
  /** One clause: why it is inconclusive, or what it leans to. */
  readonly note?: string;
}

/** How the shares of requests that failed differ; failures are no samples, so they are judged apart. */
export interface FailureComparison {
  readonly baseFailed: number;
  readonly baseTotal: number;
  readonly headFailed: number;
  readonly headTotal: number;
  /** Of Fisher's exact test, two-sided. */
  readonly pValue: number;
  /** Inconclusive when the difference is no chance but stands in one block or run alone: one outage may hit either side. */
  readonly verdict: ComparisonVerdict;
}

/** Queries that might have moved: exploratory, by Benjamini and Hochberg at 5 %, never part of the verdict. */
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
  /** Of the whole: regressed if any metric or the failures are, else inconclusive if the primary metric or the failures are, else that of the primary metric. */
  readonly verdict: ComparisonVerdict;
  /** One sentence. */
  readonly summary: string;
  readonly metrics: readonly MetricComparison[];
  readonly failures?: FailureComparison;
  readonly queries: readonly QueryComparison[];
  /** Why the two cannot be compared at all, a sentence each; the verdict is then inconclusive. */
  readonly incomparable: readonly string[];
}

export const comparisonPresets = ["quick", "standard", "thorough"] as const;
export type ComparisonPreset = (typeof comparisonPresets)[number];
