import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileLinearPattern } from "./linear-pattern.ts";

describe("a linear pattern", () => {
  test.each([
    { source: "^a+b?$", text: "aaab", matches: true },
    { source: "^a+b?$", text: "aaabb", matches: false },
    { source: "a|bc", text: "xxbcx", matches: true },
    { source: "^(?:ab|cd){2,3}$", text: "abcdab", matches: true },
    { source: "^(?:ab|cd){2,3}$", text: "ab", matches: false },
    { source: "^(?:ab|cd){2,3}$", text: "abababab", matches: false },
    { source: "^(a*)*$", text: "aaab", matches: false },
    { source: "^(?<year>\\d{4})-\\d{2}$", text: "2024-05", matches: true },
    { source: "^[^\\]a-c]+$", text: "xyz", matches: true },
    { source: "^[^\\]a-c]+$", text: "x]", matches: false },
    { source: "^\\p{Lu}$", text: "Ä", matches: true },
    { source: "^.$", text: "😀", matches: true },
    { source: "^.$", text: "\n", matches: false },
    { source: "^\\u{1F600}$", text: "😀", matches: true },
    { source: "^\\ud83d\\ude00$", text: "😀", matches: true },
    { source: "\\bword\\b", text: "a word.", matches: true },
    { source: "\\bword\\b", text: "swords", matches: false },
    { source: "^a\\-b$", text: "a-b", matches: true },
    { source: "^a{,2}$", text: "a{,2}", matches: true },
    { source: "", text: "", matches: true },
    { source: "$^", text: "", matches: true },
    { source: "^(?:(?:){900000000}){900000000}$", text: "", matches: true },
  ])("$source on $text gives $matches, as in JavaScript", ({ source, text, matches }) => {
    expect(compileLinearPattern(source).test(text)).toBe(matches);
  });

  test.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(?<!a)b",
    "(a)\\1",
    "(?<n>a)\\k<n>",
    "(?:a{1000}){1000}",
    "(".repeat(60) + ")".repeat(60),
  ])("%s is refused", (source) => {
    expect(() => compileLinearPattern(source)).toThrow(expect.objectContaining({ code: "unsafe-pattern" }));
  });

  test.each(["(", "[b-a]", "a**", "\\"])("%s is not a pattern", (source) => {
    expect(() => compileLinearPattern(source)).toThrow(expect.objectContaining({ code: "cannot-compile" }));
  });

  test("that would keep a backtracking engine busy for years finishes at once", () => {
    expect(compileLinearPattern("^(a+)+$").test(`${"a".repeat(50_000)}!`)).toBe(false);
  });

  test("has a unique text, so that two patterns are never confused", () => {
    expect(String(compileLinearPattern("^(a+)+$"))).not.toBe(String(compileLinearPattern("^(a|a)*$")));
  });

  const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\W", "\\b", "^", "$", "(?:)");
  const repeated = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(part, fc.constantFrom("", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?"))
      .map(([inner, times]) => `(${inner})${times}`);
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      atom,
      repeated(tie("pattern")),
      fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => left + right),
      fc.tuple(tie("pattern"), tie("pattern")).map(([left, right]) => `(?:${left}|${right})`),
    ),
  }));
  const text = fc.string({ unit: fc.constantFrom("a", "b", "-", "\n"), maxLength: 6 });

  test("agrees with the engine of JavaScript", () => {
    fc.assert(
      fc.property(pattern, text, (source, sample) => {
        expect(compileLinearPattern(source).test(sample)).toBe(new RegExp(source, "u").test(sample));
      }),
      { numRuns: repetitions(125, 500) },
    );
  });
});
