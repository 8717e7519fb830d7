import { renderUsageError } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import { CommanderError } from "commander";
import type { Command } from "commander";
import { assayProgram } from "./assay-program.ts";
import { shownError } from "./command-error.ts";
import type { CommandContext } from "./command-context.ts";
import { withoutTokens } from "./config/token-text.ts";
import { asksForJson } from "./reporter.ts";

/** Runs one command and returns the exit code. Never throws; whatever goes wrong is one sentence on standard error. */
export async function runCommandLine(context: CommandContext, args: readonly string[]): Promise<number> {
  try {
    return await runCommand(context, args);
  } catch (error) {
    return tellError(error, context, asksForJson(args));
  }
}

/** Tells the user about an error; returns the exit code that it means. Programs, which ask for JSON, get its code as well. */
export function tellError(error: unknown, { env, err }: Pick<CommandContext, "env" | "err">, hasCode = false): number {
  const { sentence, exitCode, trace = "" } = shownError(error, env, hasCode);
  // A token that was given in the wrong place, such as the name of a file, is quoted in the sentence about it.
  err(withoutTokens(`${renderUsageError(sentence)}${trace}`));
  return exitCode;
}

/**
 * What a client is called with belongs to it alone: the parser takes `--` off once for the program and once for the command.
 */
function withDashesTwice(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--");
  return at > 0 && args.slice(0, at).includes("client") ? args.toSpliced(at, 0, "--") : args;
}

/** The help of a command that there is not is asked for by a mistyped name; the parser would answer with that of the program. */
function withoutHelpOfNothing(args: readonly string[], { commands }: Command): readonly string[] {
  const [first, name] = args;
  const isUnknown = name !== undefined && !name.startsWith("-") && commands.every((one) => one.name() !== name);
  return first === "help" && isUnknown ? args.slice(1) : args;
}

/** Whether a help was asked for with all of its flags; words behind `--` are those of another program. */
const wantsAllFlags = (args: readonly string[]): boolean =>
  (args.includes("--") ? args.slice(0, args.indexOf("--")) : args).includes("--all");

async function runCommand(context: CommandContext, args: readonly string[]): Promise<number> {
  const { program, result } = assayProgram(context, { all: wantsAllFlags(args) });
  try {
    await program.parseAsync(withDashesTwice(withoutHelpOfNothing(args, program)), { from: "user" });
    return result();
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    // Help and version were asked for; everything else commander says is a mistake in the call.
    return error.exitCode === 0 ? 0 : exitCodeOf("usage-error");
  }
}
