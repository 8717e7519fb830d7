import { expect, test } from "vitest";
import { exactDigits, parseExactly } from "./exact-json.ts";

const long = "9007199254740993017";

test("returns the same value as JSON.parse", () => {
  const text = `{"id":${long},"list":[{"id":1},${long}],"text":"${long} \\" ${long}","half":1.5e300,"none":null}`;
  expect(parseExactly(text)).toEqual(JSON.parse(text));
});

test.each([
  ["an integer beyond 2^53", `{"id":${long}}`, long],
  ["a negative one", `{"id":-${long}}`, `-${long}`],
  ["the last of two members with the same name", `{"id":1,"id":${long}}`, long],
  ["the largest safe one", `{"id":9007199254740991}`, undefined],
  ["a text of digits", `{"id":"${long}"}`, undefined],
  ["a text with a member in it", `{"id":"\\"id\\":${long}"}`, undefined],
  ["a number with a fraction", `{"id":1234567890123456.75}`, undefined],
  ["a number with an exponent", `{"id":12345678901234567e2}`, undefined],
])("returns the digits of %s", (_, text, digits) => {
  expect(exactDigits(parseExactly(text), "id")).toBe(digits);
});

test("returns digits at any depth, but not for arrays and plain values", () => {
  const deep = `${'{"in":['.repeat(200)}{"id":${long}}${"]}".repeat(200)}`;
  let inner: unknown = parseExactly(deep);
  for (let level = 0; level < 200; level += 1) {
    inner = Object.values(Object(Object.values(Object(inner))[0]))[0];
  }
  expect(exactDigits(inner, "id")).toBe(long);
  expect([exactDigits(parseExactly(long), "id"), exactDigits(undefined, "id")]).toEqual([undefined, undefined]);
});

test("throws for text that is not JSON", () => {
  expect(() => parseExactly(`{"id":${long}`)).toThrow(SyntaxError);
});
