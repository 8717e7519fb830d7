import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { dirname, join, relative, resolve } from "node:path";
import { exportHar, makeFolder, readBundle, toEvidenceError, visibleText, writeAtomically } from "@assay/evidence";
import { getMergedOutcome, renderMergedOutcome } from "@assay/report";
import type { ReportInput } from "@assay/report";
import { exitCodeOf, changeBetween } from "@assay/results";
import type { Comparison, LoadResult, RunResult } from "@assay/results";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { readBaselineRun } from "../baseline/run-baseline.ts";
import { type OptionsOf, addFlags, toClause, commaSeparatedList, readOneOf, textFlag, valueFlag } from "../flag.ts";
import { createEndOutputs, reportToGithub } from "../github/report-to-github.ts";
import { describeUnrenderedFiles, writeRendered } from "../rendered-files.ts";
import type { RenderedFile } from "../rendered-files.ts";
import { resolveRunArguments } from "../latest-run.ts";
import { findRuns, describeSkippedFolders } from "./find-runs.ts";
import type { FoundRun } from "./find-runs.ts";
import { resolveOutTarget, rejectOutFile, chooseDefaultTarget } from "./out-target.ts";
import type { OutTarget } from "./out-target.ts";
import { formatNames, formats } from "./report-formats.ts";
import type { FormatName } from "./report-formats.ts";
import { readStoredRun } from "./stored-run.ts";
import type { StoredRun } from "./stored-run.ts";
import { compareStored } from "@assay/load";

/** Compares two load runs of one scenario, unless one of them is a comparison itself. Returns no comparison for other runs. */
function compareLoads(loads: readonly LoadResult[]): readonly Comparison[] {
  const [base, head, ...otherLoads] = loads;
  const isPair = base !== undefined && head !== undefined && otherLoads.length === 0;
  if (!isPair || base.plan.scenario !== head.plan.scenario || loads.some(({ run }) => run.against !== undefined)) {
    return [];
  }
  return [compareStored([base], [head], { base: base.run.id, head: head.run.id })];
}

/** Creates the content of a page. Compares each run with the baseline, except the baseline itself, and two load runs with each other. */
function createReportInput(
  storedRuns: readonly StoredRun[],
  { baseline, title }: { readonly baseline: RunResult | undefined; readonly title?: string },
): ReportInput {
  const loads = storedRuns.flatMap((storedRun) => (storedRun.kind === "load" ? [storedRun.load] : []));
  const runs = storedRuns.flatMap((storedRun) => (storedRun.kind === "run" ? [storedRun.run] : []));
  return {
    ...defined({ title }),
    runs: runs.map((run) =>
      baseline === undefined || baseline.run.id === run.result.run.id
        ? run
        : { ...run, change: changeBetween(baseline, run.result) },
    ),
    loads,
    comparisons: compareLoads(loads),
  };
}

const flags = {
  format: {
    ...valueFlag("<NAME>", commaSeparatedList, `${formatNames.join(", ")}; comma-separated`),
    completions: formatNames,
  },
  out: textFlag("<FILE|DIR>", "output file or folder; the file extension selects the format"),
  comment: textFlag("<FILE>", "also write the comment text to this file, at most 65,000 characters"),
  har: textFlag("<FILE>", "also write the exchanges of one run as HAR, with tokens replaced"),
  commentId: textFlag("<NAME>", "id of the comment to replace (default: the target)"),
  baseline: textFlag("<RUN>", "show changes since a stored run or a named baseline"),
  title: textFlag("<TEXT>", "title of the page"),
};

type ReportOptions = OptionsOf<typeof flags>;

const examples = `Examples:
  assay report                                    the page of the newest run again: its report.html
  assay report BEFORE AFTER --baseline BEFORE     where they differ, first: reports/report.html
  assay report reports/runs/* --out all.xml       one JUnit file; .html, .md, .json, ctrf.json too
  assay report RUN --format ctrf                  printed; --format html,junit --out DIR for files
  assay report RUN --comment comment.md           text for a comment on a pull request
  assay report RUN --har run.har                  requests and responses, for other tools

RUN is a folder or an id of a run, of contract tests or of load, a folder of runs, a verdicts.json
or a load.json. A run that was killed before it was judged is incomplete until \`assay judge RUN\`;
so are verdicts next to truncated or damaged evidence, or evidence of another run. Results alone are
shown.
Exit codes: the worst run's own (70, 130 and 143, 2, 1, 4, 3, 5, 6, 0), 2 if a run cannot be read.
Comparing adds none.
`;

/** Adds `assay report`. */
export const reportCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("report"), flags)
    .summary("Render stored runs: page, JUnit, CTRF, Markdown, HAR.")
    .description("Render stored runs as a page, JUnit, CTRF or Markdown; several runs become one.")
    .argument("[RUN...]", "stored runs (default: latest, the newest one)")
    .addHelpText("before", examples)
    .action(async (runs: readonly string[], options: ReportOptions) => {
      finish(await report(resolveRunArguments(runs, context, "run"), options, context));
    });
};

const parseFormats = ({ format }: ReportOptions): readonly FormatName[] | undefined =>
  format === undefined ? undefined : [...new Set(format.map(parseFormat))];

function parseFormat(name: string): FormatName {
  try {
    return readOneOf(formatNames).read(name);
  } catch (error) {
    throw new HarnessError(
      "usage",
      `unknown format "${visibleText(name, 80)}"; ${error instanceof Error ? toClause(error.message) : ""}`,
    );
  }
}

