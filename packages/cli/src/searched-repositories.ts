import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { repositoryRoot } from "./repository-root.ts";
import { makeSampleRepository } from "./sample-repository.ts";

const own = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** What a reference server searches. */
export interface SearchedRepositories {
  readonly folders: readonly string[];
  /** Removes what was made for it; to be called when the server is closed. */
  close(): void;
}

/**
 * The folders that were named; without any, the checkout this tool lies in, else the repository that the working folder belongs
 * to, else a small sample that is made for the occasion: the embedded server works in any folder. Fails with a `HarnessError`.
 */
export function searchedRepositories(named: readonly string[] | undefined, cwd: string): SearchedRepositories {
  const found = named?.map((folder) => resolve(cwd, folder)) ?? [existsSync(join(own, ".git")) ? own : cwd];
  if (named !== undefined || found.some((folder) => repositoryRoot(folder) !== undefined)) {
    return { folders: found, close: () => undefined };
  }
  const parent = mkdtempSync(join(tmpdir(), "assay-sample-"));
  // Its name is that of the repository in every answer.
  const folder = join(parent, "sample");
  mkdirSync(folder);
  makeSampleRepository(folder);
  return { folders: [folder], close: () => rmSync(parent, { recursive: true, force: true }) };
}
