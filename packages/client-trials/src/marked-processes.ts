import { readdirSync, readFileSync, statSync } from "node:fs";

/** Time limit for a search through the processes of the machine. */
const maxSearchMs = 300;
/** A process may start another process before it is killed. */
const maxSearches = 3;

/** Returns the initial environment of a process of this user, or an empty list for other users. */
const readEnvironment = (pid: string, userId: number | undefined): readonly string[] => {
  try {
    const folder = `/proc/${pid}`;
    return statSync(folder).uid === userId ? readFileSync(`${folder}/environ`, "latin1").split("\0") : [];
  } catch {
    // The process has exited, or is not readable.
    return [];
  }
};

/** Kills a process. Returns false if it has already exited. */
const killProcess = (pid: number): boolean => {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    // The process has already exited.
    return false;
  }
};

const listProcessIds = (): readonly string[] => {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  } catch {
    // Not Linux, so processes are not files.
    return [];
  }
};

const killMarkedOnce = (mark: string, deadlineMs: number): number => {
  const userId = process.getuid?.();
  let killCount = 0;
  // Usually the newest processes have the highest ids.
  for (const pid of listProcessIds().toSorted((a, b) => Number(b) - Number(a))) {
    if (performance.now() > deadlineMs) {
      break;
    }
    if (Number(pid) !== process.pid && readEnvironment(pid, userId).includes(mark) && killProcess(Number(pid))) {
      killCount += 1;
    }
  }
  return killCount;
};

/**
 * Kills the processes of this user whose initial environment contains `mark` (`NAME=value`), even outside the process group of the
 * client. Works only on Linux. Stops after 0.3 s.
 */
export const killMarked = (mark: string): void => {
  const deadlineMs = performance.now() + maxSearchMs;
  for (let search = 0; search < maxSearches && killMarkedOnce(mark, deadlineMs) > 0; search += 1) {
    // Repeats until no process is found.
  }
};
