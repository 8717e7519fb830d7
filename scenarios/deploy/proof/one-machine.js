import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSamples } from "./cluster-runs.js";
import { startProgram } from "./run-program.js";

const program = fileURLToPath(new URL("../../../packages/cli/bin/assay.js", import.meta.url));

/** Runs `assay load` on this machine against two targets, and returns its plan and its result. */
export async function loadOnOneMachine({ enter, env, work }, { urls: [base, head], token }) {
  const folder = join(work, "one-machine");
  mkdirSync(folder);
  const flags = ["--rate", "8", "--duration", "20s", "--seed", "5", "--no-canary", "--no-config", "--limits", "local"];
  const hosts = [base, head].flatMap((url) => ["--confirm-host", new URL(url).hostname]);
  const command = [process.execPath, program, "load", "search-first-match", "--url", base, "--against", head, ...flags];
  // With the first process of its namespace, k6 ends too.
  const namespace = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const [file, ...args] = enter([...namespace, ...command, ...hosts, "--out", join(folder, "run")]);
  const child = startProgram(file, args, {
    cwd: folder,
    env: { ...env, ASSAY_TOKEN: token, ASSAY_AGAINST_TOKEN: token },
    stdio: ["ignore", "ignore", "inherit"],
  });
  // The exit code says whether the figures can be trusted, which does not matter here.
  await once(child, "exit");
  const run = join(folder, "run");
  if (!existsSync(join(run, "load.json"))) {
    throw new Error("the load on one machine has no result; its reason is above");
  }
  const read = (name) => JSON.parse(readFileSync(join(run, name), "utf8"));
  return { plan: read("plan.json"), result: read("load.json"), samples: readSamples(run) };
}
