import type { KnownFailure, RuleVerdict, Verdict } from "@assay/results";
import { describe, expect, test } from "vitest";
import { countDisplayColumns } from "./display-columns.ts";
import { outcomeWords } from "../../document/outcome-words.ts";
import { renderCheck } from "./render-check.ts";
import { renderJunit } from "../junit/render-junit.ts";
import { renderSummaryMarkdown } from "../markdown/render-summary-markdown.ts";
import { renderTerminal } from "./render-terminal.ts";
import { elementsNamed, parseXml } from "../../testing/parse-xml.ts";
import {
  commentFinding,
  fixedFailure,
  knownFailure,
  passedWith,
  resultOf,
  sampleRules,
  withVerdict,
} from "../../testing/sample-results.ts";

const plain = { colour: false, width: 80 } as const;
const failing = { outcome: "failed", findings: [commentFinding], moreFindings: 11 } as const;
const oneKnown = withVerdict("two-fields", failing, { known: knownFailure });
const known = resultOf({ verdicts: oneKnown }, { unspecified: [] });
const { expires: _expires, ...shippedFailure } = knownFailure;
const red = resultOf(
  {
    verdicts: oneKnown.map((rule) => (rule.rule === "stream/data-is-json" ? { ...rule, known: fixedFailure } : rule)),
    knownFailureMistakes: ["known.txt, line 9: the group has no owner", "known.txt, line 10: another"],
  },
  { unspecified: [] },
);

describe("the terminal", () => {
  test("shows all of a known failure with --verbose", () => {
    const text = renderTerminal(known, { ...plain, verbose: true });
    expect(text).toContain("    ~ stream/two-fields  known failure\n");
    expect(text.slice(text.indexOf("~ known failure  stream/two-fields  "))).toContain(`\
~ known failure  stream/two-fields  (stated)
  Every event has exactly the fields \`event\` and \`data\`, one on each line
`);
    expect(text).toContain("  and 11 more findings\n");
    expect(renderTerminal(known, plain)).not.toContain("more findings");
  });

  test("shows no expiry date for entries of Assay's own lists", () => {
    const verdicts = withVerdict("two-fields", failing, { known: { ...shippedFailure, source: "field" } });
    expect(renderTerminal(resultOf({ verdicts }), plain)).toContain("    field, line 3; owner platform-team\n");
  });

  test("counts entries of Assay's own lists that did not occur, and lists them with --verbose", () => {
    const result = resultOf({}, { unspecified: [], knownFailureNotes: ["field, line 12: holds"] });
    const listed = "\nKnown failures that did not occur\n  field, line 12: holds\n\n";
    expect(renderTerminal(result, plain)).toContain("more: --verbose shows 1 known failure that did not occur\n");
    expect(renderTerminal(result, plain)).not.toContain(listed);
    expect(renderTerminal(result, { ...plain, verbose: true })).toContain(listed);
  });

  test("shows ten mistakes and counts the rest, all of them with --verbose", () => {
    const knownFailureMistakes = Array.from({ length: 13 }, (_, index) => `known.txt, line ${index + 1}: wrong`);
    const result = resultOf({ knownFailureMistakes });
    expect(renderTerminal(result, plain)).toContain("line 10: wrong\n  and 3 more, all of them with --verbose\n\n");
    expect(renderTerminal(result, { ...plain, verbose: true })).toContain("line 13: wrong\n\n");
  });

  test.each([60, 80, 120])("fits into %i columns", (width) => {
    const lines = [known, red].flatMap((result) => renderTerminal(result, { ...plain, width }).split("\n"));
    expect(Math.max(...lines.map(countDisplayColumns))).toBeLessThanOrEqual(width);
  });

  test("a group of known failures only has their sign", () => {
    const verdicts = withVerdict("match-count-never-falls", { ...failing, outcome: "warned" }, { known: knownFailure });
    expect(renderTerminal(resultOf({ verdicts, strict: true }), plain)).toContain(
      "  ~ streaming search  11 passed, 1 known failure\n",
    );
  });
});

describe("the check", () => {
  test("shows a recording that passed with known failures", () => {
    const text = renderCheck([{ file: "a.sse", result: known }], plain);
    expect(text).toContain("✓ passed  a.sse  11 of 12 rules passed; 1 known failure\n");
    expect(text).toContain("\nKnown failures: 1 of 12 rules\n  ~ known failure  stream/two-fields: The proxy");
    expect(text).not.toContain("✗");
    expect(text.endsWith("✓ 1 passed  exit code 0\n")).toBe(true);
  });

  test("shows fixed known failures, mistakes, and entries that did not occur", () => {
    const results = [{ file: "a.sse", result: { ...red, knownFailureNotes: ["a note"] } }];
    const text = renderCheck(results, { ...plain, verbose: true });
    expect(text).toContain("✗ fixed: remove the entry  stream/data-is-json  (stated)\n");
    expect(text).toContain("✗ Mistakes in the known failures: 2\n");
    expect(text).toContain("Known failures that did not occur\n  a note\n");
    expect(text.endsWith("✗ 1 failed  exit code 1\n")).toBe(true);
  });
});

