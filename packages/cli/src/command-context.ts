import type { Readable } from "node:stream";
import type { OutputCache } from "@assay/reference-server";
import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

/** The environment of a command. Tests pass their own. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly terminal: Terminal;
  /** Standard output: results. */
  readonly out: (text: string) => void;
  /** Standard error: progress and messages for people. */
  readonly err: (text: string) => void;
  /** Aborted by `SIGINT` or `SIGTERM`. */
  readonly signal: AbortSignal;
  readonly stdin: Readable;
  /** Results of searches of the embedded server, for several runs over repositories that do not change. Default: one for each run. */
  readonly outputs?: OutputCache;
}

/** Adds one command, which passes its exit code to `finish`. */
export type AddCommand = (program: Command, context: CommandContext, finish: (exitCode: number) => void) => void;
