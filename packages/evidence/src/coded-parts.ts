import { Buffer } from "node:buffer";
import type { DecodedLayer } from "./decoded-layers.ts";

/** Base64 of at least nine printable characters, whatever stands before it: their high bits leave few letters to begin with. */
const base64OfText = /(?:[I-Za-f][C-HS-Xi-nyz0-3][AEIMQUYcgkosw048BFJNRVZdhlptx159][A-Za-z0-9+/_-]){3}/;
/** Hexadecimal of at least eight printable characters. */
const hexOfText = /(?:[2-7][0-9A-Fa-f]){8}/;
const hexRun = /[0-9A-Fa-f]{16,}/g;

/** No shorter run of letters is either of them. */
const shortestRun = 12;

/** Whether a character may stand in base64 of either alphabet. */
const letters = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(/[A-Za-z0-9+/_-]/.test(String.fromCharCode(code))),
);

const isLetter = (text: string, at: number): boolean => letters[text.charCodeAt(at)] === 1;

/** Runs of letters that are long enough. Looks at one character in so many: any such run holds one of them. */
function* runsOf(text: string): Generator<readonly [start: number, run: string]> {
  let behind = 0;
  for (let at = shortestRun - 1; at < text.length; at += shortestRun) {
    if (!isLetter(text, at)) {
      continue;
    }
    let start = at;
    while (start > behind && isLetter(text, start - 1)) {
      start -= 1;
    }
    let end = at + 1;
    while (end < text.length && isLetter(text, end)) {
      end += 1;
    }
    if (end - start >= shortestRun) {
      yield [start, text.slice(start, end)];
    }
    behind = end;
    at = end - 1;
  }
}

/** What a run says from each place where a whole number of bytes may begin. */
function* readings(run: string, start: number, { sourceOf, name }: Pick<DecodedLayer, "sourceOf"> & Coding) {
  const [alignments, bitsOfLetter] = name === "hex" ? [2, 4] : [4, 6];
  for (let skipped = 0; skipped < alignments; skipped += 1) {
    yield {
      text: Buffer.from(run.slice(skipped), name).toString("latin1"),
      sourceOf: (at: number) => sourceOf(start + Math.min(run.length, skipped + Math.floor((at * 8) / bitsOfLetter))),
    };
  }
}

interface Coding {
  readonly name: "hex" | "base64";
}

/**
 * The parts of a text that are base64 or hexadecimal of text, each decoded, with the places its characters came from. What is
 * not printable is passed over: a secret that was encoded in any way is.
 */
export function* codedParts({ text, sourceOf }: DecodedLayer): Generator<DecodedLayer> {
  for (const [start, run] of runsOf(text)) {
    if (base64OfText.test(run)) {
      yield* readings(run, start, { sourceOf, name: "base64" });
    }
    for (const { index, 0: hex } of hexOfText.test(run) ? run.matchAll(hexRun) : []) {
      yield* readings(hex, start + index, { sourceOf, name: "hex" });
    }
  }
}
