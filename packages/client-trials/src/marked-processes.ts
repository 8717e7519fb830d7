import { readdirSync, readFileSync, statSync } from "node:fs";

/** How long looking at the processes of the machine may take. */
const lookMs = 300;
/** A process that is found may have started another one before it ended. */
const maxLooks = 3;

/** The variables a process of a user was started with, each with its value; none of others. */
const environmentOf = (pid: string, user: number | undefined): readonly string[] => {
  try {
    const folder = `/proc/${pid}`;
    return statSync(folder).uid === user ? readFileSync(`${folder}/environ`, "latin1").split("\0") : [];
  } catch {
    // It has ended, or may not be looked at.
    return [];
  }
};

/** Whether a process was there to be killed. */
const kill = (pid: number): boolean => {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
    return false;
  }
};

const processNumbers = (): readonly string[] => {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  } catch {
    // A system that does not show its processes as files.
    return [];
  }
};

const killMarkedOnce = (mark: string, until: number): number => {
  const user = process.getuid?.();
  let killed = 0;
  // What was started last has the highest numbers, as a rule.
  for (const pid of processNumbers().toSorted((one, other) => Number(other) - Number(one))) {
    if (performance.now() > until) {
      break;
    }
    if (Number(pid) !== process.pid && environmentOf(pid, user).includes(mark) && kill(Number(pid))) {
      killed += 1;
    }
  }
  return killed;
};

/**
 * Ends the processes of this user that have `mark`, a variable with its value such as `NAME=x`, in the environment they were
 * started with: also those that left the group of their parent. On Linux only; elsewhere nothing happens. After 0.3 s it looks no
 * further.
 */
export const killMarked = (mark: string): void => {
  const until = performance.now() + lookMs;
  for (let look = 0; look < maxLooks && killMarkedOnce(mark, until) > 0; look += 1) {
    // Until nothing was found.
  }
};
