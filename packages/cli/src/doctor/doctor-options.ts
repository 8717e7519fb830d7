import { conversationLimitNames, defaultQuery } from "@assay/runner";
import { type TargetOptions, targetFlag } from "../config/file-targets.ts";
import {
  type OptionsOf,
  advancedFlags,
  repeatedText,
  choiceFlag,
  textFlag,
  switchFlag,
  valueFlag,
  wholeNumber,
} from "../flag.ts";
import { reporterFlags } from "../reporter.ts";
import { certificateFlags } from "../run/certificate-flags.ts";
import { httpFlag } from "../run/target-client.ts";
import { targetFlags } from "../run/target-flags.ts";
import { waitForFlag } from "../run/wait-for-target.ts";

/** The flags of `assay doctor`. */
export const doctorFlags = {
  url: targetFlags.url,
  target: targetFlag,
  ...advancedFlags({ embedded: targetFlags.embedded }),
  query: textFlag(
    "<QUERY>",
    `a query that takes at least one second (default: \`${defaultQuery}\`, then slower queries)`,
  ),
  access: targetFlags.access,
  ...advancedFlags({ sharing: targetFlags.sharing }),
  limits: choiceFlag("<NAME>", conversationLimitNames, "request rate and question limits (default: same as run)"),
  tokenFile: targetFlags.tokenFile,
  ...advancedFlags({
    tokenCommand: targetFlags.tokenCommand,
  }),
  timeout: valueFlag(
    "<SECONDS>",
    wholeNumber({ min: 1, max: 3600 }),
    "time limit for all checks (default: 60, with --patient 300)",
  ),
  waitFor: waitForFlag,
  ...advancedFlags({ http: httpFlag }),
  patient: switchFlag("let a stream run until --timeout instead of 20 seconds"),
  out: textFlag("<DIR>", "save the evidence to this new or empty folder"),
  repo: valueFlag(
    "<DIR>",
    repeatedText,
    "repository for the embedded server to search, repeatable (default: the current folder)",
  ),
  fault: targetFlags.fault,
  self: switchFlag("check this installation instead of a target"),
  ...reporterFlags({ list: "also the checks that passed", json: "doctor.json" }),
  ...certificateFlags,
};

/** Options of `assay doctor`. */
export type DoctorOptions = OptionsOf<typeof doctorFlags> & TargetOptions;
