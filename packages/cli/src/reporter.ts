import type { Command } from "commander";
import { type OptionsOf, advancedFlags, withConflicts, readOneOf, switchFlag, valueFlag } from "./flag.ts";

/** Names of reporters. `agent` is an alias of `quiet`. */
export const reporterNames = ["line", "list", "quiet", "agent", "json"] as const;
type ReporterName = (typeof reporterNames)[number];

/** Former name of `line`. */
const formerReporterName = "people" as const;

export type ReporterOptions = OptionsOf<ReturnType<typeof reporterFlags>>;

/** Returns the selected reporter. Default: `line`. At most one of its flags is set, because `resolveConflicts` rejects combinations. */
export function selectReporter({ reporter, verbose, quiet, json }: ReporterOptions): Exclude<ReporterName, "agent"> {
  if (reporter !== undefined) {
    return reporter === "agent" ? "quiet" : reporter === formerReporterName ? "line" : reporter;
  }
  if (json === true) {
    return "json";
  }
  return quiet === true ? "quiet" : verbose === true ? "list" : "line";
}

/** Renderers for the reporters. */
export interface Renderers {
  readonly json: () => string;
  readonly quiet: () => string;
  /** For people. Complete output if `verbose` is set, for `list`. */
  readonly text: (verbose: boolean) => string;
}

/** Returns the output for the selected reporter. */
export function renderForReporter(options: ReporterOptions, { json, quiet, text }: Renderers): string {
  const reporter = selectReporter(options);
  switch (reporter) {
    case "json":
      return json();
    case "quiet":
      return quiet();
    case "line":
    case "list":
      return text(reporter === "list");
  }
}

/** Reports whether to print progress on standard error: only for people, and not while the log goes to standard output. */
export const hasProgress = (options: ReporterOptions & { readonly log?: string }): boolean =>
  ["line", "list"].includes(selectReporter(options)) && options.log !== "-";

/** `--reporter` with its short forms. `list` and `json` describe their output for this command. */
export const reporterFlags = ({ list, json }: { readonly list: string; readonly json: string }) => ({
  reporter: {
    ...valueFlag<ReporterName | typeof formerReporterName>(
      "<NAME>",
      {
        schema: {
          type: "string",
          enum: [...reporterNames, formerReporterName],
          description: `${formerReporterName} is a deprecated alias of line`,
        },
        // The hint for a mistyped name never suggests the former name.
        read: (name) => (name === formerReporterName ? name : readOneOf(reporterNames).read(name)),
      },
      "output: line, list (-v), quiet or agent (-q), json (--json)",
    ),
    completions: reporterNames,
  },
  ...advancedFlags({
    verbose: withConflicts(switchFlag(`--reporter list: ${list}`, "v"), "reporter", "quiet", "json"),
    quiet: withConflicts(
      switchFlag("--reporter quiet: one line for the result and one per failure", "q"),
      "reporter",
      "json",
    ),
    json: withConflicts(switchFlag(`--reporter json: ${json}`), "reporter"),
  }),
});

/** Replaces the former name of a reporter. Returns a note about it. */
export function replaceFormerReporter(command: Command): readonly string[] {
  if (command.getOptionValue("reporter") !== formerReporterName) {
    return [];
  }
  const replacement = "line" satisfies ReporterName;
  command.setOptionValueWithSource("reporter", replacement, command.getOptionValueSource("reporter"));
  return [
    `the reporter \`${formerReporterName}\` is called \`${replacement}\` now; the next version rejects the former name`,
  ];
}

/** Reports whether a command line requests JSON, even if it contains usage errors. */
export const requestsJson = (args: readonly string[]): boolean =>
  args.some(
    (arg, index) =>
      arg === "--json" || arg === "--reporter=json" || (arg === "--reporter" && args[index + 1] === "json"),
  );
