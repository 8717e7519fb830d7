import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** No zero, because each of these may start a number. */
const digits = "123456789";
const tagLength = 6;
const minTaggedLength = 8;
/** Maximum number of cached replacements, and maximum length of a cached value. */
const maxCached = 1000;
const maxCachedLength = 4096;

/** Creates and recognizes replacements of secrets. */
export interface Replacements {
  /**
   * `length` characters [A-Za-z0-9] that depend only on the key, the value and the length. Below 8 characters values cannot
   * be distinguished: the result is all `x`.
   */
  forValue(value: string, length: number): string;
  /**
   * The replacement of a value in a longer spelling: the replacement of the plain value, padded with dots. So a secret has
   * the same replacement in every encoding, except for the dots.
   */
  forSpelling(value: string, length: number): string;
  /** Replaces the digits of a text with digits 1 to 9 and keeps the rest. Only for known values. */
  forNumber(value: string, text: string): string;
  /**
   * Replaces digits with digits and letters with letters, except in escapes, `true`, `false`, `null` and exponents, so that
   * part of a JSON document stays one.
   */
  forJson(value: string, text: string): string;
  /** Reports whether the text was created by `forValue`, `forSpelling` or `forNumber`, so that it is not replaced again. */
  isReplacement(text: string): boolean;
}

/** Characters of a JSON document outside strings, with enough digits to replace. */
const outsideStrings = /^(?=(?:\D*\d){4})[-+.,:{}[\]\s\deE]+$/;

/** Reports whether a text with one character per byte could be part of a JSON document outside strings. */
export const isOutsideStrings = (text: string): boolean => outsideStrings.test(text);

interface CharacterSource {
  readonly key: Uint8Array;
  readonly seed: string;
  readonly from: string;
}

/** Generates characters of an alphabet with HMAC-SHA-256 in counter mode. */
function generateCharacters({ key, seed, from }: CharacterSource, length: number): string {
  // The seed may be megabytes of hostile text, so it is hashed once, not once per block.
  const start = createHmac("sha256", key).update(`${length}\n${seed}`, "utf8").digest();
  let text = "";
  for (let block = 0; text.length < length; block++) {
    const digest = createHmac("sha256", key).update(start).update(`${block}`).digest();
    // The slight bias to the first letters does not matter: these are names, not keys.
    text += Array.from(digest, (byte) => from.charAt(byte % from.length)).join("");
  }
  return text.slice(0, length);
}

/** Group 1 is kept. */
const jsonToken = /(\\(?:u[\dA-Fa-f]{4}|[^])|true|false|null|(?<=\d)[eE](?=[-+\d]))|[A-Za-z\d]/g;
const isDigit = (character: string): boolean => character >= "0" && character <= "9";

/** Replacements under one key. Those of `forValue` end in a six-character tag computed from the rest, which identifies them. */
export function createReplacements(key: Uint8Array): Replacements {
  const generate = (seed: string, from: string, length: number): string =>
    generateCharacters({ key, seed, from }, length);
  const withTag = (body: string): string => body + generate(`tag ${body}`, alphabet, tagLength);
  // Digits are too few for a tag. Only known values are replaced with digits, so this set is small.
  const numbers = new Set<string>();
  // A hostile body may repeat a secret-like text a million times.
  const cache = new Map<string, string>();
  const createReplacement = (value: string, length: number): string =>
    withTag(generate(`value ${value}`, alphabet, length - tagLength));
  const isTagged = (text: string): boolean =>
    /^[A-Za-z0-9]+$/.test(text) && withTag(text.slice(0, -tagLength)) === text;
  return {
    forSpelling(value, length) {
      const paddingLength = length - value.length;
      if (paddingLength < 0 || value.length < minTaggedLength) {
        return this.forValue(value, length);
      }
      const isNumber = isOutsideStrings(Buffer.from(value, "utf8").toString("latin1"));
      return (isNumber ? this.forNumber(value, value) : this.forValue(value, value.length)) + ".".repeat(paddingLength);
    },
    forValue(value, length) {
      if (length < minTaggedLength) {
        return "x".repeat(length);
      }
      const name = `${length} ${value}`;
      const cached = cache.get(name) ?? createReplacement(value, length);
      if (cache.size >= maxCached) {
        cache.clear();
      }
      if (value.length <= maxCachedLength) {
        cache.set(name, cached);
      }
      return cached;
    },
    forNumber(value, text) {
      const chosen = generate(`value ${value}`, digits, text.length);
      const number = text.replaceAll(/\d/g, (_digit, at: number) => chosen.charAt(at));
      numbers.add(number);
      return number;
    },
    forJson(value, text) {
      const chosenDigits = generate(`value ${value}`, digits, text.length);
      const chosenLetters = generate(`value ${value}`, letters, text.length);
      return text.replaceAll(
        jsonToken,
        (piece: string, kept: string | undefined, at: number) =>
          kept ?? (isDigit(piece) ? chosenDigits : chosenLetters).charAt(at),
      );
    },
    isReplacement(text) {
      const withoutDots = text.replace(/\.+$/, "");
      return text.length < minTaggedLength
        ? /^x*$/.test(text)
        : numbers.has(text) || numbers.has(withoutDots) || isTagged(withoutDots);
    },
  };
}
