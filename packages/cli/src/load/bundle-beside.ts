import { HarnessError } from "@assay/contract";
import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BundledScenario, type BundleRequest, bundleScenario, isReadyScenario } from "@assay/scenarios";
import { type Answer, receivedError } from "../run/thread-message.ts";

const compiledProgram = fileURLToPath(new URL("../bundle/bundle-process.js", import.meta.url));

const deadlineMs = 120_000;

/**
 * Makes the script of a scenario like `bundleScenario`, in a process of its own where the program of one is there: what the bundler takes, some
 * 80 MB, would stay beside the load to its end. Fails with the same errors, and with `not-bundled` when that process breaks or hangs.
 */
export async function bundleBeside(
  request: BundleRequest,
  program: string = compiledProgram,
): Promise<BundledScenario> {
  if (isReadyScenario(request.scenario) || !existsSync(program)) {
    return bundleScenario(request);
  }
  // A group of its own: an interrupt is for this process, which ends in good order.
  const child = fork(program, { stdio: ["ignore", "ignore", "ignore", "ipc"], detached: true, timeout: deadlineMs });
  const answer = await new Promise<Answer<BundledScenario>>((resolve, reject) => {
    const fail = (why: string): void => {
      const sentence = `${request.scenario} cannot be made a script for k6: the process that bundles it ${why}; try again.`;
      reject(new HarnessError("not-bundled", sentence));
    };
    child.once("message", (message: Answer<BundledScenario>) => resolve(message));
    child.once("error", ({ message }) => fail(`broke (${message})`));
    child.once("exit", (code, signal) => fail(`ended with ${signal ?? code}`));
    // One that has ended already is told by that.
    child.send(request, () => undefined);
  });
  if (answer.ok) {
    return answer.value;
  }
  throw receivedError(answer.error);
}
