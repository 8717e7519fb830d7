import { readBundle } from "@assay/evidence";
import { renderTerminal, renderVerdictsJson } from "@assay/report";
import { bundleNotes, judgeBundle } from "@assay/runner";
import { resolve } from "node:path";
import type { AddCommand } from "../assay-program.ts";
import type { CommandContext } from "../command-context.ts";
import { flag } from "../flag.ts";
import { writeResultFiles } from "../result-files.ts";

interface JudgeOptions {
  readonly out?: string;
  readonly verbose?: true;
  readonly json?: true;
}

const examples = `
Examples:
  assay judge reports/runs/20260131T120000Z-1a2b3c
  assay judge RUN --out verdicts/          write verdicts.json, junit.xml, summary.md somewhere else
  assay judge RUN --json                   print verdicts.json`;

/** Adds \`assay judge\`. */
export const judgeCommand: AddCommand = (program, context, finish) => {
  program
    .command("judge")
    .description("Judge a stored run again: same evidence, same verdicts, byte for byte.")
    .argument("<RUN>", "folder of the run")
    .addOption(flag("--out <DIR>", "where the results are written (default: the run's folder)"))
    .addOption(flag("-v, --verbose", "every rule and every request"))
    .addOption(flag("--json", "print verdicts.json instead of the report"))
    .addHelpText("after", examples)
    .action(async (run: string, options: JudgeOptions) => {
      finish(await judge(run, options, context));
    });
};

async function judge(run: string, options: JudgeOptions, context: CommandContext): Promise<number> {
  const folder = resolve(context.cwd, run);
  const bundle = await readBundle(folder);
  for (const note of bundleNotes(bundle)) {
    context.err(`note: ${note}\n`);
  }
  const result = await judgeBundle(bundle);
  const out = resolve(context.cwd, options.out ?? run);
  const { colour, width } = context.terminal;
  context.out(
    options.json === true
      ? renderVerdictsJson(result)
      : renderTerminal(result, { colour, width, folder: out, verbose: options.verbose ?? false }),
  );
  // Shown first: evidence is often kept where nothing can be written.
  await writeResultFiles(out, result);
  return result.exitCode;
}
