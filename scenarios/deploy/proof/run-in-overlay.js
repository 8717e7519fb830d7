import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache-folder.js";
import { startProgram } from "./run-program.js";

const script = fileURLToPath(new URL("overlay-root.sh", import.meta.url));

/**
 * Runs a Node program of this folder inside `overlay-root.sh`, in process and mount namespaces of its own that end with it. Its output
 * goes to the terminal. Throws unless it exits with 0.
 */
export async function runInOverlay({ tools, work, env }, file, args) {
  const program = fileURLToPath(new URL(file, import.meta.url));
  mkdirSync(work, { recursive: true });
  const namespaces = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const child = startProgram(
    "unshare",
    [...namespaces, "sh", script, tools, work, cacheFolder, "nice", "-n", "10", process.execPath, program, ...args],
    { env, stdio: ["ignore", "inherit", "inherit"] },
  );
  const [status] = await once(child, "exit");
  if (status !== 0) {
    throw new Error(`${file} ended with ${status}`);
  }
}
