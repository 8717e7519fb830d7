import { setTimeout as pause } from "node:timers/promises";

/** Clock of conversations. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits for `durationMs` or until the signal fires. Never rejects. */
  wait(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (durationMs, signal) => pause(durationMs, undefined, { signal, ref: false }).catch(() => undefined),
};
