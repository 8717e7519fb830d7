import { createHash } from "node:crypto";
import { shownText } from "../shown-text.ts";
import { pageScript } from "./script.ts";
import { pageStyle } from "./style.ts";

/** What the browser is told to accept: the digest of the one text between the tags. */
const digestOf = (text: string): string => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const policy = [
  "default-src 'none'",
  `style-src ${digestOf(pageStyle)}`,
  "img-src data:",
  `script-src ${digestOf(pageScript)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/gu, (character) => escapes[character] ?? "");

interface HtmlDocument {
  readonly title: string;
  /** Markup that a renderer made, in which all text is escaped. */
  readonly body: string;
}

/**
 * A whole page around a body. Style and script stand in it once each and are known by their digest, so that nothing else in
 * it can run or dress it up; it asks no network for anything.
 */
export const htmlDocument = ({ title, body }: HtmlDocument): string =>
  [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(shownText(title))}</title>`,
    `<style>${pageStyle}</style>`,
    "</head>",
    `<body>${body}<script>${pageScript}</script></body>`,
    "</html>",
    "",
  ].join("\n");
