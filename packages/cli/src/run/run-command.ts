import { conversationLimitNames, defaultQuery, judgedInterfaces, profileNames } from "@assay/runner";
import type { Option } from "commander";
import type { AddCommand } from "../command-context.ts";
import { targetFlag } from "../config/file-targets.ts";
import { notWith } from "../config/conflicting-flags.ts";
import {
  advancedFlag,
  appended,
  bailFlag,
  collected,
  faultsCollected,
  flag,
  groupFlags,
  noProofFlag,
  wholeNumber,
} from "../flag.ts";
import { knownFailuresFlag } from "../known-failure-files.ts";
import { reporterFlags } from "../reporter.ts";
import { certificateFlags } from "./certificate-flags.ts";
import type { RunOptions } from "./run-options.ts";
import { runAgainstTarget } from "./run-session.ts";
import { httpFlag } from "./target-client.ts";
import { waitForFlag } from "./wait-for-target.ts";

const examples = `
Examples:
  assay run                                    against the embedded reference server
  ASSAY_TOKEN=... assay run --url https://search.example.com --access private
  assay run --rule done-is-last --rule 'stream/filter*'
  assay run --rule @failed                     the failures of the newest run
  assay run --target staging --interface legacy,current --baseline released

Questions cost money: a remote target gets none without --limits or --questions.
Tokens: ASSAY_TOKEN (else SRC_ACCESS_TOKEN); and ASSAY_{OAUTH,OTHER,READ,
WRITE,UNSCOPED,UNSCOPED_OAUTH,QUOTA,ENTITLEMENT}_TOKEN.
Every flag has a variable (--token-file is ASSAY_TOKEN_FILE) and a place in assay.config.ts; a flag
wins over its variable, a variable over the file (see \`assay config\`).
Exit codes: 0 passed, 1 failed, 2 wrong usage, 3 incomplete, 6 a conversation was left behind,
70 bug, 130 and 143 interrupted.`;

/** The flags of `assay run` as its help shows them. */
const headings = {
  "Most used:": ["url", "target", "access", "query", "limits", "questions", "profile", "rule", "baseline", "out"],
  "Rules:": ["interface", "notRule", "strict", "knownFailures", "bail"],
  "The embedded server:": ["repo", "fault"],
  "Time and tokens:": ["timeout", "waitFor", "tokenFile"],
  "Output:": ["reporter"],
} as const;

const printed = { list: "every rule and every request", json: "verdicts.json" } as const;

/** Adds \`assay run\`. */
export const runCommand: AddCommand = (program, context, finish) => {
  const command = program
    .command("run")
    .summary("Test a target, or the embedded server, by every rule.")
    .description("Run the contract tests against a target; by default the embedded reference server.")
    .addOption(flag("--url <URL>", "base address (default: SRC_ENDPOINT, else the embedded server)"))
    .addOption(targetFlag())
    .addOption(notWith(advancedFlag("--embedded", "test the embedded server even if SRC_ENDPOINT is set"), "url"))
    .addOption(
      flag("--profile <NAME>", `rules to test, and which are required: ${profileNames.join(", ")}`).default("gate"),
    )
    .addOption(flag("--out <DIR>", "folder of the run, new or empty (default: reports/runs/<run id>)"))
    .addOption(advancedFlag("--rules-as-of <VERSION>", "only rules that this version of Assay had"))
    .addOption(flag("--strict", "fail on warnings, too"))
    .addOption(noProofFlag())
    .addOption(bailFlag("stop sending once N rules have failed"))
    .addOption(knownFailuresFlag())
    .addOption(flag("--access <MODE>", "who may search (default: found out)").choices(["private", "public"]))
    .addOption(flag("--query <QUERY>", "a query with 20 results or more").default(defaultQuery))
    .addOption(
      flag("--repo <DIR>", "repository of the embedded server, repeatable (default: here, or a sample)").argParser(
        appended,
      ),
    )
    .addOption(
      flag("--fault <ID[:NAME=VALUE]>", "inject a fault, repeatable (see `assay list --faults`)").argParser(
        faultsCollected,
      ),
    )
    .addOption(advancedFlag("--seed <N>", "seed of the run").argParser(wholeNumber({ min: 0, max: 2 ** 32 - 1 })))
    .addOption(
      flag("--timeout <SECONDS>", "for the whole run, judging included")
        .default(600)
        .argParser(wholeNumber({ min: 1, max: 86_400 })),
    )
    .addOption(waitForFlag())
    .addOption(httpFlag())
    .addOption(
      advancedFlag("--parallel <N>", "concurrent searches")
        .default(4)
        .argParser(wholeNumber({ min: 1, max: 32 })),
    )
    .addOption(flag("--baseline <RUN>", "show changes since a stored run or a named baseline"))
    .addOption(advancedFlag("--log <FILE>", "JSON Lines log of the run, - for standard output"))
    .addHelpText("after", examples)
    .action(async (options: RunOptions) => {
      finish(await runAgainstTarget(options, context));
    });
  for (const option of [
    ...tokenFlags(),
    ...selectionFlags(),
    ...conversationFlags(),
    ...certificateFlags(),
    ...reporterFlags(printed),
  ]) {
    command.addOption(option);
  }
  groupFlags(command, headings);
};

const tokenFlags = (): readonly Option[] => [
  flag("--token-file <FILE>", "file with the access token, - for standard input"),
  notWith(advancedFlag("--token-command <COMMAND>", "shell command that prints the access token"), "tokenFile"),
];

/** Which rules of a profile are judged. */
const selectionFlags = (): readonly Option[] => [
  flag("--rule <ID>", "only this rule, repeatable; ID* matches a prefix, @failed the last failures").argParser(
    collected,
  ),
  advancedFlag("--tag <TAG>", "only rules with this tag, repeatable: access, schema, stated, ...").argParser(collected),
  flag("--not-rule <ID>", "skip this rule, repeatable; ID* matches a prefix").argParser(collected),
  advancedFlag("--not-tag <TAG>", "skip rules with this tag, repeatable").argParser(collected),
];

/** What may be asked of the conversation API, and what is known of it. */
const conversationFlags = (): readonly Option[] => [
  flag("--interface <NAME>", `only rules about it, repeatable: ${judgedInterfaces.join(", ")}`).argParser(collected),
  advancedFlag("--sharing <SWITCH>", "whether read tokens work for others").choices(["on", "off"]),
  flag("--limits <NAME>", "pace and cost").choices(conversationLimitNames),
  flag("--questions <N>", "questions to ask at most (default: by --limits)").argParser(
    wholeNumber({ min: 0, max: 10_000 }),
  ),
  advancedFlag("--question-timeout <SECONDS>", "maximum time to poll one question").argParser(
    wholeNumber({ min: 1, max: 86_400 }),
  ),
  advancedFlag("--openapi <FILE|URL>", "OpenAPI document (default: that of the target)"),
];
