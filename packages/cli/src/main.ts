import { HarnessError } from "@assay/contract";
import type { CommandContext } from "./command-context.ts";
import { hasLoadedConfig } from "./config/import-config.ts";
import { interruptSignal } from "./interrupt-signal.ts";
import type { Interrupt } from "./interrupt-signal.ts";
import { runCommandLine, tellError } from "./run-command-line.ts";
import { standardOutput } from "./standard-output.ts";
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

/** The working folder; undefined where it was removed, of which Node makes an error. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const err = (text: string): void => void process.stderr.write(text);

/** Runs the command line of this process and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const output = standardOutput(process.stdout);
  process.stderr.on("error", () => {});
  // A file that grows past what is allowed is an error to be told of, not the end of the process.
  process.on("SIGXFSZ", () => {});
  const cwd = workingFolder();
  if (cwd === undefined) {
    return tellError(new HarnessError("usage", "the working folder is gone; change into one that is there"), {
      env: process.env,
      err,
    });
  }
  let interrupt: Interrupt | undefined;
  const context: CommandContext = {
    env: process.env,
    cwd,
    terminal: readTerminal(process),
    out: output.write,
    err,
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
    const ended = await runCommandLine(context, args);
    const lost = await output.failure();
    const exitCode = lost === undefined ? ended : tellError(lost, context);
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
