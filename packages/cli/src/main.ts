import { HarnessError } from "@assay/contract";
import { exitCodeOf } from "@assay/results";
import type { CommandContext } from "./command-context.ts";
import { hasLoadedConfig } from "./config/import-config.ts";
import { listenForInterrupt } from "./interrupt-signal.ts";
import type { Interrupt } from "./interrupt-signal.ts";
import { runCommandLine, reportError } from "./run-command-line.ts";
import { createStandardOutput } from "./standard-output.ts";
import { readTerminal } from "./terminal.ts";

/** Resolves when all output of a stream is flushed, or its reader is gone. */
const waitForFlush = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) {
      resolve();
    } else {
      stream.write("", () => resolve());
    }
  });

/** Returns the working folder, or undefined if it was removed, for which Node throws. */
function findWorkingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const writeError = (text: string): void => void process.stderr.write(text);

/** Runs the command line of this process and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const output = createStandardOutput(process.stdout);
  process.stderr.on("error", () => {});
  // Ignored, so that a file beyond the size limit is reported as an error instead of killing the process.
  process.on("SIGXFSZ", () => {});
  const cwd = findWorkingFolder();
  if (cwd === undefined) {
    return reportError(new HarnessError("usage", "the working folder no longer exists; change to an existing folder"), {
      env: process.env,
      err: writeError,
    });
  }
  let interrupt: Interrupt | undefined;
  const context: CommandContext = {
    env: process.env,
    cwd,
    terminal: readTerminal(process),
    out: output.write,
    err: writeError,
    // Listeners are installed on first use, so that commands without orderly shutdown exit immediately.
    get signal() {
      interrupt ??= listenForInterrupt(process);
      return interrupt.signal;
    },
    // Opened on first use, because an open standard input keeps the process alive.
    get stdin() {
      return process.stdin;
    },
  };
  // Node would exit with 1, which would mean that a rule failed.
  process.on("uncaughtException", (error) => {
    process.exit(reportError(error, context));
  });
  try {
    const commandExitCode = await runCommandLine(context, args);
    const outputError = await output.failure();
    const exitCode = outputError === undefined ? commandExitCode : reportError(outputError, context);
    // A configuration is a user program: timers that it started should not keep this process alive. A bug may leave a thread running.
    if (hasLoadedConfig() || exitCode === exitCodeOf("harness-error")) {
      await Promise.all([process.stdout, process.stderr].map((stream) => waitForFlush(stream)));
      process.exit(exitCode);
    }
    return exitCode;
  } finally {
    interrupt?.dispose();
  }
}
