import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { InterruptSignal } from "@assay/results";
import { interruptName } from "../interrupt-signal.ts";

/** Why work was given up. */
export type GivenUp = "deadline" | InterruptSignal;

/** What became of work that may be given up. */
export type Attempt<Value> =
  | { readonly isDone: true; readonly value: Value }
  | { readonly isDone: false; readonly why: GivenUp };

/** Bounds of the work that follows. */
export interface WorkBounds {
  /** Ends it with the name of the signal. */
  readonly signal: AbortSignal;
  /** Whether the signal was heard already: it then ended something else, and this work is what it is to end with. */
  readonly isInterrupted: boolean;
  /** For all of it together, in milliseconds. */
  readonly maxMs: number;
}

/** Waits for pieces of work until they are given up. */
export interface Attempts {
  /** The result, or why it was given up; then the work may still go on, and its owner ends it. Fails as the work does. */
  of<Value>(work: Promise<Value>): Promise<Attempt<Value>>;
  dispose(): void;
}

/** Begins to count the time. */
export function createAttempts({ signal, isInterrupted, maxMs }: WorkBounds): Attempts {
  let given: GivenUp | undefined;
  const over = new AbortController();
  const givenUp = once(over.signal, "abort");
  const giveUp = (why: GivenUp): void => {
    given ??= why;
    over.abort();
  };
  const onAbort = (): void => giveUp(interruptName(signal));
  if (!isInterrupted) {
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
    }
  }
  const timer = setTimeout(() => giveUp("deadline"), maxMs);
  return {
    async of(work) {
      const done = work.then((value) => ({ isDone: true, value }) as const);
      await Promise.race([givenUp, done]);
      // Work in this thread kept it from hearing anything.
      await nextTurn();
      return given === undefined ? done : { isDone: false, why: given };
    },
    dispose() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
