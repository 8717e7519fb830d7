import { trialNames, trialSeed } from "@assay/client-trials";
import { judgedInterfaces } from "@assay/runner";
import {
  type OptionsOf,
  advancedFlags,
  bailFlag,
  commaSeparatedList,
  decimalNumber,
  textFlag,
  switchFlag,
  valueFlag,
  wholeNumber,
  withDefault,
} from "../flag.ts";
import { reporterFlags } from "../reporter.ts";

/** The flags of `assay client`. */
export const clientFlags = {
  trial: {
    ...valueFlag("<NAME>", commaSeparatedList, "run only this trial, repeatable; fails if the client skips it"),
    completions: trialNames,
  },
  interface: {
    ...valueFlag("<NAME>", commaSeparatedList, "only trials of stream, legacy or current, repeatable"),
    completions: judgedInterfaces,
  },
  timeout: withDefault(15, valueFlag("<SECONDS>", decimalNumber({ min: 1, max: 3600 }), "time limit for one trial")),
  ...advancedFlags({
    linger: withDefault(
      4,
      valueFlag(
        "<SECONDS>",
        decimalNumber({ min: 0.5, max: 600 }),
        "how long to watch the client after it finishes its task",
      ),
    ),
  }),
  parallel: withDefault(2, valueFlag("<N>", wholeNumber({ min: 1, max: 16 }), "trials to run in parallel")),
  ...advancedFlags({
    seed: withDefault(
      trialSeed,
      valueFlag("<N>", wholeNumber({ min: 0, max: 2 ** 32 - 1 }), "seed for generating unusual responses"),
    ),
  }),
  repo: textFlag("<DIR>", "repository to search; requires --query (default: a small generated one)"),
  query: textFlag("<QUERY>", "query to search for"),
  question: textFlag("<TEXT>", "question to ask"),
  strict: switchFlag("also fail on warnings"),
  bail: bailFlag("stop after N failed checks"),
  list: switchFlag("list the trials"),
  out: textFlag("<DIR>", "write client.json, records.json, junit.xml and summary.md to this folder"),
  ...reporterFlags({ list: "every check of every trial", json: "client.json" }),
};

/** Options of `assay client`. */
export type ClientOptions = OptionsOf<typeof clientFlags>;
