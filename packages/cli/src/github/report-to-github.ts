import { defined } from "@assay/contract";
import { cutMarkdown, proseText, renderAnnotations, renderMergedMarkdown, formatWorkflowCommand } from "@assay/report";
import type { ReportInput } from "@assay/report";
import type { CommandContext } from "../command-context.ts";
import { formatStepOutputs } from "./step-outputs.ts";
import { closeSync, constants, fstatSync, openSync, statSync, writeFileSync } from "node:fs";

const { O_WRONLY, O_CREAT, O_APPEND } = constants;
const O_NONBLOCK = constants.O_NONBLOCK ?? 0;

function appendText(path: string, text: string): string | undefined {
  // Does not block on a pipe without a reader.
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0o666);
  try {
    if (fstatSync(descriptor).isFIFO()) {
      return "it is a pipe";
    }
    writeFileSync(descriptor, text);
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Appends to a file. Returns the reason for a failure as a clause, or undefined on success. */
function tryAppend(path: string, text: string): string | undefined {
  try {
    return appendText(path, text);
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "it could not be written";
  }
}

/** Returns the size of a file in bytes, or 0 if it does not exist. */
function readSize(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    // If the file cannot be created, writing reports it.
    return 0;
  }
}

/** Maximum size of a step's summary. GitHub does not show a larger summary at all. */
const maxSummaryBytes = 1024 * 1024;
/** Reserve for the line feed between two summaries, and for output of other programs. */
const slackBytes = 1024;

/** The content for GitHub Actions. */
export interface GithubReport {
  /** Source of the annotations. */
  readonly input: ReportInput;
  /** Markdown for the job summary. Default: rendered from the input. */
  readonly summary?: string;
  /** Workflow commands that create annotations. Default: rendered from the input. */
  readonly annotations?: string;
  /** Describes a bug in the harness. Replaces the outcome of the input. */
  readonly bugMessage?: string;
  /** Outputs of the step. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Removes secrets. Returns undefined if the process has none. */
  readonly redact?: (text: string) => string;
}

type ReportContext = Pick<CommandContext, "env" | "err">;

/** Reports whether this is a step of GitHub Actions without `ASSAY_GITHUB=off`. */
export const isInGithubActions = ({ env }: Pick<CommandContext, "env">): boolean =>
  env["GITHUB_ACTIONS"] === "true" && env["ASSAY_GITHUB"]?.toLowerCase() !== "off";

function appendSummary(text: string, { env, err }: ReportContext): void {
  const path = env["GITHUB_STEP_SUMMARY"];
  if (path === undefined || path === "") {
    return;
  }
  const availableBytes = maxSummaryBytes - slackBytes - readSize(path);
  const fittingText = cutMarkdown(text, availableBytes);
  if (fittingText === "") {
    err(
      "assay: the job summary is full (1 MiB), so nothing was added to it; the complete results are in the run folder\n",
    );
    return;
  }
  const problem = tryAppend(path, `${fittingText}\n`);
  if (problem !== undefined) {
    err(`assay: the job summary could not be written (${problem}); the complete results are in the run folder\n`);
  }
}

function appendOutputs(outputs: GithubReport["outputs"], { env, err }: ReportContext): void {
  const path = env["GITHUB_OUTPUT"];
  const problem = path === undefined || path === "" ? undefined : tryAppend(path, formatStepOutputs(outputs));
  if (problem !== undefined) {
    err(`assay: the step outputs could not be written (${problem}); the exit code shows the outcome\n`);
  }
}

/**
 * Under GitHub Actions, appends the job summary and the step outputs, and prints annotations on standard error. Has no effect elsewhere.
 * Never throws: prints errors on standard error, and they do not change the exit code.
 */
export function reportToGithub(report: GithubReport, context: ReportContext): void {
  if (!isInGithubActions(context)) {
    return;
  }
  const { input, summary, annotations, bugMessage, outputs, redact = (text: string) => text } = report;
  const heading = bugMessage === undefined ? [] : [`## ✗ Assay: harness error\n\n${proseText(bugMessage)}\n`];
  const isEmpty = input.runs.length + input.loads.length + input.comparisons.length === 0;
  appendSummary(redact([...heading, summary ?? (isEmpty ? "" : renderMergedMarkdown(input))].join("\n")), context);
  appendOutputs(outputs, context);
  const bugAnnotation =
    bugMessage === undefined ? "" : formatWorkflowCommand("error", { title: "Assay", message: bugMessage });
  context.err(redact(bugAnnotation + (annotations ?? renderAnnotations(input))));
}

/** Creates the step outputs for the end of a command, with `folder` and `report` if these exist. */
export const createEndOutputs = (
  { outcome, exitCode }: { readonly outcome: string; readonly exitCode: number },
  { folder, report }: { readonly folder?: string; readonly report?: string } = {},
): Readonly<Record<string, string>> => ({
  outcome,
  "exit-code": String(exitCode),
  ...defined({ "run-folder": folder, report }),
});
