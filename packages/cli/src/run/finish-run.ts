import { join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { once } from "node:events";
import { defined } from "@assay/contract";
import { type CleanFiles, scanForSecrets } from "@assay/evidence";
import { metricsOfRun, renderAgent, renderTerminal, renderVerdictsJson, verdictEvents } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import type { InterruptSignal, RunResult } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { endOutputs, tellGithub } from "../github/tell-github.ts";
import { interruptName } from "../interrupt-signal.ts";
import { printedBy } from "../reporter.ts";
import type { EndingRun } from "./end-run.ts";
import { endRun } from "./end-run.ts";
import type { MetricsToSend } from "../telemetry/send-metrics.ts";
import { openResults, type ResultsPlace } from "./results-beside.ts";
import type { RunOptions } from "./run-options.ts";
import type { RunProgress } from "./run-progress.ts";
import type { JudgedFacts, RunResults } from "./run-results.ts";

/** Why work was given up. */
type GivenUp = "deadline" | InterruptSignal;

/** What became of work that may be given up. */
type Attempt<Value> =
  | { readonly isDone: true; readonly value: Value }
  | { readonly isDone: false; readonly why: GivenUp };

/** Bounds of the work that follows. */
interface WorkBounds {
  /** Ends it with the name of the signal. */
  readonly signal: AbortSignal;
  /** Whether the signal was heard already: it then ended something else, and this work is what it is to end with. */
  readonly isInterrupted: boolean;
  /** For all of it together, in milliseconds. */
  readonly maxMs: number;
}

/** Waits for pieces of work until they are given up. */
export interface Attempts {
  /** The result, or why it was given up; then the work may still go on, and its owner ends it. Fails as the work does. */
  of<Value>(work: Promise<Value>): Promise<Attempt<Value>>;
  dispose(): void;
}

/** Begins to count the time. */
export function createAttempts({ signal, isInterrupted, maxMs }: WorkBounds): Attempts {
  let given: GivenUp | undefined;
  const over = new AbortController();
  const givenUp = once(over.signal, "abort");
  const giveUp = (why: GivenUp): void => {
    given ??= why;
    over.abort();
  };
  const onAbort = (): void => giveUp(interruptName(signal));
  if (!isInterrupted) {
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) {
      onAbort();
    }
  }
  const timer = setTimeout(() => giveUp("deadline"), maxMs);
  return {
    async of(work) {
      const done = work.then((value) => ({ isDone: true, value }) as const);
      await Promise.race([givenUp, done]);
      // Work in this thread kept it from hearing anything.
      await nextTurn();
      return given === undefined ? done : { isDone: false, why: given };
    },
    dispose() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}

/** A run of which everything is recorded. */
export interface RunToFinish extends Pick<EndingRun, "folder" | "secrets" | "log"> {
  readonly options: RunOptions;
  readonly context: CommandContext;
  readonly progress: Pick<RunProgress, "judging" | "end">;
  /** A run to compare with. */
  readonly before?: RunResult;
  /** Whether driving was interrupted: what it recorded until then is judged. */
  readonly isInterrupted: boolean;
  /** Where its results are made. */
  readonly place: ResultsPlace;
  /** Of the time for the whole run. */
  readonly leftMs: number;
}

/** A run at work on its results. */
interface Finishing extends RunToFinish {
  readonly attempts: Attempts;
  readonly results: RunResults;
}

/** However little time is left, what was recorded is judged: small evidence takes far less. */
const leastMs = 10_000;

/** Of the time for the whole run: what was driven until its end shall still be judged. */
const shareAfterwards = 1 / 4;

/** How long results may take. Whoever has interrupted waits for no more than the least. */
const mostMs = ({ isInterrupted, leftMs, options }: RunToFinish): number =>
  isInterrupted ? leastMs : Math.max(leftMs, options.timeout * 1000 * shareAfterwards, leastMs);

/**
 * Judges a run, writes its results, looks for secrets in every file of it and shows what it came to; returns the exit code. An
 * interrupt and the end of the time are obeyed in the middle of all that. Results that cannot be written are shown all the same,
 * before it fails with a code of the disk.
 */
export async function finishRun(run: RunToFinish): Promise<number> {
  const { signal } = run.context;
  const onProgress = run.progress.judging();
  const results = run.place.open({ ...run, onProgress });
  const attempts = createAttempts({ signal, isInterrupted: run.isInterrupted, maxMs: mostMs(run) });
  try {
    const ended = await judgeAndTell({ ...run, attempts, results });
    await nextTurn();
    const isLate = typeof ended === "number" && signal.aborted && !run.isInterrupted;
    const unfinished = isLate ? ({ why: interruptName(signal), while: "rendering" } as const) : ended;
    if (typeof unfinished === "number") {
      return unfinished;
    }
    // Nothing more is written from here on, so that what is looked through is what stays.
    await results.close();
    return giveUp(run, unfinished, await searchAtLast(run));
  } finally {
    attempts.dispose();
    await results.close();
  }
}

/** The exit code, or where the run was given up. */
async function judgeAndTell(finishing: Finishing): Promise<number | Unfinished> {
  const { progress, log } = finishing;
  const clean: CleanFiles = new Map();
  const judged = await judgeAndSearch(finishing, clean);
  progress.end();
  if (!judged.isDone) {
    return { why: judged.why, while: "judging" };
  }
  for (const event of verdictEvents(judged.value.result)) {
    log.tell(event);
  }
  return writeAndTell({ ...finishing, clean }, judged.value);
}

/** Looks through the evidence while the other thread judges it, so that afterwards only what was written since is to be read. */
async function judgeAndSearch(
  { attempts, results, folder, secrets }: Finishing,
  clean: CleanFiles,
): Promise<Attempt<JudgedFacts>> {
  const over = new AbortController();
  // Whatever keeps this search from its end, the one that counts comes when everything is written.
  const search = scanForSecrets(folder, secrets, { clean, signal: over.signal }).catch(() => undefined);
  try {
    return await attempts.of(results.judge());
  } finally {
    over.abort();
    await search;
  }
}

async function writeAndTell(
  finishing: Finishing & { readonly clean: CleanFiles },
  judged: JudgedFacts,
): Promise<number | Unfinished> {
  const { attempts, clean, results, context, secrets } = finishing;
  const written = await attempts.of(results.write()).catch((error: unknown) => {
    context.out(shownResult(finishing, judged, false));
    throw error;
  });
  if (!written.isDone) {
    return { why: written.why, while: "rendering" };
  }
  const searched = await attempts.of(results.removeLeaks(secrets, clean));
  if (!searched.isDone) {
    return { why: searched.why, while: "rendering" };
  }
  const { run, unrendered } = written.value;
  const hasPage = unrendered.every(({ name }) => name !== "report.html");
  return endRun({
    ...finishing,
    result: judged.result,
    leaked: searched.value,
    unrendered,
    shown: () => shownResult(finishing, judged, hasPage),
    story: () => ({ runs: [run], loads: [], comparisons: [] }),
    telemetry: telemetryOf(judged.result),
  });
}

const telemetryOf = (result: RunResult): MetricsToSend => ({
  runId: result.run.id,
  metrics: () => metricsOfRun(result, { startedAtMs: Date.parse(result.run.startedAt), endedAtMs: Date.now() }),
});

const pathFrom = ({ cwd }: CommandContext, path: string): string => relative(cwd, path) || ".";

/** Where a run stands that is given up. */
interface Unfinished {
  readonly why: GivenUp;
  readonly while: "judging" | "rendering";
}

function reasonOf({ why, while: doing }: Unfinished, { options, context, isInterrupted }: RunToFinish): string {
  if (why !== "deadline") {
    return `interrupted by ${why} while ${doing}`;
  }
  return isInterrupted
    ? `interrupted by ${interruptName(context.signal)}, and ${doing} took longer than ${leastMs / 1000} s`
    : `the time for the whole run (${options.timeout} s) was used up while ${doing}; allow more with --timeout`;
}

function outcomeOf(
  { why }: Unfinished,
  { isInterrupted, hasLeak }: { readonly isInterrupted: boolean; readonly hasLeak: boolean },
): "harness-error" | "incomplete" | "interrupted" {
  if (hasLeak) {
    return "harness-error";
  }
  return why === "deadline" && !isInterrupted ? "incomplete" : "interrupted";
}

/** How long a run that is given up is searched for secrets: whoever has interrupted it waits. */
const searchMs = 3000;

/** Removes each file of a run that is given up in which a secret stands; undefined where that took too long. */
async function searchAtLast({ folder, secrets }: RunToFinish): Promise<readonly string[] | undefined> {
  const results = openResults({ folder });
  const { signal } = new AbortController();
  const attempts = createAttempts({ signal, isInterrupted: true, maxMs: searchMs });
  try {
    const searched = await attempts.of(results.removeLeaks(secrets));
    return searched.isDone ? searched.value : undefined;
  } finally {
    attempts.dispose();
    await results.close();
  }
}

/** What is told of the search for secrets, where there is something to tell. */
function searchClause(leaked: readonly string[] | undefined): string {
  if (leaked === undefined) {
    return "; its files could not be searched for secrets in that time: look at them before you pass them on";
  }
  return leaked.length === 0 ? "" : `; a secret was found in ${leaked.join(", ")}, which was removed: a bug in assay`;
}

/** Ends a run after its last answer was recorded and before all of its results are there: nothing of the evidence is lost. */
function giveUp(run: RunToFinish, unfinished: Unfinished, leaked: readonly string[] | undefined): number {
  const { folder, context, log, isInterrupted } = run;
  const next = `\`assay judge ${pathFrom(context, folder)}\` judges what was recorded`;
  const summary = `${reasonOf(unfinished, run)}; ${next}${searchClause(leaked)}`;
  const outcome = outcomeOf(unfinished, { isInterrupted, hasLeak: leaked !== undefined && leaked.length > 0 });
  const exitCode = exitCodeOf(outcome, interruptName(context.signal));
  context.err(`${summary}\n`);
  const input = { runs: [], loads: [], comparisons: [] };
  tellGithub({ input, outputs: endOutputs({ outcome, exitCode }, { folder }) }, context);
  log.tell({ event: "run-finished", outcome, exitCode, summary });
  return exitCode;
}

function shownResult({ options, context, folder }: RunToFinish, judged: JudgedFacts, hasPage: boolean): string {
  if (options.log === "-") {
    return "";
  }
  const { result, change } = judged;
  const shownFolder = pathFrom(context, folder);
  return printedBy(options, {
    json: () => renderVerdictsJson(result),
    quiet: () => renderAgent(result, { folder: shownFolder, change }),
    people: (verbose) =>
      renderTerminal(result, {
        ...context.terminal,
        verbose,
        folder: shownFolder,
        evidence: shownFolder,
        ...(hasPage ? { report: pathFrom(context, join(folder, "report.html")) } : {}),
        ...defined({ change }),
      }),
  });
}
