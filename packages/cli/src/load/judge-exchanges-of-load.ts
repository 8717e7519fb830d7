import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { HarnessError, member } from "@assay/contract";
import { keptFilesIn, visibleText } from "@assay/evidence";
import { loadFiles } from "@assay/load";
import type { LoadJudgement, LoadPlan } from "@assay/results";
import type { ExchangeCount, LoadToJudge } from "@assay/runner";
import { type Answer, receivedError } from "../run/thread-message.ts";
import { interfacesOf, judgeKeptLoad, type KeptLoad, unloadedFolders } from "./judge-kept-load.ts";

const compiledThread = new URL("../bundle/judge-load-thread.js", import.meta.url);

/** Judging makes much garbage and keeps little. */
const memoryLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 160 } as const;

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

/** The exchanges of a load run that can be judged; undefined where none were kept. */
function loadToJudge(folder: string, { plan, capBytes }: JudgedLoad): KeptLoad | undefined {
  const exchanges = join(folder, loadFiles.exchanges);
  const files = keptFilesIn(exchanges);
  if (!existsSync(exchanges)) {
    return undefined;
  }
  return {
    files,
    interfaces: interfacesOf(plan),
    arms: plan.targets.b === undefined ? ["a"] : ["a", "b"],
    ...countsIn(exchanges),
    keptBytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    capBytes,
    unloadedFolders: { a: join(folder, unloadedFolders.a), b: join(folder, unloadedFolders.b) },
  };
}

/** A load run whose exchanges are judged. */
export interface JudgedLoad {
  readonly plan: LoadPlan;
  /** What the files may hold. */
  readonly capBytes: number;
  readonly signal?: AbortSignal;
}

/** The answer of a thread; it is ended when the signal says so. */
function answered(worker: Worker, signal: AbortSignal | undefined): Promise<Answer<LoadJudgement>> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void worker.terminate();
    signal?.addEventListener("abort", stop, { once: true });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => {
      signal?.removeEventListener("abort", stop);
      reject(
        new HarnessError(
          "unavailable",
          "the exchanges were not judged to their end; `assay judge` with the folder of the run judges them",
        ),
      );
    });
  });
}

/**
 * Judges the exchanges that a load run kept, in a thread of its own where the program of one is there; undefined where none were kept. Fails with
 * a `HarnessError` when the thread breaks or is ended.
 */
export async function judgeExchangesOfLoad(folder: string, judged: JudgedLoad): Promise<LoadJudgement | undefined> {
  const load = loadToJudge(folder, judged);
  if (load === undefined || !existsSync(compiledThread)) {
    return load && judgeKeptLoad(load);
  }
  const worker = new Worker(compiledThread, { resourceLimits: memoryLimits });
  try {
    worker.postMessage(load, []);
    const answer = await answered(worker, judged.signal);
    if (answer.ok) {
      return answer.value;
    }
    throw receivedError(answer.error);
  } finally {
    await worker.terminate();
  }
}
