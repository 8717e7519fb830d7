import { repetitions } from "@assay/tools/proving";
import { outcomePrecedence, type RunResult, stringifyRunResult } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outcomeWords } from "../../document/outcome-words.ts";
import { renderCheck } from "./render-check.ts";
import { renderJunit } from "../junit/render-junit.ts";
import { renderSummaryMarkdown } from "../markdown/render-summary-markdown.ts";
import { renderTerminal } from "./render-terminal.ts";
import { renderVerdictsJson } from "../render-verdicts-json.ts";
import { anyRunResult } from "../../testing/arbitrary-run-result.ts";
import { elementsNamed, parseXml } from "../../testing/parse-xml.ts";
import { hiddenCharacters, withoutStyles } from "../../testing/styles.ts";

const page = { colour: false, width: 80 } as const;
const runs = { numRuns: repetitions(37, 150) } as const;
const forAnyRun = (law: (result: RunResult) => void): void => {
  fc.assert(fc.property(anyRunResult, law), runs);
};

describe("for every run", () => {
  test("the terminal's last block has the outcome and the exit code", () => {
    forAnyRun((result) => {
      const { sign, word } = outcomeWords[result.outcome];
      const text = renderTerminal(result, page);
      const banner = text.slice(text.lastIndexOf(`\n${"─".repeat(80)}\n`) + 82);
      expect(banner.split("\n")[0]).toBe(`${sign} ${word.toUpperCase()}  exit code ${result.exitCode}`);
    });
  });

  test("the summary's first line has the outcome and the exit code", () => {
    forAnyRun((result) => {
      const { sign, word } = outcomeWords[result.outcome];
      const [first] = renderSummaryMarkdown(result).split("\n");
      expect(first).toBe(`## ${sign} Assay: ${word} (exit code ${result.exitCode})`);
    });
  });

  test("the JUnit file has failures if and only if the exit code is not 0", () => {
    forAnyRun((result) => {
      const root = parseXml(renderJunit(result));
      const red = elementsNamed(root, "failure").length + elementsNamed(root, "error").length;
      expect(red > 0).toBe(result.exitCode !== 0);
      expect(root.attributes.get("failures")).toBe(String(elementsNamed(root, "failure").length));
      expect(root.attributes.get("errors")).toBe(String(elementsNamed(root, "error").length));
      const cases = result.verdicts.length + (result.knownFailureMistakes === undefined ? 1 : 2);
      expect(elementsNamed(root, "testcase")).toHaveLength(cases);
    });
  });

  test("a check of its recording ends with the same exit code", () => {
    forAnyRun((result) => {
      const lines = renderCheck([{ file: "a.sse", result }], page)
        .trimEnd()
        .split("\n");
      expect(lines.at(-1)).toMatch(new RegExp(`exit code ${result.exitCode}$`, "u"));
    });
  });

  test("the JSON is the result", () => {
    forAnyRun((result) => {
      expect(JSON.parse(renderVerdictsJson(result))).toEqual(JSON.parse(JSON.stringify(result)));
      expect(renderVerdictsJson(result)).toBe(stringifyRunResult(result));
    });
  });

  test("an early failure has ten lines", () => {
    forAnyRun((result) => {
      const isEarly = result.outcome === "incomplete" && result.counts.passed + result.counts.failed === 0;
      const isJudged = result.verdicts.some(({ verdict }) => ["passed", "failed", "warned"].includes(verdict.outcome));
      const text = renderTerminal(result, { ...page, folder: "f", report: "f/report.html" });
      expect(!isEarly || isJudged || text.split("\n").length <= 11).toBe(true);
    });
  });

  test("every reason for being incomplete is on the terminal", () => {
    forAnyRun((result) => {
      const text = renderTerminal(result, { ...page, width: 120, verbose: true });
      expect(result.incomplete.filter(({ code }) => !text.includes(`  ${code}:`))).toEqual([]);
    });
  });
});

describe("only a run that passed is shown as passed", () => {
  // Rules may have passed in any run, so only the word of the run counts.
  const says = /PASSED|Assay: passed|\bgreen\b|\bsuccess/u;

  test.each([
    ["terminal", (result: RunResult) => renderTerminal(result, { ...page, verbose: true })],
    ["summary", renderSummaryMarkdown],
    ["JUnit", renderJunit],
    ["check", (result: RunResult) => renderCheck([{ file: "a.sse", result }], page)],
  ])("by the %s", (_name, render) => {
    // Only our own text counts: text of a target may contain the sign of a run that passed.
    const notPassed = anyRunResult.filter(
      (result) => result.outcome !== "passed" && !JSON.stringify(result).includes("✓"),
    );
    fc.assert(
      fc.property(notPassed, (result) => {
        const text = render(result);
        expect(says.exec(text)).toBeNull();
        // Rules that passed have the sign, the run and its file must not.
        expect(text.split("\n").filter((line) => line.startsWith("✓") || line.startsWith("## ✓"))).toEqual([]);
      }),
      runs,
    );
  });

  test("the sign and the word belong to one outcome", () => {
    const signed = outcomePrecedence.filter((outcome) => outcomeWords[outcome].sign === "✓");
    const worded = outcomePrecedence.filter((outcome) => says.test(`Assay: ${outcomeWords[outcome].word}`));
    expect([signed, worded]).toEqual([["passed"], ["passed"]]);
  });
});

describe("text of a target stays text", () => {
  test.each([
    ["terminal", (result: RunResult) => renderTerminal(result, { ...page, verbose: true })],
    ["coloured terminal", (result: RunResult) => withoutStyles(renderTerminal(result, { ...page, colour: true }))],
    ["summary", renderSummaryMarkdown],
    ["JUnit", renderJunit],
    ["check", (result: RunResult) => renderCheck([{ file: result.run.target, result }], { ...page, verbose: true })],
  ])("no hidden character and no command of a build system in the %s", (_name, render) => {
    forAnyRun((result) => {
      const text = render(result);
      expect(hiddenCharacters(text)).toEqual([]);
      expect(text.split("\n").filter((line) => /^\s*::/u.test(line) || /##(?:\[|vso\[)/iu.test(line))).toEqual([]);
    });
  });

  test("the summary has no markup, mention, link or image of the target", () => {
    forAnyRun((result) => {
      // The first line is ours; its sign may be a tilde.
      const outside = outsideOfCode(renderSummaryMarkdown(result).split("\n").slice(1).join("\n"));
      expect(/[<[\]~$\\]|@(?!\u200B)|:\/\/|www\.|!\[|\*|(?<!&)#(?!#* )/u.exec(outside)).toBeNull();
    });
  });
});

/** Markdown without our own `<details>` tags, fenced blocks and code spans, by the rules of CommonMark. */
const outsideOfCode = (markdown: string): string =>
  markdown
    .replaceAll(/^(?:<\/?details>|<summary>[\w ,:-]+<\/summary>)$/gmu, "")
    .replaceAll(/^(?<fence>`{3,})text\n[\s\S]*?\n\k<fence>$/gmu, "")
    .replaceAll(/(?<!`)(?<ticks>`+)(?!`)[\s\S]*?(?<!`)\k<ticks>(?!`)/gu, "");
