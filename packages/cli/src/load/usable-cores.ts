import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Parses `cpu.max` of a container, a quota and a period or `max`, as the number of usable cores. NaN for other text. */
export function parseCpuMax(cpuMax: string, cores: number): number {
  const [quota = "", period = ""] = cpuMax.trim().split(" ");
  return quota === "max" ? cores : Math.min(cores, Number.parseInt(quota, 10) / Number.parseInt(period, 10));
}

/** Counts the cores that this process may use: its container's or the machine's. NaN if unknown. */
export function countUsableCores(): number {
  const cores = availableParallelism();
  try {
    return parseCpuMax(readFileSync("/sys/fs/cgroup/cpu.max", "utf8"), cores);
  } catch {
    // No container, or no limit.
    return cores;
  }
}
