import type { IncompleteReason } from "../run-result.ts";
import type { KnownFailure } from "../verdict.ts";
import type { RunOutcome } from "../outcome.ts";
import type { Comparison, ComparisonPreset } from "./comparison.ts";
import type { LoadJudgement } from "./load-judgement.ts";
import type { LoadHistogram, LoadMetricName } from "./load-histogram.ts";
import type { LoadArm, LoadPlan } from "./load-plan.ts";
import type { LoadOutcome } from "./load-sample.ts";

/** How the process that made the load fared. */
export interface GeneratorFacts {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Cores it may use. */
  readonly cores: number;
  readonly maxRssBytes: number;
  /** How late a timer of 10 ms fired inside it, 99th percentile and maximum. */
  readonly timerLagP99Ms: number;
  readonly timerLagMaxMs: number;
}

/** Where a load run took place. Two runs are only compared when `fingerprint` is equal. */
export interface LoadEnvironment {
  readonly platform: string;
  readonly architecture: string;
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly nodeVersion: string;
  readonly k6Version: string;
  /** Of the k6 program, lower-case hex. */
  readonly k6Sha256: string;
  /** Digest of all of these but the version of Node. */
  readonly fingerprint: string;
}

/** One condition under which the figures of a run mean something. */
export interface TrustCheck {
  readonly check:
    | "dropped-iterations"
    | "arrivals-begun"
    | "start-lag"
    | "generator-cpu"
    | "generator-timer"
    | "warm-up-is-flat"
    | "arms-end-alike"
    | "completed"
    | "enough-samples";
  /** False makes the run invalid; absent where it could not be checked, which leaves it valid. */
  readonly ok?: boolean;
  readonly value?: number;
  readonly limit?: number;
  readonly unit?: "ms" | "fraction" | "count";
  /** What was found, one sentence that also says what to do when it is not well. */
  readonly sentence: string;
}

/** A percentile of fewer samples than this is not given: there would be next to none beyond it. */
export const percentileMinimum = { p50: 20, p95: 100, p99: 500 } as const;

/** A percentile with its 95 % interval from order statistics; ends are absent where too few samples have none. */
export interface Percentile {
  readonly value: number;
  /** Present where the percentile lies among what had not come when nobody watched any more: it is later than `value`. */
  readonly isLater?: true;
  readonly low?: number;
  readonly high?: number;
}

/**
 * One metric of one arm in the measured phase, in milliseconds. Percentiles are of all samples, also of those that had not come; they
 * are absent below 20, 100 and 500 of them. Mean, least and most are of what came; without any, of the times that were watched.
 */
export interface LoadMetric {
  readonly metric: LoadMetricName;
  readonly arm: LoadArm;
  /** Of what came. */
  readonly count: number;
  readonly meanMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** What had not come when nobody watched any more (cut off, or it could not begin), and the longest watch. Absent without any. */
  readonly later?: { readonly count: number; readonly longestMs: number };
  readonly p50?: Percentile;
  readonly p95?: Percentile;
  readonly p99?: Percentile;
}

/** What happened in one stretch of the run; the last may be shorter. */
export interface LoadInterval {
  readonly fromMs: number;
  readonly toMs: number;
  readonly phase: "warmup" | "measure";
  readonly arm: LoadArm;
  /** Streams and conversations that were to start in it. */
  readonly planned: number;
  readonly ok: number;
  readonly failed: number;
  /** Median of first match, or of the upper end to terminal, in milliseconds. Absent without any. Where `later` is there, at least. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** How many of them had not come when nobody watched any more. Absent without any. */
  readonly later?: number;
}

/** How many samples of a metric, or of the arm that decided, lie on which side of a limit. */
export interface LimitCounts {
  readonly count: number;
  /** Beyond the limit, beyond doubt: seen there, or not yet seen when the limit had passed. */
  readonly over: number;
  /** Watched for less than the limit, so that nobody knows. */
  readonly unknown: number;
}

/** An absolute limit that the user or the scenario sets: on a latency in milliseconds, or on the share of requests that went well. */
export interface LoadThreshold {
  /** Such as `first-match p95 < 800` or `ok-rate >= 0.99`. */
  readonly threshold: string;
  /** `warn`: one that is missed is told and leaves the exit code. `abort`: it ended the run as soon as it could not be kept any more. Absent: it is judged at the end. */
  readonly severity?: "warn" | "abort";
  readonly limitMs?: number;
  readonly valueMs?: number;
  /** Present where the value is later than `valueMs`. */
  readonly isLater?: true;
  /** Of a percentile. */
  readonly counts?: LimitCounts;
  readonly limitFraction?: number;
  readonly valueFraction?: number;
  /** Of a share: arrivals that could not begin, of all that were tried. They count as not ok. Absent without any. */
  readonly notBegun?: { readonly count: number; readonly of: number };
  /** Absent where the samples leave it undecided. */
  readonly ok?: boolean;
  /**
   * Present where the threshold is missed whatever the generator did wrong: a share, whatever else had gone well without its
   * lateness; any threshold, had all arrivals that could not begin gone well at once. It decides a run that is invalid for that alone.
   */
  readonly stands?: true;
}

