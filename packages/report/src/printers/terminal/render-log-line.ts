import { visibleText } from "@assay/evidence";
import type { LogEntry } from "@assay/results";
import { withoutCommands } from "./terminal-text.ts";

/** Maximum length of a text, in characters. */
const maxLength = 2000;

const makePrintable = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? withoutCommands(visibleText(value, maxLength)) : value;

/**
 * Renders one line of `log.ndjson` with its line feed. Strings are visibly escaped and truncated, so that the line is safe to print to a
 * terminal or a build log.
 */
export const renderLogLine = (entry: LogEntry): string => `${JSON.stringify(entry, makePrintable)}\n`;
