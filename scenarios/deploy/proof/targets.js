import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startProgram } from "./run-program.js";

/**
 * Starts a reference server on each port of an address. `enter` returns the command line that runs another one where the servers are to
 * run. Returns their addresses and token, `readSearches`, which returns what each server was asked so far, and `stop`.
 */
export async function startTargets({ host, ports, env, enter = (command) => command }) {
  const script = fileURLToPath(new URL("target-servers.js", import.meta.url));
  const [program, ...args] = enter([process.execPath, script, host, ...ports.map(String)]);
  const child = startProgram(program, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async () => {
    const { value, done } = await lines.next();
    if (done === true) {
      throw new Error("the reference servers ended");
    }
    return JSON.parse(value);
  };
  const { urls, token } = await readLine();
  const readSearches = async () => {
    child.stdin.write("\n");
    return readLine();
  };
  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null) {
      await once(child, "exit");
    }
  };
  return { urls, token, readSearches, stop };
}