/** That not all that was to arrive could begin, because of the target or of too few virtual users, and what was served. Times are since the first planned sending. */
export interface Saturation {
  /** Arrivals of the measured part that could not begin, because all virtual users were at work. */
  readonly notBegun: number;
  /** Arrivals of the measured part that were held back, because the target asked for fewer or failed too often. */
  readonly heldBack: number;
  /** Virtual users that may be at work at the same time, for each kind of arrival. */
  readonly maxVus: number;
  /**
   * Present where the generator kept arrivals from beginning: `max-vus`, all virtual users were busy, and nothing shows that the
   * target became slower. Absent where the target did.
   */
  readonly limitedBy?: "max-vus";
  /** When the first arrival could not begin; absent where there are no samples. */
  readonly fromMs?: number;
  /** Since when ever more were waiting; absent where that cannot be told. */
  readonly growingFromMs?: number;
  /** Most arrivals a second that were served, within the limits of latency where there are any, over a tenth of the measured part. */
  readonly servedPerSecond: number;
  /** All of it in one sentence. */
  readonly sentence: string;
}

/** The verdicts of the judges over a few streams and conversations that ran beside the load. */
export interface CanaryReport {
  readonly outcome: RunOutcome;
  readonly summary: string;
  readonly exchanges: number;
  readonly observedRules: number;
  /** Rules that failed, each with the message of its first finding. */
  readonly failed: readonly { readonly rule: string; readonly message: string }[];
  /** Folder of its bundle, inside the folder of the run. */
  readonly folder: string;
}

/** The value that everything about a load run is rendered from; `load.json` is its JSON. */
export interface LoadResult {
  readonly schemaVersion: 2;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly target: string;
    /** The second target of a paired comparison. */
    readonly against?: string;
    readonly embedded: boolean;
    readonly limits: string;
    readonly seed: number;
    readonly preset?: ComparisonPreset;
    /** Processes that made the load; more than one after a merge. */
    readonly processes: number;
    /** Of a merge: the shares of the plan that were made, such as `0:2/3`; `0:1` is all of it. Absent where it is not known. */
    readonly segments?: readonly string[];
    /** Lower-case hex. */
    readonly scenarioSha256: string;
  };
  readonly plan: LoadPlan;
  readonly environment: LoadEnvironment;
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  /** One sentence that says the outcome, warnings first. */
  readonly summary: string;
  /** What went otherwise than hoped and leaves the exit code, a clause each. Absent without any. */
  readonly warnings?: readonly string[];
  readonly incomplete: readonly IncompleteReason[];
  /** False when the run ended early; what was recorded until then is all there. */
  readonly complete: boolean;
  readonly trust: { readonly valid: boolean; readonly checks: readonly TrustCheck[] };
  readonly generator?: GeneratorFacts;
  /** Of the measured phase, each kind of sample apart, such as `stream`. */
  readonly outcomes: Readonly<Record<string, Readonly<Partial<Record<LoadOutcome, number>>>>>;
  /** Violations of the contract by code, all phases; those that are known stand apart. */
  readonly violations: Readonly<Record<string, number>>;
  /** Violations that are known, which `violations` does not count: by code, with the entry that says so. Absent without any. */
  readonly knownViolations?: Readonly<Record<string, { readonly count: number; readonly known: KnownFailure }>>;
  /** What is wrong with the lists of known failures, where no exchange was judged; else the judgement says it. Absent without any. */
  readonly knownFailureMistakes?: readonly string[];
  /** Permitted choices by code, all phases. */
  readonly observations: Readonly<Record<string, number>>;
  readonly metrics: readonly LoadMetric[];
  readonly histograms: readonly LoadHistogram[];
  readonly intervals: readonly LoadInterval[];
  readonly thresholds: readonly LoadThreshold[];
  /** For the shape `breakpoint`: the highest arrival rate that the target sustained. */
  readonly knee?: { readonly ratePerSecond: number; readonly sentence: string };
  /** Absent where all that was to arrive could begin. */
  readonly saturation?: Saturation;
  readonly comparison?: Comparison;
  readonly canary?: CanaryReport;
  /** What all rules say of the exchanges of the load itself; absent where none were kept, and where they were not judged. */
  readonly judgement?: LoadJudgement;
  /** Why exchanges that were kept were not judged, and how they are; absent where they were, and without any. */
  readonly unjudged?: string;
  readonly cleanUp?: { readonly created: number; readonly removed: number; readonly left: readonly string[] };
}
