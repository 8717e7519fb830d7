import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

const more = -10;
const less = 10;

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

/** Lets the leader of a session, and what it starts, wait for others. */
export function deferOnProcessor(pid: number): void {
  tried(() => setPriority(pid, less));
  tried(() => writeFileSync(sessionFile(pid), String(less)));
}
