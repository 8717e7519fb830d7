import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startProgram } from "./run-program.js";

/**
 * Starts a program that prints a line of JSON, and one more for each line on its standard input. Returns the first value, `ask`, which
 * sends a line and returns the answer, and `stop`.
 */
async function startServerProgram(command, env) {
  const [program, ...args] = command;
  const child = startProgram(program, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async () => {
    const { value, done } = await lines.next();
    if (done === true) {
      throw new Error("the reference servers ended");
    }
    return JSON.parse(value);
  };
  const first = await readLine();
  const ask = async (line) => {
    child.stdin.write(`${line}\n`);
    return readLine();
  };
  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null) {
      await once(child, "exit");
    }
  };
  return { first, ask, stop };
}

const scriptPath = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Starts a reference server on each port of an address. `enter` returns the command line that runs another one where the servers are to
 * run. Returns their addresses and token, `readSearches`, which returns what each server was asked so far, `countConversations`, which
 * returns how many each created and deleted, and `stop`.
 */
export async function startTargets({ host, ports, env, enter = (command) => command }) {
  const command = enter([process.execPath, scriptPath("target-servers.js"), host, ...ports.map(String)]);
  const { first, ask, stop } = await startServerProgram(command, env);
  return { ...first, readSearches: () => ask(""), countConversations: () => ask("conversations"), stop };
}

/**
 * Starts a front of a server that refuses requests after some time, see `refusing-front.js`. Returns its address, `readSearches`, which
 * returns the time and the status of each search so far, and `stop`.
 */
export async function startRefusingFront({ host, port, target, env, enter }) {
  const command = enter([process.execPath, scriptPath("refusing-front.js"), host, String(port), target]);
  const { first, ask, stop } = await startServerProgram(command, env);
  return { ...first, readSearches: () => ask(""), stop };
}
