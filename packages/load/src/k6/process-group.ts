import type { ChildProcess } from "node:child_process";

/** Sends a signal to a `detached` child and all processes it started. Returns false if none of them is running. */
export const signalGroup = ({ pid }: Pick<ChildProcess, "pid">, signal: NodeJS.Signals): boolean => {
  if (pid === undefined) {
    return false;
  }
  try {
    // A negative id addresses the child's process group.
    return process.kill(-pid, signal);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ESRCH") {
      return false;
    }
    throw cause;
  }
};

/** Kills the group if this process exits before it. Returns a function that cancels this. */
export const killOnExit = (child: Pick<ChildProcess, "pid">): (() => void) => {
  const kill = (): void => {
    signalGroup(child, "SIGKILL");
  };
  process.once("exit", kill);
  return () => {
    process.off("exit", kill);
  };
};
