import { spawn, spawnSync } from "node:child_process";

/** Runs a program and returns its output. Throws with the end of what it printed, unless it exits with 0. */
export function runProgram(program, args, options = {}) {
  const { error, status, signal, stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  });
  if (error !== undefined || status !== 0) {
    const output = `${stdout ?? ""}${stderr ?? ""}`.trim().split("\n").slice(-30).join("\n");
    const cause = error?.message ?? (signal === null ? `exit code ${status}` : signal);
    throw new Error(`${program} ${args.slice(0, 6).join(" ")}: ${cause}\n${output}`);
  }
  return stdout;
}

/** Starts a program that is killed when this process exits, before what was to be tidied up earlier is. */
export function startProgram(program, args, options) {
  const child = spawn(program, args, options);
  const kill = () => child.kill("SIGKILL");
  process.prependOnceListener("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  return child;
}
