import type { RuleVerdict } from "@assay/results";
import { expect, test } from "vitest";
import { renderSummaryMarkdown } from "./render-summary-markdown.ts";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { sampleChange } from "../../testing/sample-timelines.ts";
import { commentFinding, fieldOrder, resultOf, sampleRules, withVerdict } from "../../testing/sample-results.ts";

const failed = withVerdict("two-fields", { outcome: "failed", findings: [commentFinding], moreFindings: 7 });

test("shows ten failed rules and counts the rest", () => {
  const verdicts = Array.from({ length: 13 }, () => failed[0]!);
  const text = renderSummaryMarkdown(resultOf({ verdicts }));
  expect(text.match(/^#### /gmu)).toHaveLength(10);
  expect(text).toContain("\nand 3 more failed rules\n");
});

/** Lines that are visible while everything is folded. */
const unfoldedLines = (text: string): readonly string[] => {
  const outside = text.replaceAll(/<details>\n(?<summary><summary>[^\n]*)\n[\s\S]*?\n<\/details>/gu, "$<summary>");
  return outside.split("\n").filter((line) => line.trim() !== "");
};

const chapters = ["6", "2.1", "10", "4"].map((section, at): RuleVerdict => ({
  ...sampleRules[at]!,
  interface: at % 2 === 0 ? "stream" : "legacy",
  requirements: [{ id: "x", specification: "search-stream", section, text: "x" }],
}));

test("has the chapters in the order of their specification, folded unless the run passed", () => {
  const passed = renderSummaryMarkdown(resultOf({ verdicts: chapters }));
  expect(passed.match(/^\| Streaming search \d+/gmu)).toEqual(
    ["2", "4", "6", "10"].map((section) => `| Streaming search ${section}`),
  );
  expect(unfoldedLines(passed).join("\n")).toContain("| Streaming search 2");
  const failing = renderSummaryMarkdown(resultOf({ verdicts: [...chapters, ...failed] }));
  expect(unfoldedLines(failing).join("\n")).not.toContain("| Streaming search 2");
  expect(failing).toContain("<summary>Rules by chapter and interface</summary>");
});

test("is one screen for a run that passed", () => {
  const unspecified = Array.from({ length: 50 }, (_, at) => ({ behaviour: `stream/g${at}`, seen: [fieldOrder] }));
  const notJudged = Array.from({ length: 30 }, (_, at): RuleVerdict => ({
    ...sampleRules[0]!,
    rule: `stream/x${at}`,
    verdict: { outcome: "not-applicable", reason: `reason ${at}` },
  }));
  const text = renderSummaryMarkdown(resultOf({ verdicts: [...chapters, ...notJudged] }, { unspecified }), {
    change: sampleChange,
  });
  expect(text.split("\n").length).toBeGreaterThan(50);
  expect(unfoldedLines(text).length).toBeLessThan(40);
});

test("shows the first of several failures completely, and the first finding of the others", () => {
  const text = renderSummaryMarkdown(resultOf({ verdicts: [failed[0]!, { ...failed[0]!, rule: "stream/other" }] }));
  const visible = unfoldedLines(text).join("\n");
  expect(visible.match(/ \^\^\^/gu)).toHaveLength(1);
  expect(text.match(/ \^\^\^/gu)).toHaveLength(2);
  expect(visible).toContain("Seen: a comment line (`exchange x3, event 4, byte 1032`), and 7 more findings");
});

test("stays below 1 MiB", () => {
  const long = hostileStrings.join(" ").repeat(20);
  const finding = {
    ...commentFinding,
    message: long,
    curl: long,
    pointer: long,
    excerpt: { offset: 0, before: long, marked: long, after: long },
  };
  const text = {
    rule: long,
    title: long,
    requirements: Array.from({ length: 50 }, () => ({ id: long, specification: long, section: long, text: long })),
  };
  const verdicts = Array.from({ length: 400 }, (_, index) => ({
    ...sampleRules[0]!,
    ...text,
    verdict:
      index % 2 === 0
        ? ({ outcome: "failed", findings: [finding], moreFindings: 0 } as const)
        : ({ outcome: "not-applicable", reason: `${index}${long}` } as const),
  }));
  const incomplete = Array.from({ length: 500 }, () => ({ code: "limit", message: long }) as const);
  const unspecified = Array.from({ length: 500 }, () => ({ behaviour: long, seen: [finding] }));
  const bytes = Buffer.byteLength(renderSummaryMarkdown(resultOf({ verdicts, incomplete }, { unspecified })));
  expect(bytes).toBeLessThan(200_000);
});
