/** The k6 module in `scenarios/k6`, which reads, checks and times streams outside JavaScript. */
declare module "k6/x/assay" {
  import type { LoadSide } from "@assay/contract";
  import type { CallSample, ConversationSample, GeneratorFacts, LoadOutcome, StreamSample } from "@assay/results";

  /** The position of a stream in the load. With it, a sample is written and counted. */
  export interface StreamPurpose {
    readonly flow: string;
    readonly phase: "warmup" | "measure";
    readonly side: LoadSide;
    readonly block?: number;
    readonly pair?: number;
    readonly query: string;
    readonly planMs: number;
  }

  export interface ReadOptions {
    readonly headers?: Readonly<Record<string, string>>;
    /** [60000] */
    readonly timeoutMs?: number;
    /** [64 MiB] */
    readonly maxEventBytes?: number;
    /** [1000000] */
    readonly maxEvents?: number;
    /** Requests gzip and decompresses it [false]. */
    readonly gzip?: boolean;
    /** Tags of k6's metrics. */
    readonly tags?: Readonly<Record<string, string>>;
    readonly sample?: StreamPurpose;
  }

  /** Times are milliseconds of the run clock; -1 if absent. */
  export interface StreamResult {
    readonly status: number;
    readonly ended: "done" | "eof" | "timeout" | "transport" | "limit" | "status" | "canceled";
    readonly error: string;
    readonly outcome: LoadOutcome;
    readonly sendMs: number;
    readonly headersMs: number;
    readonly firstEventMs: number;
    readonly firstMatchMs: number;
    readonly endMs: number;
    readonly events: number;
    readonly matches: number;
    readonly bytes: number;
    readonly violations: Readonly<Record<string, number>>;
    readonly observations: Readonly<Record<string, number>>;
    readonly retryAfterMs: number;
  }

  /** Reads one stream to its end. Rejects only for wrong arguments, never for the behaviour of a server. */
  export function read(url: string, options: ReadOptions): Promise<StreamResult>;

  /** Returns the fractional milliseconds on the run clock, which is monotonic and starts at time 0 of the samples. */
  export function clockMs(): number;
  /** Returns the wall-clock time at that start, in milliseconds since 1970. */
  export function epochMs(): number;
  /** Returns the start of the running scenario, in fractional milliseconds of the run clock. Missing from older builds. */
  export const scenarioStartMs: (() => number) | undefined;

  /** Writes a sample and counts it. */
  export function record(sample: StreamSample | CallSample | ConversationSample): void;

  /** Returns how many arrivals of a k6 scenario were dropped so far because no virtual user was free. Missing from older builds. */
  export const missed: ((scenario: string) => number) | undefined;
  /**
   * Returns the arrivals dropped since the last call: the start of the scenario in milliseconds of the run clock, and the
   * planned times relative to it.
   */
  export const takeMissed:
    | ((scenario: string) => { readonly startMs: number; readonly afterMs: readonly number[] })
    | undefined;
  /**
   * True if its executors create virtual users before they are needed, and keep `preAllocatedVUs` free. Missing from
   * older builds.
   */
  export const makesUsersAhead: boolean | undefined;

  /** Returns the milliseconds for which nothing may be sent because the target is overloaded. 0 means send now. */
  export function admit(side: LoadSide): number;
  /** Records that the target reported overload. `retryAfterMs` is -1 without `Retry-After`. */
  export function distress(side: LoadSide, retryAfterMs: number): void;
  export function succeeded(side: LoadSide): void;
  export function failed(side: LoadSide): void;

  /** Sets the budget of questions for all virtual users. Only the first call counts. */
  export function setBudget(questions: number): void;
  /** Takes a question from the budget. Returns false if none is left. */
  export function takeQuestion(): boolean;

  /** Call before a creation. Returns the key of its ledger entry. Throws if the ledger cannot be written. */
  export function intend(creation: {
    readonly marker: string;
    readonly interface: "legacy" | "current";
    readonly credential: string;
  }): string;
  export function made(key: string, id: string): void;
  export function nothing(key: string): void;
  export function deleted(key: string): void;

  /** Assigns the following `k6/http` calls of this virtual user to a conversation in the stored exchanges. */
  export function keepCalls(calls: {
    readonly interface: "legacy" | "current";
    /** Unique to this conversation. */
    readonly session: string;
    readonly phase: "warmup" | "measure";
    readonly side: LoadSide;
    readonly query: string;
  }): void;
  /** Ends that assignment. */
  export function callsEnded(): void;
  /** Waits until all stored exchanges are on disk. */
  export function settle(): void;

  export function outcomes(): Readonly<Record<string, number>>;
  export function violations(): Readonly<Record<string, number>>;
  export function observations(): Readonly<Record<string, number>>;
  export function generator(): GeneratorFacts;
  /** Version of k6. */
  export function version(): string;
}
