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
import type { K6End } from "./k6-end.ts";
import { type EarlyStop, type K6Exit, k6EndOf } from "./k6-end-of.ts";
import { k6Environment } from "./k6-environment.ts";
import { preferOnProcessor } from "./processor-share.ts";
import { createProgressCounter, type LoadProgress } from "./load-progress.ts";
import { createLogFile, type LogFile } from "./log-file.ts";
import { killOnExit, signalGroup } from "./process-group.ts";
import { createUnderWayReader } from "./under-way.ts";

/** A run of k6. */
export interface StartK6Options {
  readonly k6: { readonly path: string };
  /** Folder of the run; `scenario.js` and `plan.json` lie in it, everything k6 writes goes there. */
  readonly folder: string;
  /** Variables for the script, such as `ASSAY_TOKEN`, and for outputs of k6. Those of the files are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Further arguments, such as `--out` and its value. */
  readonly extraArgs?: readonly string[];
  /** From the start of the process to its end in order; then it is ended, and killed when that does not help. */
  readonly wallLimitMs: number;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
  /** Called about once a second, and once at the end. */
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Replaces secrets in what is stored of k6's output. */
  readonly redact?: (text: string) => string;
  /** Whether a target in distress ends the run; true by default. */
  readonly endsOnDistress?: boolean;
  /** Shown every sample that ended, in that order; a sentence ends the run, because what it was for is decided. */
  readonly endsWhen?: (sample: LoadSample) => string | undefined;
  /** Shown about once a second, after the samples that ended, the streams that have not: as if they were `canceled` now; likewise. */
  readonly endsWhenUnderWay?: (streams: readonly LoadSample[]) => string | undefined;
  /** From being asked to end to being killed; 15 s by default. */
  readonly graceMs?: number;
  /** 1 s by default. */
  readonly progressMs?: number;
}

/** A timer that is set longer fires at once. */
const longestTimerMs = 2 ** 31 - 1;
const usualGraceMs = 15_000;
const usualProgressMs = 1000;
/**
 * How long output is waited for after the process has ended. Both streams end then by themselves, however late this process reads them; only
 * what k6 started, and what left its group, can hold a pipe open.
 */
const outputGraceMs = 10_000;

const fileVariables = (folder: string): Readonly<Record<string, string>> => ({
  ASSAY_PLAN: join(folder, loadFiles.plan),
  ASSAY_SAMPLES: join(folder, loadFiles.samples),
  ASSAY_UNDER_WAY: join(folder, loadFiles.underWay),
  ASSAY_SUMMARY: join(folder, loadFiles.summary),
  ASSAY_LEDGER: join(folder, loadFiles.ledger),
  // When this process is killed, nobody would be left to end the load.
  ASSAY_PARENT: String(process.pid),
});

// `--summary-mode=disabled` would keep the script's own summary from being called; `--quiet` does not. An empty address: no REST.
const argumentsOf = ({ folder, extraArgs = [] }: StartK6Options): readonly string[] => [
  "run",
  "--quiet",
  "--no-color",
  "--address",
  "",
  ...extraArgs,
  join(folder, loadFiles.scenario),
];

/** Ends a process: in order at first, by force after a while. */
interface Stopper {
  readonly stop: (why: EarlyStop) => void;
  readonly stopped: () => EarlyStop | undefined;
  readonly wasKilled: () => boolean;
  readonly release: () => void;
}

const createStopper = (child: ChildProcess, graceMs: number): Stopper => {
  let reason: EarlyStop | undefined;
  let wasKilled = false;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    stop: (why) => {
      if (reason === undefined && !isOver) {
        reason = why;
        signalGroup(child, "SIGINT");
        timer = setTimeout(() => {
          wasKilled = signalGroup(child, "SIGKILL");
        }, graceMs);
      }
    },
    stopped: () => reason,
    wasKilled: () => wasKilled,
    release: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
};

