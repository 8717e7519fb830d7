import { shownText } from "../../document/shown-text.ts";
import { terminalText } from "./terminal-text.ts";

/** A sentence about wrong usage or configuration, in one line that begins with the name of the tool. */
export const renderUsageError = (message: string): string => terminalText([`assay: ${shownText(message, "command")}`]);
