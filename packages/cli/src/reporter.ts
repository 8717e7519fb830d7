import type { Command } from "commander";
import { type OptionsOf, advanced, notWith, oneOf, toggle, valued } from "./flag.ts";

/** How a result can be printed; `agent` is another name of `quiet`. */
export const reporterNames = ["line", "list", "quiet", "agent", "json"] as const;
type ReporterName = (typeof reporterNames)[number];

/** The name that `line` had before. */
const formerName = "people" as const;

export type ReporterOptions = OptionsOf<ReturnType<typeof reporterFlags>>;

/** How a command prints its result [line]. No two of its flags are given at the same time: `settleConflicts` sees to that. */
export function reporterOf({ reporter, verbose, quiet, json }: ReporterOptions): Exclude<ReporterName, "agent"> {
  if (reporter !== undefined) {
    return reporter === "agent" ? "quiet" : reporter === formerName ? "line" : reporter;
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

/** `--reporter` with its short forms; `list` and `json` describe their output for this command. */
export const reporterFlags = ({ list, json }: { readonly list: string; readonly json: string }) => ({
  reporter: {
    ...valued<ReporterName | typeof formerName>(
      "<NAME>",
      {
        schema: { type: "string", enum: [...reporterNames, formerName] },
        // The hint for a mistyped name never names the former one.
        read: (name) => (name === formerName ? name : oneOf(reporterNames).read(name)),
      },
      "output: line, list (-v), quiet or agent (-q), json (--json)",
    ),
    completions: reporterNames,
  },
  ...advanced({
    verbose: notWith(toggle(`--reporter list: ${list}`, "v"), "reporter", "quiet", "json"),
    quiet: notWith(toggle("--reporter quiet: a line for the result and each failure", "q"), "reporter", "json"),
    json: notWith(toggle(`--reporter json: ${json}`), "reporter"),
  }),
});

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
