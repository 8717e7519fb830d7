import { defined } from "@assay/contract";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@assay/evidence";
import type { Secret } from "@assay/evidence";
import type { ReportInput } from "@assay/report";
import type { ExitCode, RunOutcome } from "@assay/results";
import { exitCodeOf } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { createEndOutputs, reportToGithub } from "../github/report-to-github.ts";
import { type UnrenderedFile, describeUnrenderedFiles } from "../rendered-files.ts";
import type { RunLog } from "./run-log.ts";
import { type MetricsToSend, sendMetrics } from "../telemetry/send-metrics.ts";
import { removeLeaks } from "./remove-leaks.ts";

/** A run of any kind whose files have been written. */
export interface EndingRun {
  readonly context: CommandContext;
  readonly folder: string;
  readonly secrets: readonly Secret[];
  readonly log: RunLog;
  readonly result: { readonly outcome: RunOutcome; readonly exitCode: ExitCode; readonly summary: string };
  /** Files that contained a secret and were removed. Default: `endRun` searches for them. */
  readonly leakedFiles?: readonly string[];
  /** Files that could not be rendered. */
  readonly unrendered: readonly UnrenderedFile[];
  /** Renders the text for standard output. */
  readonly renderOutput: () => string;
  /** Metrics for an OpenTelemetry collector, if variables set its URL. */
  readonly telemetry?: MetricsToSend;
  /** Content of the GitHub job summary and annotations. */
  readonly reportInput: () => ReportInput;
}

const createHarnessErrorResult = (summary: string): EndingRun["result"] => ({
  outcome: "harness-error",
  exitCode: exitCodeOf("harness-error"),
  summary,
});

/**
 * Searches all files of a run for secrets, prints the result, writes the last line of the log and the GitHub outputs, and returns the exit
 * code. If a file contains a secret, removes it and prints nothing of the run.
 */
export async function endRun(run: EndingRun): Promise<number> {
  const { context, folder, secrets, log, unrendered } = run;
  const leakedFiles = run.leakedFiles ?? (await removeLeaks(folder, secrets));
  if (leakedFiles.length > 0) {
    const summary = `a secret was found in ${leakedFiles.join(", ")}, which was removed`;
    context.err(`assay: this is a bug in assay: ${summary}; please report it\n`);
    return endWithoutResult(run, createHarnessErrorResult(summary));
  }
  context.out(run.renderOutput());
  context.err(describeUnrenderedFiles(unrendered));
  const bugMessage = unrendered.length === 0 ? undefined : describeUnrendered(unrendered);
  const conclusion = bugMessage === undefined ? run.result : createHarnessErrorResult(bugMessage);
  const redactor = createRedactor({ secrets, key: randomBytes(32) });
  const report = join(folder, "report.html");
  reportToGithub(
    {
      input: run.reportInput(),
      ...defined({ bugMessage }),
      outputs: createEndOutputs(conclusion, { folder, ...(existsSync(report) ? { report } : {}) }),
      redact: (text) => redactor.text(text),
    },
    context,
  );
  await (run.telemetry === undefined ? undefined : sendMetrics(run.telemetry, context));
  log.add({ event: "run-finished", ...selectResultFacts(conclusion) });
  return conclusion.exitCode;
}

const describeUnrendered = (unrendered: readonly UnrenderedFile[]): string =>
  `${unrendered.map(({ name }) => name).join(", ")} could not be rendered`;

const selectResultFacts = ({ outcome, exitCode, summary }: EndingRun["result"]): EndingRun["result"] => ({
  outcome,
  exitCode,
  summary,
});

/** Ends a run whose result must not be printed. */
function endWithoutResult({ context, log }: EndingRun, conclusion: EndingRun["result"]): number {
  const input: ReportInput = { runs: [], loads: [], comparisons: [] };
  reportToGithub({ input, bugMessage: conclusion.summary, outputs: createEndOutputs(conclusion) }, context);
  log.add({ event: "run-finished", ...selectResultFacts(conclusion) });
  return conclusion.exitCode;
}
