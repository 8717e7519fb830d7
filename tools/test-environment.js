import { spawnSync } from "node:child_process";
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./test-files.js";

/** Programs that tests use if available. A different version may change a result. */
const programs = [
  "git",
  "go",
  "openssl",
  "curl",
  "mkfifo",
  "python3",
  "shellcheck",
  "chromium",
  "chromium-browser",
  "google-chrome",
];

/** Returns the path of a program, or undefined if it is not installed. */
export const findOnPath = (name) =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);

function describeFile(path) {
  const { size = 0, mtimeMs = 0 } = (path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })) ?? {};
  return `${size}-${Math.round(mtimeMs)}`;
}

/** Describes everything outside the repository that may change a test result, in one string. */
const describeTools = () =>
  [
    `node-${process.version}-${process.platform}-${process.arch}`,
    ...programs.map((name) => `${name}-${describeFile(findOnPath(name))}`),
    `k6-${describeFile(process.env["ASSAY_K6"] ?? join(root, "scenarios/k6/bin/k6"))}`,
  ].join(",");

const memoryPath = "/dev/shm";
const minFreeBytes = 2_000_000_000;

/** An in-memory directory for the tests' temporary files, which cuts test time by a third. Undefined if not available. */
function selectMemoryFolder() {
  try {
    accessSync(memoryPath, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memoryPath);
    return bavail * bsize > minFreeBytes ? memoryPath : undefined;
  } catch {
    return undefined;
  }
}

/** Variables for test runs after a build: compiled output, available programs, and the temporary folder. */
export function createTestEnvironment() {
  const folder = process.env["TMPDIR"] ?? selectMemoryFolder();
  return {
    ASSAY_BUILT: "1",
    ASSAY_TOOLS: describeTools(),
    ...(folder === undefined ? {} : { TMPDIR: folder }),
  };
}

/** Runs turbo at the root with the test environment, and returns its exit code. */
export const turbo = (...args) =>
  spawnSync(join(root, "node_modules/.bin/turbo"), args, {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", ...createTestEnvironment() },
    stdio: "inherit",
  }).status ?? 1;
