import type { ExitCode } from "../exit-codes.ts";
import type { LoadSide } from "@assay/contract";
import type { IncompleteReason } from "../run-result.ts";
import type { KnownFailure } from "../verdict.ts";
import type { RunOutcome } from "../outcome.ts";
import type { Comparison, ComparisonPreset } from "./comparison.ts";
import type { LoadJudgement } from "./load-judgement.ts";
import type { LoadHistogram, LoadMetricName } from "./load-histogram.ts";
import type { LoadPlan } from "./load-plan.ts";
import type { LoadOutcome } from "./load-sample.ts";

/** Resources used by the process that made the load. */
export interface GeneratorFacts {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Cores available to it. */
  readonly cores: number;
  readonly maxRssBytes: number;
  /** Lateness of a 10 ms timer inside the process, 99th percentile and maximum. */
  readonly timerLagP99Ms: number;
  readonly timerLagMaxMs: number;
}

/** The machine of a load run. Two runs are only compared if their `fingerprint` is equal. */
export interface LoadEnvironment {
  readonly platform: string;
  readonly architecture: string;
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly nodeVersion: string;
  readonly k6Version: string;
  /** Digest of the k6 program, lower-case hex. */
  readonly k6Sha256: string;
  /** Digest of all of these except the Node version. */
  readonly fingerprint: string;
}

/** A condition of a valid run. */
export interface TrustCheck {
  readonly check:
    | "dropped-iterations"
    | "arrivals-begun"
    | "start-lag"
    | "generator-cpu"
    | "generator-timer"
    | "warm-up-is-flat"
    | "sides-end-alike"
    | "completed"
    | "enough-samples";
  /** False makes the run invalid; absent if it could not be checked, which leaves the run valid. */
  readonly ok?: boolean;
  readonly value?: number;
  readonly limit?: number;
  readonly unit?: "ms" | "fraction" | "count";
  /** The result, one sentence; with advice if the condition failed. */
  readonly sentence: string;
}

/** Minimum number of samples for a percentile: with fewer, almost none would be above it. */
export const percentileMinimum = { p50: 20, p95: 100, p99: 500 } as const;

/** A percentile with its 95 % interval from order statistics; bounds are absent if there are too few samples. */
export interface Percentile {
  readonly value: number;
  /** Present if the percentile is censored, because requests had not finished: the true value is above `value`. */
  readonly isCensored?: true;
  readonly low?: number;
  readonly high?: number;
}

/**
 * One metric of one target in the measured phase, in milliseconds. Percentiles include requests that had not finished, and are absent below
 * 20, 100 and 500 samples. Mean, minimum and maximum are of finished requests; if there are none, of the times they were watched for.
 */
export interface LoadMetric {
  readonly metric: LoadMetricName;
  readonly side: LoadSide;
  /** Finished requests. */
  readonly count: number;
  readonly meanMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** Requests that had not finished (cut off, or not begun), and the longest time one was watched for. Absent if there are none. */
  readonly censored?: { readonly count: number; readonly longestMs: number };
  readonly p50?: Percentile;
  readonly p95?: Percentile;
  readonly p99?: Percentile;
}

/** One interval of the run; the last may be shorter. */
export interface LoadInterval {
  readonly fromMs: number;
  readonly toMs: number;
  readonly phase: "warmup" | "measure";
  readonly side: LoadSide;
  /** Streams and conversations planned to start in it. */
  readonly planned: number;
  readonly ok: number;
  readonly failed: number;
  /** Median of `first-match` or `terminal-upper`, in milliseconds; with `censored`, a lower bound. Absent without samples. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** Number of requests that had not finished. Absent if there are none. */
  readonly censored?: number;
}

/** Samples of a metric on each side of a limit; in a comparison, those of the deciding target. */
export interface LimitCounts {
  readonly count: number;
  /** Certainly above the limit: finished later, or still unfinished at the limit. */
  readonly over: number;
  /** Unknown: watched for less than the limit. */
  readonly unknown: number;
}

/** An absolute limit set by the user or the scenario: on a latency in milliseconds, or on the share of successful requests. */
export interface LoadThreshold {
  /** Such as `first-match p95 < 800` or `ok-rate >= 0.99`. */
  readonly threshold: string;
  /** `warn`: a failure is reported without changing the exit code. `abort`: a failure ends the run at once. Absent: judged at the end. */
  readonly severity?: "warn" | "abort";
  readonly limitMs?: number;
  readonly valueMs?: number;
  /** Present if the value is censored: it is above `valueMs`. */
  readonly isCensored?: true;
  /** For a percentile. */
  readonly counts?: LimitCounts;
  readonly limitFraction?: number;
  readonly valueFraction?: number;
  /** For a share: arrivals that could not begin, of all. They count as not ok. Absent if there are none. */
  readonly notBegun?: { readonly count: number; readonly of: number };
  /** Absent if the samples do not decide it. */
  readonly ok?: boolean;
  /**
   * Present if the threshold fails however the generator behaved: even if all other requests, or all arrivals that could not begin, had
   * succeeded at once. Such a threshold decides a run that is invalid only because of the generator.
   */
  readonly decisive?: true;
}

