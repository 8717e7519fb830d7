import type { AddCommand } from "../command-context.ts";
import { addFlags } from "../flag.ts";
import { type CleanupOptions, cleanUpRuns, cleanupFlags } from "./clean-up-runs.ts";

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
  addFlags(program.command("cleanup"), cleanupFlags)
    .summary("Delete conversations that killed runs left.")
    .description("Delete the conversations that earlier runs left on their targets.")
    .argument("[RUN...]", "folders or ids of runs (default: every run below reports/runs)")
    .addHelpText("after", examples)
    .action(async (runs: readonly string[], options: CleanupOptions) => {
      finish(await cleanUpRuns(runs, options, context));
    });
};
