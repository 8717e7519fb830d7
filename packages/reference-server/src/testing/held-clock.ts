import type { Clock } from "../service/conversation/clock.ts";

/** A clock whose waits last until `release`. Each reading advances it by one second. */
export interface HeldClock extends Clock {
  /** Ends all waits, current and future. */
  release(): void;
}

/** A clock that starts in the middle of January 2024. */
export const createHeldClock = (): HeldClock => {
  let nowMs = Date.UTC(2024, 0, 15, 12);
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return {
    now: () => (nowMs += 1000),
    wait: (_durationMs, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
        void released.then(resolve);
      }),
    release: letGo,
  };
};
