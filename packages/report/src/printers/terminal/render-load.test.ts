import { describe, expect, test } from "vitest";
import { renderReportHtml } from "../html/render-report-html.ts";
import { displayColumns } from "./display-columns.ts";
import { loadCases } from "../../document/load-cases.ts";
import { comparisonOf, judgementOf, loadOf } from "../../testing/sample-load.ts";
import { withoutStyles } from "../../testing/styles.ts";
import { renderLoad, renderLoadLine } from "./render-load.ts";
import { renderLoadMarkdown } from "../markdown/render-load-markdown.ts";

const plain = { colour: false, width: 100 } as const;

test("a run that passed is one screen, timings first", () => {
  expect(renderLoad(loadOf(), { ...plain, folder: "reports/runs/1" })).toBe(`\
assay 0.1.0 · http://127.0.0.1:3080 (embedded reference server)
search-first-match · steady, 2.00/s for 1 min after 10 s of warm-up
limits local · seed 42 · run 20260102T030405Z-abcdef

Timings
  in milliseconds from the planned sending; - with fewer samples than a percentile needs (20 for
    p50, 100 for p95, 500 for p99); in brackets the 95 % interval
  metric         n                   p50                p95  p99    max
  first-match  118     12.4 [11.2, 13.6]  24.8 [18.6, 31.0]    -   37.2
  stream        42  1,204 [1,084, 1,324]                  -    -  3,612
  p50 over time ▃▃·█ up to 40.0 ms

Requests
  stream: 118 ok, 2 timeout
  unspecified behaviour: 118 field-order

Thresholds
  ✓ passed  first-match p95 < 800: 24.8 ms

Canary
  ✓ 9 exchanges during the load, 41 rules tested, 0 failed
    judged again by: npx assay judge reports/runs/1/canary

✓ The figures can be trusted: 2 of 3 conditions were checked and passed
  ? warm-up-is-flat: too few stretches to see a trend
  Example CPU, 4 cores, k6 v2.2.0; k6 used 2.1 % of the processor and 80 MB

${"─".repeat(100)}
✓ PASSED  exit code 0
first match p50 12.4 ms [11.2, 13.6], p95 24.8 ms, 120 searches, 2 failed, generator ok
120 streams were measured and the contract holds
files: reports/runs/1
`);
});

test("without a canary, rules that compare searches are left to `assay run`", () => {
  const { canary: _canary, ...alone } = loadOf({ judgement: judgementOf() });
  expect(renderLoad(alone, { ...plain, width: 200 })).toContain(
    "and was not checked on single ones (use `assay run`)\n",
  );
});

test("a run with a warning has it in its first and last lines", () => {
  const warnings = ["the target is saturated: 3 of 9 arrivals could not begin"];
  const text = renderLoad(loadOf({ warnings, summary: `warning: ${warnings[0]}; 6 samples succeeded` }), plain);
  const [first] = text.split("\n\n").slice(1);
  expect(first).toBe("~ warning: the target is saturated: 3 of 9 arrivals could not begin");
  expect(text).toContain("2 failed, generator ok\nwarning: the target is saturated");
});

