import { conversationLimitNames } from "@assay/runner";
import type { AddCommand } from "../command-context.ts";
import { targetFlag } from "../config/file-targets.ts";
import { notWith } from "../config/conflicting-flags.ts";
import { flag } from "../flag.ts";
import { certificateFlags } from "../run/certificate-flags.ts";
import { cleanUpRuns } from "./clean-up-runs.ts";
import type { CleanupOptions } from "./clean-up-runs.ts";

const examples = `
Examples:
  ASSAY_TOKEN=... assay cleanup                  what any run below reports/runs has left behind
  ASSAY_TOKEN=... assay cleanup reports/runs/20260131T120000Z-1a2b3c
  assay cleanup --target staging                 what was left on a target of the configuration file

With --target only what was left on that target is deleted; the token for it is that of the target.
A run cleans up after itself, also when it is interrupted. This is for runs that were killed, or
whose target was away.
Only conversations of the run's ledger whose question carries the mark of the run are deleted.
Exit codes: 0 nothing is left, 2 wrong usage, 6 something could not be removed.`;

/** Adds \`assay cleanup\`. */
export const cleanupCommand: AddCommand = (program, context, finish) => {
  const command = program
    .command("cleanup")
    .summary("Delete conversations that killed runs left.")
    .description("Delete the conversations that earlier runs left on their targets.")
    .argument("[RUN...]", "folders or ids of runs (default: every run below reports/runs)")
    .addOption(flag("--url <URL>", "where the target is now (default: where each run found it)"))
    .addOption(targetFlag())
    .addOption(flag("--limits <NAME>", "pace and cost (default: as run)").choices(conversationLimitNames))
    .addOption(flag("--token-file <FILE>", "file with the access token, - for standard input"))
    .addOption(notWith(flag("--token-command <COMMAND>", "shell command that prints the access token"), "tokenFile"))
    .addHelpText("after", examples)
    .action(async (runs: readonly string[], options: CleanupOptions) => {
      finish(await cleanUpRuns(runs, options, context));
    });
  for (const option of certificateFlags()) {
    command.addOption(option);
  }
};
