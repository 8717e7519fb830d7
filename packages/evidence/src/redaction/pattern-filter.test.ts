import { Buffer } from "node:buffer";
import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PatternFilter } from "./pattern-filter.ts";
import type { ValuePattern } from "./pattern-filter.ts";
import { createSecretPatterns } from "./secret-patterns.ts";

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, "0");

/** The spellings of one character. */
const spelled = (character: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant(character),
    fc.nat(3).map((times) => `%${"25".repeat(times)}${hex(character)}`),
    fc.nat(3).map((times) => `%${"25".repeat(times)}${hex(character).toUpperCase()}`),
    fc.integer({ min: 1, max: 4 }).map((slashes) => `${"\\".repeat(slashes)}u00${hex(character)}`),
  );

const plainCharacter = fc.constantFrom(..."abcdefABCDEF0123456789_-.~25257341u");
const plainValue = fc.string({ unit: plainCharacter, minLength: 18, maxLength: 40 });

/** Text that ends or begins like part of an encoded character. */
const treacherous = fc
  .array(fc.constantFrom("%", "2", "25", "\\", "u00", "u", "0", "7", "41", "%2", "%25", "\\\\u00", "x"), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

const createPatterns = (value: string): readonly ValuePattern[] =>
  createSecretPatterns({ name: "x", value }).patterns.map((pattern) => ({ ...pattern, value }));
const valuePatternOf = (value: string): readonly ValuePattern[] => createPatterns(value).slice(0, 1);

function findPatterns(patterns: readonly ValuePattern[], text: string): readonly ValuePattern[] {
  const filter = new PatternFilter();
  patterns.forEach((pattern) => filter.add(pattern));
  return filter.find(text);
}

/** A value with some characters encoded, in base64 at any alignment, or in hexadecimal of any case. */
const writtenIn = (value: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(...Array.from(value, spelled)).map((parts) => parts.join("")),
    fc.nat(2).map((before) => Buffer.from("x".repeat(before) + value).toString("base64")),
    fc.nat(2).map((before) => Buffer.from("x".repeat(before) + value).toString("base64url")),
    fc.boolean().map((isUpper) => {
      const digits = Buffer.from(value).toString("hex");
      return isUpper ? digits.toUpperCase() : digits;
    }),
  );

describe("the filter of patterns", () => {
  test("never misses what the patterns find", () => {
    const cases = plainValue.chain((value) =>
      fc.record({
        value: fc.constant(value),
        before: treacherous,
        written: fc.tuple(...Array.from(value, spelled)).map((parts) => parts.join("")),
        after: treacherous,
      }),
    );
    fc.assert(
      fc.property(cases, ({ value, before, written, after }) => {
        const text = `${before}${written}${after}`;
        expect(findPatterns(valuePatternOf(value), text)).toHaveLength(1);
        expect(valuePatternOf(value)[0]?.expression.test(text)).toBe(true);
      }),
      { numRuns: repetitions(50, 200) },
    );
  });

  test("returns each pattern that matches, of many secrets of any kind, those of longer secrets first", () => {
    const anyValue = fc.oneof(
      plainValue,
      fc.string({ unit: fc.constantFrom(..."aB3 /+\"'&\\é~"), minLength: 8, maxLength: 20 }),
    );
    const cases = fc
      .array(anyValue, { minLength: 1, maxLength: 8 })
      .chain((values) => fc.tuple(fc.constant(values), fc.tuple(...values.slice(0, 3).map(writtenIn)), treacherous));
    let matchCount = 0;
    fc.assert(
      fc.property(cases, ([values, written, between]) => {
        const text = Buffer.from(written.join(between)).toString("latin1");
        const patterns = values.flatMap((value) => createPatterns(value));
        const found = findPatterns(patterns, text);
        const matching = patterns.filter(({ expression }) => text.search(expression) !== -1);
        matchCount += matching.length;
        const inOrder = patterns.toSorted((first, second) => second.value.length - first.value.length);
        expect(found).toEqual(inOrder.filter((pattern) => found.includes(pattern)));
        expect(found).toEqual(expect.arrayContaining(matching));
      }),
      { numRuns: repetitions(200, 2000) },
    );
    expect(matchCount).toBeGreaterThan(200);
  });

  test("returns nothing for unrelated texts", () => {
    const patterns = createPatterns("sgp_0123456789abcdef0123456789abcdef01234567");
    expect(
      ["%2Fpath%2520with \\u003cescapes\\u003e", "sgp_0123456789", ""].map(
        (text) => findPatterns(patterns, text).length,
      ),
    ).toEqual([0, 0, 0]);
  });

  test("always returns the pattern of a value with other characters, and of a short one", () => {
    expect(
      ["user:password/of+some=length", "short-value"].map((value) => findPatterns(valuePatternOf(value), "").length),
    ).toEqual([1, 1]);
  });
});
