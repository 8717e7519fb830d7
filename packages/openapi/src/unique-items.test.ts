import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasUniqueItems } from "./unique-items.ts";

test.each([
  { items: [], unique: true },
  { items: [1, "1", true, null, [1], { a: 1 }], unique: true },
  {
    items: [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    unique: false,
  },
  {
    items: [
      [1, 2],
      [2, 1],
    ],
    unique: true,
  },
  { items: [0, -0], unique: false },
  { items: [[], {}], unique: true },
])("the elements of $items are unique: $unique", ({ items, unique }) => {
  expect(hasUniqueItems(items)).toBe(unique);
});

test("agrees with comparing all pairs", () => {
  const items = fc.array(fc.oneof(fc.constantFrom(0, 1, "1", null), fc.jsonValue({ maxDepth: 2 })), { maxLength: 6 });
  fc.assert(
    fc.property(items, (drawn) => {
      const values: readonly unknown[] = JSON.parse(JSON.stringify(drawn));
      const equal = values.some((left, index) =>
        values.slice(index + 1).some((right) => isDeepStrictEqual(left, right)),
      );
      expect(hasUniqueItems(values)).toBe(!equal);
    }),
  );
});
