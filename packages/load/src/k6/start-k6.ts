import { HarnessError, defined } from "@assay/contract";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { LoadSample } from "@assay/results";
import { loadFiles } from "../result/load-sources.ts";
import { createDistressWatch } from "./distress.ts";
import { followSamples } from "./follow-samples.ts";

import { classifyK6End, type EarlyStop, type K6End, type K6Exit } from "./k6-end.ts";
import { createK6Environment } from "./k6-environment.ts";
import { raisePriority } from "./processor-share.ts";
import { createProgressCounter, type LoadProgress } from "./load-progress.ts";
import { createLogFile, type LogFile } from "./log-file.ts";
import { killOnExit, signalGroup } from "./process-group.ts";
import { createUnderWayReader } from "./under-way.ts";

/** A run of k6. */
export interface StartK6Options {
  readonly k6: { readonly path: string };
  /** The folder of the run, which contains `scenario.js` and `plan.json`. k6 writes all its files there. */
  readonly folder: string;
  /** Variables for the script, such as `ASSAY_TOKEN`, and for outputs of k6. Variables that name files are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Additional arguments, such as `--out` and its value. */
  readonly extraArgs?: readonly string[];
  /** The time limit of the process. After it, k6 is interrupted, and killed if it does not exit. */
  readonly wallLimitMs: number;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
  /** Called about once a second, and once at the end. */
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Redacts the stored output of k6. */
  readonly redact?: (text: string) => string;
  /** False if an overloaded target does not end the run. Default: true. */
  readonly endsOnDistress?: boolean;
  /** Called with each sample, in the order in which they ended. Returning a sentence ends the run as `decided`. */
  readonly reasonToEnd?: (sample: LoadSample) => string | undefined;
  /**
   * Called about once a second with the unfinished streams, as if they were `canceled` now. Returning a sentence ends
   * the run as `decided`.
   */
  readonly reasonToEndUnderWay?: (streams: readonly LoadSample[]) => string | undefined;
  /** The time from the interrupt to the kill. Default: 15 s. */
  readonly graceMs?: number;
  /** The time between two progress calls. Default: 1 s. */
  readonly progressMs?: number;
}

/** A longer timer fires immediately. */
const maxTimerMs = 2 ** 31 - 1;
const defaultGraceMs = 15_000;
const defaultProgressMs = 1000;
/**
 * The maximum wait for output after the process has exited. Both streams then end by themselves. Only processes that k6
 * started outside its group can keep a pipe open.
 */
const outputGraceMs = 10_000;

const createFileVariables = (folder: string): Readonly<Record<string, string>> => ({
  ASSAY_PLAN: join(folder, loadFiles.plan),
  ASSAY_SAMPLES: join(folder, loadFiles.samples),
  ASSAY_UNDER_WAY: join(folder, loadFiles.underWay),
  ASSAY_SUMMARY: join(folder, loadFiles.summary),
  ASSAY_LEDGER: join(folder, loadFiles.ledger),
  // k6 exits if this process is killed.
  ASSAY_PARENT: String(process.pid),
});

// `--quiet` instead of `--summary-mode=disabled`, which would disable the script's own summary. An empty address disables
// the REST server.
const createK6Arguments = ({ folder, extraArgs = [] }: StartK6Options): readonly string[] => [
  "run",
  "--quiet",
  "--no-color",
  "--address",
  "",
  ...extraArgs,
  join(folder, loadFiles.scenario),
];

/** Interrupts a process, and kills it after a grace period. */
interface Stopper {
  readonly stop: (reason: EarlyStop) => void;
  readonly getEarlyStop: () => EarlyStop | undefined;
  readonly wasKilled: () => boolean;
  readonly release: () => void;
}

const createStopper = (child: ChildProcess, graceMs: number): Stopper => {
  let earlyStop: EarlyStop | undefined;
  let wasKilled = false;
  let timer: NodeJS.Timeout | undefined;
  let isReleased = false;
  return {
    stop: (reason) => {
      if (earlyStop === undefined && !isReleased) {
        earlyStop = reason;
        signalGroup(child, "SIGINT");
        timer = setTimeout(() => {
          wasKilled = signalGroup(child, "SIGKILL");
        }, graceMs);
      }
    },
    getEarlyStop: () => earlyStop,
    wasKilled: () => wasKilled,
    release: () => {
      isReleased = true;
      clearTimeout(timer);
    },
  };
};

const stopOnDeadlineOrAbort = (stopper: Stopper, { wallLimitMs, signal }: StartK6Options): (() => void) => {
  const timer = setTimeout(
    () => {
      const sentence = `k6 exceeded the limit of this run, ${Math.round(wallLimitMs / 1000)} s, and was stopped`;
      stopper.stop({ cause: "deadline", sentence });
    },
    Math.min(wallLimitMs, maxTimerMs),
  );
  const abort = (): void => {
    stopper.stop({ cause: "interrupted", sentence: "the run was interrupted" });
  };
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) {
    abort();
  }
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  };
};

