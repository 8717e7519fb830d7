import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pinned } from "./pinned-command.ts";

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
function cpuSecondsOf(pid: number): number {
  const text = procText(pid, "stat");
  // The name of the program stands in brackets and may hold anything, blanks too.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** The most memory that a process ever had resident; 0 when it cannot be known. */
function peakBytesOf(pid: number): number {
  const [, kibibytes = "0"] = /^VmHWM:\s+(\d+) kB$/mu.exec(procText(pid, "status")) ?? [];
  return Number(kibibytes) * 1024;
}

/** One run of k6. */
export interface K6Task {
  readonly k6: string;
  /** File of `scripts/`. */
  readonly script: string;
  /** Address of the streams with a query, to which the id of each is added. */
  readonly url: string;
  /** Events that a whole stream has. */
  readonly events: number;
  /** Options of k6. */
  readonly options: object;
  /** Whether each stream is reported by a line. */
  readonly isEachWanted: boolean;
  /** Whether the exchanges are kept on disk. */
  readonly keeps?: true | undefined;
}

/** A run of k6 that is under way. */
export interface K6Run {
  /** Processor time that it has used; 0 before it is known. */
  readonly cpuSeconds: () => number;
  /** Waits for its end. Throws when k6 fails, when a stream was wrong, or when it takes far too long. */
  readonly ended: Promise<K6Outcome>;
}

export interface K6Outcome {
  readonly streams: number;
  readonly dropped: number;
  readonly peakBytes: number;
  /** By id of the stream: milliseconds to the first match. */
  readonly firstMatches: ReadonlyMap<string, number>;
  /** What became of the exchanges, where they are kept. */
  readonly exchanges?: ExchangeCounts;
}

/** As the extension of k6 counts them. */
export interface ExchangeCounts {
  readonly sent: number;
  readonly kept: number;
  /** Left out at random, because more was new than is written. */
  readonly thinnedOut: number;
  /** Not kept, because the recorder did not keep up. */
  readonly lost: number;
}

const wallLimitMs = 60_000;
const sampleMs = 50;
const scripts = fileURLToPath(new URL("../scripts/", import.meta.url));

const exchangesIn = (folder: string): string => join(folder, "exchanges");

/** What an ordinary load keeps, with two tokens to be replaced. */
const keeping = (folder: string): NodeJS.ProcessEnv => ({
  ASSAY_EXCHANGES: exchangesIn(folder),
  ASSAY_KEEP_BYTES: String(2 ** 30),
  ASSAY_REDACTION_KEY: "07".repeat(32),
  ASSAY_SECRETS: JSON.stringify([`sgp_${"0a1B2c3D".repeat(5)}`, `sgp_${"9z8Y7x6W".repeat(5)}`]),
  ASSAY_SECRET_HEADERS: "[]",
});

/** Starts k6 on the first core. */
export function startK6(task: K6Task): K6Run {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const summary = join(folder, "summary.json");
  const log = join(folder, "k6.log");
  const [command, ...args] = pinned(0, [
    task.k6,
    "run",
    "--quiet",
    "--no-color",
    "--address",
    "",
    "--log-format",
    "raw",
    "--log-output",
    `file=${log}`,
    join(scripts, task.script),
  ]);
  const child = spawn(command, args, {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: wallLimitMs,
    killSignal: "SIGKILL",
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      K6_NO_USAGE_REPORT: "true",
      K6_AUTO_EXTENSION_RESOLUTION: "false",
      ...(task.keeps === true ? keeping(folder) : {}),
      BENCH_URL: task.url,
      BENCH_EVENTS: String(task.events),
      BENCH_OPTIONS: JSON.stringify({ discardResponseBodies: false, ...task.options }),
      BENCH_SUMMARY: summary,
      BENCH_EACH: task.isEachWanted ? "yes" : "no",
    },
  });
  const counts = join(exchangesIn(folder), "counts.json");
  const files = { summary, log, isEachWanted: task.isEachWanted, ...(task.keeps === true ? { counts } : {}) };
  const ended = outcomeOf(child, files).finally(() => rmSync(folder, { recursive: true, force: true }));
  return { cpuSeconds: () => cpuSecondsOf(child.pid ?? 0), ended };
}

interface Files {
  readonly summary: string;
  readonly log: string;
  /** Of exchanges, where they are kept. */
  readonly counts?: string;
  readonly isEachWanted: boolean;
}

async function outcomeOf(child: ReturnType<typeof spawn>, files: Files): Promise<K6Outcome> {
  let peakBytes = 0;
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      peakBytes = Math.max(peakBytes, peakBytesOf(child.pid ?? 0));
      await delay(sampleMs);
    }
  })();
  try {
    const [code, signal] = await once(child, "exit");
    if (code !== 0) {
      throw new Error(`k6 ended with ${String(code ?? signal)}\n${readText(files.log)}`);
    }
  } finally {
    stop.abort();
    await watching;
  }
  return { ...countsOf(files), ...(files.counts === undefined ? {} : exchangesOf(files.counts)), peakBytes };
}

function exchangesOf(file: string): Pick<K6Outcome, "exchanges"> {
  const { groups }: { groups: { search?: ExchangeCounts } } = JSON.parse(readFileSync(file, "utf8"));
  return groups.search === undefined ? {} : { exchanges: groups.search };
}

function countsOf({ summary, log, isEachWanted }: Files): Omit<K6Outcome, "peakBytes" | "exchanges"> {
  const counts: { streams: number; broken: number; dropped: number } = JSON.parse(readFileSync(summary, "utf8"));
  const lines = readText(log).split("\n");
  if (counts.broken > 0) {
    throw new Error(
      `${counts.broken} of ${counts.streams} streams were wrong, such as:\n${lines.slice(0, 5).join("\n")}`,
    );
  }
  const firstMatches = new Map(
    lines.flatMap((line): [string, number][] => {
      const [, id, firstMatchMs] = /^(\d+) (\d[\d.]*)$/u.exec(line) ?? [];
      return id === undefined ? [] : [[id, Number(firstMatchMs)]];
    }),
  );
  if (isEachWanted && firstMatches.size !== counts.streams) {
    throw new Error(`k6 read ${counts.streams} streams, but gave the times of ${firstMatches.size}`);
  }
  return { streams: counts.streams, dropped: counts.dropped, firstMatches };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // A k6 that could not even begin has no log; what it said is on the terminal.
    return "";
  }
}
