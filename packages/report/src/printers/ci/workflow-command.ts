import { withoutCommands } from "../terminal/terminal-text.ts";

/** Kinds of GitHub annotations. */
export type AnnotationKind = "error" | "warning" | "notice";

const escapes: Readonly<Record<string, string>> = {
  "%": "%25",
  "\r": "%0D",
  "\n": "%0A",
  ":": "%3A",
  ",": "%2C",
};

const escapeText = (text: string, characters: RegExp): string =>
  // `##[` starts a legacy command, even in the middle of a line.
  withoutCommands(text).replaceAll(characters, (character) => escapes[character] ?? character);

/**
 * Formats one workflow command with its line feed. Escapes line breaks and percent signs as the GitHub runner expects. In titles, also
 * escapes colons and commas. So neither title nor message can end the line or the command.
 */
export const formatWorkflowCommand = (
  kind: AnnotationKind,
  { title, message }: { readonly title: string; readonly message: string },
): string => `::${kind} title=${escapeText(title, /[%\r\n:,]/gu)}::${escapeText(message, /[%\r\n]/gu)}\n`;
