import { repetitions } from "@assay/tools/proving";
import type { LoadResult, RunResult } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderReportHtml } from "./html/render-report-html.ts";
import type { ReportInput } from "../document/report-input.ts";
import { outcomeWords } from "../document/outcome-words.ts";
import { anyLoadResult } from "../testing/arbitrary-load-result.ts";
import { anyRunResult } from "../testing/arbitrary-run-result.ts";
import { elementsNamed, parseXml } from "../testing/parse-xml.ts";
import { renderAnnotations } from "./ci/annotations.ts";
import {
  getMergedOutcome,
  renderMergedCtrf,
  renderMergedOutcome,
  renderMergedJunit,
  renderMergedMarkdown,
} from "./render-merged.ts";
import { renderPullRequestComment } from "./markdown/render-pull-request-comment.ts";

const isRed = {
  JUnit: (input: ReportInput) => {
    const root = parseXml(renderMergedJunit(input));
    return elementsNamed(root, "failure").length + elementsNamed(root, "error").length > 0;
  },
  CTRF: (input: ReportInput): boolean => JSON.parse(renderMergedCtrf(input)).results.summary.failed > 0,
  annotations: (input: ReportInput) => /^::error /mu.test(renderAnnotations(input)),
} as const;

const inputOf = (runs: readonly RunResult[], loads: readonly LoadResult[]): ReportInput => ({
  runs: runs.map((result) => ({ result })),
  loads,
  comparisons: [],
});

const anyInput = fc
  .tuple(fc.array(anyRunResult, { maxLength: 3 }), fc.array(anyLoadResult, { maxLength: 2 }))
  .filter(([runs, loads]) => runs.length + loads.length > 0)
  .map(([runs, loads]) => inputOf(runs, loads));

describe("for any runs", () => {
  test("machine formats have failures if and only if the exit code is not 0", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { exitCode } = getMergedOutcome(input);
        const red = Object.entries(isRed).filter(([, holds]) => holds(input));
        expect(red.map(([name]) => name)).toEqual(exitCode === 0 ? [] : Object.keys(isRed));
      }),
      { numRuns: repetitions(20, 80) },
    );
  });

  test("formats for people have the outcome and the exit code", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { outcome, exitCode } = getMergedOutcome(input);
        // The heading of a load also names warnings and an inconclusive comparison.
        const word = `${outcomeWords[outcome].word}(?: with (?:a warning|warnings))?(?:, comparison inconclusive)?`;
        const heading = new RegExp(`^## .* ${word} \\(exit code ${exitCode}\\)$`, "u");
        expect(renderMergedMarkdown(input).split("\n")[0]).toMatch(heading);
        expect(renderPullRequestComment(input, { id: "x" }).split("\n")[1]).toMatch(heading);
        expect(renderMergedOutcome(input)).toContain(`: ${outcomeWords[outcome].word}, exit code ${exitCode}`);
      }),
      { numRuns: repetitions(15, 60) },
    );
  });

  test("the page of one run has its outcome and exit code, and only its outcome in the title", () => {
    fc.assert(
      fc.property(anyRunResult, (result) => {
        const { sign, word } = outcomeWords[result.outcome];
        const page = renderReportHtml(inputOf([result], []));
        expect(page).toContain(`<title>${sign} ${word} · `);
        expect(page).toMatch(new RegExp(`exit code (?:<[^>]*>)?${result.exitCode}\\b`, "u"));
      }),
      { numRuns: 25 },
    );
  });

  test("equal input gives equal bytes", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const copy: ReportInput = structuredClone(input);
        for (const render of [renderMergedJunit, renderMergedCtrf, renderMergedMarkdown, renderAnnotations]) {
          expect(render(copy)).toBe(render(input));
        }
      }),
      { numRuns: 25 },
    );
  });
});
