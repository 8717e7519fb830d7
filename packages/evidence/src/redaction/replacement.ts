import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** No zero: a number may begin with any of these. */
const digits = "123456789";
const tagLength = 6;
const shortest = 8;
/** Replacements remembered at a time, and the longest value that is. */
const maxRemembered = 1000;
const maxRememberedLength = 4096;

/** Makes what stands in place of secrets, and recognises it. */
export interface Replacements {
  /**
   * `length` characters [A-Za-z0-9] that depend on the key, the value and the length alone. Below 8 characters there is
   * nothing to tell values apart by: it is all `x`.
   */
  of(value: string, length: number): string;
  /**
   * What stands in place of a value that was found in a spelling of so many characters: what stands in its place as it is, and
   * dots where the spelling is longer. So a secret has one replacement in every encoding, but for the dots at its end.
   */
  spelled(value: string, length: number): string;
  /** The text with its digits replaced by digits 1 to 9 and nothing else changed. Meant for values known beforehand. */
  ofNumber(value: string, text: string): string;
  /**
   * The text with digits replaced by digits and letters by letters, but for escapes, `true`, `false`, `null` and the `e`
   * of a number: a part of a JSON document stays one.
   */
  ofJson(value: string, text: string): string;
  /** Whether the text was made by `of`, `spelled` or `ofNumber`, so that it is not replaced again. */
  isOne(text: string): boolean;
}

/** Characters of a JSON document outside its strings, with enough digits to replace. */
const outsideStrings = /^(?=(?:\D*\d){4})[-+.,:{}[\]\s\deE]+$/;

/** Whether a text, each of whose characters is a byte, could stand outside the strings of a JSON document. */
export const isOutsideStrings = (text: string): boolean => outsideStrings.test(text);

interface Stream {
  readonly key: Uint8Array;
  readonly seed: string;
  readonly from: string;
}

/** A stream of characters of an alphabet from HMAC-SHA-256 in counter mode. */
function characters({ key, seed, from }: Stream, length: number): string {
  // The seed may be megabytes of hostile text: it is read once, not once a block.
  const start = createHmac("sha256", key).update(`${length}\n${seed}`, "utf8").digest();
  let text = "";
  for (let block = 0; text.length < length; block++) {
    const digest = createHmac("sha256", key).update(start).update(`${block}`).digest();
    // A slight preference for the first letters does not matter: these are names, not keys.
    text += Array.from(digest, (byte) => from.charAt(byte % from.length)).join("");
  }
  return text.slice(0, length);
}

/** Group 1 is what stays. */
const jsonPiece = /(\\(?:u[\dA-Fa-f]{4}|[^])|true|false|null|(?<=\d)[eE](?=[-+\d]))|[A-Za-z\d]/g;
const isDigit = (character: string): boolean => character >= "0" && character <= "9";

/** Replacements under one key. Those of `of` end in six characters computed from the rest, by which they are recognised. */
export function createReplacements(key: Uint8Array): Replacements {
  const stream = (seed: string, from: string, length: number): string => characters({ key, seed, from }, length);
  const tagged = (body: string): string => body + stream(`tag ${body}`, alphabet, tagLength);
  // Digits are too few to carry a tag. Only values known beforehand are replaced by them, so there are not many.
  const numbers = new Set<string>();
  // A hostile body may repeat what looks like a secret a million times.
  const made = new Map<string, string>();
  const make = (value: string, length: number): string =>
    tagged(stream(`value ${value}`, alphabet, length - tagLength));
  const isTagged = (text: string): boolean => /^[A-Za-z0-9]+$/.test(text) && tagged(text.slice(0, -tagLength)) === text;
  return {
    spelled(value, length) {
      const more = length - value.length;
      if (more < 0 || value.length < shortest) {
        return this.of(value, length);
      }
      const isNumber = isOutsideStrings(Buffer.from(value, "utf8").toString("latin1"));
      return (isNumber ? this.ofNumber(value, value) : this.of(value, value.length)) + ".".repeat(more);
    },
    of(value, length) {
      if (length < shortest) {
        return "x".repeat(length);
      }
      const name = `${length} ${value}`;
      const known = made.get(name) ?? make(value, length);
      if (made.size >= maxRemembered) {
        made.clear();
      }
      if (value.length <= maxRememberedLength) {
        made.set(name, known);
      }
      return known;
    },
    ofNumber(value, text) {
      const chosen = stream(`value ${value}`, digits, text.length);
      const number = text.replaceAll(/\d/g, (_digit, at: number) => chosen.charAt(at));
      numbers.add(number);
      return number;
    },
    ofJson(value, text) {
      const chosenDigits = stream(`value ${value}`, digits, text.length);
      const chosenLetters = stream(`value ${value}`, letters, text.length);
      return text.replaceAll(
        jsonPiece,
        (piece: string, kept: string | undefined, at: number) =>
          kept ?? (isDigit(piece) ? chosenDigits : chosenLetters).charAt(at),
      );
    },
    isOne(text) {
      const own = text.replace(/\.+$/, "");
      return text.length < shortest ? /^x*$/.test(text) : numbers.has(text) || numbers.has(own) || isTagged(own);
    },
  };
}
