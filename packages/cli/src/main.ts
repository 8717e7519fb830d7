import { renderUsageError } from "@assay/report";
import { exitCodeOf } from "@assay/results";
import { CommanderError } from "commander";
import { assayProgram } from "./assay-program.ts";
import { shownError } from "./command-error.ts";
import type { CommandContext } from "./command-context.ts";
import { interruptSignal } from "./interrupt-signal.ts";
import { readStdin } from "./read-stdin.ts";
import { readTerminal } from "./terminal.ts";

/** Runs the command line and returns the exit code. Never throws; whatever goes wrong is one sentence on standard error. */
export async function main(args: readonly string[]): Promise<number> {
  // A reader that went away ends the output, not the run.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  const interrupt = interruptSignal(process);
  const context: CommandContext = {
    env: process.env,
    cwd: process.cwd(),
    terminal: readTerminal(process),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    signal: interrupt.signal,
    readStdin: () => readStdin(process.stdin),
  };
  try {
    return await runCommand(context, args);
  } catch (error) {
    const { sentence, exitCode } = shownError(error, context.env);
    context.err(renderUsageError(sentence));
    return exitCode;
  } finally {
    interrupt.dispose();
  }
}

async function runCommand(context: CommandContext, args: readonly string[]): Promise<number> {
  const { program, result } = assayProgram(context);
  try {
    await program.parseAsync(args, { from: "user" });
    return result();
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    // Help and version were asked for; everything else commander says is a mistake in the call.
    return error.exitCode === 0 ? 0 : exitCodeOf("usage-error");
  }
}
