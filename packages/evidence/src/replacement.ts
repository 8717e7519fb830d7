import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const tagLength = 6;
const shortest = 8;

/** Makes what stands in place of secrets, and recognises it. */
export interface Replacements {
  /**
   * `length` characters [A-Za-z0-9] that depend on the key, the value and the length alone. Below 8 characters there is
   * nothing to tell values apart by: it is all `x`.
   */
  of(value: string, length: number): string;
  /** Whether the text was made by `of`, so that it is not replaced again. */
  isOne(text: string): boolean;
}

/** A stream of alphabet characters from HMAC-SHA-256 in counter mode. */
function characters(key: Uint8Array, seed: string, length: number): string {
  // The seed may be megabytes of hostile text: it is read once, not once a block.
  const start = createHmac("sha256", key).update(`${length}\n${seed}`, "utf8").digest();
  let text = "";
  for (let block = 0; text.length < length; block++) {
    const digest = createHmac("sha256", key).update(start).update(`${block}`).digest();
    // A slight preference for the first letters does not matter: these are names, not keys.
    text += Array.from(digest, (byte) => alphabet.charAt(byte % alphabet.length)).join("");
  }
  return text.slice(0, length);
}

/** Replacements under one key. They end in six characters computed from the rest, by which they are recognised. */
export function createReplacements(key: Uint8Array): Replacements {
  const tagged = (body: string): string => body + characters(key, `tag ${body}`, tagLength);
  return {
    of: (value, length) =>
      length < shortest ? "x".repeat(length) : tagged(characters(key, `value ${value}`, length - tagLength)),
    isOne: (text) =>
      text.length < shortest
        ? /^x*$/.test(text)
        : /^[A-Za-z0-9]+$/.test(text) && tagged(text.slice(0, -tagLength)) === text,
  };
}
