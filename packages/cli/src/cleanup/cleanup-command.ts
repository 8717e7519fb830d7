import type { AddCommand } from "../command-context.ts";
import { addFlags } from "../flag.ts";
import { type CleanupOptions, cleanUpRuns, cleanupFlags } from "./clean-up-runs.ts";

const examples = `
Examples:
  ASSAY_TOKEN=... assay cleanup                  conversations of all runs in reports/runs
  ASSAY_TOKEN=... assay cleanup reports/runs/20260131T120000Z-1a2b3c
  assay cleanup --target staging                 only on a target from the configuration file

With --target, only conversations on that target are deleted, using the token of that target.
A run cleans up after itself, even if it is interrupted. Use this command if a run was killed or
lost its connection to the target.
It deletes a conversation only if the run's ledger lists it and its question contains the run's
marker.
Exit codes: 0 all conversations deleted, 2 usage error, 6 a conversation could not be deleted.`;

/** Adds `assay cleanup`. */
export const cleanupCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("cleanup"), cleanupFlags)
    .summary("Delete conversations left behind by killed runs.")
    .description("Delete conversations that earlier runs left behind on their targets.")
    .argument("[RUN...]", "folders or ids of runs (default: every run in reports/runs)")
    .addHelpText("after", examples)
    .action(async (runs: readonly string[], options: CleanupOptions) => {
      finish(await cleanUpRuns(runs, options, context));
    });
};
