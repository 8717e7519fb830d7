import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives back what is no longer used. A thread that waits collects no garbage, and that of driving is a hundred megabytes of
 * bodies, which would stand beside what another thread needs.
 */
export function freeMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") {
    collect();
  }
}
