import { defined } from "@assay/contract";
import { existsSync } from "node:fs";
import { renderAgent, renderTerminal, renderVerdictsJson } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import { once } from "node:events";
import { join, relative, resolve } from "node:path";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { type OptionsOf, addFlags, noProofFlag, textFlag } from "../flag.ts";
import { createEndOutputs, reportToGithub } from "../github/report-to-github.ts";
import { describeUnrenderedFiles } from "../rendered-files.ts";
import { openResults } from "../run/results-in-worker.ts";
import type { JudgingFacts } from "../run/run-results.ts";
import { getInterruptNameOrDefault } from "../interrupt-signal.ts";
import { resolveRunArgument } from "../latest-run.ts";
import { hasProgress, renderForReporter, reporterFlags } from "../reporter.ts";
import { findRunToJudge } from "../run-to-judge.ts";
import { startProgress } from "../start-progress.ts";
import { showJudging } from "./judging-state.ts";
import { findLoadRun } from "../load-judge/find-load-run.ts";

const flags = {
  out: textFlag("<DIR>", "folder for the results (default: the run's folder)"),
  ...noProofFlag,
  baseline: textFlag("<RUN>", "show changes since a stored run or a named baseline"),
  ...reporterFlags({ list: "every rule and every request", json: "verdicts.json" }),
};

type JudgeOptions = OptionsOf<typeof flags>;

const examples = `
Examples:
  assay judge                              the newest run in reports/runs
  assay judge reports/runs/20260131T120000Z-1a2b3c
  assay judge RUN --out verdicts/          write the results and their page to a different folder
  assay judge RUN --json                   print verdicts.json`;

/** Adds `assay judge`. */
export const judgeCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("judge"), flags)
    .summary("Judge a stored run again.")
    .description("Judge a stored run again: same evidence, same verdicts, byte for byte.")
    .argument("[RUN]", "folder of the run, or its id (default: latest, the newest run)")
    .addHelpText("after", examples)
    .action(async (run: string | undefined, options: JudgeOptions) => {
      finish(await judge(resolveRunArgument(run, context, "judgeable"), options, context));
    });
};

/** Returns a note about a run that was interrupted between its last response and its results. */
const listInterruptionNotes = (folder: string, { isFinished }: JudgingFacts): readonly string[] =>
  isFinished && !existsSync(join(folder, "verdicts.json"))
    ? ["the run was interrupted before it was judged; all recorded exchanges are judged now"]
    : [];

/** Returns the result of work, or undefined if an interrupt happens first. The owner of the work ends it in that case. */
async function raceWithInterrupt<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  const listening = new AbortController();
  const interrupt = once(signal, "abort", { signal: listening.signal }).then(
    () => undefined,
    // The work finished first.
    () => undefined,
  );
  return Promise.race([signal.aborted ? undefined : interrupt, work]).finally(() => listening.abort());
}

function reportInterrupt(step: string, { err, signal }: CommandContext): number {
  const name = getInterruptNameOrDefault(signal);
  err(`interrupted by ${name} while ${step}\n`);
  return exitCodeOf("interrupted", name);
}

async function judge(run: string, options: JudgeOptions, context: CommandContext): Promise<number> {
  const loadFolder = findLoadRun(run, context.cwd);
  if (loadFolder !== undefined) {
    const { judgeStoredLoad } = await import("../load-judge/judge-stored-load.ts");
    return judgeStoredLoad(loadFolder, options, context);
  }
  const folder = findRunToJudge(run, context.cwd);
  const baseline =
    options.baseline === undefined
      ? undefined
      : await (
          await import("../baseline/run-baseline.ts")
        ).readBaselineRun(options.baseline, { cwd: context.cwd, err: context.err, excludedFolder: folder });
  const outputFolder = resolve(context.cwd, options.out ?? folder);
  // If a worker runs out of memory, the error can be reported. If this process did, it could not.
  const progress = startProgress(hasProgress(options), context);
  const results = openResults({
    folder,
    out: outputFolder,
    ...(options.proof ? {} : { confirmsPasses: false }),
    ...defined({ baseline }),
    onProgress: showJudging(progress),
  });
  try {
    const facts = await raceWithInterrupt(results.judge(), context.signal).finally(() => progress.end());
    if (facts === undefined) {
      return reportInterrupt("judging; nothing was written", context);
    }
    const { result, change } = facts;
    const notes = [...listInterruptionNotes(folder, facts), ...facts.notes];
    context.err(notes.map((note) => `note: ${note}\n`).join(""));
    const pagePath = join(outputFolder, "report.html");
    context.out(
      renderForReporter(options, {
        json: () => renderVerdictsJson(result),
        quiet: () => renderAgent(result, { folder: relative(context.cwd, outputFolder) || ".", change }),
        text: (verbose) =>
          renderTerminal(result, {
            ...context.terminal,
            folder: outputFolder,
            evidence: folder,
            report: pagePath,
            verbose,
            change,
          }),
      }),
    );
    // Printed before writing, because evidence is often stored in read-only folders.
    const writtenRun = await raceWithInterrupt(results.write(), context.signal);
    if (writtenRun === undefined) {
      return reportInterrupt("rendering; some files may be missing", context);
    }
    const { run: reportedRun, unrendered } = writtenRun;
    context.err(describeUnrenderedFiles(unrendered));
    const bugReport = unrendered.length === 0 ? {} : { bugMessage: describeUnrenderedFiles(unrendered).trim() };
    const conclusion =
      unrendered.length === 0 ? result : { outcome: "harness-error", exitCode: exitCodeOf("harness-error") };
    const input = { runs: [reportedRun], loads: [], comparisons: [] };
    reportToGithub(
      { input, ...bugReport, outputs: createEndOutputs(conclusion, { folder: outputFolder, report: pagePath }) },
      context,
    );
    return conclusion.exitCode;
  } finally {
    await results.close();
  }
}
