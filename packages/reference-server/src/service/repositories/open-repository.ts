import { HarnessError } from "@assay/contract";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { OutputCache } from "../ripgrep/output-cache.ts";
import { computeRepositoryId, chooseRepositoryName } from "./repository-name.ts";
import type { Repository } from "./repository.ts";
import { readTrackedFiles } from "./tracked-files.ts";
import { execFile } from "node:child_process";

/** The output of a git command, or the reason it failed. */
type GitResult =
  | { readonly ok: true; readonly output: Buffer }
  | { readonly ok: false; readonly reason: "git-missing" | "failed"; readonly message: string };

const gitTimeLimitMs = 30_000;
const maxOutputBytes = 256 * 1024 * 1024;

/** Returns the first non-empty line, without git's prefix and trailing period. */
const readFirstLine = (text: string): string =>
  (text.split("\n").find((line) => line.trim() !== "") ?? "no reason given")
    .replace(/^fatal: /u, "")
    .replace(/\.$/u, "");

/**
 * Runs one read-only git command in a directory, without a shell, for at most 30 s. File-watching hooks are disabled, so that a
 * repository cannot start programs.
 */
const execGit = (directory: string, args: readonly string[]): Promise<GitResult> =>
  new Promise((settle) => {
    execFile(
      "git",
      ["-c", "core.fsmonitor=false", ...args],
      {
        cwd: directory,
        encoding: "buffer",
        timeout: gitTimeLimitMs,
        maxBuffer: maxOutputBytes,
        windowsHide: true,
        env: { ...process.env, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
      },
      (error, stdout, stderr) => {
        if (error === null) {
          settle({ ok: true, output: stdout });
          return;
        }
        const reason = error.code === "ENOENT" ? "git-missing" : "failed";
        settle({ ok: false, reason, message: readFirstLine(stderr.toString("utf8")) });
      },
    );
  });

const isDirectory = async (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/** Working directory of a git command, and optional cached outputs. */
interface GitContext {
  readonly directory: string;
  readonly outputs: OutputCache | undefined;
}

const runGit = async ({ directory, outputs }: GitContext, args: readonly string[]): Promise<GitResult> => {
  const key = JSON.stringify(["git", args, directory]);
  const [cachedOutput] = outputs?.find(key) ?? [];
  if (cachedOutput !== undefined) {
    return { ok: true, output: cachedOutput };
  }
  const answer = await execGit(directory, args);
  if (answer.ok) {
    outputs?.store(key, [answer.output]);
  }
  return answer;
};

/** Returns the printed line, or undefined if the command failed or printed nothing. */
const readOptionalLine = async (git: GitContext, args: readonly string[]): Promise<string | undefined> => {
  const answer = await runGit(git, args);
  const line = answer.ok ? answer.output.toString("utf8").trim() : "";
  return line === "" ? undefined : line;
};

const readRequiredOutput = async (git: GitContext, args: readonly string[]): Promise<Buffer> => {
  const answer = await runGit(git, args);
  if (answer.ok) {
    return answer.output;
  }
  if (answer.reason === "git-missing") {
    throw new HarnessError("git-missing", "the program git is not on the PATH; install git and start again.");
  }
  throw new HarnessError(
    "not-a-work-tree",
    `${git.directory} cannot be searched because git does not accept it as a work tree (${answer.message}); ` +
      "pass the checkout of a git repository.",
  );
};

const findWorkTreeTop = async ({ directory, outputs }: GitContext): Promise<string> => {
  const absolute = resolve(directory);
  if (!(await isDirectory(absolute))) {
    throw new HarnessError(
      "repository-missing",
      `there is no folder ${absolute} to search; pass an existing checkout of a git repository.`,
    );
  }
  const output = await readRequiredOutput({ directory: absolute, outputs }, ["rev-parse", "--show-toplevel"]);
  return output.toString("utf8").replace(/\r?\n$/u, "");
};

/** Returns the commit of HEAD and its time, or an empty object before the first commit. */
const readHead = async (topContext: GitContext): Promise<Pick<Repository, "commit" | "fetchedAt">> => {
  const line = await readOptionalLine(topContext, ["log", "-1", "--no-show-signature", "--format=%H %ct"]);
  const [commit, seconds] = line?.split(" ") ?? [];
  return commit === undefined ? {} : { commit, fetchedAt: new Date(Number(seconds) * 1000).toISOString() };
};

const openRepository = async (git: GitContext): Promise<Repository> => {
  const directory = await findWorkTreeTop(git);
  const topContext = { ...git, directory };
  const [listing, remoteUrl, head] = await Promise.all([
    readRequiredOutput(topContext, ["ls-files", "--stage", "-z"]),
    readOptionalLine(topContext, ["config", "--default", "", "--get", "remote.origin.url"]),
    readHead(topContext),
  ]);
  const name = chooseRepositoryName(directory, remoteUrl);
  return { name, id: computeRepositoryId(name), directory, files: readTrackedFiles(listing), ...head };
};

/** Adds `-2`, `-3` and so on to the second and later repositories with the same name. */
const withUniqueNames = (repositories: readonly Repository[]): readonly Repository[] => {
  const nameCounts = new Map<string, number>();
  return repositories.map((repository) => {
    const times = (nameCounts.get(repository.name) ?? 0) + 1;
    nameCounts.set(repository.name, times);
    const name = times === 1 ? repository.name : `${repository.name}-${times}`;
    return { ...repository, name, id: computeRepositoryId(name) };
  });
};

/**
 * Reads the name, commit and tracked files of each work tree, in the order of `directories`. A folder inside a work tree selects the
 * whole work tree. Repositories without commits are accepted. Cached outputs are not read again. Throws `no-repository`,
 * `repository-missing`, `not-a-work-tree` or `git-missing`.
 */
export const openRepositories = async (
  directories: readonly string[],
  outputs?: OutputCache,
): Promise<readonly Repository[]> => {
  if (directories.length === 0) {
    throw new HarnessError(
      "no-repository",
      "there is nothing to search; pass at least one checkout of a git repository.",
    );
  }
  const repositories: Repository[] = [];
  for (const directory of directories) {
    repositories.push(await openRepository({ directory, outputs }));
  }
  return withUniqueNames(repositories);
};
