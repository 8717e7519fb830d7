import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadFiles } from "@assay/load";
import { findRunPath } from "../run-to-judge.ts";

/** Returns the folder of a load run with kept exchanges, or undefined for any other argument. */
export function findLoadRun(runArgument: string, cwd: string): string | undefined {
  const path = findRunPath(runArgument, cwd);
  return path !== undefined && [loadFiles.plan, loadFiles.exchanges].every((name) => existsSync(join(path, name)))
    ? path
    : undefined;
}
