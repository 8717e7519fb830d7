import { repetitions } from "@assay/tools/proving";
import { type LoadResult, createHistogram } from "@assay/results";
import * as fc from "fast-check";
import { h } from "preact";
import { describe, expect, test } from "vitest";
import { createLoadChapter } from "../../printers/html/load-chapters.tsx";
import { Chapter } from "../../printers/html/report-page.tsx";
import { formatMs } from "../../document/shown-number.ts";
import { anyLoadResult } from "../../testing/arbitrary-load-result.ts";
import { drawnLoad, intervalsOf, risingHistogram } from "../../testing/figure-load.ts";
import {
  badNumbers,
  foreignAttributes,
  foreignTags,
  markupOf,
  repeatedIds,
  textOf,
} from "../../testing/figure-markup.ts";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { hiddenCharacters } from "../../testing/styles.ts";
import { comparisonOf, judgementOf, loadOf, sampleLoad } from "../../testing/sample-load.ts";
import { formatPercentile } from "../../document/percentile-text.ts";

const sectionsOf = (...loads: readonly LoadResult[]): string =>
  loads.map((load, index) => markupOf(h(Chapter, { chapter: createLoadChapter(load, index, loads) }))).join("");
const sectionOf = (load: LoadResult): string => sectionsOf(load);
const plainSpaces = (text: string): string => text.replaceAll("\u00A0", " ");
const invalid = (load: LoadResult): LoadResult => ({
  ...load,
  trust: {
    valid: false,
    checks: [
      ...load.trust.checks,
      { check: "generator-cpu", ok: false, value: 0.97, limit: 0.85, unit: "fraction", sentence: "use less" },
    ],
  },
});

