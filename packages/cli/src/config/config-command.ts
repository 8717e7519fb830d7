import { nearestName } from "@assay/runner";
import type { Command } from "commander";
import type { AddCommand } from "../assay-program.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../command-error.ts";
import { flag } from "../flag.ts";
import { type AppliedConfig, appliedTo } from "./apply-config.ts";
import { hasSection } from "./command-options.ts";
import { configReport } from "./config-values.ts";
import { targetFlag } from "./file-targets.ts";
import { renderConfig } from "./render-config.ts";

const examples = `
Examples:
  assay config                             what assay run would work with, and where it comes from
  assay config load --target staging       the same of assay load on a target of the file
  assay config run --timeout 60 --json     with flags of that command; as JSON

A flag wins over its variable, a variable over the file, the file over a default. Within the file a
target wins over the section of the command. Tokens and headers are told as set or unset.
Exit codes: 0 fine, 2 wrong usage or a mistake in the file.`;

interface ConfigOptions {
  readonly target?: string;
  readonly json?: true;
}

/** Adds \`assay config\`. */
export const configCommand: AddCommand = (program, context, finish) => {
  program
    .command("config")
    .description("Show what a command would work with: each value with its source.")
    .argument("[COMMAND]", "run, load, doctor, ... (default: run)")
    .argument("[FLAGS...]", "flags of that command")
    .addOption(targetFlag())
    .addOption(flag("--json", "machine-readable output"))
    .allowUnknownOption()
    .addHelpText("after", examples)
    .action(async (name: string | undefined, flags: readonly string[], { target, json }: ConfigOptions) => {
      // Its variable is read by the other command as well; said twice it is said once.
      const named = target === undefined || target === context.env["ASSAY_TARGET"] ? [] : ["--target", target];
      await show({ program, name: name ?? "run", flags: [...named, ...flags], json: json === true }, context);
      finish(0);
    });
};

interface Asked {
  readonly program: Command;
  readonly name: string;
  readonly flags: readonly string[];
  readonly json: boolean;
}

function commandNamed(name: string, program: Command): Command {
  const known = program.commands.filter((command) => hasSection(command));
  const command = known.find((each) => each.name() === name);
  if (command !== undefined) {
    return command;
  }
  const names = known.map((each) => each.name());
  const near = nearestName(name, names);
  const hint = near === undefined ? `commands are ${names.join(", ")}` : `did you mean \`${near}\`?`;
  throw new UsageError(`there is no command \`${name}\` with a configuration; ${hint}`);
}

/** Which file was named before the command. */
function globalFlags(program: Command): readonly string[] {
  const { config }: { readonly config?: unknown } = program.opts();
  return config === false ? ["--no-config"] : typeof config === "string" ? ["--config", config] : [];
}

const nothing: AppliedConfig = { members: new Map(), notes: [] };

/** Reads the command line of another command as that one would, and shows its values instead of acting. */
async function show({ program, name, flags, json }: Asked, context: CommandContext): Promise<void> {
  const command = commandNamed(name, program);
  for (const argument of command.registeredArguments) {
    argument.argOptional();
  }
  command.action(() => undefined);
  await program.parseAsync([...globalFlags(program), name, ...flags], { from: "user" });
  const report = configReport({ command, applied: appliedTo(command) ?? nothing, context });
  context.out(json ? `${JSON.stringify({ schemaVersion: 1, ...report }, null, 2)}\n` : renderConfig(report));
}
