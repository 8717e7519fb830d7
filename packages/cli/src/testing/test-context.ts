import { Readable } from "node:stream";
import { createOutputCache } from "@assay/reference-server";
import type { CommandContext } from "../command-context.ts";

const outputs = createOutputCache();

/** A context that records its output. */
export function testContext(other: Partial<CommandContext> = {}): CommandContext & {
  readonly written: { out: string; err: string };
} {
  const written = { out: "", err: "" };
  return {
    env: {},
    cwd: process.cwd(),
    terminal: { colour: false, width: 100, errorColumns: 80, isTty: false, isCi: true },
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    signal: new AbortController().signal,
    stdin: Readable.from([]),
    outputs,
    ...other,
    written,
  };
}
