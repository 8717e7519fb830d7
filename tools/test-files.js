import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders with tests, relative to the root. */
export const testedFolders = [
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`),
  "scenarios",
  "tools",
].sort();

/** Names of these folders, in the same order. */
export const testedNames = testedFolders.map((folder) => folder.replace("packages/", ""));

const isTest = (path) => /\.test\.[jt]s$/u.test(path) && !/(?:^|\/)(?:node_modules|dist|fixtures)\//u.test(path);

/** Lists the test files in a folder, relative to it. */
export const listTestFilesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => isTest(path));

const isTagged = (text) => /tags: "(?:proof|more)"|@module-tag proof/u.test(text);
const hasMoreRuns = (text) => /from "[^"]*\/proving(?:\.js)?"/u.test(text);

/** Lists the files in a folder that `npm run prove` runs: those with a tag and, with `--all`, those with more runs in that mode. */
export const listProvingFilesIn = (folder, isAll) =>
  listTestFilesIn(folder).filter((path) => {
    const text = readFileSync(join(root, folder, path), "utf8");
    return isTagged(text) || (isAll && hasMoreRuns(text));
  });

/** Runs vitest in a folder, and returns its exit code. */
export function runVitest(folder, args, env = {}) {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
    cwd: join(root, folder),
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  return status ?? 1;
}

/** Splits a path into its tested folder and the rest. The path may be relative to the working folder. */
export function splitTestPath(path, cwd = process.cwd()) {
  const inRoot = relative(root, join(path.startsWith("/") ? "" : cwd, path))
    .split(sep)
    .join("/");
  const folder = testedFolders.find((tested) => inRoot === tested || inRoot.startsWith(`${tested}/`));
  return folder === undefined ? undefined : { folder, path: inRoot.slice(folder.length + 1) };
}
