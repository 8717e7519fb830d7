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
import { isPipe, lineWriter, type WriteLine } from "./log-file.ts";

/** Name of the log in the run folder. */
export const logFile = "log.ndjson";

/** The log of a run. */
export interface RunLog {
  /** Adds a line. It is passed to the system before this returns, so that a killed run keeps all its lines. Never throws. */
  add(event: LogEvent): void;
  /** Whether the log contains a line. */
  readonly isBegun: boolean;
}

/** A log that is not stored. */
export const noLog: RunLog = { add() {}, isBegun: false };

/** Destinations of a log, and the values that it must not contain. */
export interface LogPlaces {
  /** The run folder. It must exist before the first line is added. */
  readonly folder: string;
  /** An additional file, or `-` for standard output. */
  readonly also?: string | undefined;
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
  const { log: also } = options;
  if (also === "-" && selectReporter(options) === "json") {
    throw new HarnessError(
      "usage",
      "--log - and --json both write to standard output; set a file for the log, or remove one of them",
    );
  }
  // Opening and closing a pipe would end its reader.
  if (also === undefined || also === "-" || isPipe(resolve(cwd, also))) {
    return;
  }
  try {
    closeSync(openSync(resolve(cwd, also), "a", 0o600));
  } catch (cause) {
    throw new HarnessError(
      "usage",
      `the log ${also} cannot be written (${describeLogError(cause)}); choose a file in an existing folder`,
      {
        cause,
      },
    );
  }
}

/** Overwrites a file line by line. Reports the first failure and then stops writing. */
function fileWriter(path: string, { err }: Pick<CommandContext, "err">): WriteLine {
  const write = lineWriter(path);
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
export function createRunLog({ folder, also, context, secrets, extraHeaders = [] }: LogPlaces): RunLog {
  const redactor = createRedactor({
    secrets,
    secretHeaderNames: extraHeaders.map(([name]) => name),
    key: randomBytes(32),
  });
  const writers = [fileWriter(join(folder, logFile), context)];
  if (also !== undefined) {
    writers.push(also === "-" ? context.out : fileWriter(resolve(context.cwd, also), context));
  }
  let isBegun = false;
  return {
    add(event) {
      isBegun = true;
      const line = redactor.text(renderLogLine({ at: new Date().toISOString(), ...event }));
      for (const write of writers) {
        write(line);
      }
    },
    get isBegun() {
      return isBegun;
    },
  };
}

/** The first line of the log of a run of contract tests. */
export const runStarted = ({ tool, runId, target, seed, profile, strict }: Manifest): LogEvent => ({
  event: "run-started",
  schemaVersion: 2,
  kind: "contract",
  tool,
  run: { id: runId, target: target.url, embedded: target.embedded, seed, profile, strict },
});

/** Does the work of a run. If it fails, the last line of the log contains the outcome of the process. */
export async function logged<Ended>(
  log: RunLog,
  { env }: Pick<CommandContext, "env">,
  work: () => Promise<Ended>,
): Promise<Ended> {
  try {
    return await work();
  } catch (error) {
    const { sentence, exitCode } = describeError(error, env, true);
    const outcome = exitCodes.find(({ code }) => code === exitCode)?.outcome ?? "harness-error";
    if (log.isBegun) {
      log.add({ event: "run-finished", outcome, exitCode, summary: sentence });
    }
    throw error;
  }
}
