import { defaultQuery, profileNames } from "@assay/runner";
import type { AddCommand } from "../assay-program.ts";
import { appended, collected, flag, wholeNumber } from "../flag.ts";
import { knownFailuresFlag } from "../known-failure-files.ts";
import type { RunOptions } from "./run-options.ts";
import { runAgainstTarget } from "./run-session.ts";

const examples = `
Examples:
  assay run                                    against the embedded reference server
  ASSAY_TOKEN=... assay run --url https://search.example.com --access private
  assay run --rule done-is-last --rule 'stream/filter*'

Tokens: ASSAY_TOKEN (else SRC_ACCESS_TOKEN), --token-file, --token-command; ASSAY_OAUTH_TOKEN for OAuth.
Every flag has a variable: --token-file is ASSAY_TOKEN_FILE. A flag wins over its variable.
Exit codes: 0 holds, 1 violated, 2 wrong usage, 3 incomplete (nothing learned), 70 bug, 130 interrupted.`;

/** Adds \`assay run\`. */
export const runCommand: AddCommand = (program, context, finish) => {
  program
    .command("run")
    .description("Run the contract tests against a target; by default the embedded reference server.")
    .addOption(flag("--url <URL>", "base address of the instance (default: SRC_ENDPOINT, else the embedded server)"))
    .addOption(flag("--embedded", "the embedded server, whatever SRC_ENDPOINT says").conflicts("url"))
    .addOption(flag("--profile <NAME>", `rules and what must be observed: ${profileNames.join(", ")}`).default("gate"))
    .addOption(flag("--out <DIR>", "folder of the run, new or empty (default: reports/runs/<run id>)"))
    .addOption(flag("--rule <ID>", "only this rule, repeatable; * at the end stands for anything").argParser(collected))
    .addOption(flag("--strict", "what is plausible but not promised fails too"))
    .addOption(knownFailuresFlag())
    .addOption(flag("--access <MODE>", "whether the instance answers without a token").choices(["private", "public"]))
    .addOption(flag("--query <QUERY>", "a query that finds something on the instance").default(defaultQuery))
    .addOption(
      flag("--repo <DIR>", "repository of the embedded server, repeatable (default: this checkout)").argParser(
        appended,
      ),
    )
    .addOption(flag("--fault <ID[:NAME=VALUE]>", "let the embedded server misbehave in one way"))
    .addOption(flag("--seed <N>", "seed of the run").argParser(wholeNumber({ min: 0, max: 2 ** 32 - 1 })))
    .addOption(
      flag("--timeout <SECONDS>", "for the whole run")
        .default(600)
        .argParser(wholeNumber({ min: 1, max: 86_400 })),
    )
    .addOption(
      flag("--parallel <N>", "searches on their way at the same time")
        .default(4)
        .argParser(wholeNumber({ min: 1, max: 32 })),
    )
    .addOption(flag("--token-file <FILE>", "file with the access token, - for standard input"))
    .addOption(flag("--token-command <COMMAND>", "shell command that prints the access token"))
    .addOption(flag("-v, --verbose", "every rule and every request"))
    .addOption(flag("--quiet", "no progress, only the last line"))
    .addOption(flag("--json", "print verdicts.json instead of the report"))
    .addHelpText("after", examples)
    .action(async (options: RunOptions) => {
      finish(await runAgainstTarget(options, context));
    });
};
