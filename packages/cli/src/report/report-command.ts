import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { dirname, join, relative, resolve } from "node:path";
import { exportHar, makeFolder, readBundle, toEvidenceError, visibleText, writeWhole } from "@assay/evidence";
import { mergedEnd, renderMergedEnd } from "@assay/report";
import type { ReportInput } from "@assay/report";
import { exitCodeOf, changeBetween } from "@assay/results";
import type { Comparison, LoadResult, RunResult } from "@assay/results";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { readBaselineRun } from "../baseline/run-baseline.ts";
import { type OptionsOf, addFlags, asClause, collected, readOneOf, text, valued } from "../flag.ts";
import { endOutputs, reportToGithub } from "../github/report-to-github.ts";
import { unrenderedSentence, writeRendered } from "../rendered-files.ts";
import type { RenderedFile } from "../rendered-files.ts";
import { runsOrLatest } from "../latest-run.ts";
import { findRuns, describeSkippedFolders } from "./find-runs.ts";
import type { FoundRun } from "./find-runs.ts";
import { outTarget, rejectOutFile, usualTarget } from "./out-target.ts";
import type { OutTarget } from "./out-target.ts";
import { formatNames, formats } from "./report-formats.ts";
import type { FormatName } from "./report-formats.ts";
import { readStoredRun } from "./stored-run.ts";
import type { StoredRun } from "./stored-run.ts";
import { compareStored } from "@assay/load";

/** The comparison of two load runs of one scenario, if neither is a comparison itself. */
function compareLoads(loads: readonly LoadResult[]): readonly Comparison[] {
  const [base, head, ...others] = loads;
  const isPair = base !== undefined && head !== undefined && others.length === 0;
  if (!isPair || base.plan.scenario !== head.plan.scenario || loads.some(({ run }) => run.against !== undefined)) {
    return [];
  }
  return [compareStored([base], [head], { base: base.run.id, head: head.run.id })];
}