/** Not all planned arrivals could begin, because of the target or too few virtual users. Times are since the first planned sending. */
export interface Saturation {
  /** Arrivals of the measured part that could not begin because all virtual users were busy. */
  readonly notBegun: number;
  /** Arrivals of the measured part held back because the target asked for fewer requests or failed too often. */
  readonly heldBack: number;
  /** Maximum number of concurrent virtual users, for each kind of arrival. */
  readonly maxVus: number;
  /**
   * `max-vus`: the generator is the cause, because all virtual users were busy and the target did not become slower. Absent if the target
   * is the cause.
   */
  readonly limitedBy?: "max-vus";
  /** Time of the first arrival that could not begin; absent without samples. */
  readonly fromMs?: number;
  /** Since when the number of waiting requests grew; absent if unknown. */
  readonly growingFromMs?: number;
  /** Maximum rate served over a tenth of the measured part, within the latency thresholds if there are any. */
  readonly servedPerSecond: number;
  /** All of it in one sentence. */
  readonly sentence: string;
}

/** The verdicts of the canary: a contract run with few requests during the load. */
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

/** The result of a load run: every report is rendered from it, and `load.json` is its JSON. */
export interface LoadResult {
  readonly schemaVersion: 2;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly target: string;
    /** The head of a comparison of two targets. */
    readonly against?: string;
    readonly embedded: boolean;
    readonly limits: string;
    readonly seed: number;
    readonly preset?: ComparisonPreset;
    /** Processes that made the load; more than one after a merge. */
    readonly processes: number;
    /** In a merge: the execution segments that ran, such as `0:2/3`; `0:1` is the whole plan. Absent if unknown. */
    readonly segments?: readonly string[];
    /** Lower-case hex. */
    readonly scenarioSha256: string;
  };
  readonly plan: LoadPlan;
  readonly environment: LoadEnvironment;
  readonly outcome: RunOutcome;
  readonly exitCode: ExitCode;
  /** The outcome in one sentence, warnings first. */
  readonly summary: string;
  /** Warnings, one clause each; they do not change the exit code. Absent if there are none. */
  readonly warnings?: readonly string[];
  readonly incomplete: readonly IncompleteReason[];
  /** False if the run ended early: the result covers the recorded part. */
  readonly complete: boolean;
  readonly trust: { readonly valid: boolean; readonly checks: readonly TrustCheck[] };
  readonly generator?: GeneratorFacts;
  /** Outcomes of the measured phase by kind of sample, such as `stream`. */
  readonly outcomes: Readonly<Record<string, Readonly<Partial<Record<LoadOutcome, number>>>>>;
  /** Violations of the contract by code, all phases, without known ones. */
  readonly violations: Readonly<Record<string, number>>;
  /** Known violations by code, with the entry in the list. Absent if there are none. */
  readonly knownViolations?: Readonly<Record<string, { readonly count: number; readonly known: KnownFailure }>>;
  /** Mistakes in the lists of known failures, if no exchange was judged; otherwise they are in `judgement`. Absent if there are none. */
  readonly knownFailureMistakes?: readonly string[];
  /** Permitted choices by code, all phases. */
  readonly observations: Readonly<Record<string, number>>;
  readonly metrics: readonly LoadMetric[];
  readonly histograms: readonly LoadHistogram[];
  readonly intervals: readonly LoadInterval[];
  readonly thresholds: readonly LoadThreshold[];
  /** For the shape `breakpoint`: the highest arrival rate that the target sustained. */
  readonly knee?: { readonly ratePerSecond: number; readonly sentence: string };
  /** Absent if all planned arrivals could begin. */
  readonly saturation?: Saturation;
  readonly comparison?: Comparison;
  readonly canary?: CanaryReport;
  /** The verdicts of all rules on the exchanges of the load; absent if none were stored or judged. */
  readonly judgement?: LoadJudgement;
  /** Why stored exchanges were not judged, and how to judge them; absent otherwise. */
  readonly unjudged?: string;
  readonly cleanUp?: { readonly created: number; readonly removed: number; readonly left: readonly string[] };
}
