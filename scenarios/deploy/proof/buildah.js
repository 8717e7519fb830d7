import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./run-program.js";

/** Returns a function that runs a command of buildah with storage in a folder, without a container runtime. */
export function createBuildah(work) {
  const storage = ["--root", join(work, "storage"), "--runroot", join(work, "run"), "--storage-driver", "overlay"];
  const policy = join(work, "policy.json");
  const temporary = join(work, "temporary");
  mkdirSync(temporary, { recursive: true });
  writeFileSync(policy, JSON.stringify({ default: [{ type: "insecureAcceptAnything" }] }));
  const env = { ...process.env, BUILDAH_ISOLATION: "chroot", TMPDIR: temporary };
  return ([command, ...args], options = {}) => {
    const policyArgs = command === "pull" || command === "push" ? ["--signature-policy", policy] : [];
    return runProgram("buildah", [...storage, command, ...policyArgs, ...args], { env, ...options });
  };
}
