import { describe, expect, test } from "vitest";
import { formatValue } from "./format-value.ts";

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
    expect(formatValue(value)).toBe(shown);
  });
});
