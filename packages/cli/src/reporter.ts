import type { Command, Option } from "commander";
import { notWith } from "./config/conflicting-flags.ts";
import { advancedFlag, flag, oneOf, reads } from "./flag.ts";

/** How a result can be printed; `agent` is another name of `quiet`. */
export const reporterNames = ["line", "list", "quiet", "agent", "json"] as const;
type ReporterName = (typeof reporterNames)[number];

/** The name that `line` had before. */
const formerName = "people";

/** Options of a command that prints a result, as commander hands them over. */
export interface ReporterOptions {
  readonly reporter?: ReporterName;
  readonly verbose?: true;
  readonly quiet?: true;
  readonly json?: true;
}

/** How a command prints its result [line]. No two of its flags are given at the same time: `settleConflicts` sees to that. */
export function reporterOf({ reporter, verbose, quiet, json }: ReporterOptions): Exclude<ReporterName, "agent"> {
  if (reporter !== undefined) {
    return reporter === "agent" ? "quiet" : reporter;
  }
  if (json === true) {
    return "json";
  }
  return quiet === true ? "quiet" : verbose === true ? "list" : "line";
}

/** What each reporter prints of a result. */
export interface PrintedForms {
  readonly json: () => string;
  readonly quiet: () => string;
  /** For people; with everything for `list`. */
  readonly people: (verbose: boolean) => string;
}

/** A result as the chosen reporter prints it. */
export function printedBy(options: ReporterOptions, { json, quiet, people }: PrintedForms): string {
  const reporter = reporterOf(options);
  switch (reporter) {
    case "json":
      return json();
    case "quiet":
      return quiet();
    case "line":
    case "list":
      return people(reporter === "list");
  }
}

/** Whether progress is printed on standard error: not where a program reads the result, nor a log on standard output. */
export const hasProgress = (options: ReporterOptions & { readonly log?: string }): boolean =>
  ["line", "list"].includes(reporterOf(options)) && options.log !== "-";

/** `--reporter` with its short forms; `list` and `json` say what these print of the command. */
export const reporterFlags = ({ list, json }: { readonly list: string; readonly json: string }): readonly Option[] => [
  flag("--reporter <NAME>", "output: line, list (-v), quiet or agent (-q), json (--json)").argParser(
    // A mistake is not answered with the former name.
    reads({ type: "string", enum: [...reporterNames, formerName] }, (text) =>
      text === formerName ? text : oneOf(reporterNames)(text),
    ),
  ),
  notWith(advancedFlag("-v, --verbose", `--reporter list: ${list}`), "reporter", "quiet", "json"),
  notWith(advancedFlag("-q, --quiet", "--reporter quiet: a line for the result and each failure"), "reporter", "json"),
  notWith(advancedFlag("--json", `--reporter json: ${json}`), "reporter"),
];

/** Replaces the former name of a reporter; returns a sentence about it. */
export function renameReporter(command: Command): readonly string[] {
  if (command.getOptionValue("reporter") !== formerName) {
    return [];
  }
  const now = "line" satisfies ReporterName;
  command.setOptionValueWithSource("reporter", now, command.getOptionValueSource("reporter"));
  return [`the reporter \`${formerName}\` is called \`${now}\` now; the next version refuses the former name`];
}

/** Whether a command line asks for JSON; it need not be a correct one. */
export const asksForJson = (args: readonly string[]): boolean =>
  args.some(
    (arg, index) =>
      arg === "--json" || arg === "--reporter=json" || (arg === "--reporter" && args[index + 1] === "json"),
  );
