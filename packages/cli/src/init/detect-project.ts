import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CiName } from "./ci-template.ts";
import type { ConfigFormat } from "./config-template.ts";

const gitTimeoutMs = 5000;

/** The root of the repository that a folder lies in; undefined where it lies in none. */
export function repositoryRoot(folder: string): string | undefined {
  const parent = dirname(resolve(folder));
  return existsSync(join(folder, ".git"))
    ? resolve(folder)
    : parent === resolve(folder)
      ? undefined
      : repositoryRoot(parent);
}

/** Addresses of the remotes, a line each; nothing where there is no git, or none is set. */
function remotesOf(root: string): string {
  try {
    return execFileSync("git", ["config", "--local", "--get-regexp", String.raw`^remote\..*\.url$`], {
      cwd: root,
      encoding: "utf8",
      timeout: gitTimeoutMs,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    // Without a remote nothing is known, and the usual is taken.
    return "";
  }
}

const hostOf = (line: string): string => /(?:@|\/\/)(?:[^@/\s]*@)?([^:/\s]+)/u.exec(line)?.[1] ?? "";

/** Which continuous integration a repository has: by its files, else by its remotes, else GitHub. */
export function detectCi(root: string): Exclude<CiName, "none"> {
  const has = (...names: readonly string[]): boolean => names.some((name) => existsSync(join(root, name)));
  if (has(".gitlab-ci.yml", ".gitlab")) {
    return "gitlab";
  }
  if (has(".github")) {
    return "github";
  }
  const hosts = remotesOf(root).split("\n").map(hostOf);
  return hosts.some((host) => host.includes("gitlab")) ? "gitlab" : "github";
}

function manifestText(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "package.json"), "utf8");
  } catch {
    // Without a readable manifest it is no project of npm.
    return undefined;
  }
}

/** The format that fits a project: JavaScript where it has a manifest and nothing of TypeScript, else TypeScript. */
export function detectFormat(folder: string): ConfigFormat {
  const manifest = manifestText(folder);
  const isJavaScript =
    manifest !== undefined && !manifest.includes('"typescript"') && !existsSync(join(folder, "tsconfig.json"));
  return isJavaScript ? "js" : "ts";
}
