import { HarnessError } from "@assay/contract";
import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { createRedactor } from "@assay/evidence";
import type { HeaderField, Manifest, Secret } from "@assay/evidence";
import { renderLogLine } from "@assay/report";
import { exitCodes } from "@assay/results";
import type { LogEvent } from "@assay/results";
import type { CommandContext } from "../command-context.ts";
import { describeError } from "../command-error.ts";
import { selectReporter, type ReporterOptions } from "../reporter.ts";
import { isPipe, createLineWriter, type WriteLine } from "./log-file.ts";

/** Name of the log in the run folder. */
export const logFile = "log.ndjson";

/** The log of a run. */
export interface RunLog {
  /** Adds a line. It is passed to the system before this returns, so that a killed run keeps all its lines. Never throws. */
  add(event: LogEvent): void;
  /** Whether the log contains a line. */
  readonly hasLines: boolean;
}

/** A log that is not stored. */
export const noLog: RunLog = { add() {}, hasLines: false };

/** Destinations of a log, and the values that it must not contain. */
export interface LogDestinations {
  /** The run folder. It must exist before the first line is added. */
  readonly folder: string;
  /** An additional file, or `-` for standard output. */
  readonly extraDestination?: string | undefined;
  readonly context: Pick<CommandContext, "cwd" | "out" | "err">;
  readonly secrets: readonly Secret[];
  readonly extraHeaders?: readonly HeaderField[];
}

const describeLogError = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "it could not be written";

/** The flags that choose the log and the reporter. */
interface LogOptions extends ReporterOptions {
  readonly log?: string;
}

/** Rejects an unwritable log file, and a log mixed with JSON on standard output, before any request. */
export function checkLogFile(options: LogOptions, cwd: string): void {
  const { log: extraDestination } = options;
  if (extraDestination === "-" && selectReporter(options) === "json") {
    throw new HarnessError(
      "usage",
      "--log - and --json both write to standard output; set a file for the log, or remove one of them",
    );
  }
  // Opening and closing a pipe would end its reader.
  if (extraDestination === undefined || extraDestination === "-" || isPipe(resolve(cwd, extraDestination))) {
    return;
  }
  try {
    closeSync(openSync(resolve(cwd, extraDestination), "a", 0o600));
  } catch (cause) {
    throw new HarnessError(
      "usage",
      `the log ${extraDestination} cannot be written (${describeLogError(cause)}); choose a file in an existing folder`,
      {
        cause,
      },
    );
  }
}

/** Overwrites a file line by line. Reports the first failure and then stops writing. */
function createFileWriter(path: string, { err }: Pick<CommandContext, "err">): WriteLine {
  const write = createLineWriter(path);
  let isBroken = false;
  return (line) => {
    if (isBroken) {
      return;
    }
    try {
      write(line);
    } catch (error) {
      isBroken = true;
      err(
        `assay: the log ${path} can no longer be written (${describeLogError(error)}); the run continues without it\n`,
      );
    }
  };
}

/** Creates the log of a run: `log.ndjson` in its folder, and the file of `--log`. Creates no file before the first line. */
export function createRunLog({
  folder,
  extraDestination,
  context,
  secrets,
  extraHeaders = [],
}: LogDestinations): RunLog {
  const redactor = createRedactor({
    secrets,
    secretHeaderNames: extraHeaders.map(([name]) => name),
    key: randomBytes(32),
  });
  const writers = [createFileWriter(join(folder, logFile), context)];
  if (extraDestination !== undefined) {
    writers.push(
      extraDestination === "-" ? context.out : createFileWriter(resolve(context.cwd, extraDestination), context),
    );
  }
  let hasLines = false;
  return {
    add(event) {
      hasLines = true;
      const line = redactor.text(renderLogLine({ at: new Date().toISOString(), ...event }));
      for (const write of writers) {
        write(line);
      }
    },
    get hasLines() {
      return hasLines;
    },
  };
}

/** The first line of the log of a run of contract tests. */
export const createRunStartedEvent = ({ tool, runId, target, seed, profile, strict }: Manifest): LogEvent => ({
  event: "run-started",
  schemaVersion: 2,
  kind: "contract",
  tool,
  run: { id: runId, target: target.url, embedded: target.embedded, seed, profile, strict },
});

/** Runs `work`. If it fails, appends a last line to the log with the outcome of the process. */
export async function runWithLog<Result>(
  log: RunLog,
  { env }: Pick<CommandContext, "env">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { message, exitCode } = describeError(error, env, true);
    const outcome = exitCodes.find(({ code }) => code === exitCode)?.outcome ?? "harness-error";
    if (log.hasLines) {
      log.add({ event: "run-finished", outcome, exitCode, summary: message });
    }
    throw error;
  }
}
