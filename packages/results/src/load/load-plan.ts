/** How the arrival rate of a load run moves over time. */
export const loadShapes = ["steady", "ramp", "spike", "soak", "breakpoint"] as const;
export type LoadShape = (typeof loadShapes)[number];

/** One of the two instances that a paired comparison asks; a run on one target has arm `a` alone. */
export type LoadArm = "a" | "b";

/** One thing to ask for; every block of a comparison asks for each of them equally often. */
export interface LoadQuery {
  /** Short name for tags and tables: `[a-z0-9-]`, at most 40 characters. */
  readonly name: string;
  /** Text of the query, or of the question. */
  readonly text: string;
}

/** A B B A: blocks of requests that alternate between two targets within one run. */
export interface LoadBlocks {
  /** Pairs of blocks that are measured; one block of each arm makes a pair. */
  readonly pairs: number;
  /** Pairs before them, whose samples count for nothing. */
  readonly warmupPairs: number;
  readonly requestsPerBlock: number;
  /** Arrivals left out between two blocks, so that the streams of one do not reach into the next. */
  readonly gapRequests: number;
  /** Seed of the order of queries; both arms of a pair use the same order. */
  readonly seed: number;
}

/** What polling scenarios need. */
export interface ConversationLoad {
  readonly interface: "legacy" | "current";
  /** Between two reads of a conversation, whoever sends them. */
  readonly pollIntervalMs: number;
  /** So many take turns in reading each conversation; one whose answer is late does not keep the others from reading [1]. */
  readonly pollers?: number;
  /** From creation to the end of polling, whatever the state. */
  readonly deadlineMs: number;
  readonly questions: readonly LoadQuery[];
  /** Id of the run; stands in the text of each question, as `[assay run=<marker>]` at its end. */
  readonly marker: string;
  /** Questions that may be asked in the whole run, warm-up included. */
  readonly budget: number;
}

/** Everything a scenario is told; lies as `plan.json` beside the script. Holds no secret. */
export interface LoadPlan {
  readonly version: 1;
  /** Name of the scenario, such as `search-first-match`. */
  readonly scenario: string;
  /** Base addresses without a slash at the end; `b` for a paired comparison alone. */
  readonly targets: { readonly a: string; readonly b?: string };
  readonly shape: LoadShape;
  /** Arrivals a second; the highest rate of the shape. */
  readonly ratePerSecond: number;
  /** Of the measured part. With blocks it follows from them and the rate. */
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly queries: readonly LoadQuery[];
  readonly blocks?: LoadBlocks;
  /** For one stream, or one call. */
  readonly timeoutMs: number;
  /** Longest event that is read; a longer one ends the stream with the outcome `limit`. */
  readonly maxEventBytes: number;
  /**
   * Virtual users that may be at work at the same time, for each kind of arrival. No more are made than the rate and the longest
   * iteration could ever need; only where this is less can a slow target keep arrivals from beginning.
   */
  readonly maxVus: number;
  readonly conversation?: ConversationLoad;
  /** Whether a search asks for gzip. */
  readonly gzip?: boolean;
}
