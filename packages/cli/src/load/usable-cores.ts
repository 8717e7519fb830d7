import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Cores that a container may use by its `cpu.max`: a quota and a period, or `max`. NaN for other text. */
export function parseCpuMax(cpuMax: string, cores: number): number {
  const [quota = "", period = ""] = cpuMax.trim().split(" ");
  return quota === "max" ? cores : Math.min(cores, Number.parseInt(quota, 10) / Number.parseInt(period, 10));
}

/** Cores that this process may use: those of the machine or of its container. NaN if unknown. */
export function countUsableCores(): number {
  const cores = availableParallelism();
  try {
    return parseCpuMax(readFileSync("/sys/fs/cgroup/cpu.max", "utf8"), cores);
  } catch {
    // No container, or no limit.
    return cores;
  }
}
