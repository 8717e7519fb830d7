import type { CallSample, ConversationSample, LoadArm, StreamSample } from "@assay/results";

/** What creations a run made, kept so that nothing is left behind. Throws when it cannot be kept. */
export interface CreationLedger {
  /** Before a creation; its key. */
  intend(creation: { readonly marker: string; readonly interface: "legacy" | "current" }): string;
  made(key: string, id: string): void;
  nothing(key: string): void;
  deleted(key: string): void;
}

/** Arrivals of a scenario of k6 that were left out. */
export interface MissedArrivals {
  /** When the scenario began, in milliseconds of the run clock. */
  readonly startMs: number;
  /** When each was to come, in milliseconds after that. */
  readonly afterMs: readonly number[];
}

/** One conversation, as what is kept of its calls names it. */
export interface CallSession {
  readonly interface: "legacy" | "current";
  readonly session: string;
  readonly phase: "warmup" | "measure";
  readonly arm: LoadArm;
  readonly query: string;
}

/** Where what happens is told, and who is asked before anything does; with the extension of this project or without. */
export interface Recorder {
  readonly ledger: CreationLedger;
  /** Milliseconds with fractions since the zero of the run. */
  nowMs(): number;
  /** When the scenario that runs began, on the same clock. */
  scenarioStartMs(): number;
  /** How many arrivals of a scenario of k6 were left out so far, because no virtual user was free; 0 where nobody knows when. */
  missed(scenario: string): number;
  /** Those that were not told yet. */
  takeMissed(scenario: string): MissedArrivals;
  record(sample: StreamSample | CallSample | ConversationSample): void;
  /** From here on the calls of this virtual user belong to a conversation. */
  callsBegin(session: CallSession): void;
  callsEnd(): void;
  /** For how long a target is to be left alone; 0 to go on. */
  holdBackMs(arm: LoadArm): number;
  /** A target said that it has too much to do; -1 where it did not say for how long. */
  distress(arm: LoadArm, retryAfterMs: number): void;
  succeeded(arm: LoadArm): void;
  failed(arm: LoadArm): void;
  /** Whether this question, the one with this number from 0 in the whole run, may be asked. */
  takeQuestion(number: number): boolean;
}
