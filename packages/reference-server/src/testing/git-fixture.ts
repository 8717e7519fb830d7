import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A real repository in a temporary folder. */
export interface GitFixture {
  readonly directory: string;
  readonly commit: string;
  remove(): void;
}

/** A later commit of a fixture. */
export interface LaterCommit {
  readonly message: string;
  /** New contents; null removes a file. */
  readonly files: Readonly<Record<string, string | null>>;
}

export interface GitFixtureOptions {
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Written after the commit and never added. */
  readonly untracked?: Readonly<Record<string, string>>;
  readonly remote?: string;
  /** False leaves the files in the index, without any commit. */
  readonly committed?: boolean;
  /** Commits after the first, oldest first. */
  readonly later?: readonly LaterCommit[];
}

const identity = ["-c", "user.name=Fixture", "-c", "user.email=fixture@example.org", "-c", "commit.gpgsign=false"];

/** Runs git in a folder; what it prints, trimmed. Dates are fixed, so that commits repeat. */
export const runGit = (directory: string, ...args: readonly string[]): string =>
  execFileSync("git", [...identity, "-c", "core.autocrlf=false", ...args], {
    cwd: directory,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      GIT_AUTHOR_DATE: "2024-01-02T03:04:05Z",
      GIT_COMMITTER_DATE: "2024-01-02T03:04:05Z",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
    },
  }).trim();

const writeFiles = (directory: string, files: Readonly<Record<string, string | Buffer>>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
};

const commitLater = (directory: string, { files, message }: LaterCommit): void => {
  const changed = Object.entries(files);
  writeFiles(
    directory,
    Object.fromEntries(changed.flatMap(([path, content]) => (content === null ? [] : [[path, content] as const]))),
  );
  for (const [path] of changed.filter(([, content]) => content === null)) {
    rmSync(join(directory, path));
  }
  runGit(directory, "add", "--all", "--force");
  runGit(directory, "commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--message", message);
};

/** Creates a repository with the files given; to be removed by the caller. */
export const createGitFixture = (options: GitFixtureOptions): GitFixture => {
  const { committed = true, files, later = [], remote, untracked = {} } = options;
  const directory = mkdtempSync(join(tmpdir(), "reference-server-"));
  runGit(directory, "init", "--quiet", "--initial-branch=main");
  writeFiles(directory, files);
  runGit(directory, "add", "--all", "--force");
  writeFiles(directory, untracked);
  if (remote !== undefined) {
    runGit(directory, "remote", "add", "origin", remote);
  }
  if (committed) {
    runGit(directory, "commit", "--quiet", "--message", "first");
  }
  later.forEach((commit) => commitLater(directory, commit));
  return {
    directory,
    commit: committed ? runGit(directory, "rev-parse", "HEAD") : "",
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
