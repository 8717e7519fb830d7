import { ruleIds } from "@assay/contract";
import { conversationLimitNames, defaultQuery, judgedInterfaces, profileNames } from "@assay/runner";
import { type TargetOptions, targetFlag } from "../config/file-targets.ts";
import {
  type OptionsOf,
  advancedFlags,
  repeatedText,
  bailFlag,
  choiceFlag,
  commaSeparatedList,
  withHeading,
  noProofFlag,
  textFlag,
  switchFlag,
  valueFlag,
  wholeNumber,
  withDefault,
} from "../flag.ts";
import { knownFailuresFlag } from "../known-failure-files.ts";
import { reporterFlags } from "../reporter.ts";
import { certificateFlags } from "./certificate-flags.ts";
import { httpFlag } from "./target-client.ts";
import { targetFlags } from "./target-flags.ts";
import { waitForFlag } from "./wait-for-target.ts";

/** The value of `--rule` that selects the rules that failed in the newest run of the same target. */
export const failedRulesName = "@failed";

const { reporter, ...shortReporters } = reporterFlags({ list: "every rule and every request", json: "verdicts.json" });

/** The flags of `assay run`. */
export const runFlags = {
  ...withHeading("Most used:", {
    url: targetFlags.url,
    target: targetFlag,
    access: targetFlags.access,
    query: withDefault(defaultQuery, textFlag("<QUERY>", "a query with at least 20 results")),
    limits: choiceFlag("<NAME>", conversationLimitNames, "request rate and question limits"),
    questions: valueFlag(
      "<N>",
      wholeNumber({ min: 0, max: 10_000 }),
      "maximum number of questions (default: set by --limits)",
    ),
    profile: {
      ...withDefault(
        "gate",
        textFlag("<NAME>", `which rules are tested, and which are required: ${profileNames.join(", ")}`),
      ),
      completions: profileNames,
    },
    rule: {
      ...valueFlag(
        "<ID>",
        commaSeparatedList,
        "only this rule, repeatable; ID* matches a prefix, @failed selects the last failures",
      ),
      completions: [failedRulesName, ...ruleIds],
    },
    baseline: textFlag("<RUN>", "show changes since a stored run or a named baseline"),
    out: textFlag("<DIR>", "folder of the run, new or empty (default: reports/runs/<run id>)"),
  }),
  ...withHeading("Rules:", {
    interface: {
      ...valueFlag(
        "<NAME>",
        commaSeparatedList,
        `test only rules of this interface, repeatable: ${judgedInterfaces.join(", ")}`,
      ),
      completions: judgedInterfaces,
    },
    notRule: valueFlag("<ID>", commaSeparatedList, "skip this rule, repeatable; ID* matches a prefix"),
    strict: switchFlag("also fail on warnings"),
    knownFailures: knownFailuresFlag,
    bail: bailFlag("stop sending once N rules have failed"),
  }),
  ...withHeading("The embedded server:", {
    repo: valueFlag(
      "<DIR>",
      repeatedText,
      "repository for the embedded server to search, repeatable (default: the current folder, or a sample)",
    ),
    fault: targetFlags.fault,
  }),
  ...withHeading("Time and tokens:", {
    timeout: withDefault(
      600,
      valueFlag("<SECONDS>", wholeNumber({ min: 1, max: 86_400 }), "time limit for the whole run, including judging"),
    ),
    waitFor: waitForFlag,
    tokenFile: targetFlags.tokenFile,
  }),
  ...withHeading("Output:", { reporter }),
  ...advancedFlags({
    embedded: targetFlags.embedded,
    rulesAsOf: textFlag("<VERSION>", "only rules that existed in this version of Assay"),
  }),
  ...noProofFlag,
  ...advancedFlags({
    seed: valueFlag("<N>", wholeNumber({ min: 0, max: 2 ** 32 - 1 }), "seed of the run"),
    http: httpFlag,
    parallel: withDefault(4, valueFlag("<N>", wholeNumber({ min: 1, max: 32 }), "concurrent searches")),
    log: textFlag("<FILE>", "JSON Lines log of the run, - for standard output"),
    tokenCommand: targetFlags.tokenCommand,
    tag: valueFlag("<TAG>", commaSeparatedList, "only rules with this tag, repeatable: access, schema, stated, ..."),
    notTag: valueFlag("<TAG>", commaSeparatedList, "skip rules with this tag, repeatable"),
    sharing: targetFlags.sharing,
    questionTimeout: valueFlag("<SECONDS>", wholeNumber({ min: 1, max: 86_400 }), "maximum time to poll one question"),
    sequences: valueFlag("<N>", wholeNumber({ min: 0, max: 100_000 }), "generated sequences of commands (default: 0)"),
    longQuestionTokens: valueFlag("<N>", wholeNumber({ min: 1, max: 10_000_000 }), "length of the too long question"),
    openapi: textFlag("<FILE|URL>", "OpenAPI document (default: the target's own)"),
  }),
  ...certificateFlags,
  ...shortReporters,
};

/** Options of `assay run`. */
export type RunOptions = OptionsOf<typeof runFlags> & TargetOptions;
