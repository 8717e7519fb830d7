/** The extension in `scenarios/k6`: streams that are read, checked and timed outside JavaScript. */
declare module "k6/x/assay" {
  import type {
    CallSample,
    ConversationSample,
    GeneratorFacts,
    LoadArm,
    LoadHistogram,
    LoadOutcome,
    StreamSample,
  } from "@assay/results";

  /** What a stream is asked for; with it, a sample is written and counted. */
  export interface StreamPurpose {
    readonly flow: string;
    readonly phase: "warmup" | "measure";
    readonly arm: LoadArm;
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
    /** Asks for gzip and unpacks it [false]. */
    readonly gzip?: boolean;
    /** Of k6's metrics. */
    readonly tags?: Readonly<Record<string, string>>;
    readonly sample?: StreamPurpose;
  }

  /** Times are milliseconds of the run clock, -1 where there is none. */
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

  /** Reads one stream to its end. Rejects only for a call that is wrong in itself, never for what a server does. */
  export function read(url: string, options: ReadOptions): Promise<StreamResult>;

  /** Milliseconds with fractions on a monotonic clock since the zero of the samples. */
  export function clockMs(): number;
  /** Wall clock at that zero, milliseconds since 1970. */
  export function epochMs(): number;
  /** When the scenario that runs began, in milliseconds with fractions of the run clock. Not every build has it. */
  export const scenarioStartMs: (() => number) | undefined;

  /** Writes a sample and counts it. */
  export function record(sample: StreamSample | CallSample | ConversationSample): void;

  /** How many arrivals of a scenario of k6 were left out so far, because no virtual user was free. Not every build has it. */
  export const missed: ((scenario: string) => number) | undefined;
  /** Those that were not given yet: when the scenario began, in milliseconds of the run clock, and when each was to come after that. */
  export const takeMissed:
    | ((scenario: string) => { readonly startMs: number; readonly afterMs: readonly number[] })
    | undefined;
  /** Whether its executors make virtual users before they are needed, and keep as many free as were to be made in advance. Not every build has it. */
  export const makesUsersAhead: boolean | undefined;

  /** For how long nothing is to be sent, because the target is in distress; 0 to go on. */
  export function admit(arm: LoadArm): number;
  /** The target said that it has too much to do. Without a time that it asked for: -1. */
  export function distress(arm: LoadArm, retryAfterMs: number): void;
  export function succeeded(arm: LoadArm): void;
  export function failed(arm: LoadArm): void;

  /** Questions that may be asked by all virtual users together; the first call counts. */
  export function setBudget(questions: number): void;
  /** False when no more may be asked. */
  export function takeQuestion(): boolean;

  /** Before a creation; the key of its entry in the ledger. Throws when the ledger cannot be written. */
  export function intend(creation: {
    readonly marker: string;
    readonly interface: "legacy" | "current";
    readonly credential: string;
  }): string;
  export function made(key: string, id: string): void;
  export function nothing(key: string): void;
  export function deleted(key: string): void;

  /** What the calls of `k6/http` that this virtual user sends from now on are for; they are kept, where exchanges are. */
  export function keepCalls(calls: {
    readonly interface: "legacy" | "current";
    /** Of this conversation and no other. */
    readonly session: string;
    readonly phase: "warmup" | "measure";
    readonly arm: LoadArm;
    readonly query: string;
  }): void;
  /** No more of them come. */
  export function callsEnded(): void;
  /** Waits until all that is kept of exchanges is on the disk. */
  export function settle(): void;

  export function histograms(): readonly LoadHistogram[];
  export function outcomes(): Readonly<Record<string, number>>;
  export function violations(): Readonly<Record<string, number>>;
  export function observations(): Readonly<Record<string, number>>;
  export function generator(): GeneratorFacts;
  /** Version of k6. */
  export function version(): string;
}
