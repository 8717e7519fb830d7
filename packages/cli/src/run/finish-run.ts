import { join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { once } from "node:events";
import { defined } from "@assay/contract";
import { type CleanFiles, scanForSecrets } from "@assay/evidence";
import { createRunMetrics, renderAgent, renderTerminal, renderVerdictsJson, listVerdictEvents } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import type { InterruptSignal, RunResult } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { createEndOutputs, reportToGithub } from "../github/report-to-github.ts";
import { getInterruptNameOrDefault } from "../interrupt-signal.ts";
import { renderForReporter } from "../reporter.ts";
import type { EndingRun } from "./end-run.ts";
import { endRun } from "./end-run.ts";
import type { MetricsToSend } from "../telemetry/send-metrics.ts";
import { openResults, type ResultsHost } from "./results-in-worker.ts";
import type { RunOptions } from "./run-options.ts";
import type { RunProgress } from "./run-progress.ts";
import type { JudgingFacts, RunResults } from "./run-results.ts";

/** The reason why work was abandoned. */
type AbandonReason = "deadline" | InterruptSignal;

/** The result of work that may be abandoned. */
type Attempt<Value> =
  | { readonly isDone: true; readonly value: Value }
  | { readonly isDone: false; readonly reason: AbandonReason };

/** Conditions under which work is abandoned. */
interface WorkBounds {
  /** The abort reason is the name of the operating-system signal. */
  readonly signal: AbortSignal;
  /** Whether the signal has already been handled. If so, it does not abandon this work. */
  readonly isInterrupted: boolean;
  /** Time limit for all work together. */
  readonly maxMs: number;
}

/** Waits for work that may be abandoned. */
export interface AttemptRunner {
  /**
   * Returns the result, or why the work was abandoned. Abandoned work may still be running; its owner ends it. Rejects if the
   * work rejects.
   */
  wait<Value>(work: Promise<Value>): Promise<Attempt<Value>>;
  dispose(): void;
}

/** Starts the time limit. */
export function createAttemptRunner({ signal, isInterrupted, maxMs }: WorkBounds): AttemptRunner {
  let abandonReason: AbandonReason | undefined;
  const abandonController = new AbortController();
  const abandonment = once(abandonController.signal, "abort");
  const abandon = (reason: AbandonReason): void => {
    abandonReason ??= reason;
    abandonController.abort();
  };
  const onAbort = (): void => abandon(getInterruptNameOrDefault(signal));
  if (!isInterrupted) {
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
    }
  }
  const timer = setTimeout(() => abandon("deadline"), maxMs);
  return {
    async wait(work) {
      const result = work.then((value) => ({ isDone: true, value }) as const);
      await Promise.race([abandonment, result]);
      // Work in this thread may have delayed a signal.
      await nextTurn();
      return abandonReason === undefined ? result : { isDone: false, reason: abandonReason };
    },
    dispose() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}

/** A fully recorded run. */
export interface RunToFinish extends Pick<EndingRun, "folder" | "secrets" | "log"> {
  readonly options: RunOptions;
  readonly context: CommandContext;
  readonly progress: Pick<RunProgress, "judging" | "end">;
  /** Baseline of the comparison. */
  readonly baseline?: RunResult;
  /** Whether driving was interrupted. The exchanges recorded until then are judged. */
  readonly isInterrupted: boolean;
  /** Computes the results, in this thread or in a worker. */
  readonly resultsHost: ResultsHost;
  /** Time left for the whole run. */
  readonly remainingMs: number;
}

/** A run whose results are being computed. */
interface FinishingRun extends RunToFinish {
  readonly attempts: AttemptRunner;
  readonly results: RunResults;
}

/** Minimum time for judging, even if the run has used up its time limit. Small evidence takes far less. */
const minResultsMs = 10_000;

/** Extra time for judging if driving used up the time limit, as a share of the limit. */
const extraTimeShare = 1 / 4;

/** Time limit for results. After an interrupt it is the minimum, because the user is waiting. */
const computeMaxResultsMs = ({ isInterrupted, remainingMs, options }: RunToFinish): number =>
  isInterrupted ? minResultsMs : Math.max(remainingMs, options.timeout * 1000 * extraTimeShare, minResultsMs);

/**
 * Judges a run, writes its results, searches all its files for secrets, prints the result and returns the exit code. An interrupt or the
 * time limit can stop it at any point. If the results cannot be written, prints them and then throws with a disk error code.
 */
export async function finishRun(run: RunToFinish): Promise<number> {
  const { signal } = run.context;
  const onProgress = run.progress.judging();
  const results = run.resultsHost.open({ ...run, onProgress });
  const attempts = createAttemptRunner({ signal, isInterrupted: run.isInterrupted, maxMs: computeMaxResultsMs(run) });
  try {
    const exitCodeOrStep = await judgeAndLog({ ...run, attempts, results });
    await nextTurn();
    const wasInterruptedLate = typeof exitCodeOrStep === "number" && signal.aborted && !run.isInterrupted;
    const result = wasInterruptedLate
      ? ({ reason: getInterruptNameOrDefault(signal), while: "rendering" } as const)
      : exitCodeOrStep;
    if (typeof result === "number") {
      return result;
    }
    // No file is written after this, so the search for secrets covers the final files.
    await results.close();
    return endAbandonedRun(run, result, await searchAbandonedRun(run));
  } finally {
    attempts.dispose();
    await results.close();
  }
}

/** Returns the exit code, or the step at which the run was abandoned. */
async function judgeAndLog(finishing: FinishingRun): Promise<number | AbandonedStep> {
  const { progress, log } = finishing;
  const cleanFiles: CleanFiles = new Map();
  const judging = await judgeAndSearch(finishing, cleanFiles);
  progress.end();
  if (!judging.isDone) {
    return { reason: judging.reason, while: "judging" };
  }
  for (const event of listVerdictEvents(judging.value.result)) {
    log.add(event);
  }
  return writeAndShow({ ...finishing, cleanFiles }, judging.value);
}

/** Searches the evidence for secrets while the worker judges it, so that only newer files have to be searched afterwards. */
async function judgeAndSearch(
  { attempts, results, folder, secrets }: FinishingRun,
  cleanFiles: CleanFiles,
): Promise<Attempt<JudgingFacts>> {
  const searchController = new AbortController();
  // A failure here is harmless, because the final search runs after all files are written.
  const search = scanForSecrets(folder, secrets, { clean: cleanFiles, signal: searchController.signal }).catch(
    () => undefined,
  );
  try {
    return await attempts.wait(results.judge());
  } finally {
    searchController.abort();
    await search;
  }
}

async function writeAndShow(
  finishing: FinishingRun & { readonly cleanFiles: CleanFiles },
  facts: JudgingFacts,
): Promise<number | AbandonedStep> {
  const { attempts, cleanFiles, results, context, secrets } = finishing;
  const writing = await attempts.wait(results.write()).catch((error: unknown) => {
    context.out(renderResult(finishing, facts, false));
    throw error;
  });
  if (!writing.isDone) {
    return { reason: writing.reason, while: "rendering" };
  }
  const search = await attempts.wait(results.removeLeaks(secrets, cleanFiles));
  if (!search.isDone) {
    return { reason: search.reason, while: "rendering" };
  }
  const { run, unrendered } = writing.value;
  const hasPage = unrendered.every(({ name }) => name !== "report.html");
  return endRun({
    ...finishing,
    result: facts.result,
    leakedFiles: search.value,
    unrendered,
    renderOutput: () => renderResult(finishing, facts, hasPage),
    reportInput: () => ({ runs: [run], loads: [], comparisons: [] }),
    telemetry: selectMetrics(facts.result),
  });
}

const selectMetrics = (result: RunResult): MetricsToSend => ({
  runId: result.run.id,
  metrics: () => createRunMetrics(result, { startedAtMs: Date.parse(result.run.startedAt), endedAtMs: Date.now() }),
});

const formatRelativePath = ({ cwd }: CommandContext, path: string): string => relative(cwd, path) || ".";

/** The step at which a run was abandoned, and the reason. */
interface AbandonedStep {
  readonly reason: AbandonReason;
  readonly while: "judging" | "rendering";
}

function describeReason(
  { reason, while: step }: AbandonedStep,
  { options, context, isInterrupted }: RunToFinish,
): string {
  if (reason !== "deadline") {
    return `interrupted by ${reason} while ${step}`;
  }
  return isInterrupted
    ? `interrupted by ${getInterruptNameOrDefault(context.signal)}, and ${step} took longer than ${minResultsMs / 1000} s`
    : `the time limit for the whole run (${options.timeout} s) was reached while ${step}; raise it with --timeout`;
}

function decideOutcome(
  { reason }: AbandonedStep,
  { isInterrupted, hasLeak }: { readonly isInterrupted: boolean; readonly hasLeak: boolean },
): "harness-error" | "incomplete" | "interrupted" {
  if (hasLeak) {
    return "harness-error";
  }
  return reason === "deadline" && !isInterrupted ? "incomplete" : "interrupted";
}

/** Time limit for searching an abandoned run for secrets. It is short, because the user may be waiting after an interrupt. */
const searchMs = 3000;

/** Removes each file of an abandoned run that contains a secret. Returns undefined at the time limit. */
async function searchAbandonedRun({ folder, secrets }: RunToFinish): Promise<readonly string[] | undefined> {
  const results = openResults({ folder });
  const { signal } = new AbortController();
  const attempts = createAttemptRunner({ signal, isInterrupted: true, maxMs: searchMs });
  try {
    const search = await attempts.wait(results.removeLeaks(secrets));
    return search.isDone ? search.value : undefined;
  } finally {
    attempts.dispose();
    await results.close();
  }
}

/** Describes the result of the search for secrets as a clause, empty if none was found. */
function describeLeakSearch(leakedFiles: readonly string[] | undefined): string {
  if (leakedFiles === undefined) {
    return "; its files could not be searched for secrets in that time: check them before you share them";
  }
  return leakedFiles.length === 0
    ? ""
    : `; a secret was found in ${leakedFiles.join(", ")}, which was removed: a bug in assay`;
}

/** Ends a run after its last response and before its results are complete. No evidence is lost. */
function endAbandonedRun(
  run: RunToFinish,
  abandonedStep: AbandonedStep,
  leakedFiles: readonly string[] | undefined,
): number {
  const { folder, context, log, isInterrupted } = run;
  const advice = `\`assay judge ${formatRelativePath(context, folder)}\` judges what was recorded`;
  const summary = `${describeReason(abandonedStep, run)}; ${advice}${describeLeakSearch(leakedFiles)}`;
  const outcome = decideOutcome(abandonedStep, {
    isInterrupted,
    hasLeak: leakedFiles !== undefined && leakedFiles.length > 0,
  });
  const exitCode = exitCodeOf(outcome, getInterruptNameOrDefault(context.signal));
  context.err(`${summary}\n`);
  const input = { runs: [], loads: [], comparisons: [] };
  reportToGithub({ input, outputs: createEndOutputs({ outcome, exitCode }, { folder }) }, context);
  log.add({ event: "run-finished", outcome, exitCode, summary });
  return exitCode;
}

function renderResult({ options, context, folder }: RunToFinish, facts: JudgingFacts, hasPage: boolean): string {
  if (options.log === "-") {
    return "";
  }
  const { result, change } = facts;
  const displayFolder = formatRelativePath(context, folder);
  return renderForReporter(options, {
    json: () => renderVerdictsJson(result),
    quiet: () => renderAgent(result, { folder: displayFolder, change }),
    text: (verbose) =>
      renderTerminal(result, {
        ...context.terminal,
        verbose,
        folder: displayFolder,
        evidence: displayFolder,
        ...(hasPage ? { report: formatRelativePath(context, join(folder, "report.html")) } : {}),
        ...defined({ change }),
      }),
  });
}
