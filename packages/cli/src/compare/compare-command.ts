import { defined } from "@assay/contract";
import { resolve } from "node:path";
import { compareStored, listBaselines, readBaseline } from "@assay/load";
import { renderComparison, renderComparisonJson } from "@assay/report";
import { comparisonPresets, exitCodeOf } from "@assay/results";
import type { Comparison, RunOutcome } from "@assay/results";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { type OptionsOf, addFlags, readOneOf, switchFlag, valueFlag } from "../flag.ts";
import { createComparisonReport } from "../github/comparison-report.ts";
import { reportToGithub } from "../github/report-to-github.ts";
import { latestName, resolveRunArgument } from "../latest-run.ts";
import { baselinesFolder, findLoadRuns, selectsLoadRuns } from "./stored-runs.ts";

const flags = {
  preset: valueFlag(
    "<NAME>",
    readOneOf(comparisonPresets),
    `sensitivity of the comparison: ${comparisonPresets.join("|")}`,
  ),
  decide: switchFlag("exit with 5 if the comparison is inconclusive"),
  json: switchFlag("print the comparison as JSON"),
};

type CompareOptions = OptionsOf<typeof flags>;

const examples = `Examples:
  assay compare released reports/runs/HEAD        compare a baseline with a run
  assay compare A1,A2,A3 B1,B2,B3                 several runs per side, by folder or id
  assay compare before/ after/ --decide           all runs in two folders; exit 5 if inconclusive

A verdict needs ten runs per side, with the same scenario, rate and machine. One run per side is
never conclusive.
To compare two live instances, prefer \`assay load SCENARIO --url BASE --against HEAD\`.
Exit codes: 0 not slower, 2 usage error, 3 not comparable, 4 regressed, 5 inconclusive with
--decide.
`;

/** Adds `assay compare`. */
export const compareCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("compare"), flags)
    .summary("Compare stored load runs.")
    .description("Compare stored load runs: improved, unchanged, regressed or inconclusive.")
    .argument("<BASE>", "run, comma-separated runs, a folder of runs, or a baseline")
    .argument("[HEAD]", "run or runs to compare with BASE (default: latest, the newest load run)")
    .addHelpText("before", examples)
    .action(async (base: string, head: string | undefined, options: CompareOptions) => {
      finish(await compare([base, head ?? latestName], options, context));
    });
};

type StoredLoadRuns = Parameters<typeof compareStored>[0];

/** Reads the runs that an argument selects. The name of a baseline selects it only if no run has that name. */
async function readRuns(runArgument: string, context: CommandContext): Promise<StoredLoadRuns> {
  const { cwd } = context;
  const folder = resolve(cwd, baselinesFolder);
  const names = (await listBaselines(folder)).map(({ name }) => name);
  if (names.includes(runArgument) && !selectsLoadRuns(runArgument, cwd)) {
    return (await readBaseline(folder, runArgument)).runs;
  }
  return findLoadRuns(resolveRunArgument(runArgument, context, "load"), { cwd, names });
}

/** Returns the outcome of the command. It is `incomplete` if the runs are not comparable. */
function decideOutcome({ verdict, incomparable }: Comparison, decide: boolean): RunOutcome {
  if (incomparable.length > 0) {
    return "incomplete";
  }
  switch (verdict) {
    case "regressed":
      return "performance-failed";
    case "inconclusive":
      return decide ? "performance-inconclusive" : "passed";
    case "improved":
    case "unchanged":
      return "passed";
  }
}

async function compare(
  [base, head]: readonly [string, string],
  { preset, decide, json }: CompareOptions,
  context: CommandContext,
): Promise<number> {
  const { out, terminal } = context;
  const [baseRuns, headRuns] = [await readRuns(base, context), await readRuns(head, context)];
  const comparison = compareStored(baseRuns, headRuns, { base, head, ...defined({ preset }) });
  const outcome = decideOutcome(comparison, decide === true);
  const concludedComparison = { comparison, outcome, exitCode: exitCodeOf(outcome) };
  const { colour, width } = terminal;
  out(
    json === true
      ? renderComparisonJson(concludedComparison)
      : renderComparison(concludedComparison, { colour, width }),
  );
  reportToGithub(createComparisonReport(concludedComparison), context);
  return concludedComparison.exitCode;
}