const stopOnTime = (stopper: Stopper, { wallLimitMs, signal }: StartK6Options): (() => void) => {
  const timer = setTimeout(
    () => {
      const sentence = `k6 was not done after ${Math.round(wallLimitMs / 1000)} s, the limit of this run, and was ended`;
      stopper.stop({ cause: "deadline", sentence });
    },
    Math.min(wallLimitMs, longestTimerMs),
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

/** Looks at the samples about once a second until it is told that the process has ended, and once more then. */
const watch = async (options: StartK6Options, stopper: Stopper, ended: AbortSignal): Promise<void> => {
  const startedMs = performance.now();
  const follower = followSamples(join(options.folder, loadFiles.samples));
  const counter = createProgressCounter();
  const distress = createDistressWatch();
  const underWay = createUnderWayReader(join(options.folder, loadFiles.underWay));
  const endIf = (decided: string | undefined): void => {
    if (decided !== undefined) {
      stopper.stop({ cause: "decided", sentence: decided });
    }
  };
  const look = async (): Promise<void> => {
    await follower.read((sample) => {
      counter.add(sample);
      underWay.ended(sample);
      const sentence = distress.see(sample);
      if (sentence !== undefined && options.endsOnDistress !== false) {
        stopper.stop({ cause: "distress", sentence });
      }
      endIf(options.endsWhen?.(sample));
    });
    const open = ended.aborted ? undefined : await underWay.read();
    endIf(open && options.endsWhenUnderWay?.(open.streams));
    options.onProgress?.(counter.progress(performance.now() - startedMs, open?.atWork));
  };
  while (!ended.aborted) {
    await delay(options.progressMs ?? usualProgressMs, undefined, { signal: ended }).catch(() => undefined);
    await look();
  }
  await follower.close();
  await rm(join(options.folder, loadFiles.underWay), { force: true });
};

const spawned = async (options: StartK6Options): Promise<ChildProcess> => {
  const { k6, folder, env } = options;
  const child = spawn(k6.path, argumentsOf(options), {
    cwd: folder,
    env: k6Environment({ ...env, ...fileVariables(folder) }),
    // A group of its own: Ctrl-C in the terminal reaches this process alone, which then ends k6 in order.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    await once(child, "spawn");
    preferOnProcessor(child.pid ?? 0);
  } catch (cause) {
    throw new HarnessError("not-started", `${k6.path} could not be started in ${folder}`, { cause });
  }
  return child;
};

type ProcessEnd = Pick<K6Exit, "exitCode" | "signal">;

const exitOf = async (child: ChildProcess): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    child.once("exit", (exitCode: number | null, signal: NodeJS.Signals | null) => {
      resolve({ ...(exitCode === null ? {} : { exitCode }), ...(signal === null ? {} : { signal }) });
    });
  });

/** Waits for the last output, but not for ever. */
const drained = async (child: ChildProcess, log: LogFile): Promise<void> => {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const ends = streams.map(async (stream) => stream.readableEnded || stream.destroyed || once(stream, "close"));
  const late = new AbortController();
  await Promise.race([
    Promise.all(ends),
    delay(outputGraceMs, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  for (const stream of streams) {
    stream.destroy();
  }
  await log.close();
};

const follow = async (child: ChildProcess, options: StartK6Options): Promise<K6End> => {
  const log = createLogFile({
    path: join(options.folder, loadFiles.log),
    redact: options.redact ?? ((text) => text),
  });
  const exit = exitOf(child);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) {
      log.take(stream);
    }
  }
  const stopper = createStopper(child, options.graceMs ?? usualGraceMs);
  const disarm = stopOnTime(stopper, options);
  const ended = new AbortController();
  const watching = watch(options, stopper, ended.signal).catch((cause: unknown) => {
    stopper.stop({ cause: "interrupted", sentence: "the progress of the run could not be followed" });
    return { cause };
  });
  const processEnd = await exit;
  disarm();
  stopper.release();
  ended.abort();
  const [stop, wasKilled] = [stopper.stopped(), stopper.wasKilled()];
  // Whatever k6 started has no business after its end.
  signalGroup(child, "SIGKILL");
  await drained(child, log);
  const failure = await watching;
  if (failure !== undefined) {
    throw failure.cause;
  }
  const lastError = log.lastError();
  return k6EndOf({
    ...processEnd,
    wasKilled,
    ...defined({ stop, lastError }),
  });
};

/**
 * Runs `scenario.js` of a folder with k6 to its end, whichever it is; the answer says how it ended. k6 gets a process group of its
 * own. It is ended by SIGINT, so that it writes its summary, when `signal` is aborted, `wallLimitMs` is over, the samples show a target in distress, or `endsWhen` says so; after `graceMs` it
 * is killed. Its output goes to `k6.log` without secrets, at most 1 MiB. Fails with `not-started` only.
 */
export const startK6 = async (options: StartK6Options): Promise<K6End> => {
  const child = await spawned(options);
  const release = killOnExit(child);
  try {
    return await follow(child, options);
  } finally {
    release();
  }
};
