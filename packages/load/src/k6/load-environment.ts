import { createHash } from "node:crypto";
import { arch, availableParallelism, cpus, platform, totalmem } from "node:os";
import type { LoadEnvironment } from "@assay/results";
import type { FoundK6 } from "./find-k6.ts";

/** Returns the digest of the properties that comparable runs share: all except the Node version. */
export const computeEnvironmentFingerprint = (environment: Omit<LoadEnvironment, "fingerprint">): string => {
  const { platform: platformName, architecture, cpuModel, cores, memoryBytes, k6Version, k6Sha256 } = environment;
  const parts = [platformName, architecture, cpuModel, cores, memoryBytes, k6Version, k6Sha256];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
};

/** Describes this machine and its k6. */
export const describeLoadEnvironment = (k6: Pick<FoundK6, "version" | "sha256">): LoadEnvironment => {
  const environment = {
    platform: platform(),
    architecture: arch(),
    cpuModel: cpus()[0]?.model.trim() ?? "",
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    nodeVersion: process.version,
    k6Version: k6.version,
    k6Sha256: k6.sha256,
  };
  return { ...environment, fingerprint: computeEnvironmentFingerprint(environment) };
};
