import { tmpdir } from "node:os";
import { type ByteSpan, readRipgrepRecord } from "./file-hits.ts";
import { splitRecords } from "./output-records.ts";
import type { ProcessPool } from "./process-pool.ts";
import { runRipgrep } from "./run-ripgrep.ts";

export interface NameMatchOptions {
  /** A regular expression in ripgrep's syntax. */
  readonly pattern: string;
  readonly caseSensitive: boolean;
  /** Names without line breaks. */
  readonly names: readonly string[];
  readonly signal: AbortSignal;
  readonly pool: ProcessPool;
}

/**
 * Finds the names that match a regular expression, and the matching spans. Uses ripgrep, like the search of contents, so that the syntax
 * is the same and the time is linear. A name with only an empty match has no spans. Throws RipgrepError for an invalid pattern, even if
 * `names` is empty.
 */
export const matchNames = async (options: NameMatchOptions): Promise<ReadonlyMap<string, readonly ByteSpan[]>> => {
  const { caseSensitive, names, pattern, pool, signal } = options;
  const args = ["--json", "--text", caseSensitive ? "--case-sensitive" : "--ignore-case", "-e", pattern, "--", "-"];
  const input = names.map((name) => `${name}\n`).join("");
  const spansByName = new Map<string, readonly ByteSpan[]>();
  for await (const records of splitRecords(runRipgrep({ args, cwd: tmpdir(), input, signal, pool }))) {
    for (const record of records) {
      const hit = readRipgrepRecord(record);
      const name = hit?.type === "line" ? names[hit.line.lineNumber] : undefined;
      if (name !== undefined && hit?.type === "line") {
        spansByName.set(name, hit.line.spans);
      }
    }
  }
  return spansByName;
};

/** Escapes literal text for ripgrep's syntax. */
export const escapeLiteralPattern = (text: string): string =>
  text.replace(/[\\.+*?()|[\]{}^$#&\-~]/gu, String.raw`\$&`);
