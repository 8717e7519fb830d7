import { anyCharacter } from "@assay/tools/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainQuestion, extractTerms, requestsAllOccurrences } from "./question-terms.ts";

describe("the terms of a question", () => {
  test.each([
    { question: "Where is createServer used?", terms: ["createServer"] },
    { question: "Where is `listen twice` and why", terms: ["listen twice"] },
    { question: 'What does "needle in hay" mean for MAX_SIZE?', terms: ["needle in hay", "MAX_SIZE"] },
    { question: "How does src/index.ts parse the header?", terms: ["src/index.ts", "parse", "header"] },
    { question: "needle needle NEEDLE", terms: ["needle"] },
    { question: "alpha beta gamma delta epsilon", terms: ["alpha", "beta", "gamma", "delta"] },
    { question: "prose before utf8 and snake_case", terms: ["utf8", "snake_case", "prose"] },
    { question: "it's what's 'quoted here' and don't", terms: ["quoted here", "don"] },
    { question: "What is it?", terms: [] },
    { question: "", terms: [] },
    { question: "needle [assay run=01HX-abc]", terms: ["needle"] },
    { question: "`a\u0000b` and \ud800needle", terms: ["a b", "needle"] },
    { question: "Wo wird Größe berechnet", terms: ["wird", "Größe", "berechnet"] },
  ])("of $question are $terms", ({ question, terms }) => {
    expect(extractTerms(question).map(({ text }) => text)).toEqual(terms);
  });

  test("are few and not empty, and never contain the marker", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (question) => {
        const marked = extractTerms(`${question.replaceAll("[", "")} [assay run=marker]`);
        expect(marked.length).toBeLessThanOrEqual(4);
        expect(marked.every(({ text }) => text !== "" && !/\p{Cc}|\p{Surrogate}|assay|marker/u.test(text))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

test("the plain question has neither marker nor control characters", () => {
  expect(plainQuestion(" a\n b\u0007 [assay run=x]  c ")).toBe("a b c");
});

test.each([
  { question: "List every use of needle", everything: true },
  { question: "Show all the places with needle", everything: true },
  { question: "Where is needle used at all?", everything: false },
])("$question asks for everything: $everything", ({ question, everything }) => {
  expect(requestsAllOccurrences(question)).toBe(everything);
});
