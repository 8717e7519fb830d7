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

const escaped = (text: string, characters: RegExp): string =>
  // `##[` begins a command of an older kind anywhere in a line.
  withoutCommands(text).replaceAll(characters, (character) => escapes[character] ?? character);

/**
 * One workflow command with its line feed. Line breaks and per cent signs are escaped as the GitHub runner expects, in titles colons and
 * commas too, so that title and message cannot end the line or the command.
 */
export const workflowCommand = (
  kind: AnnotationKind,
  { title, message }: { readonly title: string; readonly message: string },
): string => `::${kind} title=${escaped(title, /[%\r\n:,]/gu)}::${escaped(message, /[%\r\n]/gu)}\n`;
