import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { defined, HarnessError, listSides } from "@assay/contract";
import { member } from "@assay/reading";
import { listKeptFiles, visibleText } from "@assay/evidence";
import { loadFiles } from "@assay/load";
import type { LoadJudgement, LoadPlan } from "@assay/results";
import type { ExchangeCount, LoadToJudge } from "@assay/runner";
import { type StepResult, restoreError } from "../run/worker-messages.ts";
import {
  type JudgeRequest,
  earlierHeadFolder,
  listInterfaces,
  judgeKeptLoad,
  type KeptLoad,
  unloadedFolders,
} from "./judge-kept-exchanges.ts";
import { countUsableCores } from "../load/usable-cores.ts";

/** Part of the compiled command, because a thread starts from a JavaScript file. */
const compiledThreadUrl = new URL("../bundle/load-judge-thread.js", import.meta.url);

/** Judging allocates much but retains little. */
const memoryLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 } as const;

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

const isExchangeCount = (value: unknown): value is ExchangeCount =>
  typeof value === "object" &&
  value !== null &&
  "sent" in value &&
  isCount(value.sent) &&
  "thinnedOut" in value &&
  isCount(value.thinnedOut) &&
  "lost" in value &&
  isCount(value.lost);

/** Reads the counts written by `k6/x/assay`. Returns none if k6 was killed before it wrote them. */
function readCounts(folder: string): Pick<LoadToJudge, "counts" | "problems"> {
  if (!existsSync(folder)) {
    return { counts: {}, problems: [] };
  }
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, "counts.json"), "utf8"));
    const [groups, problem] = [member(value, "groups"), member(value, "problem")];
    const [search, conversation] = [member(groups, "search"), member(groups, "conversation")];
    return {
      counts: {
        ...(isExchangeCount(search) ? { search } : {}),
        ...(isExchangeCount(conversation) ? { conversation } : {}),
      },
      problems: typeof problem === "string" ? [visibleText(problem, 300)] : [],
    };
  } catch {
    return {
      counts: {},
      problems: ["k6 did not write how many exchanges there were; those on the disk were judged"],
    };
  }
}

const defaultKeepMb = 1024;

/** Returns the maximum size of the kept exchanges of a run. */
export const computeMaxKeptBytes = ({ keepMb = defaultKeepMb }: { readonly keepMb?: number }): number =>
  keepMb * 2 ** 20;

/**
 * Finds the exchanges to judge. A run that ended before its load has only requests without load. Returns undefined if
 * none were kept.
 */
function findKeptLoad(folder: string, { plan, capBytes, knownFailures }: LoadJudgeInput): KeptLoad | undefined {
  const exchanges = join(folder, loadFiles.exchanges);
  const files = listKeptFiles(exchanges);
  const earlierHead = join(folder, earlierHeadFolder);
  const unloaded = {
    base: join(folder, unloadedFolders.base),
    head: existsSync(earlierHead) ? earlierHead : join(folder, unloadedFolders.head),
  };
  if (!existsSync(exchanges) && !existsSync(unloaded.base)) {
    return undefined;
  }
  return {
    files,
    interfaces: listInterfaces(plan),
    sides: listSides(plan.targets),
    ...readCounts(exchanges),
    keptBytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    capBytes,
    unloadedPaths: unloaded,
    ...defined({ knownFailures }),
  };
}

export interface LoadJudgeInput extends Pick<LoadToJudge, "knownFailures"> {
  readonly plan: LoadPlan;
  /** Maximum size of the kept exchanges. */
  readonly capBytes: number;
}

/** Cores that the load needs. Without a spare core, judging would disturb it. */
const coresForLoad = 2;

/** Time for judging after an interrupt. Short, because the user is waiting. */
const defaultGraceMs = 5000;

export interface JudgeOptions {
  /** Whether to judge during the load. Default: if there are more than two cores. */
  readonly judgesDuringLoad?: boolean;
  /** Time for judging after an interrupt. Default: 5 s. */
  readonly graceMs?: number;
  /** Program of the thread. Default: the compiled command's program. */
  readonly program?: URL;
}

/** The judgement, or why there is none. Empty if no exchanges were kept. */
export type JudgeOutcome = { readonly judgement?: LoadJudgement } | { readonly unjudged: string };