describe("a load run has", () => {
  test.each([
    {
      name: "violations under load, each with its code",
      changes: { violations: { "no-done": 3, "bad-json": 1200 } },
      says: ["✗ Violations under load", "  ✗ failed  bad-json, 1,200 times", "no-done, 3 times"],
    },
    {
      name: "a threshold that is missed",
      changes: { thresholds: [{ threshold: "first-match p95 < 20", limitMs: 20, valueMs: 24.8, ok: false }] },
      says: ["  ✗ failed  first-match p95 < 20: 24.8 ms"],
    },
    {
      name: "a threshold failed by unfinished requests, and the severity of others",
      changes: {
        thresholds: [
          {
            threshold: "first-match p95 < 100",
            severity: "abort" as const,
            limitMs: 100,
            valueMs: 42_000,
            isCensored: true as const,
            counts: { count: 50, over: 44, unknown: 6 },
            ok: false,
          },
          { threshold: "first-match p50 < 80", severity: "warn" as const, limitMs: 80, valueMs: 90, ok: false },
          { threshold: "first-match p50 < 85", counts: { count: 50, over: 26, unknown: 0 }, valueMs: 90, limitMs: 85 },
          { threshold: "k6: mine p(95)<5", ok: true },
        ],
      },
      says: [
        "  ✗ failed  first-match p95 < 100 (ends the run): > 42.0 s; at least 44 of 50 over it",
        "  ~ failed  first-match p50 < 80 (warning only): 90.0 ms",
        "  ? unknown  first-match p50 < 85: not decided: 90.0 ms; 26 of 50 over it, which may be chance",
        "  ✓ passed  k6: mine p(95)<5: as k6 judged it",
      ],
    },
    {
      name: "unfinished requests",
      changes: {
        metrics: [
          {
            metric: "first-match" as const,
            side: "base" as const,
            count: 0,
            meanMs: 9000,
            minMs: 1,
            maxMs: 57_000,
            censored: { count: 120, longestMs: 57_000 },
            p50: { value: 28_000, isCensored: true as const, low: 24_000 },
          },
        ],
      },
      says: ["  first-match  0 + 120  > 28,000    -    -  > 57,000", "> and + for requests that had not"],
    },
    {
      name: "a threshold that cannot be decided",
      changes: { thresholds: [{ threshold: "first-match p99 < 20", limitMs: 20 }] },
      says: ["  ? unknown  first-match p99 < 20: too few samples to say"],
    },
    {
      name: "why the figures are invalid",
      changes: {
        trust: {
          valid: false,
          checks: [{ check: "dropped-iterations", ok: false, sentence: "7 requests were left out" } as const],
        },
      },
      says: ["✗ The figures cannot be trusted", "  ✗ dropped-iterations: 7 requests were left out"],
    },
    {
      name: "the judged exchanges and the outcomes of rules, without names of rules that passed",
      changes: { judgement: judgementOf() },
      says: [
        `Exchanges of the load
  ✓ 200 of 200 exchanges were checked
    ✗ 1 rule failed
      ✗ stream/done-is-last: no \`done\`, 1,200 times
        fails only under load; it passed without load
        first seen in second 41 of the run, with 96 requests on the way and 100 a second: exchange
          e17
    ~ 1 rule warned
      stream/duration-never-falls: the duration fell
    ✓ 2 rules passed, confirmed by altered responses
    ? 1 rule was not tested: no response could have shown a failure
    - 1 rule compares several searches and was not checked on single ones; the canary checks them
`,
      ],
    },
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
          sentence: "1 of 3 exchanges were checked whole",
          problems: ["the disk is full"],
        }),
      },
      says: [
        `  ~ 1 of 3 exchanges were checked whole
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
      name: "rules that failed in the canary",
      changes: {
        canary: {
          outcome: "failed",
          summary: "1 rule is violated",
          exchanges: 9,
          observedRules: 40,
          failed: [{ rule: "stream/done-is-last", message: "the stream closed without `done`" }],
          folder: "canary",
        } as const,
      },
      says: ["✗ 9 exchanges during the load", "    ✗ stream/done-is-last: the stream closed without `done`"],
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
      name: "conversations left on the target",
      changes: { cleanUp: { created: 4, removed: 3, left: ["legacy conversation 7: not answered"] } },
      says: ["~ 4 conversations made, 3 removed, 1 left", "left: legacy conversation 7: not answered"],
    },
    { name: "an early end", changes: { complete: false }, says: ["? The run ended early"] },
    { name: "the knee", changes: { knee: { ratePerSecond: 8, sentence: "it bore 8 a second" } }, says: ["Knee"] },
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
  expect(loadCases(unsent).cases.map(({ kind }) => kind)).toEqual([
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
  const result = loadOf({ comparison: comparisonOf(), run: { ...loadOf().run, against: "http://127.0.0.1:3081" } });

  test("has a row for each metric with its verdict", () => {
    const text = renderLoad(result, { ...plain, width: 120 });
    expect(text).toMatch(
      /first-match p50 {2,}✓ unchanged {2,}12\.4 +12\.5 +\+0\.8 % +\[-1\.2 %, \+2\.8 %\] +5 % +7 %/u,
    );
    expect(text).toMatch(/first-match p95 {2,}✗ regressed/u);
    expect(text).toContain("throughput: leans to worse; 12 more pairs needed in addition to the 30 measured");
    expect(text).toContain("queries to look at (never part of the verdict): error +30.0 %");
    expect(text).toContain("failed requests: 0 of 6000 in the base, 2 of 6000 in the head");
  });

  test("that is inconclusive is named in the last lines, even if the run passed", () => {
    const open = loadOf({ comparison: comparisonOf({ verdict: "inconclusive", summary: "too few pairs" }) });
    const text = renderLoad(open, plain).trimEnd();
    expect(text).toContain("\n? PASSED, COMPARISON INCONCLUSIVE  exit code 0\n");
    expect(text.split("\n").at(-2)).toBe("? INCONCLUSIVE too few pairs");
    expect(text.match(/too few pairs/gu)).toHaveLength(1);
  });

  test("has one line with the deciding figures, printed once", () => {
    const text = renderLoad(result, { ...plain, width: 160 });
    const line =
      "✗ SLOWER first match p95 20.4 → 26.0 ms (+27.5 %, interval +20.0 % to +35.0 %, margin 5 %); no verdict on throughput";
    expect(text.split("\n")).toContain(line);
    expect(text.match(/became slower|SLOWER/gu)).toHaveLength(1);
    expect(renderLoadLine(result)).toBe(
      `✓ PASSED ${line.slice(2)}; 120 streams were measured and the contract holds\n`,
    );
    expect(renderLoadMarkdown(result).match(/SLOWER/gu)).toHaveLength(1);
  });
});

test.each([60, 72, 80, 100, 120])("no line is wider than %i columns, with or without colours", (width) => {
  const result = loadOf({
    comparison: comparisonOf({ incomparable: ["the rates differ: 2 and 4 requests a second, so nothing can be said"] }),
    violations: { "no-done": 3 },
    run: { ...loadOf().run, against: "http://127.0.0.1:3081" },
  });
  const text = renderLoad(result, { colour: false, width, verbose: true });
  expect(text.split("\n").filter((line) => displayColumns(line) > width)).toEqual([]);
  expect(withoutStyles(renderLoad(result, { colour: true, width, verbose: true }))).toBe(text);
});
