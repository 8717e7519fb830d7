/** How the arrival rate of a load run changes over time. */
export const loadShapes = ["steady", "ramp", "spike", "soak", "breakpoint"] as const;
export type LoadShape = (typeof loadShapes)[number];

/** A query or question; every block of a comparison sends each of them equally often. */
export interface LoadQuery {
  /** Short name for tags and tables: `[a-z0-9-]`, at most 40 characters. */
  readonly name: string;
  /** Text of the query, or of the question. */
  readonly text: string;
}

/** Blocks of requests that alternate between two targets within one run: base, head, head, base. */
export interface LoadBlocks {
  /** Measured pairs of blocks; a pair has one block of each target. */
  readonly pairs: number;
  /** Pairs before them, whose samples are discarded. */
  readonly warmupPairs: number;
  readonly requestsPerBlock: number;
  /** Arrivals left out between two blocks, so that streams of one do not overlap the next. */
  readonly gapRequests: number;
  /** Seed of the order of queries; both blocks of a pair use the same order. */
  readonly seed: number;
}

/** Settings of polling scenarios. */
export interface ConversationLoad {
  readonly interface: "legacy" | "current";
  /** Interval between two reads of a conversation by any poller. */
  readonly pollIntervalMs: number;
  /** Pollers that take turns in reading each conversation, so that a slow response does not delay the next read [1]. */
  readonly pollers?: number;
  /** From creation to the end of polling, in any state. */
  readonly deadlineMs: number;
  readonly questions: readonly LoadQuery[];
  /** Id of the run; each question ends with `[assay run=<marker>]`. */
  readonly marker: string;
  /** Maximum number of questions in the whole run, warm-up included. */
  readonly budget: number;
}

/** The input of a scenario, stored as `plan.json` next to the script. Contains no secrets. */
export interface LoadPlan {
  readonly version: 2;
  /** Name of the scenario, such as `search-first-match`. */
  readonly scenario: string;
  /** Base URLs without a trailing slash; `head` in a paired comparison only. */
  readonly targets: { readonly base: string; readonly head?: string };
  readonly shape: LoadShape;
  /** Arrivals a second; the maximum of the shape. */
  readonly ratePerSecond: number;
  /** Duration of the measured part. With blocks it follows from them and the rate. */
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly queries: readonly LoadQuery[];
  readonly blocks?: LoadBlocks;
  /** For one stream, or one call. */
  readonly timeoutMs: number;
  /** A longer event ends the stream with the outcome `limit`. */
  readonly maxEventBytes: number;
  /**
   * Maximum number of concurrent virtual users, for each kind of arrival. No more are created than the rate and the maximum iteration
   * time require. Only if this number is lower can a slow target prevent arrivals.
   */
  readonly maxVus: number;
  readonly conversation?: ConversationLoad;
  /** Whether a search asks for gzip. */
  readonly gzip?: boolean;
}
