import { HarnessError } from "@assay/contract";
import { latencyNames } from "@assay/reference-server";
import { comparisonPresets, loadShapes } from "@assay/results";
import { conversationInterfaces, conversationLimitNames } from "@assay/runner";
import { scenarioNames } from "@assay/scenarios";
import { Option } from "commander";
import type { Command } from "commander";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { targetFlag } from "../config/file-targets.ts";
import { knownFailuresFlag } from "../known-failure-files.ts";
import { notWith } from "../config/conflicting-flags.ts";
import { advancedFlag, appended, collected, flag, groupFlags, oneOf, someNumber, wholeNumber } from "../flag.ts";
import { durationFlag } from "./duration-flag.ts";
import { certificateFlags } from "../run/certificate-flags.ts";
import { waitForFlag } from "../run/wait-for-target.ts";
import { reporterFlags, type ReporterOptions } from "../reporter.ts";
import type { LoadOptions } from "./load-options.ts";
import { runLoad } from "./run-load.ts";
import { resolve } from "node:path";
import { mergeLoadRuns } from "@assay/load";
import { loadRunFolders, partFiles } from "../compare/stored-runs.ts";
import { noLog } from "../run/run-log.ts";
import { newRunId } from "../run/run-id.ts";
import { tool } from "../version.ts";
import { finishLoad } from "./finish-load.ts";
import { makeRunFolder } from "./load-folder.ts";
import { givenThresholds } from "./given-thresholds.ts";

/** Options of `assay load merge`, as parsed by commander. */
interface MergeOptions extends ReporterOptions {
  readonly out?: string;
  readonly threshold?: readonly string[];
  readonly warnThreshold?: readonly string[];
  readonly abortThreshold?: readonly string[];
}

/** Merges the runs of several processes into one result, stores and prints it. Returns the exit code. */
async function mergeLoad(runs: readonly string[], options: MergeOptions, context: CommandContext): Promise<number> {
  const folders = runs.flatMap((run) => loadRunFolders(run, { cwd: context.cwd, files: partFiles }));
  if (folders.length < 2) {
    throw new HarnessError("usage", "there is only one run to merge; name the folders of at least two");
  }
  const id = newRunId(new Date());
  const thresholds = givenThresholds(options);
  const given = thresholds.length === 0 ? {} : { thresholds };
  const result = await mergeLoadRuns(folders, { id, toolVersion: tool.version, ...given });
  const folder = resolve(context.cwd, options.out ?? `reports/runs/${id}`);
  await makeRunFolder(folder);
  return finishLoad({ options, context, folder, secrets: [], log: noLog, result });
}

const examples = `Examples:
  assay load search-first-match --duration 15s     an embedded reference server, as another process
  assay load mixed --target staging --threshold 'first-match p95 < 800'
  assay load search-first-match --url BASE --against HEAD --preset standard --decide
  assay load search-first-match --against embedded --against-factor 1.5 --preset quick
  assay load merge RUN...                          one result of several processes

Exit codes: 0 passed, 1 a rule failed, 2 wrong usage, 3 figures cannot be trusted or are undecided,
4 threshold missed or slower, 5 inconclusive with --decide, 130 and 143 interrupted.
`;

const day = 24 * 3_600_000;
const anyTime = { minMs: 1000, maxMs: day } as const;

const choices = (names: readonly string[]): string => names.join("|");

const targetFlags = (): readonly Option[] => [
  flag("--url <URL>", "target (default: SRC_ENDPOINT, else embedded)"),
  targetFlag(),
  flag("--against <URL>", "a second instance to compare with in blocks A B B A"),
  advancedFlag("--against-factor <N>", "slow the second embedded server: 1.5 is 50 % slower").argParser(
    someNumber({ min: 0.01, max: 100 }),
  ),
  flag("--limits <NAME>", `how careful: ${choices(conversationLimitNames)}`).argParser(oneOf(conversationLimitNames)),
  flag("--confirm-host <HOST>", "allow load on this host, repeatable").argParser(collected),
  flag("--questions <N>", "questions to ask at most").argParser(wholeNumber({ min: 0, max: 1_000_000 })),
  flag("--token-file <FILE>", "access token, - for standard input"),
  notWith(advancedFlag("--token-command <COMMAND>", "prints the access token"), "tokenFile"),
  advancedFlag("--against-token-file <FILE>", "token of the second one (else ASSAY_AGAINST_TOKEN)"),
  ...certificateFlags(),
  waitForFlag(),
  advancedFlag("--latency <NAME>", `of the embedded server: ${choices(latencyNames)}`).argParser(oneOf(latencyNames)),
];