describe("the chapter of a load run", () => {
  test("has the outcome with its sign, its exit code and its summary", () => {
    const text = textOf(sectionOf(loadOf({ outcome: "performance-failed", exitCode: 4, summary: "missed: `p95`" })));
    expect(text).toMatch(/✗ Load: performance failed exit code 4 .* failed ✓ generator ok missed: p95/su);
  });

  test.each([
    ["first if a rule failed", judgementOf(), ["Exchanges of the load", "Timings"]],
    ["after the figures otherwise", judgementOf({ broken: [] }), ["Timings", "Exchanges of the load"]],
  ])("has the judged exchanges %s", (_name, judgement, order) => {
    const titles = [...sectionOf(loadOf({ judgement })).matchAll(/<h3[^>]*>(?<title>[^<]*)/gu)].map(
      ({ groups }) => groups?.["title"]?.trim() ?? "",
    );
    expect(titles.filter((title) => order.includes(title))).toEqual(order);
  });

  test("shows each percentile and its interval as in the result", () => {
    const load = drawnLoad();
    const text = textOf(sectionOf(load));
    const [metric] = load.metrics;
    const shown = [metric?.p50, metric?.p95, metric?.p99].map((one) => plainSpaces(formatPercentile(one)));
    expect(shown.every((one) => /^[\d.,]+ \[[\d.,]+, [\d.,]+\]$/u.test(one))).toBe(true);
    // Once in the table of timings and once in the table of the figure.
    expect(shown.map((one) => text.split(one).length - 1)).toEqual([2, 2, 2]);
    expect(text).toContain(`${formatMs(metric?.p95?.value)} ms`);
  });

  test("shows a saturated target, unfinished requests and warnings", () => {
    const saturation = {
      notBegun: 3,
      heldBack: 0,
      maxVus: 5,
      fromMs: 1,
      servedPerSecond: 2,
      sentence: "the target is saturated: 3 could not begin",
    };
    const [metric] = sampleLoad.metrics;
    const never = {
      ...metric!,
      count: 7,
      censored: { count: 120, longestMs: 57_000 },
      p50: { value: 28_000, isCensored: true },
    } as const;
    const warned = {
      threshold: "first-match p50 < 80",
      severity: "warn",
      limitMs: 80,
      valueMs: 90,
      ok: false,
    } as const;
    const changes = { saturation, metrics: [never], thresholds: [warned], warnings: ["the target is saturated"] };
    const text = plainSpaces(textOf(sectionOf(loadOf(changes))));
    expect(text).toContain("The target is saturated the target is saturated: 3 could not begin");
    expect(text).toContain("7 120 - 6.20 > 28,000");
    expect(text).toContain("> 57,000");
    expect(text).toContain("~ failed first-match p50 &lt; 80 (warning only): 90.0 ms");
    expect(text).toContain("~ Load: passed with a warning exit code 0");
  });

  test("shows every condition with its value and limit", () => {
    const text = textOf(sectionOf(loadOf()));
    expect(text).toContain("start lag ✓ ok 0.40 ms 2.00 ms requests left on time");
    expect(text).toContain("no warm-up trend – not checked - - too few stretches");
    expect(text).toContain("dropped iterations ✓ ok 0 0");
  });

  test("without enough samples is undecided, not invalid", () => {
    const trust = {
      valid: false,
      checks: [{ check: "enough-samples", ok: false, value: 30, limit: 100, unit: "count", sentence: "30 samples" }],
    } as const;
    const text = textOf(sectionOf(drawnLoad({ trust })));
    expect(text).toContain("undecided: too few samples");
    expect(text).toContain("UNDECIDED: too few samples");
    expect(text).not.toMatch(/INVALID|is invalid|not to be used/u);
  });

  test("shows n/a for a percentile with too few samples, and the number it needs", () => {
    const load = drawnLoad();
    const metrics = load.metrics.map(({ p95: _left, ...metric }) => ({ ...metric, count: 30 }));
    expect(textOf(sectionOf({ ...load, metrics }))).toContain("n/a first match p95 30 of 100 samples");
  });

  test("explains known codes", () => {
    const text = textOf(
      sectionOf(loadOf({ violations: { "no-done": 1200, "never-heard-of": 1, constructor: 2 }, outcome: "failed" })),
    );
    expect(text).toMatch(/✗ no-done 1,200 no done ; a standard SSE client reads the same events stream\/done-is-last/u);
    expect(text).toMatch(/✗ constructor 2 - ✗ never-heard-of 1 -/u);
  });

  test.each([
    {
      name: "the knee",
      changes: { knee: { ratePerSecond: 40, sentence: "it bore 40 a second" } },
      says: "it bore 40 a second",
    },
    {
      name: "conversations that were not removed",
      changes: { cleanUp: { created: 4, removed: 3, left: ["conversation 7"] } },
      says: "~ 4 conversations made, 3 removed, 1 left left: conversation 7",
    },
    {
      name: "the canary",
      changes: {
        canary: {
          outcome: "failed",
          summary: "one rule failed",
          exchanges: 3,
          observedRules: 20,
          failed: [{ rule: "stream/done-is-last", message: "bytes came after" }],
          folder: "canary",
        },
      },
      says: "✗ stream/done-is-last : bytes came after",
    },
    {
      name: "the judged exchanges",
      changes: { judgement: judgementOf() },
      says: "✓ 200 of 200 exchanges were checked ✗ 1 rule failed ✗ stream/done-is-last : no done , 1,200 times fails only under load; it passed without load first seen in second 41 of the run, with 96 requests in flight and 100 per second: exchange e17 ~ 1 rule warned Rules and reasons stream/duration-never-falls : the duration fell ✓ 2 rules passed, confirmed by altered responses ? 1 rule was not tested: no response could have shown a failure Rules and reasons stream/alert-is-an-object : no alert came - 1 rule compares several searches and was not checked on single ones; the canary checks them",
    },
    {
      name: "the run of a violating exchange in a merge",
      changes: { judgement: judgementOf({ broken: judgementOf().broken.map((one) => ({ ...one, run: "pod-7" })) }) },
      says: "exchange e17 of pod-7",
    },
    {
      name: "why no exchange was judged",
      changes: { unjudged: "there was no time; `assay judge RUN` judges them" },
      says: "Exchanges of the load ? there was no time; assay judge RUN judges them",
    },
    {
      name: "a comparison",
      changes: { comparison: comparisonOf() },
      says: "Comparison: regressed",
    },
    { name: "a missing course over time", changes: { intervals: [] }, says: "the run has no intervals" },
    { name: "missing histograms", changes: { histograms: [] }, says: "There are no histograms" },
    { name: "an early end", changes: { complete: false }, says: "The run ended early" },
  ] as const)("shows $name", ({ changes, says }) => {
    expect(textOf(sectionOf(drawnLoad(changes)))).toContain(says);
  });
});

