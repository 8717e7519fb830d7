import fc from "fast-check";
import { expect, test } from "vitest";
import { nestsDeeperThan } from "./nesting-depth.ts";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test("agrees with the depth of the parsed value", () => {
  const strings = fc.string({ unit: fc.constantFrom("[", "{", '"', "\\", "]", "a"), maxLength: 6 });
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      strings,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(strings, tie("value"), { maxKeys: 2 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.nat({ max: 6 }), (sample, maxDepth) => {
      expect(nestsDeeperThan(JSON.stringify(sample), maxDepth)).toBe(depthOf(sample) > maxDepth);
    }),
  );
});

test.each([
  ["letters", "a"],
  ["escapes", '\\"'],
])("looks at a string of millions of %s", (_, piece) => {
  expect(nestsDeeperThan(`[["${piece.repeat(4_000_000)}"`, 1)).toBe(true);
  expect(nestsDeeperThan(`["${piece.repeat(4_000_000)}"]`, 1)).toBe(false);
});
