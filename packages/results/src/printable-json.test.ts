import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printableJson } from "./printable-json.ts";

describe("printable JSON", () => {
  test.each([
    { name: "a command of a build system", text: "##[error]x", shown: '"#\\u0023[error]x"' },
    {
      name: "a command of another build system",
      text: "a ##VSO[task.setvariable]x",
      shown: '"a #\\u0023VSO[task.setvariable]x"',
    },
    { name: "text that is reordered", text: "a\u202Eb", shown: '"a\\u202eb"' },
    { name: "the end of a line", text: "a\u2028\u0085b", shown: '"a\\u2028\\u0085b"' },
    { name: "no special text", text: "## [x] é 🦓 \\", shown: '"## [x] é 🦓 \\\\"' },
  ])("escapes $name", ({ text, shown }) => {
    expect(printableJson(JSON.stringify(text))).toBe(shown);
  });

  test("keeps its value", () => {
    const part = fc.constantFrom("#", "[", "vso", "\\", '"', "\u2028", "\u202E", "\u0080", "a");
    const text = fc.array(part).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        expect(JSON.parse(printableJson(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
