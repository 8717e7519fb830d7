import { HarnessError } from "@assay/contract";
import { scenarioNames } from "@assay/scenarios";
import { Option } from "commander";
import type { Command } from "commander";
import type { AddCommand, CommandContext } from "../command-context.ts";
import {
  addFlags,
  negatedFlag,
  type OptionsOf,
  switchFlag,
  textFlag,
  valueFlag,
  wholeNumber,
  withDefault,
} from "../flag.ts";
import type { ReporterOptions } from "../reporter.ts";
import { coordinatorPort } from "./kubernetes/coordinator-state.ts";
import { type LoadOptions, loadFlags } from "./load-options.ts";
import { runLoad } from "./run-load.ts";
import { resolve } from "node:path";
import { mergeLoadRuns } from "@assay/load";
import { findLoadRunFolders, partFiles } from "../compare/stored-runs.ts";
import { noLog } from "../run/run-log.ts";
import { createRunId } from "../run/run-id.ts";
import { tool } from "../version.ts";
import { finishLoad } from "./finish-load.ts";
import { createRunFolder } from "./load-folder.ts";
import { parseThresholds } from "./parse-thresholds.ts";

const mergeFlags = {
  out: textFlag("<DIR>", "folder for the result (default: reports/runs/<run id>)"),
  json: switchFlag("print load.json instead of the report"),
};

/** Options of `assay load merge`. The parser assigns the options that both commands have to `assay load`. */
type MergeOptions = ReporterOptions & Pick<LoadOptions, "out" | "threshold" | "warnThreshold" | "abortThreshold">;

/** Merges the runs of several processes into one result, writes and prints it. Returns the exit code. */
async function mergeLoad(runs: readonly string[], options: MergeOptions, context: CommandContext): Promise<number> {
  const folders = runs.flatMap((run) => findLoadRunFolders(run, { cwd: context.cwd, files: partFiles }));
  if (folders.length < 2) {
    throw new HarnessError("usage", "there is only one run to merge; pass the folders of at least two");
  }
  const id = createRunId(new Date());
  const thresholds = parseThresholds(options);
  const thresholdOption = thresholds.length === 0 ? {} : { thresholds };
  const result = await mergeLoadRuns(folders, { id, toolVersion: tool.version, ...thresholdOption });
  const folder = resolve(context.cwd, options.out ?? `reports/runs/${id}`);
  await createRunFolder(folder);
  return finishLoad({ options, context, folder, secrets: [], log: noLog, result });
}

const examples = `Examples:
  assay load search-first-match --duration 15s     an embedded reference server, as another process
  assay load mixed --target staging --threshold 'first-match p95 < 800'
  assay load search-first-match --url BASE --against HEAD --preset standard --decide
  assay load search-first-match --against embedded --against-factor 1.5 --preset quick
  assay load merge RUN...                          one result of several processes
  assay load mixed --kubernetes lab --image IMG    k6 on the pods of a cluster

Exit codes: 0 passed, 1 a rule failed, 2 wrong usage, 3 figures cannot be trusted or are undecided,
4 threshold missed or slower, 5 inconclusive with --decide, 130 and 143 interrupted.
`;

function addMergeCommand(load: Command, finish: (exitCode: number) => void, context: Parameters<AddCommand>[1]): void {
  addFlags(load.command("merge", { hidden: true }), mergeFlags)
    .description("Merge the runs of several processes of one plan: samples, counts, thresholds. Averages nothing.")
    .argument("<RUN...>", "folders of load runs")
    .addHelpText("before", "Examples:\n  assay load merge reports/runs/A reports/runs/B --out merged\n")
    .action(async (runs: readonly string[], _mergeOptions: MergeOptions, command: Command) => {
      // The outer command parses the flags that both commands share.
      finish(await mergeLoad(runs, command.optsWithGlobals<MergeOptions>(), context));
    });
}

const coordinateFlags = {
  port: withDefault(coordinatorPort, valueFlag("<N>", wholeNumber({ min: 1, max: 65_535 }), "port to listen on")),
  distress: negatedFlag("a target that cannot handle the load does not end it"),
};

/** Adds the command of the coordinator, which `assay load --kubernetes` starts in the cluster. */
function addCoordinateCommand(
  load: Command,
  finish: (exitCode: number) => void,
  context: Parameters<AddCommand>[1],
): void {
  addFlags(load.command("coordinate", { hidden: true }), coordinateFlags)
    .description("Coordinate the runners of a load in a cluster. `assay load --kubernetes` starts it.")
    .addHelpText("before", "Examples:\n  ASSAY_COORDINATOR_KEY=... assay load coordinate --port 6570\n")
    .action(async (options: OptionsOf<typeof coordinateFlags>) => {
      const { coordinateRunners } = await import("./kubernetes/coordinate-runners.ts");
      finish(await coordinateRunners(options, context));
    });
}

/** Adds `assay load`. */
export const loadCommand: AddCommand = (program, context, finish) => {
  const command = addFlags(program.command("load"), loadFlags)
    .summary("Measure speed under load, and check every stream.")
    .description("Put load on a target with k6. Measures speed, and checks the contract at the same time.")
    .argument("<SCENARIO>")
    .usage(`[flags] ${scenarioNames.slice(0, 4).join("|")}|FILE`)
    .addHelpText("before", examples)
    .addHelpOption(new Option("-h, --help").hideHelp())
    .action(async (scenario: string, options: LoadOptions) => {
      finish(await runLoad(scenario, options, context));
    });
  addMergeCommand(command, finish, context);
  addCoordinateCommand(command, finish, context);
};
