import { HarnessError } from "@assay/contract";
import { Buffer } from "node:buffer";
import { occurrenceTest } from "./encoded-characters.ts";

/** A value that must not be written anywhere. */
export interface Secret {
  /** What to call it in messages, for example the variable it came from. */
  readonly name: string;
  readonly value: string;
}

/** The shortest secret that can be searched for; a shorter one would match everywhere. */
export const minSecretLength = 8;

/** One way in which a secret may be written. */
export interface SecretPattern {
  /** Finds all places. */
  readonly expression: RegExp;
  /** A quick answer before the expression is tried: false only when nothing would be found. */
  readonly mayOccur: (text: string) => boolean;
}

/** A secret and the patterns of its spellings, for text in which each character is one byte. */
export interface SecretPatterns {
  readonly secret: Secret;
  readonly patterns: readonly SecretPattern[];
  /** No match is longer than this many bytes. */
  readonly maxMatchBytes: number;
}

const htmlEntities: Readonly<Record<string, string>> = {
  "&": "&(?:amp|#38|#x26);",
  "<": "&(?:lt|#60|#x3c);",
  ">": "&(?:gt|#62|#x3e);",
  '"': "&(?:quot|#34|#x22);",
  "'": "&(?:apos|#39|#x27);",
};

const oneByte = (byte: number): string => `\\x${byte.toString(16).padStart(2, "0")}`;

const anyCase = (hex: string): string =>
  hex.replaceAll(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`);

const percentEncoded = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `%(?:25){0,3}${anyCase(byte.toString(16).padStart(2, "0"))}`).join("");

const unicodeEscaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index).toString(16).padStart(4, "0"))
    .map((unit) => `\\\\{1,4}u${anyCase(unit)}`)
    .join("");

/** JSON inside JSON doubles backslashes, hence up to four. Bounded, so hostile runs of backslashes stay linear. */
function literal(character: string): string {
  const bytes = Array.from(Buffer.from(character, "utf8"), oneByte).join("");
  if (character === "\\") {
    return "\\\\{1,4}";
  }
  return character === "/" || character === '"' ? `\\\\{0,4}${bytes}` : bytes;
}

/** One character in every spelling: as it is, percent-encoded, as a JSON escape, as an HTML entity; a space as a plus, too. */
function spellings(character: string): string {
  const entity = htmlEntities[character];
  const options = [literal(character), percentEncoded(Buffer.from(character, "utf8")), unicodeEscaped(character)];
  // A form writes a plus for a space, which may be encoded again.
  const plus = character === " " ? [spellings("+")] : [];
  return `(?:${[...options, ...plus, ...(entity === undefined ? [] : [entity])].join("|")})`;
}

const base64Spellings: Readonly<Record<string, string>> = {
  "+": `(?:${spellings("+")}|${spellings("-")})`,
  "/": `(?:${spellings("/")}|${spellings("_")})`,
};

/**
 * Base64 of the secret after 0, 1 or 2 other bytes: only the characters that the secret alone decides, plus those at the
 * edges that it shares with its neighbours left out.
 */
function base64Pattern(value: Uint8Array, before: 0 | 1 | 2): SecretPattern {
  const encoded = Buffer.concat([Buffer.alloc(before), value]).toString("base64");
  const ownCharacters = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + value.length) * 8) / 6));
  const source = Array.from(ownCharacters, (character) => base64Spellings[character] ?? character).join("");
  return { expression: new RegExp(source, "g"), mayOccur: plainPartTest(ownCharacters, /[A-Za-z0-9]+/g) };
}

function hexPattern(value: Buffer): SecretPattern {
  const hex = value.toString("hex");
  return { expression: new RegExp(anyCase(hex), "g"), mayOccur: plainPartTest(hex, /[0-9]+/g) };
}

/** Whether the longest part of a pattern that has one spelling only is in the text: nothing is found without it. */
function plainPartTest(text: string, plain: RegExp): (searched: string) => boolean {
  const parts = text.match(plain) ?? [];
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), "");
  return (searched) => searched.includes(longest);
}

function refuseUnless(holds: boolean, sentence: string): void {
  if (!holds) {
    throw new HarnessError("secret-refused", sentence);
  }
}

/**
 * The patterns by which a secret is found however it was written: as it is, percent-encoded and JSON-escaped in any
 * mixture and up to four times over, as HTML text, in base64 of both alphabets at the three alignments, and in
 * hexadecimal. Fails with `secret-refused` when the value has fewer than 8 characters; the value is never quoted.
 */
export function createSecretPatterns(secret: Secret): SecretPatterns {
  const { name, value } = secret;
  refuseUnless(
    value.length >= minSecretLength,
    `the secret ${name} has ${value.length} characters, fewer than ${minSecretLength}, and replacing it would hit ordinary text; use a longer one`,
  );
  refuseUnless(
    Buffer.from(value, "utf8").toString("utf8") === value,
    `the secret ${name} is not valid Unicode text; use a printable one`,
  );
  const bytes = Buffer.from(value, "utf8");
  const patterns = [
    { expression: new RegExp(Array.from(value, spellings).join(""), "g"), mayOccur: occurrenceTest(value) },
    ...([0, 1, 2] as const).map((before) => base64Pattern(bytes, before)),
    hexPattern(bytes),
  ];
  return { secret, patterns, maxMatchBytes: bytes.length * 12 };
}

/** Patterns of several secrets, longest value first, so that a secret inside another one does not hide it. */
export function createAllSecretPatterns(secrets: readonly Secret[]): readonly SecretPatterns[] {
  return secrets.map(createSecretPatterns).toSorted((a, b) => b.secret.value.length - a.secret.value.length);
}
