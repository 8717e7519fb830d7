import { expect, test } from "vitest";
import { exactDigits, parseExactly } from "./exact-json.ts";

const long = "9007199254740993017";

test("gives the value that any reader gives", () => {
  const text = `{"id":${long},"list":[{"id":1},${long}],"text":"${long} \\" ${long}","half":1.5e300,"none":null}`;
  expect(parseExactly(text)).toEqual(JSON.parse(text));
});

test.each([
  ["an integer beyond 2^53", `{"id":${long}}`, long],
  ["a negative one", `{"id":-${long}}`, `-${long}`],
  ["the last of two members of a name", `{"id":1,"id":${long}}`, long],
  ["the largest safe one", `{"id":9007199254740991}`, undefined],
  ["a text of digits", `{"id":"${long}"}`, undefined],
  ["a text with a member in it", `{"id":"\\"id\\":${long}"}`, undefined],
  ["a number with a fraction", `{"id":1234567890123456.75}`, undefined],
  ["a number with an exponent", `{"id":12345678901234567e2}`, undefined],
])("knows the digits of %s", (_, text, digits) => {
  expect(exactDigits(parseExactly(text), "id")).toBe(digits);
});

test("knows them at any depth, and of arrays and values nothing", () => {
  const deep = `${'{"in":['.repeat(200)}{"id":${long}}${"]}".repeat(200)}`;
  let held: unknown = parseExactly(deep);
  for (let level = 0; level < 200; level += 1) {
    held = Object.values(Object(Object.values(Object(held))[0]))[0];
  }
  expect(exactDigits(held, "id")).toBe(long);
  expect([exactDigits(parseExactly(long), "id"), exactDigits(undefined, "id")]).toEqual([undefined, undefined]);
});

test("fails where the text is no JSON", () => {
  expect(() => parseExactly(`{"id":${long}`)).toThrow(SyntaxError);
});
