import type { ChildProcess } from "node:child_process";

/**
 * Sends a signal to a child that was spawned `detached`, and to everything it started. Says false when nothing of it is left.
 */
export const signalGroup = ({ pid }: Pick<ChildProcess, "pid">, signal: NodeJS.Signals): boolean => {
  if (pid === undefined) {
    return false;
  }
  try {
    // A negative number means the group, which a detached child leads.
    return process.kill(-pid, signal);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ESRCH") {
      return false;
    }
    throw cause;
  }
};

/** Kills the group when this process ends first, however it ends in order; returns how to stop doing so. */
export const killOnExit = (child: Pick<ChildProcess, "pid">): (() => void) => {
  const kill = (): void => {
    signalGroup(child, "SIGKILL");
  };
  process.once("exit", kill);
  return () => {
    process.off("exit", kill);
  };
};
