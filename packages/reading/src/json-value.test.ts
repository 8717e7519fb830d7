import { describe, expect, test } from "vitest";
import { isRecord, member } from "./json-value.ts";

describe("a JSON object", () => {
  test.each<{ name: string; value: unknown; is: boolean }>([
    { name: "an object", value: {}, is: true },
    { name: "an array", value: [], is: false },
    { name: "null", value: null, is: false },
    { name: "a text", value: "{}", is: false },
    { name: "nothing", value: undefined, is: false },
  ])("is distinguished from other values: $name", ({ value, is }) => {
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
