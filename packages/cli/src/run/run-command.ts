import type { AddCommand } from "../command-context.ts";
import { addFlags } from "../flag.ts";
import { type RunOptions, runFlags } from "./run-options.ts";
import { runAgainstTarget } from "./run-session.ts";

const examples = `
Examples:
  assay run                                    against the embedded reference server
  ASSAY_TOKEN=... assay run --url https://search.example.com --access private
  assay run --rule done-is-last --rule 'stream/filter*'
  assay run --rule @failed                     the failures of the newest run
  assay run --target staging --interface legacy,current --baseline released

Questions cost money: a remote target is asked none without --limits or --questions.
Tokens: ASSAY_TOKEN (default: SRC_ACCESS_TOKEN), and ASSAY_{OAUTH,OTHER,READ,
WRITE,UNSCOPED,UNSCOPED_OAUTH,QUOTA,ENTITLEMENT}_TOKEN.
Every flag has a variable (--token-file is ASSAY_TOKEN_FILE) and a member in assay.config.ts.
Precedence: flag, environment variable, configuration file (see \`assay config\`).
Exit codes: 0 passed, 1 failed, 2 usage error, 3 incomplete, 6 a conversation was left behind,
70 bug, 130 and 143 interrupted.`;

/** Adds `assay run`. */
export const runCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("run"), runFlags)
    .summary("Test a target, or the embedded server, against every rule.")
    .description("Run the contract tests against a target; by default the embedded reference server.")
    .addHelpText("after", examples)
    .action(async (options: RunOptions) => {
      finish(await runAgainstTarget(options, context));
    });
};
