import { describe, expect, test } from "vitest";
import { isRecord, member } from "./json-value.ts";

describe("a JSON object", () => {
  test.each<{ name: string; value: unknown; is: boolean }>([
    { name: "an object", value: {}, is: true },
    { name: "an array", value: [], is: false },
    { name: "null", value: null, is: false },
    { name: "a string", value: "{}", is: false },
    { name: "undefined", value: undefined, is: false },
  ])("is distinguished from other values: $name", ({ value, is }) => {
    expect(isRecord(value)).toBe(is);
  });

  test.each<{ name: string; value: unknown; key: string; is: unknown }>([
    { name: "a present one", value: { a: 1 }, key: "a", is: 1 },
    { name: "an absent one", value: { a: 1 }, key: "b", is: undefined },
    { name: "an inherited one", value: {}, key: "toString", is: undefined },
    {
      name: "an own one named like an inherited one",
      value: JSON.parse('{"__proto__":1}'),
      key: "__proto__",
      is: 1,
    },
    { name: "the length of an array", value: [1], key: "length", is: undefined },
    { name: "a member of undefined", value: undefined, key: "a", is: undefined },
  ])("has only own members: $name", ({ value, key, is }) => {
    expect(member(value, key)).toBe(is);
  });
});
