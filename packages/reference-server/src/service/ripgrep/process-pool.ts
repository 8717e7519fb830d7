import { defined } from "@assay/contract";
import type { OutputCache } from "./output-cache.ts";

/** Limits the number of running search processes, and tracks their ids. */
export interface ProcessPool {
  /** Cached outputs. Absent if every process must run. */
  readonly outputs?: OutputCache;
  /** The outputs of running processes, by key of the cache. */
  readonly running: Map<string, Promise<readonly Buffer[]>>;
  /** Waits for a free slot. The returned function releases it. Rejects with the signal's reason if the signal fires first. */
  acquire(signal: AbortSignal): Promise<() => void>;
  /** Registers a running process until `removeProcess` is called. */
  addProcess(pid: number): void;
  removeProcess(pid: number): void;
  /** Returns the ids of the running processes. */
  processIds(): readonly number[];
}

/** Creates a pool with `size` slots, which are assigned in the order of requests. With a cache, equal processes run only once. */
export const createProcessPool = (size: number, outputs?: OutputCache): ProcessPool => {
  const runningIds = new Set<number>();
  const waitingCalls: (() => void)[] = [];
  let freeSlots = size;
  const release = (): void => {
    const next = waitingCalls.shift();
    if (next === undefined) {
      freeSlots += 1;
    } else {
      next();
    }
  };
  const releaseOnce = (): (() => void) => {
    let isReleased = false;
    return () => {
      if (!isReleased) {
        isReleased = true;
        release();
      }
    };
  };
  const waitForSlot = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const abandon = (): void => {
        waitingCalls.splice(waitingCalls.indexOf(proceed), 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error("no longer wanted"));
      };
      const proceed = (): void => {
        signal.removeEventListener("abort", abandon);
        resolve();
      };
      signal.addEventListener("abort", abandon, { once: true });
      waitingCalls.push(proceed);
    });
  return {
    ...defined({ outputs }),
    running: new Map(),
    acquire: async (signal) => {
      signal.throwIfAborted();
      if (freeSlots > 0) {
        freeSlots -= 1;
      } else {
        await waitForSlot(signal);
      }
      return releaseOnce();
    },
    addProcess: (pid) => runningIds.add(pid),
    removeProcess: (pid) => runningIds.delete(pid),
    processIds: () => [...runningIds],
  };
};
