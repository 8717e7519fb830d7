import { readFileSync } from "node:fs";

/** Ticks of the clock of Linux in a second, as programs see them. */
const ticksPerSecond = 100;

/** What a file of `/proc` holds; empty when the process has ended, or where there is no such folder. */
function procText(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** Processor time that a process has used, user and system; 0 when it cannot be known. */
export function cpuSecondsOf(pid: number): number {
  const text = procText(pid, "stat");
  // The name of the program stands in brackets and may hold anything, blanks too.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** The most memory that a process ever had resident; 0 when it cannot be known. */
export function peakBytesOf(pid: number): number {
  const [, kibibytes = "0"] = /^VmHWM:\s+(\d+) kB$/mu.exec(procText(pid, "status")) ?? [];
  return Number(kibibytes) * 1024;
}