/** Reads the samples about once a second until the process has exited, and once after it has exited. */
const watchSamples = async (options: StartK6Options, stopper: Stopper, ended: AbortSignal): Promise<void> => {
  const startedMs = performance.now();
  const follower = followSamples(join(options.folder, loadFiles.samples));
  const counter = createProgressCounter();
  const distress = createDistressWatch();
  const underWay = createUnderWayReader(join(options.folder, loadFiles.underWay));
  const stopIfDecided = (sentence: string | undefined): void => {
    if (sentence !== undefined) {
      stopper.stop({ cause: "decided", sentence });
    }
  };
  const readOnce = async (): Promise<void> => {
    await follower.read((sample) => {
      counter.add(sample);
      underWay.exclude(sample);
      const sentence = distress.add(sample);
      if (sentence !== undefined && options.endsOnDistress !== false) {
        stopper.stop({ cause: "distress", sentence });
      }
      stopIfDecided(options.reasonToEnd?.(sample));
    });
    const underWayNow = ended.aborted ? undefined : await underWay.read();
    stopIfDecided(underWayNow && options.reasonToEndUnderWay?.(underWayNow.streams));
    options.onProgress?.(counter.progress(performance.now() - startedMs, underWayNow?.busyUsers));
  };
  while (!ended.aborted) {
    await delay(options.progressMs ?? defaultProgressMs, undefined, { signal: ended }).catch(() => undefined);
    await readOnce();
  }
  await follower.close();
  await rm(join(options.folder, loadFiles.underWay), { force: true });
};

const spawnK6 = async (options: StartK6Options): Promise<ChildProcess> => {
  const { k6, folder, env } = options;
  const child = spawn(k6.path, createK6Arguments(options), {
    cwd: folder,
    env: createK6Environment({ ...env, ...createFileVariables(folder) }),
    // Its own process group, so that Ctrl-C in the terminal reaches only this process, which then interrupts k6.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    await once(child, "spawn");
    raisePriority(child.pid ?? 0);
  } catch (cause) {
    throw new HarnessError("not-started", `${k6.path} could not be started in ${folder}`, { cause });
  }
  return child;
};

type ProcessEnd = Pick<K6Exit, "exitCode" | "signal">;

const waitForExit = async (child: ChildProcess): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    child.once("exit", (exitCode: number | null, signal: NodeJS.Signals | null) => {
      resolve({ ...(exitCode === null ? {} : { exitCode }), ...(signal === null ? {} : { signal }) });
    });
  });

/** Waits for the remaining output, with a limit. */
const drainOutput = async (child: ChildProcess, log: LogFile): Promise<void> => {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const ends = streams.map(async (stream) => stream.readableEnded || stream.destroyed || once(stream, "close"));
  const timeout = new AbortController();
  await Promise.race([
    Promise.all(ends),
    delay(outputGraceMs, undefined, { signal: timeout.signal }).catch(() => undefined),
  ]);
  timeout.abort();
  for (const stream of streams) {
    stream.destroy();
  }
  await log.close();
};

const superviseK6 = async (child: ChildProcess, options: StartK6Options): Promise<K6End> => {
  const log = createLogFile({
    path: join(options.folder, loadFiles.log),
    redact: options.redact ?? ((text) => text),
  });
  const exitPromise = waitForExit(child);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) {
      log.attach(stream);
    }
  }
  const stopper = createStopper(child, options.graceMs ?? defaultGraceMs);
  const cancelDeadline = stopOnDeadlineOrAbort(stopper, options);
  const ended = new AbortController();
  const watcher = watchSamples(options, stopper, ended.signal).catch((cause: unknown) => {
    stopper.stop({ cause: "interrupted", sentence: "the progress of the run could not be read" });
    return { cause };
  });
  const processEnd = await exitPromise;
  cancelDeadline();
  stopper.release();
  ended.abort();
  const [stop, wasKilled] = [stopper.getEarlyStop(), stopper.wasKilled()];
  // Ends processes that k6 started.
  signalGroup(child, "SIGKILL");
  await drainOutput(child, log);
  const failure = await watcher;
  if (failure !== undefined) {
    throw failure.cause;
  }
  const lastError = log.lastError();
  return classifyK6End({
    ...processEnd,
    wasKilled,
    ...defined({ stop, lastError }),
  });
};

/**
 * Runs `scenario.js` of a folder with k6 and returns how it ended.
 *
 * k6 is interrupted, which lets it write its summary, when `signal` is aborted, `wallLimitMs` has passed, the samples
 * show an overloaded target, or `reasonToEnd` or `reasonToEndUnderWay` returns a sentence. It is killed after `graceMs`. Its
 * redacted output is written to `k6.log`, up to 1 MiB. Fails only with `not-started`.
 */
export const startK6 = async (options: StartK6Options): Promise<K6End> => {
  const child = await spawnK6(options);
  const release = killOnExit(child);
  try {
    return await superviseK6(child, options);
  } finally {
    release();
  }
};
