import { latencyNames } from "@assay/reference-server";
import { comparisonPresets, loadShapes } from "@assay/results";
import { conversationInterfaces, conversationLimitNames } from "@assay/runner";
import { type TargetOptions, targetFlag } from "../config/file-targets.ts";
import {
  type Flag,
  type OptionsOf,
  advancedFlags,
  repeatedText,
  commaSeparatedList,
  withHeading,
  withConflicts,
  readOneOf,
  optionalTextFlag,
  decimalNumber,
  textFlag,
  switchFlag,
  negatedFlag,
  valueFlag,
  wholeNumber,
} from "../flag.ts";
import { knownFailuresFlag } from "../known-failure-files.ts";
import { reporterFlags } from "../reporter.ts";
import { certificateFlags } from "../run/certificate-flags.ts";
import { waitForFlag } from "../run/wait-for-target.ts";
import { durationReader } from "./duration-reader.ts";

const dayMs = 24 * 3_600_000;

/** Like `choiceFlag`, but the help text contains the names, separated by bars. This is shorter. */
const inlineChoiceFlag = <Name extends string>(names: readonly Name[], help = ""): Flag<Name> =>
  valueFlag("<NAME>", readOneOf(names), `${help}${names.join("|")}`);

const { reporter, ...shortReporters } = reporterFlags({ list: "every validity check", json: "load.json" });

/** The flags of `assay load`. Parsed times are in milliseconds. */
export const loadFlags = {
  ...withHeading("Most used:", {
    url: textFlag("<URL>", "target (default: SRC_ENDPOINT, otherwise embedded)"),
    target: targetFlag,
    against: textFlag("<URL>", "compare the target (the base) with this one (the head)"),
    limits: inlineChoiceFlag(conversationLimitNames, "request rate and question limits: "),
    confirmHost: valueFlag("<HOST>", commaSeparatedList, "allow load on this host, repeatable"),
    rate: valueFlag("<N>", decimalNumber({ min: 0.01, max: 100_000 }), "arrivals per second"),
    duration: valueFlag(
      "<TIME>",
      durationReader({ minMs: 1000, maxMs: dayMs }),
      "duration of the measured phase, such as 15s or 2m",
    ),
    threshold: valueFlag(
      "<LIMIT>",
      repeatedText,
      "threshold that fails the run if not met, repeatable: 'first-match p95 < 800'",
    ),
    decide: switchFlag("exit with 5 if the comparison is inconclusive"),
    out: textFlag("<DIR>", "folder of the run (default: reports/runs/<run id>)"),
  }),
  ...withHeading("Requests:", {
    query: valueFlag("<QUERY>", repeatedText, "query to use instead of the defaults, repeatable"),
    shape: inlineChoiceFlag(loadShapes),
    preset: inlineChoiceFlag(comparisonPresets, "sensitivity of the comparison: "),
    questions: valueFlag("<N>", wholeNumber({ min: 0, max: 1_000_000 }), "maximum number of questions"),
  }),
  ...withHeading("Target and tokens:", {
    waitFor: waitForFlag,
    tokenFile: textFlag("<FILE>", "access token, - for standard input"),
  }),
  ...withHeading("Output:", { knownFailures: knownFailuresFlag, reporter }),
  ...advancedFlags({
    againstFactor: valueFlag(
      "<N>",
      decimalNumber({ min: 0.01, max: 100 }),
      "slow the embedded head by this factor: 1.5 is 50% slower",
    ),
    tokenCommand: withConflicts(textFlag("<COMMAND>", "prints the access token"), "tokenFile"),
    againstTokenFile: textFlag("<FILE>", "token of the head (else ASSAY_AGAINST_TOKEN)"),
  }),
  ...certificateFlags,
  ...advancedFlags({
    latency: inlineChoiceFlag(latencyNames, "latency of the embedded server: "),
    warmup: valueFlag("<TIME>", durationReader({ minMs: 0, maxMs: dayMs }), "time before measuring starts"),
    interface: inlineChoiceFlag(conversationInterfaces, "conversation interface: "),
    pollInterval: valueFlag("<TIME>", durationReader({ minMs: 50, maxMs: 3_600_000 }), "time between polls"),
    pollers: valueFlag(
      "<N>",
      wholeNumber({ min: 1, max: 8 }),
      "number of clients that poll each conversation in turn (default: 2)",
    ),
    maxVus: valueFlag("<N>", wholeNumber({ min: 1, max: 100_000 }), "maximum concurrent virtual users (default: 500)"),
    seed: valueFlag("<N>", wholeNumber({ min: 0, max: 2 ** 32 - 1 }), "seed for the order of queries"),
    warnThreshold: valueFlag("<LIMIT>", repeatedText, "threshold that only warns"),
    abortThreshold: valueFlag("<LIMIT>", repeatedText, "threshold that aborts the run if not met"),
    canary: negatedFlag("no contract checks before, during and after the load"),
    keepMb: valueFlag(
      "<N>",
      wholeNumber({ min: 0, max: 1_000_000 }),
      "MiB of exchanges kept for contract checks (default: 1024)",
    ),
    k6Out: valueFlag("<OUTPUT>", repeatedText, "output passed to k6 --out, repeatable: opentelemetry, json=FILE"),
    dashboard: optionalTextFlag("[FILE]", "k6's dashboard as HTML (default: dashboard.html)"),
  }),
  ...advancedFlags({
    kubernetes: textFlag("<CONTEXT>", "run k6 in this cluster of the kubeconfig, with the k6-operator"),
    runners: valueFlag(
      "<N>",
      wholeNumber({ min: 1, max: 1000 }),
      "number of runners, which share the rate (default: 2)",
    ),
    image: textFlag("<IMAGE>", "image of the runners"),
    runnerCpu: valueFlag(
      "<N>",
      decimalNumber({ min: 0.01, max: 256 }),
      "processor cores that each runner requests (default: 1)",
    ),
    namespace: textFlag("<NAME>", "namespace (default: the one of the context)"),
    storageClass: textFlag("<NAME>", "storage that all nodes can write to (default: the one of the cluster)"),
    startTimeout: valueFlag(
      "<TIME>",
      durationReader({ minMs: 1000, maxMs: dayMs }),
      "maximum time until all runners are ready (default: 5m)",
    ),
    dryRun: switchFlag("print the objects without a cluster, and do nothing else"),
  }),
  ...shortReporters,
  ...advancedFlags({ log: textFlag("<FILE>", "JSON Lines log, - for standard output") }),
};

/** Options of `assay load`. */
export type LoadOptions = OptionsOf<typeof loadFlags> & TargetOptions;
