import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalText } from "./canonical-text.ts";

describe("canonical text", () => {
  test("is the same for the same members in another order", () => {
    expect(canonicalText({ b: [{ d: 1, c: null }], a: "x" })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
    expect(canonicalText({ a: "x", b: [{ c: null, d: 1 }] })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  });

  test("is JSON of the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalText(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("takes nothing for null", () => {
    expect(canonicalText([undefined])).toBe("[null]");
  });
});
