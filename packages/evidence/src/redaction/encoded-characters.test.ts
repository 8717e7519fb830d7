import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOccurrenceTest } from "./encoded-characters.ts";
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

describe("the fast test for an occurrence", () => {
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
        expect(createSecretPatterns({ name: "x", value }).patterns[0]?.expression.test(text)).toBe(true);
        expect(createOccurrenceTest(value)(text)).toBe(true);
      }),
      { numRuns: repetitions(50, 200) },
    );
  });

  test("is false for unrelated texts", () => {
    const occurs = createOccurrenceTest("sgp_0123456789abcdef0123456789abcdef01234567");
    expect([occurs("%2Fpath%2520with \\u003cescapes\\u003e"), occurs("sgp_0123456789"), occurs("")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("is always true for values with other characters, and for short ones", () => {
    expect([createOccurrenceTest("user:password/of+some=length")(""), createOccurrenceTest("short-value")("")]).toEqual(
      [true, true],
    );
  });
});
