import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this test run writes anew what is published: `--update` was given. */
    readonly isUpdating: boolean;
  }
}

/** Tells tests whether they are to write what is published; only the process that reads the command line knows. */
export function setup(project: TestProject): void {
  project.provide("isUpdating", project.config.snapshotOptions.updateSnapshot === "all");
}
