import { execFile } from "node:child_process";

/** What a git command printed, or why it did not succeed. */
export type GitAnswer =
  | { readonly ok: true; readonly output: Buffer }
  | { readonly ok: false; readonly reason: "git-missing" | "failed"; readonly complaint: string };

const gitTimeLimitMs = 30_000;
const mostOutputBytes = 256 * 1024 * 1024;

/** The first line that says something, without git's prefix and full stop. */
const firstLine = (text: string): string =>
  (text.split("\n").find((line) => line.trim() !== "") ?? "no reason given")
    .replace(/^fatal: /u, "")
    .replace(/\.$/u, "");

/**
 * Runs one reading git command in a directory, without a shell, for at most 30 s. The repository's own file-watching hook is switched
 * off, because a repository must not start programs of its choice.
 */
export const git = (directory: string, args: readonly string[]): Promise<GitAnswer> =>
  new Promise((resolve) => {
    execFile(
      "git",
      ["-c", "core.fsmonitor=false", ...args],
      {
        cwd: directory,
        encoding: "buffer",
        timeout: gitTimeLimitMs,
        maxBuffer: mostOutputBytes,
        windowsHide: true,
        env: { ...process.env, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
      },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve({ ok: true, output: stdout });
          return;
        }
        const reason = error.code === "ENOENT" ? "git-missing" : "failed";
        resolve({ ok: false, reason, complaint: firstLine(stderr.toString("utf8")) });
      },
    );
  });
