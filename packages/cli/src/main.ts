import type { CommandContext } from "./command-context.ts";
import { hasLoadedConfig } from "./config/import-config.ts";
import { interruptSignal } from "./interrupt-signal.ts";
import type { Interrupt } from "./interrupt-signal.ts";
import { runCommandLine, tellError } from "./run-command-line.ts";
import { readTerminal } from "./terminal.ts";

/** Resolves when everything has been taken that was written to a stream, or its reader has gone away. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) {
      resolve();
    } else {
      stream.write("", () => resolve());
    }
  });

/** Runs the command line of this process and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // A reader that went away ends the output, not the run.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  // A file that grows past what is allowed is an error to be told of, not the end of the process.
  process.on("SIGXFSZ", () => {});
  let interrupt: Interrupt | undefined;
  const context: CommandContext = {
    env: process.env,
    cwd: process.cwd(),
    terminal: readTerminal(process),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    // Listened for by who asks for it: what cannot be ended in good order is ended at once, as any other program is.
    get signal() {
      interrupt ??= interruptSignal(process);
      return interrupt.signal;
    },
    // Opened by who reads it: an open standard input keeps a process alive.
    get stdin() {
      return process.stdin;
    },
  };
  // Node would end with 1 here, the code of a violated contract.
  process.on("uncaughtException", (error) => {
    process.exit(tellError(error, context));
  });
  try {
    const exitCode = await runCommandLine(context, args);
    // A configuration is a program of somebody else: a timer it has set is no reason to stay.
    if (hasLoadedConfig()) {
      await Promise.all([process.stdout, process.stderr].map((stream) => written(stream)));
      process.exit(exitCode);
    }
    return exitCode;
  } finally {
    interrupt?.dispose();
  }
}
