import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

const generatorPriority = -10;
const targetPriority = 5;

/** Linux divides the processor between sessions first, and by process priority only within each. */
const sessionFile = (pid: number): string => `/proc/${pid}/autogroup`;

function ignoringErrors(change: () => void): void {
  try {
    change();
  } catch {
    // The process has ended, or the system does not permit it. The lateness of the generator is measured anyway.
  }
}

/**
 * Gives k6 priority over other work on this machine, so that it is not late. `pid` leads its own session. Without
 * permission nothing changes.
 */
export function preferOnProcessor(pid: number): void {
  ignoringErrors(() => setPriority(pid, generatorPriority));
  ignoringErrors(() => writeFileSync(sessionFile(pid), String(generatorPriority)));
}

/**
 * Lowers the priority of a target on this machine, if `preferOnProcessor` is not permitted. `pid` leads its own
 * session. Otherwise the target keeps its share, since a target below all other work would be starved by it, and that
 * would be measured.
 */
export function deferOnProcessor(pid: number): void {
  if (mayPrefer(pid)) {
    return;
  }
  ignoringErrors(() => setPriority(pid, targetPriority));
  ignoringErrors(() => writeFileSync(sessionFile(pid), String(targetPriority)));
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
