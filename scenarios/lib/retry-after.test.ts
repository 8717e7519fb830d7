import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

test.each([
  { name: "seconds", value: " 3 ", expected: 3000 },
  { name: "a date", value: "Thu, 01 Jan 1970 00:00:09 GMT", expected: 4000 },
  { name: "a date that has passed", value: "Thu, 01 Jan 1970 00:00:01 GMT", expected: 0 },
  { name: "nothing", value: undefined, expected: -1 },
  { name: "an empty value", value: "", expected: -1 },
  { name: "words", value: "soon", expected: -1 },
])("$name in Retry-After is $expected ms", ({ value, expected }) => {
  expect(retryAfterMs(value, 5000)).toBe(expected);
});