const loadFlags = (): readonly Option[] => [
  flag("--rate <N>", "arrivals a second").argParser(someNumber({ min: 0.01, max: 100_000 })),
  flag("--duration <TIME>", "measured part, such as 15s or 2m").argParser(durationFlag(anyTime)),
  advancedFlag("--warmup <TIME>", "time before measuring starts").argParser(durationFlag({ minMs: 0, maxMs: day })),
  flag("--shape <NAME>", choices(loadShapes)).argParser(oneOf(loadShapes)),
  flag("--query <QUERY>", "instead of the default queries, repeatable").argParser(appended),
  advancedFlag("--interface <NAME>", `of conversations: ${choices(conversationInterfaces)}`).argParser(
    oneOf(conversationInterfaces),
  ),
  advancedFlag("--poll-interval <TIME>", "time between polls").argParser(durationFlag({ minMs: 50, maxMs: 3_600_000 })),
  advancedFlag("--pollers <N>", "number of pollers that read a conversation in turn (default: 2)").argParser(
    wholeNumber({ min: 1, max: 8 }),
  ),
  advancedFlag("--max-vus <N>", "maximum concurrent virtual users (default: 500)").argParser(
    wholeNumber({ min: 1, max: 100_000 }),
  ),
  advancedFlag("--seed <N>", "order of queries").argParser(wholeNumber({ min: 0, max: 2 ** 32 - 1 })),
  flag("--preset <NAME>", `size of a comparison: ${choices(comparisonPresets)}`).argParser(oneOf(comparisonPresets)),
  flag("--threshold <LIMIT>", "fail if missed, repeatable: 'first-match p95 < 800'").argParser(appended),
  advancedFlag("--warn-threshold <LIMIT>", "threshold that only warns").argParser(appended),
  advancedFlag("--abort-threshold <LIMIT>", "threshold that ends the run once it is missed").argParser(appended),
  flag("--decide", "exit with 5 if the comparison is inconclusive"),
];

const outputFlags = (): readonly Option[] => [
  knownFailuresFlag(),
  advancedFlag("--no-canary", "no contract checks before, during and after the load"),
  advancedFlag("--keep-mb <N>", "MiB of exchanges kept for contract checks (default: 1024)").argParser(
    wholeNumber({ min: 0, max: 1_000_000 }),
  ),
  flag("--out <DIR>", "folder of the run (default: reports/runs/<run id>)"),
  advancedFlag("--k6-out <OUTPUT>", "for k6 --out, repeatable: opentelemetry, json=FILE").argParser(appended),
  advancedFlag("--dashboard [FILE]", "k6's dashboard as HTML (default: dashboard.html)"),
  ...reporterFlags({ list: "every condition of trust", json: "load.json" }),
  advancedFlag("--log <FILE>", "JSON Lines log, - for standard output"),
];

const addAll = (command: Command, options: readonly Option[]): void => {
  for (const option of options) {
    command.addOption(option);
  }
};

function mergeCommand(load: Command, finish: (exitCode: number) => void, context: Parameters<AddCommand>[1]): void {
  load
    .command("merge", { hidden: true })
    .description("Merge the runs of several processes of one plan: samples, counts, thresholds. Averages nothing.")
    .argument("<RUN...>", "folders of load runs")
    .addOption(flag("--out <DIR>", "where the result is written (default: reports/runs/<run id>)"))
    .addOption(flag("--json", "print load.json instead of the report"))
    .addHelpText("before", "Examples:\n  assay load merge reports/runs/A reports/runs/B --out merged\n")
    .action(async (runs: readonly string[], _own: MergeOptions, command: Command) => {
      // The outer command takes the flags that both commands have.
      finish(await mergeLoad(runs, command.optsWithGlobals<MergeOptions>(), context));
    });
}

/** Adds \`assay load\`. */
export const loadCommand: AddCommand = (program, context, finish) => {
  const command = program
    .command("load")
    .summary("Measure speed under load, and check every stream.")
    .description("Put load on a target with k6. Measures speed, and checks the contract at the same time.")
    .argument("<SCENARIO>")
    .usage(`[flags] ${scenarioNames.slice(0, 4).join("|")}|FILE`)
    .addHelpText("before", examples)
    .addHelpOption(new Option("-h, --help").hideHelp())
    .action(async (scenario: string, options: LoadOptions) => {
      finish(await runLoad(scenario, options, context));
    });
  addAll(command, targetFlags());
  addAll(command, loadFlags());
  addAll(command, outputFlags());
  groupFlags(command, {
    "Most used:": [
      "url",
      "target",
      "against",
      "limits",
      "confirmHost",
      "rate",
      "duration",
      "threshold",
      "decide",
      "out",
    ],
    "Requests:": ["query", "shape", "preset", "questions"],
    "Target and tokens:": ["waitFor", "tokenFile"],
    "Output:": ["knownFailures", "reporter"],
  });
  mergeCommand(command, finish, context);
};
