import { replaceFound } from "./json-safe-replacement.ts";
import type { Rewrite, Rewrites } from "./redact-pieces.ts";
import type { Replacements } from "./replacement.ts";
import { createAllSecretPatterns, type Secret } from "./secret-patterns.ts";
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
  first: rewriteKnown(secrets, replacements),
  second: rewriteShapes(replacements),
});
