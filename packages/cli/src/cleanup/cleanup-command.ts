import type { AddCommand } from "../command-context.ts";
import { addFlags } from "../flag.ts";
import { type CleanupOptions, cleanUpRuns, cleanupFlags } from "./clean-up-runs.ts";

const examples = `
Examples:
  ASSAY_TOKEN=... assay cleanup                  conversations of all runs below reports/runs
  ASSAY_TOKEN=... assay cleanup reports/runs/20260131T120000Z-1a2b3c
  assay cleanup --target staging                 only those on a target of the configuration file

With --target, only conversations on that target are deleted, with the token of that target.
A run cleans up after itself, even if it is interrupted. This command is for runs that were killed,
or whose target was not reachable.
It deletes only conversations in the ledger of a run whose question has the mark of the run.
Exit codes: 0 nothing is left, 2 wrong usage, 6 a conversation could not be removed.`;

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