/** The content of a page: each run compared with the baseline, except the baseline itself, and two load runs with each other. */
function createReportInput(
  stored: readonly StoredRun[],
  { baseline, title }: { readonly baseline: RunResult | undefined; readonly title?: string },
): ReportInput {
  const loads = stored.flatMap((one) => (one.kind === "load" ? [one.load] : []));
  const runs = stored.flatMap((one) => (one.kind === "run" ? [one.run] : []));
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
    ...valued("<NAME>", collected, `${formatNames.join(", ")}; several with commas between`),
    completions: formatNames,
  },
  out: text("<FILE|DIR>", "output; a file name chooses the format"),
  comment: text("<FILE>", "also the text of a comment, at most 65,000 characters"),
  har: text("<FILE>", "also the exchanges of one run as HAR, tokens replaced"),
  commentId: text("<NAME>", "id of the comment to replace (default: the target)"),
  baseline: text("<RUN>", "show changes since a stored run or a named baseline"),
  title: text("<TEXT>", "title of the page"),
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
so are verdicts next to cut or damaged evidence, or that of another run. Results alone are shown.
Exit codes: that of the worst run (70, 130 and 143, 2, 1, 4, 3, 5, 6, 0), 2 where one cannot be
read. Comparing adds none.
`;

/** Adds \`assay report\`. */
export const reportCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("report"), flags)
    .summary("Render stored runs: page, JUnit, CTRF, Markdown, HAR.")
    .description("Render stored runs as a page, JUnit, CTRF or Markdown; several runs become one.")
    .argument("[RUN...]", "stored runs (default: latest, the newest one)")
    .addHelpText("before", examples)
    .action(async (runs: readonly string[], options: ReportOptions) => {
      finish(await report(runsOrLatest(runs, context, "run"), options, context));
    });
};

const namedFormats = ({ format }: ReportOptions): readonly FormatName[] | undefined =>
  format === undefined ? undefined : [...new Set(format.map(parseFormat))];

function parseFormat(name: string): FormatName {
  try {
    return readOneOf(formatNames).read(name);
  } catch (error) {
    throw new HarnessError(
      "usage",
      `there is no format "${visibleText(name, 80)}"; ${error instanceof Error ? asClause(error.message) : ""}`,
    );
  }
}

/** A named path that cannot be written although the disk has room is a usage error. */
function toUsageError(error: unknown, named: string | undefined): unknown {
  const isChoice = isHarnessError(error, "folder-removed", "disk-failed");
  return isChoice && named !== undefined
    ? new HarnessError("usage", `${visibleText(named, 200)} cannot be written; choose another path`, { cause: error })
    : error;
}

async function writeNamed(file: string, text: string, cwd: string): Promise<void> {
  const path = resolve(cwd, file);
  try {
    await makeFolder(dirname(path), 0o755);
    await writeWhole(path, text);
  } catch (cause) {
    throw toUsageError(toEvidenceError(cause, `write ${file}`), file);
  }
}

/** Writes the evidence of the only named run as HAR. Fails with a `HarnessError` if it has none. */
async function writeHar(file: string, found: readonly FoundRun[], cwd: string): Promise<void> {
  const [run, ...others] = found;
  const hasEvidence = run?.kind === "run-folder" || run?.kind === "evidence";
  if (run === undefined || others.length > 0 || !hasEvidence) {
    throw new HarnessError(
      "usage",
      "--har is for one run of contract tests, by the folder that holds its evidence; a load run keeps that of its canary in its folder canary",
    );
  }
  await writeNamed(file, exportHar(await readBundle(run.path)), cwd);
}

const firstTarget = ({ runs, loads }: ReportInput): string =>
  runs[0]?.result.run.target ?? loads[0]?.run.target ?? "run";

/** The files to write; undefined if the report is printed. */
interface ChosenFiles {
  readonly target?: OutTarget;
}

/** Chooses the files before anything is written. Fails with a `HarnessError`. */
function chooseFiles(options: ReportOptions, found: readonly FoundRun[], cwd: string): ChosenFiles {
  const names = namedFormats(options);
  for (const [flagName, file] of [["--comment", options.comment] as const, ["--har", options.har] as const]) {
    if (file !== undefined) {
      rejectOutFile(file, { flag: flagName, found, cwd });
    }
  }
  if (options.out !== undefined) {
    return { target: outTarget(options.out, names, { flag: "--out", found, cwd }) };
  }
  return names === undefined && options.comment === undefined && options.har === undefined
    ? { target: usualTarget(found, cwd) }
    : {};
}

/** The runs and options of one call. */
interface Reading extends ChosenFiles {
  readonly input: ReportInput;
  readonly options: ReportOptions;
  readonly context: CommandContext;
}

/** Writes the files and prints their paths. Returns whether all could be rendered. */
async function writeTarget({ folder, files }: OutTarget, { input, options, context }: Reading): Promise<boolean> {
  const commentId = options.commentId ?? firstTarget(input);
  const rendered = files.map(([name, format]): RenderedFile => {
    const { render } = formats[format];
    return { name, render: () => render(input, { commentId }) };
  });
  const unrendered = await writeRendered(folder, rendered).catch((error: unknown) => {
    throw toUsageError(error, options.out);
  });
  const missing = new Set(unrendered.map(({ name }) => name));
  for (const { name } of rendered.filter(({ name }) => !missing.has(name))) {
    context.out(`${visibleText(relative(context.cwd, join(folder, name)), 300)}\n`);
  }
  context.out(renderMergedEnd(input));
  context.err(unrenderedSentence(unrendered));
  return unrendered.length === 0;
}

async function render(reading: Reading): Promise<boolean> {
  const { input, target, options, context } = reading;
  const commentId = options.commentId ?? firstTarget(input);
  if (options.comment !== undefined) {
    await writeNamed(options.comment, formats.comment.render(input, { commentId }), context.cwd);
  }
  if (target !== undefined) {
    return writeTarget(target, reading);
  }
  const names = namedFormats(options) ?? [];
  context.out(names.map((name) => formats[name].render(input, { commentId })).join(""));
  return true;
}

async function report(texts: readonly string[], options: ReportOptions, context: CommandContext): Promise<number> {
  const { cwd } = context;
  namedFormats(options);
  const baseline = await readBaselineRun(options.baseline, context);
  const runs = findRuns(texts, cwd);
  const places = chooseFiles(options, runs, cwd);
  context.err(describeSkippedFolders(texts, cwd));
  const stored = [];
  for (const run of runs) {
    stored.push(await readStoredRun(run));
  }
  context.err(stored.flatMap(({ notes }) => notes.map((note) => `note: ${visibleText(note, 400)}\n`)).join(""));
  const { title } = options;
  if (options.har !== undefined) {
    await writeHar(options.har, runs, cwd);
  }
  const input = createReportInput(stored, { baseline, ...defined({ title }) });
  const isWhole = await render({ ...places, input, options, context });
  const end = isWhole ? mergedEnd(input) : { outcome: "harness-error", exitCode: exitCodeOf("harness-error") };
  // A printed report is for another program; written files are for readers of the job.
  if (options.format === undefined && options.comment === undefined && options.har === undefined) {
    reportToGithub({ input, outputs: endOutputs(end) }, context);
  }
  return end.exitCode;
}
