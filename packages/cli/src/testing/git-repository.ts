import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { createSampleRepository } from "../sample-repository.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the repository that tests search. */
    readonly sampleRepository: string;
  }
}

/**
 * Makes the repository of all tests, once for a run: three processes of git take longer than most of what is tried on it.
 */
export function setup(project: TestProject): () => void {
  const parent = mkdtempSync(join(tmpdir(), "assay-sample-"));
  const directory = join(parent, "sample");
  mkdirSync(directory);
  createSampleRepository(directory);
  project.provide("sampleRepository", directory);
  return () => rmSync(parent, { recursive: true, force: true });
}

/**
 * A small repository in which every probe finds something; quick to search. Tests share it and leave it as it is, so that the
 * results of a search serve them all.
 */
export const sharedRepository = (): string => inject("sampleRepository");

/** A copy of it for a test that changes it. */
export function copyRepository(parent: string): string {
  const directory = join(parent, "sample");
  cpSync(sharedRepository(), directory, { recursive: true, errorOnExist: true, force: false });
  return directory;
}
