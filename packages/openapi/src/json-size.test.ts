import { expect, test } from "vitest";
import { hasMoreValuesThan } from "./json-size.ts";

test.each([
  { value: 1, limit: 0, more: true },
  { value: 1, limit: 1, more: false },
  { value: [], limit: 1, more: false },
  { value: [1, { a: 2 }], limit: 4, more: false },
  { value: [1, { a: 2 }], limit: 3, more: true },
  { value: { a: null, b: [[]] }, limit: 4, more: false },
])("$value has more than $limit values: $more", ({ value, limit, more }) => {
  expect(hasMoreValuesThan(value, limit)).toBe(more);
});
