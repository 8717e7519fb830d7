import { defined } from "@assay/contract";
import type { OutputMemory } from "./output-memory.ts";

/** Limits the number of running search processes, and knows their ids. */
export interface ProcessPool {
  /** Cached outputs; absent if every process must run. */
  readonly outputs?: OutputMemory;
  /** Waits for a free place; the returned function releases it. Rejects with the signal's reason if it fires first. */
  acquire(signal: AbortSignal): Promise<() => void>;
  /** Counts a running process until `forget`. */
  remember(pid: number): void;
  forget(pid: number): void;
  /** Ids of the processes that run now. */
  pids(): readonly number[];
}

/** A pool with a number of places, given out in order of request. With a cache, equal processes run once. */
export const createProcessPool = (places: number, outputs?: OutputMemory): ProcessPool => {
  const running = new Set<number>();
  const waiting: (() => void)[] = [];
  let free = places;
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) {
      free += 1;
    } else {
      next();
    }
  };
  const releaseOnce = (): (() => void) => {
    let released = false;
    return () => {
      if (!released) {
        released = true;
        release();
      }
    };
  };
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error("no longer wanted"));
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(enter);
    });
  return {
    ...defined({ outputs }),
    acquire: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
      } else {
        await turn(signal);
      }
      return releaseOnce();
    },
    remember: (pid) => running.add(pid),
    forget: (pid) => running.delete(pid),
    pids: () => [...running],
  };
};