/** Judges a load. */
export interface LoadExchangesJudge {
  /**
   * Returns the judgement after the load. If judging exceeds the grace time after an abort, returns the reason as
   * `unjudged`. Throws if the thread fails.
   */
  getJudgement(signal?: AbortSignal): Promise<JudgeOutcome>;
  /** Stops judging. */
  close(): Promise<void>;
}

/** Thrown if judging takes too long after an interrupt. */
class JudgingTimeout extends Error {}

/** Waits for the answer of a thread. After an abort, terminates the thread once the grace time is over. */
async function awaitAnswer(worker: Worker, graceMs: number, signal: AbortSignal | undefined) {
  let timer: NodeJS.Timeout | undefined;
  let hasTimedOut = false;
  const terminate = (): void => {
    hasTimedOut = true;
    void worker.terminate();
  };
  const startGrace = (): void => {
    if (graceMs === 0) {
      terminate();
    } else {
      timer = setTimeout(terminate, graceMs);
    }
  };
  try {
    return await new Promise<StepResult<LoadJudgement>>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => {
        reject(
          hasTimedOut ? new JudgingTimeout() : new HarnessError("unavailable", "the thread that judges them has ended"),
        );
      });
      signal?.addEventListener("abort", startGrace, { once: true });
      if (signal?.aborted === true) {
        startGrace();
      }
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", startGrace);
  }
}

/** Starts a judging thread. Its errors reach the caller that waits for the answer. */
function startThread(program: URL): Worker {
  const worker = new Worker(program, { resourceLimits: memoryLimits });
  worker.on("error", () => undefined);
  return worker;
}

function send(worker: Worker, request: JudgeRequest): void {
  worker.postMessage(request, []);
}

const formatSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/**
 * Opens a judge for the kept exchanges in the folder of a load run. It runs in a thread if its program exists. With
 * spare cores it judges the files while they are written, so that little remains after the load. The judgement is the
 * same.
 */
export function openLoadJudge(
  folder: string,
  input: LoadJudgeInput,
  {
    judgesDuringLoad = countUsableCores() > coresForLoad,
    graceMs = defaultGraceMs,
    program = compiledThreadUrl,
  }: JudgeOptions = {},
): LoadExchangesJudge {
  const canStartThread = program.protocol !== "file:" || existsSync(program);
  let thread: Worker | undefined;
  let hasThreadEnded = false;
  if (judgesDuringLoad && canStartThread && input.capBytes > 0) {
    thread = startThread(program);
    thread.once("exit", () => {
      hasThreadEnded = true;
    });
    const load = { folder: join(folder, loadFiles.exchanges), interfaces: listInterfaces(input.plan) };
    send(thread, { step: "follow", load });
  }
  const finish = async (load: KeptLoad, worker: Worker, signal: AbortSignal | undefined): Promise<LoadJudgement> => {
    thread = worker;
    send(worker, { step: "finish", load });
    const answer = await awaitAnswer(worker, graceMs, signal);
    if (answer.ok) {
      return answer.value;
    }
    throw restoreError(answer.error);
  };
  const finishWithRetry = async (load: KeptLoad, signal: AbortSignal | undefined): Promise<LoadJudgement> => {
    const follower = hasThreadEnded ? undefined : thread;
    try {
      return await finish(load, follower ?? startThread(program), signal);
    } catch (error) {
      if (follower === undefined || error instanceof JudgingTimeout) {
        throw error;
      }
      // Nothing is lost: all exchanges are on disk.
      return finish(load, startThread(program), signal);
    }
  };
  return {
    async getJudgement(signal) {
      const load = findKeptLoad(folder, input);
      if (load === undefined || !canStartThread) {
        return load === undefined ? {} : { judgement: await judgeKeptLoad(load) };
      }
      try {
        return { judgement: await finishWithRetry(load, signal) };
      } catch (error) {
        if (error instanceof JudgingTimeout) {
          return { unjudged: `judging the exchanges took longer than ${formatSeconds(graceMs)} after the interrupt` };
        }
        throw error;
      }
    },
    close: async () => void (await thread?.terminate()),
  };
}

/** Judges the kept exchanges of a load run. Returns undefined if there are none. Throws if the thread fails. */
export async function judgeExchangesOfLoad(folder: string, input: LoadJudgeInput): Promise<LoadJudgement | undefined> {
  const judge = openLoadJudge(folder, input, { judgesDuringLoad: false });
  try {
    const outcome = await judge.getJudgement();
    return "judgement" in outcome ? outcome.judgement : undefined;
  } finally {
    await judge.close();
  }
}
