import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { defined, HarnessError } from "@assay/contract";
import { member } from "@assay/reading";
import { keptFilesIn, visibleText } from "@assay/evidence";
import { loadFiles } from "@assay/load";
import type { LoadJudgement, LoadPlan } from "@assay/results";
import type { ExchangeCount, LoadToJudge } from "@assay/runner";
import { type Answer, receivedError } from "../run/thread-message.ts";
import { type AskedOfJudge, interfacesOf, judgeKeptLoad, type KeptLoad, unloadedFolders } from "./judge-kept-load.ts";
import { usableCores } from "./usable-cores.ts";

/** Made with the command of the compiled packages: a thread is started by file name, and sources are no program. */
const compiledThread = new URL("../bundle/judge-load-thread.js", import.meta.url);

/** Judging makes much garbage and keeps little. */
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

/** What the extension of k6 counted; nothing where it was killed before it could say. */
function countsIn(folder: string): Pick<LoadToJudge, "counts" | "problems"> {
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
      problems: ["k6 did not say how many exchanges there were; what is on the disk was judged"],
    };
  }
}

const usualKeepMb = 1024;

/** What the files of a run may hold. */
export const keptBytesAtMost = ({ keepMb = usualKeepMb }: { readonly keepMb?: number }): number => keepMb * 2 ** 20;

/** The exchanges of a load run that can be judged, also of one that ended before the load; undefined where none were kept. */
function loadToJudge(folder: string, { plan, capBytes, known }: JudgedLoad): KeptLoad | undefined {
  const exchanges = join(folder, loadFiles.exchanges);
  const files = keptFilesIn(exchanges);
  const unloaded = { a: join(folder, unloadedFolders.a), b: join(folder, unloadedFolders.b) };
  if (!existsSync(exchanges) && !existsSync(unloaded.a)) {
    return undefined;
  }
  return {
    files,
    interfaces: interfacesOf(plan),
    arms: plan.targets.b === undefined ? ["a"] : ["a", "b"],
    ...countsIn(exchanges),
    keptBytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    capBytes,
    unloadedFolders: unloaded,
    ...defined({ known }),
  };
}

/** A load run whose exchanges are judged. */
export interface JudgedLoad extends Pick<LoadToJudge, "known"> {
  readonly plan: LoadPlan;
  /** What the files may hold. */
  readonly capBytes: number;
}

/** So many cores are left to what is measured: where there are no more, judging would disturb it. */
const coresOfLoad = 2;

/** After an interrupt judging may take so long: whoever interrupted waits for it. */
const defaultGraceMs = 5000;

/** How a load is judged. */
export interface JudgeOptions {
  /** Judge while the load is under way; where there are more than two cores to use unless given. */
  readonly isBeside?: boolean;
  /** From an interrupt to leaving it [5 s]. */
  readonly graceMs?: number;
  /** Of the thread [that of the compiled command]. */
  readonly program?: URL;
}

/** What judging came to: nothing where no exchanges were kept. */
export type Judged = { readonly judgement?: LoadJudgement } | { readonly unjudged: string };

/** The judge of a load that is to begin. */
export interface LoadExchangesJudge {
  /**
   * What rules say of what was kept, once the load is over. From when the signal is aborted on it has the time of the grace; then it is left, and
   * `unjudged` says so. Fails when the thread breaks.
   */
  judged(signal?: AbortSignal): Promise<Judged>;
  /** Ends whatever is under way. */
  close(): Promise<void>;
}

/** Judging has taken too long after an interrupt. */
class OutOfTime extends Error {}

/** The answer of a thread; it is ended when there is no more time after the signal. */
async function answered(worker: Worker, graceMs: number, signal: AbortSignal | undefined) {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const leave = (): void => {
    isLate = true;
    void worker.terminate();
  };
  const hurry = (): void => {
    if (graceMs === 0) {
      leave();
    } else {
      timer = setTimeout(leave, graceMs);
    }
  };
  try {
    return await new Promise<Answer<LoadJudgement>>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => {
        reject(isLate ? new OutOfTime() : new HarnessError("unavailable", "the thread that judges them has ended"));
      });
      signal?.addEventListener("abort", hurry, { once: true });
      if (signal?.aborted === true) {
        hurry();
      }
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", hurry);
  }
}

/** A thread that judges; that it broke is told to whoever waits for its answer. */
function startThread(program: URL): Worker {
  const worker = new Worker(program, { resourceLimits: memoryLimits });
  worker.on("error", () => undefined);
  return worker;
}

function ask(worker: Worker, asked: AskedOfJudge): void {
  worker.postMessage(asked, []);
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/**
 * Judges the exchanges that a load run keeps in its folder, in a thread of its own where the program of one is there. Where there are cores to
 * spare it follows them while they are written, and has little left to do when the load is over; the judgement is the same.
 */
export function openLoadJudge(
  folder: string,
  judged: JudgedLoad,
  { isBeside = usableCores() > coresOfLoad, graceMs = defaultGraceMs, program = compiledThread }: JudgeOptions = {},
): LoadExchangesJudge {
  const hasThread = program.protocol !== "file:" || existsSync(program);
  let thread: Worker | undefined;
  let hasEnded = false;
  if (isBeside && hasThread && judged.capBytes > 0) {
    thread = startThread(program);
    thread.once("exit", () => {
      hasEnded = true;
    });
    const load = { folder: join(folder, loadFiles.exchanges), interfaces: interfacesOf(judged.plan) };
    ask(thread, { step: "follow", load });
  }
  const finish = async (load: KeptLoad, worker: Worker, signal: AbortSignal | undefined): Promise<LoadJudgement> => {
    thread = worker;
    ask(worker, { step: "finish", load });
    const answer = await answered(worker, graceMs, signal);
    if (answer.ok) {
      return answer.value;
    }
    throw receivedError(answer.error);
  };
  const finished = async (load: KeptLoad, signal: AbortSignal | undefined): Promise<LoadJudgement> => {
    const follower = hasEnded ? undefined : thread;
    try {
      return await finish(load, follower ?? startThread(program), signal);
    } catch (error) {
      if (follower === undefined || error instanceof OutOfTime) {
        throw error;
      }
      // One that broke on the way has lost nothing that is not on the disk.
      return finish(load, startThread(program), signal);
    }
  };
  return {
    async judged(signal) {
      const load = loadToJudge(folder, judged);
      if (load === undefined || !hasThread) {
        return load === undefined ? {} : { judgement: await judgeKeptLoad(load) };
      }
      try {
        return { judgement: await finished(load, signal) };
      } catch (error) {
        if (error instanceof OutOfTime) {
          return { unjudged: `there were ${seconds(graceMs)} after the interrupt, too few to judge the exchanges` };
        }
        throw error;
      }
    },
    close: async () => void (await thread?.terminate()),
  };
}

/** Judges the exchanges that a load run has kept; undefined where there are none. Fails when the thread breaks. */
export async function judgeExchangesOfLoad(folder: string, judged: JudgedLoad): Promise<LoadJudgement | undefined> {
  const judge = openLoadJudge(folder, judged, { isBeside: false });
  try {
    const judgedBy = await judge.judged();
    return "judgement" in judgedBy ? judgedBy.judgement : undefined;
  } finally {
    await judge.close();
  }
}
