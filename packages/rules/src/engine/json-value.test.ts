import { describe, expect, test } from "vitest";
import { isRecord, member, shownValue } from "./json-value.ts";

describe("a JSON object", () => {
  test.each<{ name: string; value: unknown; is: boolean }>([
    { name: "an object", value: {}, is: true },
    { name: "an array", value: [], is: false },
    { name: "null", value: null, is: false },
    { name: "a text", value: "{}", is: false },
    { name: "nothing", value: undefined, is: false },
  ])("is told from other values: $name", ({ value, is }) => {
    expect(isRecord(value)).toBe(is);
  });

  test.each<{ name: string; value: unknown; key: string; is: unknown }>([
    { name: "one it has", value: { a: 1 }, key: "a", is: 1 },
    { name: "one it lacks", value: { a: 1 }, key: "b", is: undefined },
    { name: "one that every object inherits", value: {}, key: "toString", is: undefined },
    {
      name: "one of its own named like an inherited one",
      value: JSON.parse('{"__proto__":1}'),
      key: "__proto__",
      is: 1,
    },
    { name: "the length of an array", value: [1], key: "length", is: undefined },
    { name: "one of nothing", value: undefined, key: "a", is: undefined },
  ])("has members of its own only: $name", ({ value, key, is }) => {
    expect(member(value, key)).toBe(is);
  });
});

describe("a value is shown", () => {
  test.each<{ name: string; value: unknown; shown: string }>([
    { name: "a text as it is", value: "text", shown: "text" },
    { name: "an object by its name", value: { a: 1 }, shown: "an object" },
    { name: "an array by the same name", value: [1], shown: "an object" },
    { name: "null", value: null, shown: "null" },
    { name: "a number", value: 1.5, shown: "1.5" },
    { name: "true", value: true, shown: "true" },
    { name: "nothing", value: undefined, shown: "undefined" },
    { name: "80 characters whole", value: "x".repeat(80), shown: "x".repeat(80) },
    { name: "81 characters cut", value: `${"x".repeat(80)}y`, shown: `${"x".repeat(80)}…` },
  ])("$name", ({ value, shown }) => {
    expect(shownValue(value)).toBe(shown);
  });
});
