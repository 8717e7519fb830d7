import { setTimeout as pause } from "node:timers/promises";

/** Time as conversations see it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns when the time has passed or the signal has fired, whichever comes first; never rejects. */
  wait(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (durationMs, signal) => pause(durationMs, undefined, { signal, ref: false }).catch(() => undefined),
};
