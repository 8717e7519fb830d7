import { HarnessError, ruleIds } from "@assay/contract";
import { resolve } from "node:path";
import { renderCheck, renderCheckAgent, renderVerdictsJson } from "@assay/report";
import type { CheckedFile } from "@assay/report";
import { concludeCheck, concludeRun, exitCodeOf } from "@assay/results";
import type { RunResult } from "@assay/results";
import { findProfile, selectRules } from "@assay/runner";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { describeError } from "../command-error.ts";
import { type OptionsOf, addFlags, commaSeparatedList, noProofFlag, switchFlag, valueFlag } from "../flag.ts";
import { createEndOutputs, reportToGithub } from "../github/report-to-github.ts";
import { knownFailuresFlag, readKnownFailures } from "../known-failure-files.ts";
import { resolveRunArgument } from "../latest-run.ts";
import { rejectMistypedPath } from "../nearest-file.ts";
import { hasProgress, renderForReporter, reporterFlags } from "../reporter.ts";
import { startProgress } from "../start-progress.ts";
import { showJudging } from "../judge/judging-state.ts";
import { findRunPath } from "../run-to-judge.ts";
import { tool } from "../version.ts";
import { judgeRecording, type RecordingJudgeInput, describeRecordingRun } from "./judge-recording.ts";
import { readCheckInput } from "./check-input.ts";

const flags = {
  rule: {
    ...valueFlag("<ID>", commaSeparatedList, "only this rule, repeatable; ID* matches a prefix"),
    completions: ruleIds,
  },
  strict: switchFlag("also fail on warnings"),
  ...noProofFlag,
  knownFailures: knownFailuresFlag,
  ...reporterFlags({ list: "also list rules that were not tested", json: "an array of verdicts" }),
};

type CheckOptions = OptionsOf<typeof flags>;

const examples = `
Examples:
  assay check answer.sse                   judge the raw bytes of one stream
  curl -N ... | assay check -              judge standard input
  assay check session.har                  judge every search and every poll in a HAR file
  assay check reports/runs/*               judge stored runs
  assay check --rule done-is-last *.sse    check one rule only

Exit codes: 0 passed, 1 failed, 2 a file could not be read, 3 nothing could be tested.`;

/** Adds `assay check`. */
export const checkCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("check"), flags)
    .summary("Judge recordings: streams, HAR files, stored runs.")
    .description("Judge recordings offline: raw stream bytes, HAR files, stored runs.")
    .argument("<FILE...>", "recordings (- for standard input, latest for the newest run)")
    .addHelpText("after", examples)
    .action(async (files: readonly string[], options: CheckOptions) => {
      finish(await check(files, options, context));
    });
};

async function check(files: readonly string[], options: CheckOptions, context: CommandContext): Promise<number> {
  if (files.filter((file) => file === "-").length > 1) {
    throw new HarnessError("usage", "standard input (-) can be used only once");
  }
  const { rules } = selectRules(findProfile("gate"), options.rule);
  const settings = { rules, mustTest: [], strict: options.strict ?? false, access: "undeclared" } as const;
  const knownFailures = await readKnownFailures(options.knownFailures, context.cwd);
  const progress = startProgress(hasProgress(options), context);
  const judgeOptions = {
    ...(knownFailures.length === 0 ? {} : { knownFailures }),
    ...(options.rule === undefined ? {} : { rules }),
    ...(options.strict === undefined ? {} : { strict: true }),
    confirmsPasses: options.proof,
    isRecording: true,
    onProgress: showJudging(progress),
  };
  const checkedFiles: CheckedFile[] = [];
  try {
    for (const file of files) {
      checkedFiles.push({
        file,
        result: await checkFile({ file, settings, judgeOptions, isOnlyFile: files.length === 1 }, context),
      });
    }
  } finally {
    progress.end();
  }
  const { colour, width } = context.terminal;
  context.out(
    renderForReporter(options, {
      json: () => renderCheckedJson(checkedFiles),
      quiet: () => renderCheckAgent(checkedFiles),
      text: (verbose) => renderCheck(checkedFiles, { colour, width, verbose }),
    }),
  );
  const conclusion = concludeCheck(checkedFiles.map(({ result }) => result));
  const runs = checkedFiles.map(({ result }) => ({ result }));
  reportToGithub({ input: { runs, loads: [], comparisons: [] }, outputs: createEndOutputs(conclusion) }, context);
  return conclusion.exitCode;
}

/** Resolves an argument, a path or a run id, to the path of the recording. */
function resolveRecording(argument: string, context: CommandContext): string {
  const { cwd } = context;
  const file = resolveRunArgument(argument, context, "evidence");
  const path = findRunPath(file, cwd);
  if (path === undefined) {
    rejectMistypedPath(file, cwd);
  }
  return path ?? resolve(cwd, file);
}

/** Reads and judges one file. An unreadable file does not affect the others. */
async function checkFile(fileToJudge: FileToJudge, context: CommandContext): Promise<RunResult> {
  const { file, isOnlyFile, settings } = fileToJudge;
  try {
    const recording = await readCheckInput(file === "-" ? context.stdin : resolveRecording(file, context), context);
    return await judgeRecording(recording, fileToJudge);
  } catch (error) {
    const { message, exitCode } = describeError(error, context.env);
    if (isOnlyFile || exitCode !== exitCodeOf("usage-error")) {
      throw error;
    }
    return createUnreadableResult(file, settings.strict, message);
  }
}

/** Creates a result without verdicts that reports a usage error. */
function createUnreadableResult(file: string, strict: boolean, usageError: string): RunResult {
  const conclusion = concludeRun({ verdicts: [], strict, usageError });
  return {
    schemaVersion: 2,
    tool,
    run: describeRecordingRun(file, strict),
    ...conclusion,
    verdicts: [],
    unspecified: [],
    exchanges: [],
  };
}

const renderCheckedJson = (checkedFiles: readonly CheckedFile[]): string =>
  `[${checkedFiles.map(({ result }) => renderVerdictsJson(result).trimEnd()).join(",\n")}]\n`;

interface FileToJudge extends RecordingJudgeInput {
  /** Whether this is the only file on the command line. */
  readonly isOnlyFile: boolean;
}
