import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { checkLeftoversAreFound, findLeftovers, proofMarker, readHostState } from "./host-state.js";

const settleMs = 10_000;

/** Prints a line with the seconds since the proof began. */
export function createPrinter() {
  const startedAt = Date.now();
  return (line) => process.stdout.write(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
}

/** Processes that were killed need a moment until they are gone. */
async function findSettledLeftovers(before, context) {
  const deadline = Date.now() + settleMs;
  let leftovers = findLeftovers(before, readHostState(context));
  while (leftovers.length > 0 && Date.now() < deadline) {
    await pause(200);
    leftovers = findLeftovers(before, readHostState(context));
  }
  return leftovers;
}

/**
 * Runs a proof in a folder of its own, and then checks that nothing of it remains on this machine. `prove` gets the folder, the
 * environment for its programs, and a set for the namespaces that they create. Sets the exit code.
 */
export async function runProof(name, prove) {
  if (process.platform !== "linux" || process.getuid() !== 0) {
    process.stderr.write(`${name} needs Linux and root, for namespaces and mounts of its own\n`);
    process.exitCode = 2;
    return;
  }
  const print = createPrinter();
  const mark = randomBytes(8).toString("hex");
  const context = { mark, namespaces: new Set() };
  print(checkLeftoversAreFound(mark));
  const before = readHostState(context);
  const work = join("/var/tmp", `assay-prove-${mark}`);
  mkdirSync(work);
  const env = { ...process.env, [proofMarker]: mark };
  // Each program that is started listens for the exit of this one.
  process.setMaxListeners(50);
  // What runs in namespaces ends when its first process does, which `exit` kills.
  process.once("exit", () => rmSync(work, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => process.exit(signal === "SIGINT" ? 130 : 143));
  }
  let problem;
  try {
    await prove({ print, work, env, namespaces: context.namespaces });
  } catch (error) {
    problem = error;
  }
  rmSync(work, { recursive: true, force: true });
  const leftovers = await findSettledLeftovers(before, context);
  for (const leftover of leftovers) {
    print(`left behind: ${leftover}`);
  }
  if (problem !== undefined) {
    print(problem instanceof Error ? problem.message : JSON.stringify(problem));
  }
  const isProven = problem === undefined && leftovers.length === 0;
  print(isProven ? `${name}: proved, and nothing was left behind` : `${name}: NOT PROVED`);
  process.exitCode = isProven ? 0 : 1;
}
