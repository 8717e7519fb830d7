import { renderUsageError } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import { CommanderError } from "commander";
import type { Command } from "commander";
import { assayProgram } from "./assay-program.ts";
import { shownError } from "./command-error.ts";
import type { CommandContext } from "./command-context.ts";
import { withoutTokens } from "./config/token-text.ts";
import { asksForJson } from "./reporter.ts";

/** Runs one command and returns the exit code. Never throws: errors become one sentence on standard error. */
export async function runCommandLine(context: CommandContext, args: readonly string[]): Promise<number> {
  try {
    return await runCommand(context, args);
  } catch (error) {
    return reportError(error, context, asksForJson(args));
  }
}

/** Prints an error and returns its exit code. Programs, which ask for JSON, get the error code as well. */
export function reportError(
  error: unknown,
  { env, err }: Pick<CommandContext, "env" | "err">,
  hasCode = false,
): number {
  const { sentence, exitCode, trace = "" } = shownError(error, env, hasCode);
  // The sentence may quote a token that was given in the wrong place, such as a file name.
  err(withoutTokens(`${renderUsageError(sentence)}${trace}`));
  return exitCode;
}

/**
 * Doubles the `--` of `assay client`, so that all arguments after it reach the client: the parser removes one for the program and one
 * for the command.
 */
function withDashesTwice(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--");
  return at > 0 && args.slice(0, at).includes("client") ? args.toSpliced(at, 0, "--") : args;
}

/** Removes `help` before an unknown command, so that the mistyped name is reported. The parser would print the help of the program. */
function withoutHelpOfUnknown(args: readonly string[], { commands }: Command): readonly string[] {
  const [first, name] = args;
  const isUnknown = name !== undefined && !name.startsWith("-") && commands.every((one) => one.name() !== name);
  return first === "help" && isUnknown ? args.slice(1) : args;
}

/** Whether the help should show all flags. Words after `--` belong to another program. */
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
    // Code 0 is for help and version; everything else is a usage error.
    return error.exitCode === 0 ? 0 : exitCodeOf("usage-error");
  }
}
