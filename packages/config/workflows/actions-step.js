import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const actions = join(root, ".github/actions");

const all = mkdtempSync(join(tmpdir(), "assay-step-"));
let count = 0;

/** Whoever uses a step's folder says so once in its file: what was made is removed after the tests. */
export const removeStepFolders = () =>
  afterAll(() => rmSync(all, { recursive: true, force: true, maxRetries: 3 }));

/** The outputs that a step has left, as the runner reads them: the last value of a name counts. */
function readOutputs(text) {
  const outputs = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const [, name, mark] = /^([^=<]+)<<(.+)$/u.exec(lines[at]) ?? [];
    if (name === undefined) {
      const [, plain, value] = /^([^=]+)=(.*)$/u.exec(lines[at]) ?? [];
      Object.assign(outputs, plain === undefined ? {} : { [plain]: value });
      continue;
    }
    const end = lines.indexOf(mark, at + 1);
    outputs[name] = lines.slice(at + 1, end).join("\n");
    at = end;
  }
  return outputs;
}

/**
 * A step of a job: a folder as working folder and as that of the runner, and the files that the runner hands out. Nothing of the
 * environment of the tests is passed on but the path.
 */
export function step() {
  count += 1;
  const folder = join(all, String(count));
  const temp = join(folder, "temp");
  const cwd = join(folder, "work");
  mkdirSync(temp, { recursive: true });
  mkdirSync(cwd);
  const files = {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_ENV: join(folder, "env"),
    GITHUB_PATH: join(folder, "path"),
  };
  for (const file of Object.values(files)) {
    writeFileSync(file, "");
  }
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
  const read = (name) => readFileSync(files[name], "utf8");
  return {
    cwd,
    temp,
    /** Starts the text of a `run:`. */
    startText(text, variables = {}) {
      const child = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", text], {
        cwd,
        env: { ...env, ...variables },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const pieces = [];
      child.stdout.on("data", (piece) => pieces.push(piece));
      child.stderr.on("data", (piece) => pieces.push(piece));
      const ended = once(child, "close").then(([code]) => ({
        code,
        log: Buffer.concat(pieces).toString(),
        outputs: readOutputs(read("GITHUB_OUTPUT")),
        summary: read("GITHUB_STEP_SUMMARY"),
      }));
      return { child, ended, log: () => Buffer.concat(pieces).toString() };
    },
    /** Starts one script of an action. */
    start(script, variables) {
      const [action] = script.split("/");
      return this.startText(`exec "${join(actions, script)}"`, { GITHUB_ACTION_PATH: join(actions, action), ...variables });
    },
    runText(text, variables) {
      return this.startText(text, variables).ended;
    },
    run(script, variables) {
      return this.start(script, variables).ended;
    },
  };
}

/** A reference server in a process of its own, ended after the tests of the file. */
export async function startServer(...flags) {
  const bin = join(root, "packages/cli/bin/assay.js");
  const child = spawn(process.execPath, [bin, "serve", "--json", "--until-input-ends", ...flags], {
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "pipe", "inherit"],
  });
  afterAll(() => void child.stdin.end());
  let text = "";
  for await (const piece of child.stdout) {
    text += piece;
    if (text.includes("\n")) {
      return JSON.parse(text);
    }
  }
  throw new Error("the reference server ended before it was ready");
}

/** Whether a program is on the path. Fails when it is missing and ASSAY_REQUIRE names it. */
export function hasTool(name) {
  const isThere = (process.env["PATH"] ?? "").split(":").some((folder) => folder !== "" && existsSync(join(folder, name)));
  if (!isThere && (process.env["ASSAY_REQUIRE"] ?? "").split(",").includes(name)) {
    throw new Error(`${name} is not installed, but ASSAY_REQUIRE says that it has to be`);
  }
  return isThere;
}
