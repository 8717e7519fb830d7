import type { Readable } from "node:stream";
import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

/** What a command works with; tests give their own. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly terminal: Terminal;
  /** Standard output: results. */
  readonly out: (text: string) => void;
  /** Standard error: progress and messages for people. */
  readonly err: (text: string) => void;
  /** Aborted with `SIGINT` or `SIGTERM`. */
  readonly signal: AbortSignal;
  readonly stdin: Readable;
}

/** Adds one command; `finish` takes the exit code. */
export type AddCommand = (program: Command, context: CommandContext, finish: (exitCode: number) => void) => void;
