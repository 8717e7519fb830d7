import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

const generatorPriority = -10;
const targetPriority = 5;

/** Linux divides processor time between sessions first. Process priority applies only within a session. */
const getSessionPriorityPath = (pid: number): string => `/proc/${pid}/autogroup`;

function ignoreErrors(change: () => void): void {
  try {
    change();
  } catch {
    // The process has exited, or the user lacks permission. The lateness of the generator is measured anyway.
  }
}

/**
 * Gives k6 priority over other processes on this machine, so that it sends requests on time. `pid` leads its own
 * session. Without permission this has no effect.
 */
export function raisePriority(pid: number): void {
  ignoreErrors(() => setPriority(pid, generatorPriority));
  ignoreErrors(() => writeFileSync(getSessionPriorityPath(pid), String(generatorPriority)));
}

/**
 * Lowers the priority of a target on this machine if k6's priority cannot be raised. `pid` leads its own session.
 * Otherwise the target keeps its priority: below all other processes it would be starved, and the latencies would show
 * that.
 */
export function lowerPriority(pid: number): void {
  if (canRaisePriority(pid)) {
    return;
  }
  ignoreErrors(() => setPriority(pid, targetPriority));
  ignoreErrors(() => writeFileSync(getSessionPriorityPath(pid), String(targetPriority)));
}

function canRaisePriority(pid: number): boolean {
  try {
    const currentPriority = getPriority(pid);
    setPriority(pid, currentPriority - 1);
    setPriority(pid, currentPriority);
    return true;
  } catch {
    return false;
  }
}
