import { Buffer } from "node:buffer";
import { codedParts } from "./coded-parts.ts";
import { type DecodedLayer, decodedLayers } from "./decoded-layers.ts";
import { replaceFound } from "./json-safe-replacement.ts";
import type { Rewrite, Rewrites } from "./redact-pieces.ts";
import type { Replacements } from "./replacement.ts";
import { createAllSecretPatterns, type Secret, type SecretPattern, type SecretPatterns } from "./secret-patterns.ts";
import { maxShapeBytes, secretShapes } from "./secret-shapes.ts";

const rewriteKnown = (secrets: readonly Secret[], replacements: Replacements): readonly Rewrite[] =>
  createAllSecretPatterns(secrets).flatMap(({ secret, patterns, maxMatchBytes }) =>
    patterns.map(({ expression, mayOccur }): Rewrite => ({
      reachBytes: maxMatchBytes,
      apply: (text, { from, to }) =>
        mayOccur(text)
          ? text.replace(expression, (match: string, at: number) =>
              at < from || at + match.length > to
                ? match
                : replaceFound(secret.value, { text, at, length: match.length }, replacements),
            )
          : text,
    })),
  );

/** No encoded character of a secret is longer. */
const longestEncoded = 64;

/** A secret that a text says once encodings are taken off: where it stands, the end excluded. */
interface Encoded {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** What is looked for once encodings are taken off: the value itself, base64 and hexadecimal. */
const barePatterns = ({ secret, patterns: [, ...coded] }: SecretPatterns): readonly SecretPattern[] => {
  const bytes = Buffer.from(secret.value, "utf8").toString("latin1");
  const expression = new RegExp(
    bytes.replaceAll(/[^A-Za-z0-9]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`),
    "g",
  );
  return [{ expression, mayOccur: (text) => text.includes(bytes) }, ...coded];
};

/** A secret and what is looked for once encodings are taken off. */
interface BareSecret {
  readonly value: string;
  readonly patterns: readonly SecretPattern[];
}

/** Where a layer says a secret. */
const foundIn = ({ text, sourceOf }: DecodedLayer, all: readonly BareSecret[]): readonly Encoded[] =>
  all.flatMap(({ value, patterns }) =>
    patterns
      .filter(({ mayOccur }) => mayOccur(text))
      .flatMap(({ expression }) =>
        Array.from(text.matchAll(expression), ({ index, 0: match }) => ({
          value,
          start: sourceOf(index),
          end: sourceOf(index + match.length),
        })),
      ),
  );

/** Base64 and hexadecimal in one another that are taken off, and what is around them and in them. */
const mostCodings = 3;

/** Where a text says a secret once encodings are taken off. What was found by itself is replaced already. */
function encodedIn(given: DecodedLayer, all: readonly BareSecret[], codings = 0): readonly Encoded[] {
  const layers = [...decodedLayers(given)];
  const coded =
    codings === mostCodings
      ? []
      : [given, ...layers].flatMap((layer) =>
          [...codedParts(layer)].flatMap((part) => [...foundIn(part, all), ...encodedIn(part, all, codings + 1)]),
        );
  return [...layers.flatMap((layer) => foundIn(layer, all)), ...coded];
}

/** Replaces what decodes to a secret and was not found as it stands. */
function rewriteEncoded(secrets: readonly Secret[], replacements: Replacements): Rewrite {
  const all = createAllSecretPatterns(secrets).map((one) => ({ value: one.secret.value, patterns: barePatterns(one) }));
  return {
    reachBytes: Math.max(0, ...all.map(({ value }) => value.length * longestEncoded)),
    apply(text, { from, to }) {
      let rewritten = text;
      for (const { value, start, end } of all.length === 0 ? [] : encodedIn({ text, sourceOf: (at) => at }, all)) {
        const isWhole = rewritten.slice(start, end) === text.slice(start, end);
        if (start >= from && end <= to && isWhole) {
          const found = { text: rewritten, at: start, length: end - start };
          rewritten = rewritten.slice(0, start) + replaceFound(value, found, replacements) + rewritten.slice(end);
        }
      }
      return rewritten;
    },
  };
}

const rewriteShapes = (replacements: Replacements): readonly Rewrite[] =>
  secretShapes.map(({ hint, pattern }): Rewrite => ({
    reachBytes: maxShapeBytes,
    apply: (text, { from, to }) =>
      hint.test(text)
        ? text.replace(pattern, (match: string, secret: string, at: number) =>
            at < from || at + match.length > to || replacements.isOne(secret)
              ? match
              : match.slice(0, -secret.length) + replacements.of(secret, secret.length),
          )
        : text,
  }));

/** Rewrites for known secrets, longest first, and for whatever looks like a secret. Rewriting twice changes nothing more. */
export const createRewrites = (secrets: readonly Secret[], replacements: Replacements): Rewrites => ({
  first: [...rewriteKnown(secrets, replacements), rewriteEncoded(secrets, replacements)],
  second: rewriteShapes(replacements),
});
