import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Cores out of these that a container may use whose `cpu.max` says so: a quota and a period, or `max`. NaN for anything else. */
export function coresWithin(cpuMax: string, cores: number): number {
  const [quota = "", period = ""] = cpuMax.trim().split(" ");
  return quota === "max" ? cores : Math.min(cores, Number.parseInt(quota, 10) / Number.parseInt(period, 10));
}

/** Cores that this process may use: those of the machine, or what its container has of them. NaN where that is not known. */
export function usableCores(): number {
  const cores = availableParallelism();
  try {
    return coresWithin(readFileSync("/sys/fs/cgroup/cpu.max", "utf8"), cores);
  } catch {
    // No container, or one without a limit.
    return cores;
  }
}
