import { resolve } from "node:path";
import { renderCheck, renderVerdictsJson } from "@assay/report";
import type { CheckedFile } from "@assay/report";
import { concludeCheck } from "@assay/results";
import type { RunResult } from "@assay/results";
import { findProfile, judgeBundle, judgeExchanges, selectRules } from "@assay/runner";
import type { AddCommand } from "../assay-program.ts";
import type { CommandContext } from "../command-context.ts";
import { collected, flag } from "../flag.ts";
import { tool } from "../version.ts";
import { readRecording } from "./recording.ts";
import type { Recording } from "./recording.ts";

interface CheckOptions {
  readonly rule?: readonly string[];
  readonly strict?: true;
  readonly verbose?: true;
  readonly json?: true;
}

const examples = `
Examples:
  assay check answer.sse                   judge the raw bytes of one stream
  curl -N ... | assay check -              judge what comes on standard input
  assay check session.har                  judge every search in a HAR file
  assay check reports/runs/*               judge stored runs
  assay check --rule done-is-last *.sse    by one rule only

Exit codes: 0 conforms, 1 violates, 2 a file cannot be read, 3 nothing could be judged.`;

/** Adds \`assay check\`. */
export const checkCommand: AddCommand = (program, context, finish) => {
  program
    .command("check")
    .description("Judge recordings offline: raw stream bytes, HAR files, stored runs.")
    .argument("<FILE...>", "recordings; - is standard input")
    .addOption(flag("--rule <ID>", "only this rule, repeatable; * at the end stands for anything").argParser(collected))
    .addOption(flag("--strict", "what is plausible but not promised fails too"))
    .addOption(flag("-v, --verbose", "also the rules that had nothing to judge"))
    .addOption(flag("--json", "print the results as JSON"))
    .addHelpText("after", examples)
    .action(async (files: readonly string[], options: CheckOptions) => {
      finish(await check(files, options, context));
    });
};

async function check(files: readonly string[], options: CheckOptions, context: CommandContext): Promise<number> {
  const { rules } = selectRules(findProfile("gate"), options.rule);
  const settings = { rules, mustObserve: [], strict: options.strict ?? false, access: "undeclared" } as const;
  const other = {
    ...(options.rule === undefined ? {} : { rules }),
    ...(options.strict === undefined ? {} : { strict: true }),
  };
  const checked: CheckedFile[] = [];
  for (const file of files) {
    const recording = await readRecording(file === "-" ? context.stdin : resolve(context.cwd, file));
    checked.push({ file, result: judgeRecording(recording, { file, settings, other }) });
  }
  const { colour, width } = context.terminal;
  const verbose = options.verbose ?? false;
  context.out(options.json === true ? jsonOf(checked) : renderCheck(checked, { colour, width, verbose }));
  return concludeCheck(checked.map(({ result }) => result)).exitCode;
}

const jsonOf = (checked: readonly CheckedFile[]): string =>
  `[${checked.map(({ result }) => renderVerdictsJson(result).trimEnd()).join(",\n")}]\n`;

interface Judging {
  readonly file: string;
  readonly settings: Parameters<typeof judgeExchanges>[0]["settings"];
  /** What was asked for on the command line, for recordings that have settings of their own. */
  readonly other: NonNullable<Parameters<typeof judgeBundle>[1]>;
}

function judgeRecording(recording: Recording, { file, settings, other }: Judging): RunResult {
  if (recording.kind === "bundle") {
    return judgeBundle(recording.bundle, other);
  }
  const nothing = `no search (/.api/search/stream) is among the entries of ${file}`;
  const isEmpty = recording.exchanges.length === 0;
  return judgeExchanges({
    exchanges: recording.exchanges,
    settings,
    tool,
    // A recording has no run: nothing of when and how it is checked belongs into its result.
    run: {
      id: "check",
      startedAt: "1970-01-01T00:00:00.000Z",
      target: file,
      embedded: false,
      profile: "check",
      seed: 0,
      strict: settings.strict,
    },
    incomplete: isEmpty ? [{ code: "nothing-observed", message: nothing }] : [],
    areStreams: recording.kind === "stream",
  });
}
