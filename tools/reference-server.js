import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const programPath = fileURLToPath(new URL("../packages/cli/bin/assay.js", import.meta.url));

/**
 * Starts the reference server in its own process and returns its description, with a function that stops it and waits until it has exited.
 * `isNice` gives it a lower priority. The server also ends with the process that started it.
 */
export async function startServer(flags, { cwd, env = process.env, isNice = false } = {}) {
  const nodeCommand = [process.execPath, programPath, "serve", "--json", "--until-input-ends", ...flags];
  const [command, ...args] = isNice ? ["nice", ...nodeCommand] : nodeCommand;
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise((resolve) => void child.once("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    return { ...JSON.parse(line), stop: () => (child.stdin.end(), exited) };
  }
  throw new Error(`the reference server did not start (${flags.join(" ")})`);
}
