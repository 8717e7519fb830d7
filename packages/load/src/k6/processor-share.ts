import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

const more = -10;
const less = 5;

/** Linux shares the processor between sessions first, and only within each by the priority of its processes. */
const sessionFile = (pid: number): string => `/proc/${pid}/autogroup`;

function tried(change: () => void): void {
  try {
    change();
  } catch {
    // The process has ended, or the system does not allow it: how late the generator was is measured all the same.
  }
}

/**
 * What makes the load comes before whatever else shares the machine with it, else it would be late. Takes the process that leads a
 * session of its own. Where that is not permitted nothing changes.
 */
export function preferOnProcessor(pid: number): void {
  tried(() => setPriority(pid, more));
  tried(() => writeFileSync(sessionFile(pid), String(more)));
}

/**
 * Lets a target on the same machine, the leader of a session, wait for what makes the load, where `preferOnProcessor` is not
 * permitted. Where it is, the target keeps its share: one that waits for everybody is starved by whatever else the machine does,
 * and then it is that which is measured.
 */
export function deferOnProcessor(pid: number): void {
  if (mayPrefer(pid)) {
    return;
  }
  tried(() => setPriority(pid, less));
  tried(() => writeFileSync(sessionFile(pid), String(less)));
}

function mayPrefer(pid: number): boolean {
  try {
    const usual = getPriority(pid);
    setPriority(pid, usual - 1);
    setPriority(pid, usual);
    return true;
  } catch {
    return false;
  }
}
