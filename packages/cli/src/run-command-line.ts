import { renderUsageError } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import { CommanderError } from "commander";
import type { Command } from "commander";
import { createAssayProgram } from "./assay-program.ts";
import { describeError } from "./command-error.ts";
import type { CommandContext } from "./command-context.ts";
import { redactTokens } from "./config/token-text.ts";
import { requestsJson } from "./reporter.ts";

/** Runs one command and returns the exit code. Never throws: prints errors on standard error. */
export async function runCommandLine(context: CommandContext, args: readonly string[]): Promise<number> {
  try {
    return await runCommand(context, args);
  } catch (error) {
    return reportError(error, context, requestsJson(args));
  }
}

/** Prints an error and returns its exit code. Programs that request JSON get the error code too. */
export function reportError(
  error: unknown,
  { env, err }: Pick<CommandContext, "env" | "err">,
  showsCode = false,
): number {
  const { message, exitCode, trace = "" } = describeError(error, env, showsCode);
  // The message may quote a token that was passed in the wrong place, for example as a file name.
  err(redactTokens(`${renderUsageError(message)}${trace}`));
  return exitCode;
}

/**
 * Doubles the `--` of `assay client`, so that all arguments after it reach the client. The parser removes one for the program and one for
 * the command.
 */
function doubleDashes(args: readonly string[]): readonly string[] {
  const dashesIndex = args.indexOf("--");
  return dashesIndex > 0 && args.slice(0, dashesIndex).includes("client") ? args.toSpliced(dashesIndex, 0, "--") : args;
}

/** Removes `help` before an unknown command, so that the mistyped name is reported. The parser would print the help of the program. */
function removeHelpBeforeUnknown(args: readonly string[], { commands }: Command): readonly string[] {
  const [firstArgument, name] = args;
  const isUnknown = name !== undefined && !name.startsWith("-") && commands.every((command) => command.name() !== name);
  return firstArgument === "help" && isUnknown ? args.slice(1) : args;
}

/** Reports whether help output should include all flags. Ignores words after `--`, which belong to another program. */
const requestsAllFlags = (args: readonly string[]): boolean =>
  (args.includes("--") ? args.slice(0, args.indexOf("--")) : args).includes("--all");

async function runCommand(context: CommandContext, args: readonly string[]): Promise<number> {
  const { program, getExitCode } = await createAssayProgram(context, { args, showAdvanced: requestsAllFlags(args) });
  try {
    await program.parseAsync(doubleDashes(removeHelpBeforeUnknown(args, program)), { from: "user" });
    return getExitCode();
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    // Help and version have code 0. All other errors of the parser are usage errors.
    return error.exitCode === 0 ? 0 : exitCodeOf("usage-error");
  }
}
