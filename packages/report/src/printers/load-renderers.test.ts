import { repetitions } from "@assay/tools/proving";
import type { LoadResult } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyLoadResult } from "../testing/arbitrary-load-result.ts";
import { elementsNamed, parseXml } from "../testing/parse-xml.ts";
import { judgementOf, loadOf } from "../testing/sample-load.ts";
import { hiddenCharacters, withoutStyles } from "../testing/styles.ts";
import { createLoadCases } from "../document/load-cases.ts";
import { renderComparison } from "./terminal/render-comparison.ts";
import { renderLoadJunit } from "./junit/render-junit.ts";
import { renderLoadMarkdown } from "./markdown/render-load-markdown.ts";
import { renderLoad, renderLoadJson } from "./terminal/render-load.ts";

const page = { colour: false, width: 80, verbose: true } as const;
const runs = { numRuns: repetitions(37, 150) } as const;
const forAny = (law: (result: LoadResult) => void): void => fc.assert(fc.property(anyLoadResult, law), runs);

const comparisonText = ({ comparison, outcome, exitCode }: LoadResult): string =>
  comparison === undefined ? "" : renderComparison({ comparison, outcome, exitCode }, page);

describe("for every load run", () => {
  test("the JUnit file has failures if and only if the exit code is not 0", () => {
    forAny((result) => {
      const root = parseXml(renderLoadJunit(result));
      const red = elementsNamed(root, "failure").length + elementsNamed(root, "error").length;
      expect(red > 0).toBe(result.exitCode !== 0);
    });
  });

  test("the JSON is the result", () => {
    forAny((result) => {
      expect(JSON.parse(renderLoadJson(result))).toEqual(JSON.parse(JSON.stringify(result)));
    });
  });

  test("the terminal and the summary have the exit code", () => {
    forAny((result) => {
      expect(renderLoad(result, page)).toContain(`  exit code ${result.exitCode}\n`);
      expect(renderLoadMarkdown(result).split("\n")[0]).toContain(`(exit code ${result.exitCode})`);
    });
  });

  test.each([
    ["terminal", (result: LoadResult) => renderLoad(result, page)],
    ["coloured terminal", (result: LoadResult) => withoutStyles(renderLoad(result, { ...page, colour: true }))],
    ["summary", renderLoadMarkdown],
    ["JUnit", renderLoadJunit],
    ["comparison", comparisonText],
  ])("nothing a target sent gets out of the %s", (_name, render) => {
    forAny((result) => {
      const text = render(result);
      expect(hiddenCharacters(text)).toEqual([]);
      expect(text.split("\n").filter((line) => /^\s*::/u.test(line) || /##(?:\[|vso\[)/iu.test(line))).toEqual([]);
    });
  });
});

test("only a run that passed is shown as passed", () => {
  const notPassed = anyLoadResult
    .filter(({ outcome }) => outcome !== "passed")
    .map((result): LoadResult => {
      const { canary: _canary, knee: _knee, comparison: _comparison, ...rest } = result;
      return { ...rest, summary: "", incomplete: [], thresholds: [], trust: { valid: true, checks: [] } };
    });
  fc.assert(
    fc.property(notPassed, (result) => {
      for (const text of [renderLoad(result, page), renderLoadMarkdown(result), renderLoadJunit(result)]) {
        expect(/PASSED|Assay load: passed|\bsuccess/u.exec(text)).toBeNull();
      }
      const lines = renderLoadMarkdown(result).split("\n");
      expect(lines[0]).not.toMatch(/^## ✓/u);
    }),
    runs,
  );
});

describe("the summary", () => {
  test("has the timings as a table", () => {
    expect(renderLoadMarkdown(loadOf())).toContain(
      "| `first-match` | 118 | 12.4 &#91;11.2, 13.6&#93; | 24.8 &#91;18.6, 31.0&#93; | - | 37.2 |",
    );
  });

  test("has the same number of cells in each row of a table", () => {
    forAny((result) => {
      const rows = renderLoadMarkdown(result)
        .split("\n")
        .filter((line) => line.startsWith("| "));
      const widths = new Set(rows.map((row) => row.split("|").length));
      expect([...widths].every((width) => [8, 9, 10].includes(width))).toBe(true);
    });
  });
});

test("a threshold that only warns fails in no file, even if another one fails", () => {
  const thresholds: LoadResult["thresholds"] = [
    { threshold: "first-match p50 < 8", severity: "warn", limitMs: 8, valueMs: 9, ok: false },
    { threshold: "first-match p95 < 8", limitMs: 8, valueMs: 9, ok: false },
  ];
  const root = parseXml(renderLoadJunit(loadOf({ outcome: "performance-failed", exitCode: 4, thresholds })));
  expect([elementsNamed(root, "failure").length, elementsNamed(root, "skipped").length]).toEqual([1, 1]);
});

describe("the JUnit cases of the judged exchanges", () => {
  const kept = "all judged exchanges pass every rule";
  const all = "all load exchanges were judged";
  const part = { group: "search", sent: 9, judged: 3, brokenOff: 0, unanswered: 0, thinnedOut: 6, lost: 0 } as const;
  test.each<[string, Partial<LoadResult>, Readonly<Record<string, string>>]>([
    ["fail with a rule that is broken", { judgement: judgementOf() }, { [kept]: "failure", [all]: "passed" }],
    [
      "say where not all were judged, and do not fail for it",
      { judgement: judgementOf({ broken: [], groups: [part] }) },
      { [kept]: "passed", [all]: "skipped" },
    ],
    [
      "hold nothing where no response was received",
      { judgement: judgementOf({ broken: [], groups: [{ ...part, judged: 0, thinnedOut: 0, unanswered: 9 }] }) },
      { [kept]: "skipped", [all]: "skipped" },
    ],
    ["say why none was judged", { unjudged: "there was no time" }, { [all]: "skipped" }],
    ["are none where no exchange was kept", {}, {}],
  ])("%s", (_name, changes, expected) => {
    const failed = changes.judgement?.broken.length === 1;
    const result = loadOf({ ...changes, ...(failed ? { outcome: "failed", exitCode: 1 } : {}) });
    const cases = createLoadCases(result).cases.filter(({ name }) => [kept, all].includes(name));
    expect(Object.fromEntries(cases.map(({ name, kind }) => [name, kind]))).toEqual(expected);
  });
});
