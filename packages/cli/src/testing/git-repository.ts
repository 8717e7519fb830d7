import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { makeSampleRepository } from "../sample-repository.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that `makeRepository` copies. */
    readonly sampleRepository: string;
  }
}

/**
 * Makes the repository that those of all tests are copies of, once for a run: three processes of git took longer than most of
 * what is tried on it.
 */
export function setup(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), "assay-sample-"));
  makeSampleRepository(directory);
  project.provide("sampleRepository", directory);
  return () => rmSync(directory, { recursive: true, force: true });
}

/** Makes a folder with a small repository in which every probe finds something; quick to search. */
export function makeRepository(parent: string): string {
  const directory = join(parent, "sample");
  cpSync(inject("sampleRepository"), directory, { recursive: true, errorOnExist: true, force: false });
  return directory;
}
