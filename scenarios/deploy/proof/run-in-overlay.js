import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("overlay-root.sh", import.meta.url));

/**
 * Runs a Node program of this folder inside `overlay-root.sh`, in process and mount namespaces of its own that end with it. Its output
 * goes to the terminal. Throws unless it exits with 0.
 */
export async function runInOverlay({ tools, work, env }, file, args) {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const namespaces = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const child = spawn(
    "unshare",
    [...namespaces, "sh", script, tools, work, "nice", "-n", "10", process.execPath, program, ...args],
    { env, stdio: ["ignore", "inherit", "inherit"] },
  );
  const stop = () => child.kill("SIGKILL");
  process.once("exit", stop);
  const [status] = await once(child, "exit");
  process.off("exit", stop);
  if (status !== 0) {
    throw new Error(`${file} ended with ${status}`);
  }
}
