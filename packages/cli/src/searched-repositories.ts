import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { repositoryRoot } from "./repository-root.ts";
import { makeSampleRepository } from "./sample-repository.ts";

const own = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** What a reference server searches. */
export interface SearchedRepositories {
  readonly folders: readonly string[];
  /** One sentence for the user where something else is searched than what lies here. */
  readonly note?: string;
  /** Removes what was made for it; to be called when the server is closed. */
  close(): void;
}

/** Whether a folder lies in a repository that has no commit yet. What git cannot read is left to the server, which says why. */
function hasNoCommits(folder: string): boolean {
  try {
    const revisions = execFileSync("git", ["rev-list", "--all", "--max-count=1"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return revisions === "";
  } catch {
    return false;
  }
}

function sample(): SearchedRepositories {
  const parent = mkdtempSync(join(tmpdir(), "assay-sample-"));
  // Its name is that of the repository in every answer.
  const folder = join(parent, "sample");
  mkdirSync(folder);
  makeSampleRepository(folder);
  return { folders: [folder], close: () => rmSync(parent, { recursive: true, force: true }) };
}

/**
 * The folders that were named; without any, the checkout this tool lies in, else the repository that the working folder belongs
 * to, else a small sample that is made for the occasion: the embedded server works in any folder, also in a repository without
 * commits. Fails with a `HarnessError`, such as for a named repository without commits.
 */
export function searchedRepositories(
  named: readonly string[] | undefined,
  cwd: string,
  checkout = own,
): SearchedRepositories {
  if (named === undefined) {
    const here = existsSync(join(checkout, ".git")) ? checkout : cwd;
    const root = repositoryRoot(here);
    if (root === undefined) {
      return sample();
    }
    return hasNoCommits(root)
      ? { ...sample(), note: "this repository has no commits, so the embedded server searches a small sample instead" }
      : { folders: [here], close: () => undefined };
  }
  const folders = named.map((folder) => resolve(cwd, folder));
  const empty = folders.find((folder) => existsSync(folder) && hasNoCommits(folder));
  if (empty !== undefined) {
    throw new HarnessError(
      "usage",
      `the repository ${visibleText(empty, 300)} has no commits, so there is nothing to search; commit something, or name another one by --repo`,
    );
  }
  return { folders, close: () => undefined };
}
