import { describe, expect, test } from "vitest";
import { renderReportHtml } from "../html/render-report-html.ts";
import { countDisplayColumns } from "./display-columns.ts";
import { createLoadCases } from "../../document/load-cases.ts";
import { comparisonOf, judgementOf, loadOf } from "../../testing/sample-load.ts";
import { withoutStyles } from "../../testing/styles.ts";
import { renderLoad } from "./render-load.ts";
import { renderLoadMarkdown } from "../markdown/render-load-markdown.ts";

const plain = { colour: false, width: 100 } as const;

test("without a canary, rules that compare searches are left to `assay run`", () => {
  const { canary: _canary, ...alone } = loadOf({ judgement: judgementOf() });
  expect(renderLoad(alone, { ...plain, width: 200 })).toContain(
    "and was not checked on single ones (use `assay run`)\n",
  );
});

describe("a load run has", () => {
  test.each([
    {
      name: "why not every exchange was judged, and which rules were blocked",
      changes: {
        judgement: judgementOf({
          groups: [{ group: "search", sent: 3, judged: 1, brokenOff: 1, unanswered: 1, thinnedOut: 0, lost: 0 }],
          rules: [
            { rule: "stream/two-fields", outcome: "passed", confirmed: true },
            { rule: "stream/data-is-json", outcome: "passed" },
            { rule: "stream/done-is-last", outcome: "blocked", reason: "all broke off" },
            { rule: "stream/text-is-utf-8", outcome: "blocked", reason: "all broke off" },
            { rule: "stream/count-stops-search", outcome: "compares-searches" },
          ],
          broken: [],
          sentence: "1 of 3 exchanges were checked completely",
          problems: ["the disk is full"],
        }),
      },
      says: [
        `  ~ 1 of 3 exchanges were checked completely
    the disk is full
    ? 2 rules were blocked
      stream/done-is-last, stream/text-is-utf-8: all broke off
    ✓ 2 rules passed, 1 of them confirmed by altered responses
    - 1 rule compares several searches and was not checked on single ones; the canary checks them
`,
      ],
    },
    {
      name: "why no exchange was judged",
      changes: { unjudged: "there was no time; `assay judge RUN` judges them" },
      says: ["Exchanges of the load\n  ? there was no time; `assay judge RUN` judges them\n"],
    },
    {
      name: "a canary that tested too little",
      changes: {
        canary: {
          outcome: "incomplete",
          summary: "not all was seen",
          exchanges: 1,
          observedRules: 3,
          failed: [],
          folder: "canary",
        } as const,
      },
      says: ["  ? 1 exchange during the load", "    not all was seen"],
    },
    {
      name: "nothing measured",
      changes: { metrics: [], outcomes: {} },
      says: ["nothing was measured", "none was measured"],
    },
  ])("$name", ({ changes, says }) => {
    const text = renderLoad(loadOf(changes), plain);
    expect(says.filter((part) => !text.includes(part))).toEqual([]);
  });
});

test("a load that was not sent has only its reason", () => {
  const { generator: _none, ...unsent } = loadOf({
    metrics: [],
    outcomes: {},
    intervals: [],
    complete: false,
    outcome: "incomplete",
    exitCode: 3,
    judgement: judgementOf({ groups: [], broken: [], sentence: "no exchange was kept" }),
    canary: {
      outcome: "incomplete",
      summary: "nothing was seen",
      exchanges: 0,
      observedRules: 0,
      failed: [],
      folder: "canary",
    },
    trust: {
      valid: false,
      checks: [
        { check: "completed", ok: false, sentence: "no load was sent" },
        { check: "start-lag", sentence: "nothing was sent" },
        { check: "enough-samples", ok: false, sentence: "nothing was measured" },
      ],
    },
  });
  const text = renderLoad(unsent, plain);
  expect(text).toContain(
    "✗ There are no figures, so nothing is said about speed\n  ✗ completed: no load was sent\n  Example",
  );
  const words = ["enough-samples", "was measured", "no exchange was kept", "Canary", "Thresholds", "ended early"];
  expect(words.filter((word) => text.includes(word))).toEqual([]);
  const page = renderReportHtml({ runs: [], loads: [unsent], comparisons: [] });
  expect(["no exchange was kept", "How the requests ended", "Timings"].filter((part) => page.includes(part))).toEqual(
    [],
  );
  expect(page).toContain("no load was sent");
  expect(createLoadCases(unsent).cases.map(({ kind }) => kind)).toEqual([
    "error",
    "skipped",
    "skipped",
    "skipped",
    "skipped",
  ]);
});

test("the summary of a run is not cut", () => {
  const summary = `missed: ${"a limit of the target, ".repeat(40)}and the last one`;
  const lines = renderLoad(loadOf({ summary }), plain).split("\n");
  expect(lines.join(" ")).toContain("and the last one");
  expect(renderLoadMarkdown(loadOf({ summary }))).toContain("and the last one");
});

describe("a comparison within a run", () => {
  test("that is inconclusive is named in the last lines, even if the run passed", () => {
    const open = loadOf({ comparison: comparisonOf({ verdict: "inconclusive", summary: "too few pairs" }) });
    const text = renderLoad(open, plain).trimEnd();
    expect(text).toContain("\n? PASSED, COMPARISON INCONCLUSIVE  exit code 0\n");
    expect(text.split("\n").at(-2)).toBe("? INCONCLUSIVE too few pairs");
    expect(text.match(/too few pairs/gu)).toHaveLength(1);
  });
});

test.each([60, 72, 80, 100, 120])("no line is wider than %i columns, with or without colours", (width) => {
  const result = loadOf({
    comparison: comparisonOf({ incomparable: ["the rates differ: 2 and 4 requests a second, so nothing can be said"] }),
    violations: { "no-done": 3 },
    run: { ...loadOf().run, against: "http://127.0.0.1:3081" },
  });
  const text = renderLoad(result, { colour: false, width, verbose: true });
  expect(text.split("\n").filter((line) => countDisplayColumns(line) > width)).toEqual([]);
  expect(withoutStyles(renderLoad(result, { colour: true, width, verbose: true }))).toBe(text);
});
