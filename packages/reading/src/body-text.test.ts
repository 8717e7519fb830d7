import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxBodyDepth, readText } from "./body-text.ts";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe("text", () => {
  test("is parsed into the value that was written", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(readText(text)).toEqual({ kind: "text", text, json: JSON.parse(text) });
      }),
    );
  });

  test("is rejected if its brackets nest too deep", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 245, max: 260 }), (value, around) => {
        const text = `${"[".repeat(around)}${JSON.stringify(value)}${"]".repeat(around)}`;
        expect(readText(text).kind).toBe(around + depthOf(value) > maxBodyDepth ? "limit" : "text");
      }),
    );
  });

  test.each(["", "{", '"', String.raw`"\x`, "]]]"])("that is not JSON has no value: %j", (text) => {
    expect(readText(text)).toEqual({ kind: "text", text, json: undefined });
  });
});