describe("JUnit", () => {
  test("shows a single mistake without a count, and at most fifty", () => {
    const failureOf = (knownFailureMistakes: readonly string[]) =>
      elementsNamed(parseXml(renderJunit(resultOf({ knownFailureMistakes }))), "failure");
    expect(failureOf(["m"]).map(({ attributes }) => attributes.get("message"))).toEqual(["m"]);
    const [many] = failureOf(Array.from({ length: 53 }, () => "m"));
    expect(many?.text.split("\n")).toHaveLength(51);
    expect(many?.text.endsWith("\nand 3 more")).toBe(true);
  });

  test("has no error for the run if a mistake or a fixed rule explains it", () => {
    expect(elementsNamed(parseXml(renderJunit(red)), "error")).toEqual([]);
    expect(elementsNamed(parseXml(renderJunit(resultOf({ knownFailureMistakes: ["m"] }))), "error")).toEqual([]);
  });
});

describe("the summary", () => {
  test("stays short with long lists", () => {
    const long = { reason: "x".repeat(100_000), owner: "y".repeat(100_000), source: "z".repeat(100_000), line: 1 };
    const verdicts = Array.from({ length: 200 }, (_, index): RuleVerdict => {
      const isFixed = index % 2 === 0;
      const status = isFixed ? "fixed" : "known-failure";
      return { ...sampleRules[0]!, verdict: isFixed ? passedWith(1) : failing, known: { status, ...long } };
    });
    const knownFailureMistakes = Array.from({ length: 500 }, () => "x".repeat(10_000));
    const result = resultOf({ verdicts, knownFailureMistakes }, { knownFailureNotes: knownFailureMistakes });
    expect(Buffer.byteLength(renderSummaryMarkdown(result))).toBeLessThan(50_000);
  });
});

const cases: Readonly<Record<string, { readonly verdict: Verdict; readonly known?: KnownFailure }>> = {
  holds: { verdict: passedWith(1) },
  fails: { verdict: failing },
  warns: { verdict: { ...failing, outcome: "warned" } },
  "fails as known": { verdict: failing, known: knownFailure },
  "warns as known": { verdict: { ...failing, outcome: "warned" }, known: knownFailure },
  "is fixed": { verdict: passedWith(1), known: fixedFailure },
  "was not tested": { verdict: { outcome: "not-tested" } },
  "was blocked": { verdict: { outcome: "blocked", blockedBy: "limit", missing: "m" } },
};
const isRedWord = new Set(["fails", "is fixed"]);

describe.each(Object.keys(cases))("a rule that %s and", (one) => {
  test.each(Object.keys(cases))("one that %s are shown alike everywhere", (other) => {
    for (const [strict, mistakes] of [
      [false, []],
      [true, []],
      [false, ["m"]],
      [true, ["m"]],
    ] as const) {
      const verdicts = [one, other].map((name): RuleVerdict => ({ ...sampleRules[0]!, ...cases[name]! }));
      const result = resultOf({ verdicts, strict, knownFailureMistakes: mistakes });
      const isRed = [one, other].some((name) => isRedWord.has(name) || (strict && name === "warns"));
      const isBlocked = one === "was blocked" || other === "was blocked";
      const isUnseen = [one, other].every((name) => name === "was not tested");
      const green = isBlocked || isUnseen ? "incomplete" : "passed";
      const outcome = isRed || mistakes.length > 0 ? "failed" : green;
      const { sign, word } = outcomeWords[outcome];
      const junit = parseXml(renderJunit(result));
      const failures = elementsNamed(junit, "failure").length;
      expect(result.outcome).toBe(outcome);
      expect(renderTerminal(result, plain)).toContain(
        `\n${sign} ${word.toUpperCase()}  exit code ${result.exitCode}\n`,
      );
      expect(
        renderSummaryMarkdown(result).startsWith(`## ${sign} Assay: ${word} (exit code ${result.exitCode})\n`),
      ).toBe(true);
      expect([failures > 0, failures + elementsNamed(junit, "error").length > 0]).toEqual([
        outcome === "failed",
        outcome !== "passed",
      ]);
      expect(/PASSED/u.test(renderTerminal(result, plain))).toBe(outcome === "passed");
    }
  });
});