/** Converts the error to a usage error if the user chose a path that cannot be written although the disk is not full. */
function toUsageError(error: unknown, path: string | undefined): unknown {
  const isPathProblem = isHarnessError(error, "folder-removed", "disk-failed");
  return isPathProblem && path !== undefined
    ? new HarnessError("usage", `${visibleText(path, 200)} cannot be written; choose another path`, { cause: error })
    : error;
}

async function writeTextFile(file: string, text: string, cwd: string): Promise<void> {
  const path = resolve(cwd, file);
  try {
    await makeFolder(dirname(path), 0o755);
    await writeAtomically(path, text);
  } catch (cause) {
    throw toUsageError(toEvidenceError(cause, `write ${file}`), file);
  }
}

/** Writes the evidence of a run as HAR. Throws a `HarnessError` for several runs, and for a run without evidence. */
async function writeHar(file: string, runs: readonly FoundRun[], cwd: string): Promise<void> {
  const [run, ...otherRuns] = runs;
  const hasEvidence = run?.kind === "run-folder" || run?.kind === "evidence";
  if (run === undefined || otherRuns.length > 0 || !hasEvidence) {
    throw new HarnessError(
      "usage",
      "--har needs one contract-test run, passed as the folder that holds its evidence; a load run keeps the evidence of its contract checks in its folder canary",
    );
  }
  await writeTextFile(file, exportHar(await readBundle(run.path)), cwd);
}

const findFirstTarget = ({ runs, loads }: ReportInput): string =>
  runs[0]?.result.run.target ?? loads[0]?.run.target ?? "run";

/** The files to write. Undefined if the report is printed. */
interface ChosenFiles {
  readonly target?: OutTarget;
}

/** Chooses the files to write. Throws a `HarnessError`. */
function chooseFiles(options: ReportOptions, runs: readonly FoundRun[], cwd: string): ChosenFiles {
  const names = parseFormats(options);
  for (const [flagName, file] of [["--comment", options.comment] as const, ["--har", options.har] as const]) {
    if (file !== undefined) {
      rejectOutFile(file, { flag: flagName, runs, cwd });
    }
  }
  if (options.out !== undefined) {
    return { target: resolveOutTarget(options.out, names, { flag: "--out", runs, cwd }) };
  }
  return names === undefined && options.comment === undefined && options.har === undefined
    ? { target: chooseDefaultTarget(runs, cwd) }
    : {};
}

/** A report to render, and where to write it. */
interface ReportJob extends ChosenFiles {
  readonly input: ReportInput;
  readonly options: ReportOptions;
  readonly context: CommandContext;
}

/** Writes the files and prints their paths. Returns false if a file could not be rendered. */
async function writeTarget({ folder, files }: OutTarget, { input, options, context }: ReportJob): Promise<boolean> {
  const commentId = options.commentId ?? findFirstTarget(input);
  const filesToRender = files.map(([name, format]): RenderedFile => {
    const { render } = formats[format];
    return { name, render: () => render(input, { commentId }) };
  });
  const unrendered = await writeRendered(folder, filesToRender).catch((error: unknown) => {
    throw toUsageError(error, options.out);
  });
  const unrenderedNames = new Set(unrendered.map(({ name }) => name));
  for (const { name } of filesToRender.filter((file) => !unrenderedNames.has(file.name))) {
    context.out(`${visibleText(relative(context.cwd, join(folder, name)), 300)}\n`);
  }
  context.out(renderMergedOutcome(input));
  context.err(describeUnrenderedFiles(unrendered));
  return unrendered.length === 0;
}

async function renderReport(job: ReportJob): Promise<boolean> {
  const { input, target, options, context } = job;
  const commentId = options.commentId ?? findFirstTarget(input);
  if (options.comment !== undefined) {
    await writeTextFile(options.comment, formats.comment.render(input, { commentId }), context.cwd);
  }
  if (target !== undefined) {
    return writeTarget(target, job);
  }
  const names = parseFormats(options) ?? [];
  context.out(names.map((name) => formats[name].render(input, { commentId })).join(""));
  return true;
}

async function report(
  runArguments: readonly string[],
  options: ReportOptions,
  context: CommandContext,
): Promise<number> {
  const { cwd } = context;
  parseFormats(options);
  const baseline = await readBaselineRun(options.baseline, context);
  const runs = findRuns(runArguments, cwd);
  const chosenFiles = chooseFiles(options, runs, cwd);
  context.err(describeSkippedFolders(runArguments, cwd));
  const storedRuns = [];
  for (const run of runs) {
    storedRuns.push(await readStoredRun(run));
  }
  context.err(storedRuns.flatMap(({ notes }) => notes.map((note) => `note: ${visibleText(note, 400)}\n`)).join(""));
  const { title } = options;
  if (options.har !== undefined) {
    await writeHar(options.har, runs, cwd);
  }
  const input = createReportInput(storedRuns, { baseline, ...defined({ title }) });
  const isComplete = await renderReport({ ...chosenFiles, input, options, context });
  const conclusion = isComplete
    ? getMergedOutcome(input)
    : { outcome: "harness-error", exitCode: exitCodeOf("harness-error") };
  // A printed report is for another program; written files are for readers of the job.
  if (options.format === undefined && options.comment === undefined && options.har === undefined) {
    reportToGithub({ input, outputs: createEndOutputs(conclusion) }, context);
  }
  return conclusion.exitCode;
}
