import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this test run updates published files, because of `--update`. */
    readonly isUpdating: boolean;
  }
}

/** Passes `--update` on to tests; only the process with the command line has it. */
export function setup(project: TestProject): void {
  project.provide("isUpdating", project.config.snapshotOptions.updateSnapshot === "all");
}
