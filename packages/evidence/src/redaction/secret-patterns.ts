import { HarnessError } from "@assay/contract";
import { Buffer } from "node:buffer";
import { findDecodablePart } from "./encoded-characters.ts";
import type { SearchedWord } from "./word-search.ts";

/** A value that must not be written anywhere. */
export interface Secret {
  /** Name for messages, such as the variable that contained it. */
  readonly name: string;
  readonly value: string;
}

/** Minimum length of a secret. A shorter one would match everywhere. */
export const minSecretLength = 8;

/** One spelling of a secret. */
export interface SecretPattern {
  /** Finds all occurrences. */
  readonly expression: RegExp;
  /** Each text with a match contains this word. Absent if there is no such word. */
  readonly word?: SearchedWord;
  /** Or it contains this one after `decodeCharacters`. */
  readonly decodedWord?: SearchedWord;
}

/** A secret and the patterns of its spellings, for text with one character per byte. */
export interface SecretPatterns {
  readonly secret: Secret;
  readonly patterns: readonly SecretPattern[];
  /** Maximum length of a match in bytes. */
  readonly maxMatchBytes: number;
}

const htmlEntities: Readonly<Record<string, string>> = {
  "&": "&(?:amp|#38|#x26);",
  "<": "&(?:lt|#60|#x3c);",
  ">": "&(?:gt|#62|#x3e);",
  '"': "&(?:quot|#34|#x22);",
  "'": "&(?:apos|#39|#x27);",
};

const createByteEscape = (byte: number): string => `\\x${byte.toString(16).padStart(2, "0")}`;

const createAnyCasePattern = (hex: string): string =>
  hex.replaceAll(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`);

const createPercentPattern = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `%(?:25){0,3}${createAnyCasePattern(byte.toString(16).padStart(2, "0"))}`).join("");

const createUnicodePattern = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index).toString(16).padStart(4, "0"))
    .map((unit) => `\\\\{1,4}u${createAnyCasePattern(unit)}`)
    .join("");

/** JSON inside JSON doubles backslashes, hence up to four. The bound keeps hostile runs of backslashes linear. */
function createLiteralPattern(character: string): string {
  const bytes = Array.from(Buffer.from(character, "utf8"), createByteEscape).join("");
  if (character === "\\") {
    return "\\\\{1,4}";
  }
  return character === "/" || character === '"' ? `\\\\{0,4}${bytes}` : bytes;
}

/**
 * One character in every spelling: plain, percent-encoded, as a JSON escape or an HTML entity, and a space also as a plus.
 */
function createSpellingPattern(character: string): string {
  const entity = htmlEntities[character];
  const options = [
    createLiteralPattern(character),
    createPercentPattern(Buffer.from(character, "utf8")),
    createUnicodePattern(character),
  ];
  // Forms write a plus for a space, and it may be encoded again.
  const plus = character === " " ? [createSpellingPattern("+")] : [];
  return `(?:${[...options, ...plus, ...(entity === undefined ? [] : [entity])].join("|")})`;
}

const base64Spellings: Readonly<Record<string, string>> = {
  "+": `(?:${createSpellingPattern("+")}|${createSpellingPattern("-")})`,
  "/": `(?:${createSpellingPattern("/")}|${createSpellingPattern("_")})`,
};

/**
 * Base64 of the secret after 0, 1 or 2 other bytes. Only the characters that depend on the secret alone: those at the edges
 * are shared with its neighbours.
 */
function createBase64Pattern(value: Uint8Array, before: 0 | 1 | 2): SecretPattern {
  const encoded = Buffer.concat([Buffer.alloc(before), value]).toString("base64");
  const ownCharacters = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + value.length) * 8) / 6));
  const source = Array.from(ownCharacters, (character) => base64Spellings[character] ?? character).join("");
  return { expression: new RegExp(source, "g"), word: { text: findLongestPart(ownCharacters, /[^A-Za-z0-9]/) } };
}

function createHexPattern(value: Buffer): SecretPattern {
  const hex = value.toString("hex");
  const word = { text: hex, normalize: (part: string) => part.toLowerCase() };
  return { expression: new RegExp(createAnyCasePattern(hex), "g"), word };
}

/** The longest part of a text between separators. */
export const findLongestPart = (text: string, separator: RegExp): string =>
  text.split(separator).reduce((longest, part) => (part.length > longest.length ? part : longest), "");

/** The pattern of a value in any spelling. */
function createValuePattern(value: string): SecretPattern {
  const expression = new RegExp(Array.from(value, createSpellingPattern).join(""), "g");
  const decodablePart = findDecodablePart(value);
  return decodablePart === undefined
    ? { expression }
    : { expression, word: { text: value }, decodedWord: { text: decodablePart } };
}

function rejectUnless(isAccepted: boolean, message: string): void {
  if (!isAccepted) {
    throw new HarnessError("secret-refused", message);
  }
}

/**
 * Patterns that find a secret in every spelling: plain, percent-encoded and JSON-escaped in any mixture and up to four
 * times, as HTML text, in base64 of both alphabets at all three alignments, and in hexadecimal. Throws `secret-refused` for
 * values shorter than 8 characters. Never quotes the value.
 */
export function createSecretPatterns(secret: Secret): SecretPatterns {
  const { name, value } = secret;
  rejectUnless(
    value.length >= minSecretLength,
    `the secret ${name} has ${value.length} characters, fewer than ${minSecretLength}, and replacing it would hit ordinary text; use a longer one`,
  );
  rejectUnless(
    Buffer.from(value, "utf8").toString("utf8") === value,
    `the secret ${name} is not valid Unicode text; use a printable one`,
  );
  const bytes = Buffer.from(value, "utf8");
  const patterns = [
    createValuePattern(value),
    ...([0, 1, 2] as const).map((before) => createBase64Pattern(bytes, before)),
    createHexPattern(bytes),
  ];
  return { secret, patterns, maxMatchBytes: bytes.length * 12 };
}
