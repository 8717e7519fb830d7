import type { LoadSide } from "@assay/contract";
import type { CallSample, ConversationSample, StreamSample } from "@assay/results";

/** Stores the creations of a run, so that cleanup can remove them. Methods throw if they cannot be stored. */
export interface CreationLedger {
  /** Call before a creation. Returns its key. */
  intend(creation: { readonly marker: string; readonly interface: "legacy" | "current" }): string;
  made(key: string, id: string): void;
  nothing(key: string): void;
  deleted(key: string): void;
}

/** Dropped arrivals of a k6 scenario. */
export interface MissedArrivals {
  /** Start of the scenario, in milliseconds of the run clock. */
  readonly startMs: number;
  /** Planned time of each arrival, in milliseconds after the start. */
  readonly afterMs: readonly number[];
}

/** A conversation in the stored exchanges. */
export interface CallSession {
  readonly interface: "legacy" | "current";
  readonly session: string;
  readonly phase: "warmup" | "measure";
  readonly side: LoadSide;
  readonly query: string;
}

/** Records the events of a run and limits what is sent. */
export interface Recorder {
  readonly ledger: CreationLedger;
  /** Returns the fractional milliseconds since the start of the run clock. */
  nowMs(): number;
  /** Returns the start of the running scenario, on the same clock. */
  scenarioStartMs(): number;
  /** Returns how many arrivals of a k6 scenario were dropped so far because no virtual user was free. 0 if unknown. */
  missed(scenario: string): number;
  /** Returns the arrivals dropped since the last call. */
  takeMissed(scenario: string): MissedArrivals;
  record(sample: StreamSample | CallSample | ConversationSample): void;
  /** Assigns the following calls of this virtual user to a conversation. */
  callsBegin(session: CallSession): void;
  callsEnd(): void;
  /** Returns the milliseconds until requests may be sent to a target again. 0 means now. */
  holdBackMs(side: LoadSide): number;
  /** Records that a target reported overload. `retryAfterMs` is -1 without `Retry-After`. */
  distress(side: LoadSide, retryAfterMs: number): void;
  succeeded(side: LoadSide): void;
  failed(side: LoadSide): void;
  /** Returns false if the budget has no question left. `number` counts from 0 over the whole run. */
  takeQuestion(number: number): boolean;
}
