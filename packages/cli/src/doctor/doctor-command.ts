import type { AddCommand, CommandContext } from "../command-context.ts";
import { addFlags } from "../flag.ts";
import { type DoctorOptions, doctorFlags } from "./doctor-options.ts";
import { exitCodeOf } from "@assay/results";
import { listInstalledParts, formatParts } from "../installation.ts";
import { examine } from "./examine.ts";

const examples = `
Examples:
  assay doctor --url https://search.example.com
  assay doctor --target staging --access private --query 'TODO count:all'
  assay doctor --url https://search.example.com --out /tmp/doctor    save evidence to share
  assay doctor --self                          check this installation
  assay doctor --fault one-burst:searches=9    inject a problem into the embedded server

It changes nothing and asks no questions. A remote target gets 2 requests a second and one search
at a time by default. The first request has no token. Redirects are not followed.
To find buffering, choose a --query that takes a second or more.
Further tokens allow more checks: ASSAY_{OAUTH,OTHER,READ,UNSCOPED}_TOKEN. Set headers for a proxy
in SRC_HEADERS.
Exit codes: 0 no problem, 1 a problem with streaming or the contract, 2 usage error,
3 nothing tested (unreachable, refused, not the API), 130 interrupted.`;

/** Checks this installation. Returns the exit code, which is an error if a part that a run needs is missing. */
function examineSelf({ env, out }: CommandContext): number {
  const parts = listInstalledParts(env);
  out(formatParts(parts, { showSigns: true }));
  const isComplete = parts.every(({ isOptional, version }) => isOptional || version !== undefined);
  return exitCodeOf(isComplete ? "passed" : "usage-error");
}

/** Adds `assay doctor`. */
export const doctorCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("doctor"), doctorFlags)
    .summary("Find what breaks streaming between here and a target.")
    .description("Find what breaks streaming between this machine and an instance, and how to fix it.")
    .addHelpText("after", examples)
    .action(async (options: DoctorOptions) => {
      finish(options.self === true ? examineSelf(context) : await examine(options, context));
    });
};
