import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  /** New contents; null deletes a file. */
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

const settings = [
  "user.name=Fixture",
  "user.email=fixture@example.org",
  "commit.gpgsign=false",
  "core.autocrlf=false",
  // Otherwise each commit starts a housekeeping process.
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** Runs git in a folder and returns its trimmed output. Dates are fixed, so that commit ids repeat. */
export const runGit = (directory: string, ...args: readonly string[]): string =>
  execFileSync("git", [...settings, ...args], {
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

/** Creates a repository with these files. The caller removes it. */
export const createGitFixture = (options: GitFixtureOptions): GitFixture => {
  const { committed = true, files, later = [], remote, untracked = {} } = options;
  const directory = mkdtempSync(join(tmpdir(), "reference-server-"));
  runGit(directory, "init", "--quiet", "--template=", "--initial-branch=main");
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
    commit: committed ? readFileSync(join(directory, ".git/refs/heads/main"), "utf8").trim() : "",
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
