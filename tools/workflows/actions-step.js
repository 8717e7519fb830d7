import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { startServer as startReferenceServer } from "../reference-server.js";
import { findOnPath } from "../test-environment.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const actions = join(root, ".github/actions");

const stepsFolder = mkdtempSync(join(tmpdir(), "assay-step-"));
let count = 0;

/** Call it once in each test file with steps: removes their folders after the tests. */
export const removeStepFoldersAfterTests = () =>
  afterAll(() => rmSync(stepsFolder, { recursive: true, force: true, maxRetries: 3 }));

/** Parses the outputs of a step like the runner: the last value of a name takes precedence. */
function readOutputs(text) {
  const outputs = {};
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const [, name, mark] = /^([^=<]+)<<(.+)$/u.exec(lines[index]) ?? [];
    if (name === undefined) {
      const [, plain, value] = /^([^=]+)=(.*)$/u.exec(lines[index]) ?? [];
      Object.assign(outputs, plain === undefined ? {} : { [plain]: value });
      continue;
    }
    const end = lines.indexOf(mark, index + 1);
    outputs[name] = lines.slice(index + 1, end).join("\n");
    index = end;
  }
  return outputs;
}

/** The empty files that the runner provides for a step. */
function createRunnerFiles(folder) {
  const files = {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_ENV: join(folder, "env"),
    GITHUB_PATH: join(folder, "path"),
  };
  for (const file of Object.values(files)) {
    writeFileSync(file, "");
  }
  return files;
}

/** Starts a script like `run:`. */
function startBash(text, { cwd, env, files }) {
  const child = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", text], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pieces = [];
  const log = () => Buffer.concat(pieces).toString();
  child.stdout.on("data", (piece) => pieces.push(piece));
  child.stderr.on("data", (piece) => pieces.push(piece));
  const ended = once(child, "close").then(([code]) => ({
    code,
    log: log(),
    outputs: readOutputs(readFileSync(files.GITHUB_OUTPUT, "utf8")),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8"),
  }));
  /** Resolves when the log contains `expectedText`. Rejects if the step ends without it. */
  const said = async (expectedText) => {
    while (!log().includes(expectedText)) {
      const isOver = await Promise.race([
        once(child.stdout, "data"),
        once(child.stderr, "data"),
        ended.then(() => true),
      ]);
      if (isOver === true && !log().includes(expectedText)) {
        throw new Error(`the step ended without ${JSON.stringify(expectedText)}: ${log()}`);
      }
    }
  };
  return { child, ended, said };
}

/**
 * A step of a job, with a folder as working folder and runner folder, and the files of the runner. It inherits only the path from the
 * test environment.
 */
export function step() {
  count += 1;
  const folder = join(stepsFolder, String(count));
  const temp = join(folder, "temp");
  const cwd = join(folder, "work");
  mkdirSync(temp, { recursive: true });
  mkdirSync(cwd);
  const files = createRunnerFiles(folder);
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: cwd,
    GITHUB_JOB: "gate",
    GITHUB_REF: "refs/pull/7/merge",
    GITHUB_RUN_ATTEMPT: "1",
    RUNNER_TEMP: temp,
    ...files,
  };
  const startText = (text, variables = {}) => startBash(text, { cwd, env: { ...env, ...variables }, files });
  const start = (script, variables) => {
    const [action] = script.split("/");
    const actionVariables = { GITHUB_ACTION_PATH: join(actions, action) };
    return startText(`exec "${join(actions, script)}"`, { ...actionVariables, ...variables });
  };
  return {
    cwd,
    temp,
    /** Starts one script of an action, by its path below the folder of the actions. */
    start,
    runText: (text, variables) => startText(text, variables).ended,
    run: (script, variables) => start(script, variables).ended,
  };
}

/** A minimal repository for the rules: every search of a run reads all of it. */
function createSmallRepository() {
  const { cwd } = step();
  cpSync(join(root, "packages/contract/src"), join(cwd, "src"), { recursive: true });
  const identity = ["-c", "user.name=assay", "-c", "user.email=assay@localhost", "-c", "commit.gpgsign=false"];
  for (const args of [["init"], ["add", "-A"], [...identity, "commit", "-m", "Something to search"]]) {
    execFileSync("git", args, { cwd, stdio: "ignore" });
  }
  return cwd;
}

/** A reference server in its own process, stopped after the tests of the file. */
export async function startServer(...flags) {
  const server = await startReferenceServer([`--repo=${createSmallRepository()}`, ...flags], {
    env: { PATH: process.env["PATH"] },
  });
  afterAll(server.stop);
  return server;
}

/** The command as the scripts start it: it forwards its arguments to a permanent process and prints the reply. */
const createClientProgram = (socket) => `
import { connect } from "node:net";
import { json } from "node:stream/consumers";
const socket = connect({ path: ${JSON.stringify(socket)}, allowHalfOpen: true });
socket.end(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), env: process.env }));
const { code, out, err } = await json(socket);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
`;

/**
 * A checkout of Assay whose command is one process for all tests of the file. It does everything except listen to signals. Runs
 * against the included server only create their folder, because they do not depend on inputs. Returns the variables with which gate
 * scripts use it.
 */
export async function startCommandHost() {
  const { temp } = step();
  const folder = join(temp, "assay");
  const socket = join(temp, "socket");
  for (const path of [".git", ".github/actions/gate", "packages/cli/bin"]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const embedded = `import process from "node:process";
const folder = process.argv.find((each) => each.startsWith("--out="))?.slice(6);
if (process.argv.includes("--embedded")) {
  (await import("node:fs")).mkdirSync(folder);
  process.exit();
}
`;
  writeFileSync(join(folder, "packages/cli/bin/assay.js"), `${embedded}${createClientProgram(socket)}`);
  const child = spawn(process.execPath, [join(root, "tools/workflows/command-host.js"), socket], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  afterAll(() => void child.stdin.end());
  // It prints one word when it is listening.
  await once(child.stdout, "data");
  return { GITHUB_ACTION_PATH: join(folder, ".github/actions/gate") };
}

/** Reports whether a program is installed. Throws if it is missing but listed in ASSAY_REQUIRE. */
export function hasTool(name) {
  const isInstalled = findOnPath(name) !== undefined;
  if (!isInstalled && (process.env["ASSAY_REQUIRE"] ?? "").split(",").includes(name)) {
    throw new Error(`${name} is not installed, but ASSAY_REQUIRE requires it`);
  }
  return isInstalled;
}
