import { escapeForDisplay } from "../../document/shown-text.ts";
import { joinTerminalLines } from "./terminal-text.ts";

/** Formats a message about invalid usage or configuration on one line, prefixed with the name of the tool. */
export const renderUsageError = (message: string): string =>
  joinTerminalLines([`assay: ${escapeForDisplay(message, "command")}`]);
