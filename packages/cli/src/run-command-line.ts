import { renderUsageError } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import { CommanderError } from "commander";
import type { Command } from "commander";
import { assayProgram } from "./assay-program.ts";
import { describeError } from "./command-error.ts";
import type { CommandContext } from "./command-context.ts";
import { redactTokens } from "./config/token-text.ts";
import { asksForJson } from "./reporter.ts";

/** Runs one command and returns the exit code. Never throws: prints errors on standard error. */
export async function runCommandLine(context: CommandContext, args: readonly string[]): Promise<number> {
  try {
    return await runCommand(context, args);
  } catch (error) {
    return reportError(error, context, asksForJson(args));
  }
}

/** Prints an error and returns its exit code. Programs that request JSON get the error code too. */
export function reportError(
  error: unknown,
  { env, err }: Pick<CommandContext, "env" | "err">,
  hasCode = false,
): number {
  const { sentence, exitCode, trace = "" } = describeError(error, env, hasCode);
  // The message may quote a token that was passed in the wrong place, for example as a file name.
  err(redactTokens(`${renderUsageError(sentence)}${trace}`));
  return exitCode;
}

/**
 * Doubles the `--` of `assay client`, so that all arguments after it reach the client. The parser removes one for the program and one for
 * the command.
 */
function withDashesTwice(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--");
  return at > 0 && args.slice(0, at).includes("client") ? args.toSpliced(at, 0, "--") : args;
}

/** Removes `help` before an unknown command, so that the mistyped name is reported. The parser would print the help of the program. */
function withoutHelpOfUnknown(args: readonly string[], { commands }: Command): readonly string[] {
  const [first, name] = args;
  const isUnknown = name !== undefined && !name.startsWith("-") && commands.every((command) => command.name() !== name);
  return first === "help" && isUnknown ? args.slice(1) : args;
}

/** Reports whether help output should include all flags. Ignores words after `--`, which belong to another program. */
const wantsAllFlags = (args: readonly string[]): boolean =>
  (args.includes("--") ? args.slice(0, args.indexOf("--")) : args).includes("--all");

async function runCommand(context: CommandContext, args: readonly string[]): Promise<number> {
  const { program, result } = assayProgram(context, { all: wantsAllFlags(args) });
  try {
    await program.parseAsync(withDashesTwice(withoutHelpOfUnknown(args, program)), { from: "user" });
    return result();
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    // Help and version have code 0. All other errors of the parser are usage errors.
    return error.exitCode === 0 ? 0 : exitCodeOf("usage-error");
  }
}
