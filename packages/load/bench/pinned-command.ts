import { accessSync, constants } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

function isOnPath(name: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether programs can be kept on cores of their own: there are two cores, and `taskset`. */
export const canPin = (): boolean => availableParallelism() > 1 && isOnPath("taskset");

/** The same command, kept on one core where that is possible. */
export const pinned = (core: 0 | 1, command: Command): Command =>
  canPin() ? ["taskset", "--cpu-list", String(core), ...command] : command;
