import { visibleText } from "@assay/evidence";
import type { LogEntry } from "@assay/results";
import { withoutCommands } from "./terminal-text.ts";

/** Maximum length of a text, in characters. */
const maxLength = 2000;

const shown = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? withoutCommands(visibleText(value, maxLength)) : value;

/**
 * One line of `log.ndjson` with its line feed. Texts are visibly escaped and cut, so that it is safe to print to a terminal or to the log of a
 * build system.
 */
export const renderLogLine = (entry: LogEntry): string => `${JSON.stringify(entry, shown)}\n`;
