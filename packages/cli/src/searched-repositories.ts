import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import { findRepositoryRoot } from "./repository-root.ts";
import { createSampleRepository } from "./sample-repository.ts";

const checkoutRoot = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** The repositories that a reference server searches. */
export interface SearchedRepositories {
  readonly folders: readonly string[];
  /** A note for the user if the searched repository is not the one of the working folder. */
  readonly note?: string;
  /** Removes temporary repositories. Call it after the server is closed. */
  close(): void;
}

/** Reports whether a folder is in a repository without commits. The server reports other errors of git. */
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

function createSample(): SearchedRepositories {
  const parent = mkdtempSync(join(tmpdir(), "assay-sample-"));
  // The folder name is the repository name in every response.
  const folder = join(parent, "sample");
  mkdirSync(folder);
  createSampleRepository(folder);
  return { folders: [folder], close: () => rmSync(parent, { recursive: true, force: true }) };
}

/**
 * Returns the named folders, otherwise the checkout that contains this tool, otherwise the repository of the working folder, otherwise a
 * small temporary sample. This way the embedded server works in any folder, even in a repository without commits. Throws a `HarnessError`,
 * for example for a named repository without commits.
 */
export function openSearchedRepositories(
  namedFolders: readonly string[] | undefined,
  cwd: string,
  checkout = checkoutRoot,
): SearchedRepositories {
  if (namedFolders === undefined) {
    const folder = existsSync(join(checkout, ".git")) ? checkout : cwd;
    const root = findRepositoryRoot(folder);
    if (root === undefined) {
      return createSample();
    }
    return hasNoCommits(root)
      ? {
          ...createSample(),
          note: "this repository has no commits, so the embedded server searches a small sample instead",
        }
      : { folders: [folder], close: () => undefined };
  }
  const folders = namedFolders.map((folder) => resolve(cwd, folder));
  const emptyRepository = folders.find((folder) => existsSync(folder) && hasNoCommits(folder));
  if (emptyRepository !== undefined) {
    throw new HarnessError(
      "usage",
      `the repository ${visibleText(emptyRepository, 300)} has no commits, so there is nothing to search; commit something, or set a different one with --repo`,
    );
  }
  return { folders, close: () => undefined };
}
