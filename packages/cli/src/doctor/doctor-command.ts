import { conversationLimitNames, defaultQuery } from "@assay/runner";
import type { AddCommand, CommandContext } from "../command-context.ts";
import { targetFlag } from "../config/file-targets.ts";
import { notWith } from "../config/conflicting-flags.ts";
import { certificateFlags } from "../run/certificate-flags.ts";
import { httpFlag } from "../run/target-client.ts";
import { waitForFlag } from "../run/wait-for-target.ts";
import { advancedFlag, appended, faultsCollected, flag, wholeNumber } from "../flag.ts";
import { reporterFlags } from "../reporter.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { exitCodeOf } from "@assay/results";
import { installation, partLines } from "../installation.ts";
import { examine } from "./examine.ts";

const examples = `
Examples:
  assay doctor --url https://search.example.com
  assay doctor --target staging --access private --query 'TODO count:all'
  assay doctor --url https://search.example.com --out /tmp/doctor    evidence to mail
  assay doctor --self                          check this installation
  assay doctor --fault one-burst:searches=9    a problem, injected into the embedded server

It changes nothing and asks no question. A remote target gets 2 requests a second and one search
at a time by default. The first request has no token; redirects are not followed.
To find buffering, choose a --query that takes a second or more.
More tokens show more: ASSAY_{OAUTH,OTHER,READ,UNSCOPED}_TOKEN. Headers for a proxy: SRC_HEADERS.
Exit codes: 0 fine or notes, 1 something breaks streaming or the contract, 2 wrong usage,
3 nothing tested (unreachable, refused, not the API), 130 interrupted.`;

/** Tells check this installation; a mistake where something is missing that a run needs. */
function examineSelf({ env, out }: CommandContext): number {
  const parts = installation(env);
  out(partLines(parts, { signs: true }));
  const isWhole = parts.every(({ isOptional, version }) => isOptional || version !== undefined);
  return exitCodeOf(isWhole ? "passed" : "usage-error");
}

/** Adds \`assay doctor\`. */
export const doctorCommand: AddCommand = (program, context, finish) => {
  const command = program
    .command("doctor")
    .summary("Find what breaks streaming on the way to a target.")
    .description("Find what breaks streaming between this machine and an instance, and how to fix it.")
    .addOption(flag("--url <URL>", "base address (default: SRC_ENDPOINT, else the embedded server)"))
    .addOption(targetFlag())
    .addOption(notWith(advancedFlag("--embedded", "test the embedded server even if SRC_ENDPOINT is set"), "url"))
    .addOption(flag("--query <QUERY>", `a query that takes a second or more (default: ${defaultQuery}, then longer)`))
    .addOption(flag("--access <MODE>", "who may search (default: found out)").choices(["private", "public"]))
    .addOption(advancedFlag("--sharing <SWITCH>", "whether read tokens work for others").choices(["on", "off"]))
    .addOption(flag("--limits <NAME>", "pace and cost (default: as run)").choices(conversationLimitNames))
    .addOption(flag("--token-file <FILE>", "file with the access token, - for standard input"))
    .addOption(
      notWith(advancedFlag("--token-command <COMMAND>", "shell command that prints the access token"), "tokenFile"),
    )
    .addOption(
      flag("--timeout <SECONDS>", "for all checks (default: 60, with --patient 300)").argParser(
        wholeNumber({ min: 1, max: 3600 }),
      ),
    )
    .addOption(waitForFlag())
    .addOption(httpFlag())
    .addOption(flag("--patient", "wait for a stream until --timeout, not 20 seconds"))
    .addOption(flag("--out <DIR>", "save the evidence in this new or empty folder"))
    .addOption(
      flag("--repo <DIR>", "repository of the embedded server, repeatable (default: here)").argParser(appended),
    )
    .addOption(
      flag("--fault <ID[:NAME=VALUE]>", "inject a fault, repeatable (see `assay list --faults`)").argParser(
        faultsCollected,
      ),
    )
    .addOption(flag("--self", "check this installation instead of a target"))
    .addHelpText("after", examples)
    .action(async (options: DoctorOptions) => {
      finish(options.self === true ? examineSelf(context) : await examine(options, context));
    });
  const printed = reporterFlags({ list: "also the checks that passed", json: "doctor.json" });
  for (const option of [...printed, ...certificateFlags()]) {
    command.addOption(option);
  }
};
