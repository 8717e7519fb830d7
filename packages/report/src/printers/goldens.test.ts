import { defined } from "@assay/contract";
import type { LoadResult, RunResult } from "@assay/results";
import { expect, test } from "vitest";
import { comparisonOf, judgementOf, loadOf } from "../testing/sample-load.ts";
import { everyStanding, fullRun } from "../testing/sample-report.ts";
import { commentFinding, resultOf, sampleRules } from "../testing/sample-results.ts";
import { renderAnnotations } from "./ci/annotations.ts";
import { renderCtrf } from "./ctrf/render-ctrf.ts";
import { renderJunit, renderLoadJunit } from "./junit/render-junit.ts";
import { renderLoadMarkdown } from "./markdown/render-load-markdown.ts";
import { renderSummaryMarkdown } from "./markdown/render-summary-markdown.ts";
import { renderAgent } from "./terminal/render-agent.ts";
import { renderLoad, renderLoadLine } from "./terminal/render-load.ts";
import { renderTerminal } from "./terminal/render-terminal.ts";

const { knownFailureNotes, openapi } = fullRun.result;
const [firstRule] = sampleRules;
const [, lastExchange] = resultOf().exchanges;

/** A run with every verdict, every part of a report, and a failed exchange. */
const richRun = resultOf(
  {
    verdicts: [
      ...everyStanding.filter(({ verdict: { outcome }, known, notes }) => outcome !== "passed" || known || notes),
      {
        ...firstRule!,
        rule: "stream/done-is-an-empty-object",
        verdict: {
          outcome: "failed",
          findings: [commentFinding, commentFinding, commentFinding, { ...commentFinding, exchange: "x2" }],
          moreFindings: 7,
        },
      },
      {
        ...firstRule!,
        rule: "stream/oauth-token-is-accepted",
        verdict: { outcome: "blocked", blockedBy: "prerequisite", missing: "no OAuth token is set" },
      },
      {
        ...firstRule!,
        rule: "stream/scope-is-required",
        mustTest: true,
        verdict: { outcome: "not-tested", reason: "no stream had its `done`" },
      },
    ],
    incomplete: [{ code: "deadline", message: "the run took longer than 60 s" }],
    knownFailureMistakes: ["known.txt, line 9: the group has no owner", "known.txt, line 10: another"],
  },
  {
    ...defined({ knownFailureNotes, openapi }),
    exchanges: [...resultOf().exchanges, { ...lastExchange!, id: "x9", failure: "reset" }],
  },
);

/** A load with every part of a report. */
const richLoad = loadOf({
  outcome: "failed",
  exitCode: 1,
  summary: "3 streams violate the contract",
  warnings: ["the target is saturated: 3 of 9 arrivals could not begin"],
  run: { ...loadOf().run, against: "http://127.0.0.1:3081" },
  violations: { "no-done": 3, "bad-json": 1200 },
  metrics: [
    ...loadOf().metrics,
    {
      metric: "poll",
      side: "base",
      count: 0,
      meanMs: 9000,
      minMs: 1,
      maxMs: 57_000,
      censored: { count: 120, longestMs: 57_000 },
      p50: { value: 28_000, isCensored: true, low: 24_000 },
    },
  ],
  thresholds: [
    {
      threshold: "first-match p95 < 100",
      severity: "abort",
      limitMs: 100,
      valueMs: 42_000,
      isCensored: true,
      counts: { count: 50, over: 44, unknown: 6 },
      ok: false,
    },
    { threshold: "first-match p95 < 20", limitMs: 20, valueMs: 24.8, ok: false },
    { threshold: "first-match p50 < 80", severity: "warn", limitMs: 80, valueMs: 90, ok: false },
    { threshold: "first-match p50 < 85", counts: { count: 50, over: 26, unknown: 0 }, valueMs: 90, limitMs: 85 },
    { threshold: "first-match p99 < 20", limitMs: 20 },
    { threshold: "k6: mine p(95)<5", ok: true },
  ],
  trust: {
    valid: false,
    checks: [{ check: "dropped-iterations", ok: false, sentence: "7 requests were left out" }],
  },
  judgement: judgementOf(),
  canary: {
    outcome: "failed",
    summary: "1 rule failed",
    exchanges: 9,
    observedRules: 40,
    failed: [{ rule: "stream/done-is-last", message: "the stream closed without `done`" }],
    folder: "canary",
  },
  cleanUp: { created: 4, removed: 3, left: ["legacy conversation 7: not answered"] },
  complete: false,
  knee: { ratePerSecond: 8, sentence: "it bore 8 a second" },
  comparison: comparisonOf(),
});

const folder = "reports/runs/1";
const plain = { colour: false, width: 80, folder, evidence: folder } as const;
const change = fullRun.change!;

const ofRun: Readonly<Record<string, (result: RunResult) => string>> = {
  terminal: (result) => renderTerminal(result, { ...plain, change }),
  verbose: (result) => renderTerminal(result, { ...plain, change, verbose: true }),
  agent: (result) => renderAgent(result, { folder, change }),
  "summary-markdown": (result) => renderSummaryMarkdown(result, { change }),
  junit: renderJunit,
  ctrf: renderCtrf,
  annotations: (result) => renderAnnotations({ runs: [{ result }], loads: [] }),
};

const ofLoad: Readonly<Record<string, (result: LoadResult) => string>> = {
  terminal: (result) => renderLoad(result, { ...plain, width: 120 }),
  line: renderLoadLine,
  "summary-markdown": renderLoadMarkdown,
  junit: renderLoadJunit,
  annotations: (load) => renderAnnotations({ runs: [], loads: [load] }),
};

/** `npx vitest run --root packages/report goldens --update` writes them. */
const goldens = [
  { name: "passed-run.txt", text: () => renderTerminal(resultOf(), plain) },
  { name: "passed-load.txt", text: () => renderLoad(loadOf(), { ...plain, width: 100 }) },
  ...Object.entries(ofRun).map(([form, render]) => ({ name: `run-${form}.txt`, text: () => render(richRun) })),
  ...Object.entries(ofLoad).map(([form, render]) => ({ name: `load-${form}.txt`, text: () => render(richLoad) })),
];

test.each(goldens)("$name is printed as before", async ({ name, text }) => {
  await expect(text()).toMatchFileSnapshot(new URL(`../../fixtures/goldens/${name}`, import.meta.url).pathname);
});