describe("an invalid run", () => {
  const load = invalid(drawnLoad({ comparison: comparisonOf() }));

  test("is marked in the strip, in the conditions, on every figure and in every table", () => {
    const markup = sectionOf(load);
    const text = textOf(markup);
    expect(text).toContain("INVALID: conditions of the load failed; do not use the figures.");
    expect(text).toContain("Invalid: conditions of the load failed");
    expect(text).toContain("generator cpu ✗ failed 97 % 85 % use less");
    expect(text).toContain("NOT TO BE USED, the run is invalid.");
    expect(text).toContain("in an invalid run no threshold counts");
    expect(text).toContain("Comparison: does not count");
    const figures = markup.split("<svg").slice(1);
    // Three figures, each for a wide and for a narrow page.
    expect(figures.length).toBe(6);
    expect(figures.filter((figure) => figure.includes("INVALID: not to be used")).length).toBe(6);
  });

  test("has struck-out timings", () => {
    expect(sectionOf(load)).toContain(`<s>${formatPercentile(load.metrics[0]?.p50)}</s>`);
    expect(sectionOf(drawnLoad())).not.toContain("<s>");
    expect(sectionOf(drawnLoad())).not.toContain("INVALID");
  });
});

describe("any text of a result", () => {
  test("is text, without markup and control characters", () => {
    fc.assert(
      fc.property(anyLoadResult, (load) => {
        const markup = sectionOf({ ...load, histograms: [risingHistogram(30)] });
        expect(foreignTags(markup)).toEqual([]);
        expect(foreignAttributes(markup)).toEqual([]);
        expect(hiddenCharacters(markup)).toEqual([]);
        expect(badNumbers(markup)).toEqual([]);
      }),
      { numRuns: repetitions(10, 40) },
    );
  });

  test.each(hostileStrings.map((text) => ({ text })))("not even $text", ({ text }) => {
    const markup = sectionOf(
      loadOf({
        plan: { ...sampleLoad.plan, scenario: text, queries: [{ name: text, text }] },
        comparison: comparisonOf({
          base: text,
          head: text,
          summary: text,
          queries: [{ query: text, change: 1, pValue: 0, worthALook: true }],
        }),
        violations: { [text]: 3 },
        observations: { [text]: 3 },
      }),
    );
    expect(foreignTags(markup)).toEqual([]);
    expect(foreignAttributes(markup)).toEqual([]);
    expect(hiddenCharacters(markup)).toEqual([]);
  });
});

describe("the figure of", () => {
  const key = { metric: "first-match", side: "base", phase: "measure" } as const;
  const one = createHistogram(key, [12_345]);
  test.each([
    { name: "no sample", histograms: [createHistogram(key, [])] },
    { name: "one sample", histograms: [one] },
    { name: "one sample of 0 ms", histograms: [createHistogram(key, [0])] },
    {
      name: "ten million equal samples",
      histograms: [{ ...one, count: 10_000_000, buckets: [[857, 10_000_000]] as const }],
    },
    { name: "two sides, one of them nearly empty", histograms: [risingHistogram(3000), risingHistogram(1, "head")] },
  ])("$name has numbers alone", ({ histograms }) => {
    const markup = sectionOf(drawnLoad({ histograms }));
    expect(badNumbers(markup)).toEqual([]);
    expect(repeatedIds(markup)).toEqual([]);
  });

  test("two sides has the shift at each percentile", () => {
    const load = drawnLoad({ histograms: [risingHistogram(3000), risingHistogram(3000, "head")] });
    const [metric] = load.metrics;
    const scaled = { value: (metric?.p50?.value ?? 0) * 1.2 };
    const markup = sectionOf({
      ...load,
      run: { ...load.run, against: "http://127.0.0.1:3081" },
      metrics: [...load.metrics, { ...metric!, side: "head", p50: scaled }],
    });
    expect(textOf(markup)).toContain(`${plainSpaces(formatPercentile(metric?.p50))} ${formatMs(scaled.value)} +20.0 %`);
  });
});

test("equal results give equal bytes, and two runs of a page share no id", () => {
  expect(sectionOf(drawnLoad())).toBe(sectionOf(structuredClone(drawnLoad())));
  expect(repeatedIds(sectionsOf(drawnLoad(), drawnLoad()))).toEqual([]);
});

test("a run of five minutes on two targets has less than 250 kB", () => {
  const load = drawnLoad({
    intervals: [...intervalsOf(150), ...intervalsOf(150, "head").map((one) => ({ ...one, fromMs: one.fromMs + 500 }))],
    histograms: [risingHistogram(30_000), risingHistogram(30_000, "head")],
    comparison: comparisonOf(),
  });
  expect(Buffer.byteLength(sectionOf(load))).toBeLessThan(250_000);
});
