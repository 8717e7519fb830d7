import { HarnessError } from "@assay/contract";
import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BundledScenario, type BundleRequest, bundleScenario, isReadyScenario } from "@assay/scenarios";
import { type StepResult, restoreError } from "../run/worker-messages.ts";

const compiledProgram = fileURLToPath(new URL("../bundle/bundle-process.js", import.meta.url));

const deadlineMs = 120_000;

/**
 * Bundles a scenario like `bundleScenario`, in a child process if its program exists, so that its 80 MB are freed
 * before the load starts. Throws the same errors, and `not-bundled` if that process crashes or hangs.
 */
export async function bundleInChildProcess(
  request: BundleRequest,
  program: string = compiledProgram,
): Promise<BundledScenario> {
  if (isReadyScenario(request.scenario) || !existsSync(program)) {
    return bundleScenario(request);
  }
  // Its own process group, so that an interrupt reaches only this process, which ends normally.
  const child = fork(program, { stdio: ["ignore", "ignore", "ignore", "ipc"], detached: true, timeout: deadlineMs });
  const answer = await new Promise<StepResult<BundledScenario>>((resolve, reject) => {
    const fail = (problem: string): void => {
      const sentence = `${request.scenario} cannot be bundled for k6: the bundling process ${problem}; try again.`;
      reject(new HarnessError("not-bundled", sentence));
    };
    child.once("message", (message: StepResult<BundledScenario>) => resolve(message));
    child.once("error", ({ message }) => fail(`failed (${message})`));
    child.once("exit", (code, signal) => fail(`ended with ${signal ?? code}`));
    // A process that has already ended is reported by `exit`.
    child.send(request, () => undefined);
  });
  if (answer.ok) {
    return answer.value;
  }
  throw restoreError(answer.error);
}
