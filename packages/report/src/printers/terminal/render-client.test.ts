import { type ClientReport, type ClientTrial, concludeClient, toPositiveCount, type Verdict } from "@assay/results";
import { describe, expect, test } from "vitest";
import { hostileStrings } from "../../testing/hostile-strings.ts";
import { elementsNamed, parseXml } from "../../testing/parse-xml.ts";
import { renderClientAgent } from "./render-agent.ts";
import { renderClient, renderClientJson } from "./render-client.ts";
import { renderClientJunit } from "../junit/render-client-junit.ts";
import { renderClientMarkdown } from "../markdown/render-client-markdown.ts";

const seen: Verdict = { outcome: "passed", observations: toPositiveCount(2)! };
const violated = (outcome: "failed" | "warned", message: string): Verdict => ({
  outcome,
  findings: [{ kind: "violation", message }],
  moreFindings: 0,
});
const kept: Verdict = { outcome: "blocked", blockedBy: "prerequisite", missing: "it did not end by itself" };

const trialOf = (verdicts: Readonly<Record<string, Verdict>>, other: Partial<ClientTrial> = {}): ClientTrial => ({
  trial: "ordinary-search",
  interface: "stream",
  task: "search",
  title: "a search with a handful of results",
  participation: "took-part",
  requests: 2,
  durationMs: 1234,
  end: { kind: "exited", status: 0 },
  lastWords: "first\nlast words",
  checks: Object.entries(verdicts).map(([check, verdict]) => ({
    check,
    title: "holds of a good client",
    basis: "derived",
    requirements: [
      { id: "search-stream#3.5-closed-by-done", specification: "search-stream", section: "3", text: "It closes." },
    ],
    because: "nothing follows.",
    verdict,
  })),
  ...other,
});

const reportOf = (trials: readonly ClientTrial[], command: readonly string[] = ["node", "my.js"]): ClientReport => ({
  schemaVersion: 2,
  tool: { name: "assay", version: "0.1.0" },
  run: { startedAt: "2024-01-02T03:04:05.000Z", command, timeoutMs: 15_000, lingerMs: 4000 },
  ...concludeClient({ trials, requestedTrials: [] }),
  trials,
});

const skipped = trialOf(
  { "cancel/is-sent": { outcome: "not-tested" } },
  { participation: "skipped", trial: "cancel", interface: "legacy", end: { kind: "exited", status: 77 } },
);

const shown = (report: ClientReport, showAllChecks = false): string =>
  renderClient(report, { colour: false, width: 100, showAllChecks });

test("the short form has one line for each check that did not pass", () => {
  const failing = trialOf({ "search/no-repeat": violated("failed", "it asked\nagain"), "process/ends": seen });
  const lines = renderClientAgent(reportOf([failing, trialOf({ x: kept }), skipped])).split("\n");
  expect(lines[0]).toMatch(/^✗ verdict=failed exit=1 passed=1 failed=1 /u);
  expect(lines).toContain("failed search/no-repeat trial=ordinary-search: it asked\\nagain");
  expect(lines).toContain("blocked x trial=ordinary-search: it did not end by itself");
  expect(renderClientAgent(reportOf([trialOf({ x: seen })]))).toBe("✓ verdict=passed exit=0 passed=1\n");
});

describe("for a terminal", () => {
  test("a failed trial shows the check, its message, its requirement and the last line of the client", () => {
    const text = shown(
      reportOf([trialOf({ "search/no-repeat": violated("failed", "it asked again"), "process/ends": seen })]),
    );
    expect(text).toBe(`assay 0.1.0 · client: node my.js
a trial ends after 15 s, or 4 s after its task is over

✗ ordinary-search  1 check passed, 2 requests, exit status 0, 1.23 s
  a search with a handful of results
  ✗ failed  search/no-repeat
    it asked again
    search-stream, section 3: It closes.
    nothing follows.
  it wrote: last words

✗ failed (exit code 1): the client failed 1 of 1 trial: search/no-repeat
`);
  });

  test.each([
    { name: "passed", trial: trialOf({ "process/ends": seen }), line: "✓ ordinary-search  1 check passed" },
    { name: "warned", trial: trialOf({ "process/ends": violated("warned", "x") }), line: "~ ordinary-search" },
    { name: "blocked", trial: trialOf({ "process/ends": kept, x: seen }), line: "? blocked" },
    {
      name: "silent",
      trial: trialOf({}, { participation: "no-request", requests: 0 }),
      line: "? ordinary-search  no request arrived",
    },
    {
      name: "another task's",
      trial: trialOf({}, { participation: "no-request", requests: 1, task: "ask" }),
      line: "? ordinary-search  only searched, although its task was to ask; exit status 0",
    },
    {
      name: "killed",
      trial: trialOf({ x: seen }, { end: { kind: "killed", why: "deadline" } }),
      line: "killed at the deadline",
    },
    {
      name: "crashed",
      trial: trialOf({ x: seen }, { end: { kind: "signalled", signal: "SIGSEGV" } }),
      line: "ended by SIGSEGV",
    },
  ])("a trial that is $name says so", ({ line, trial }) => {
    expect(shown(reportOf([trial]))).toContain(line);
  });

  test.each([
    {
      runtime: "Node",
      lastWords: "node:internal\n  throw err;\nError: Cannot find module 'x'\n    at y\n\nNode.js v22.12.0",
    },
    { runtime: "Python", lastWords: "Traceback:\n  x()\nValueError: Cannot find module 'x'" },
    { runtime: "Go", lastWords: "panic: Cannot find module 'x'\n\ngoroutine 1 [running]:\nexit status 2" },
    { runtime: "a shell", lastWords: "starting\nsh: Cannot find module 'x'\n" },
  ])("of a client that sent no request stands what $runtime wrote about its end", ({ lastWords }) => {
    const trial = trialOf({}, { participation: "no-request", lastWords });
    expect(shown(reportOf([trial]))).toMatch(/^ {2}it wrote: .*Cannot find module 'x'$/mu);
  });

  test("trials that the client left out share a line", () => {
    expect(shown(reportOf([trialOf({ "process/ends": seen }), skipped]))).toContain(
      "? skipped by the client (exit status 77): cancel (legacy)\n",
    );
  });

  test("every check has its line if requested", () => {
    expect(shown(reportOf([trialOf({ "process/ends": seen })]), true)).toContain("✓ passed  process/ends");
  });
});

/** Runs with different outcomes. */
const reports: readonly (readonly [name: string, ClientReport])[] = [
  ["passed", reportOf([trialOf({ "process/ends": seen }), skipped])],
  ["failed", reportOf([trialOf({ "process/ends": violated("failed", "x"), "search/no-repeat": kept })])],
  ["warned", reportOf([trialOf({ "process/ends": violated("warned", "x"), "search/no-repeat": seen })])],
  ["left out", reportOf([skipped])],
  ["silent", reportOf([trialOf({ x: { outcome: "not-tested" } }, { participation: "no-request" })])],
];

describe("for machines", () => {
  test.each(reports)(
    "JUnit of a run that is %s has failures if and only if the exit code is not 0",
    (_name, report) => {
      const root = parseXml(renderClientJunit(report));
      const red = elementsNamed(root, "failure").length + elementsNamed(root, "error").length;
      expect(red > 0).toBe(report.exitCode !== 0);
    },
  );

  test.each(reports)("JSON of a run that is %s is the report", (_name, report) => {
    expect(JSON.parse(renderClientJson(report))).toEqual(report);
  });

  test.each(reports)("all forms of a run that is %s have the exit code", (_name, report) => {
    const words = `exit code ${report.exitCode}`;
    expect([shown(report).includes(words), renderClientMarkdown(report).includes(words)]).toEqual([true, true]);
  });
});

describe("any text of a client", () => {
  test.each(hostileStrings.map((text) => [JSON.stringify(text).slice(0, 40), text] as const))(
    "%s stays text",
    (_name, text) => {
      const trial = trialOf({ [text]: violated("failed", text) }, { trial: text, title: text, lastWords: text });
      const report = reportOf([trial], ["node", text]);
      const page = shown(report);
      expect(page.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
      expect(page).not.toMatch(/^::|##\[/mu);
      // Text in a code span is shown unchanged.
      const prose = renderClientMarkdown(report).replaceAll(/(`+)[^`](?:.*?[^`])?\1(?!`)/gu, "");
      expect(prose).not.toMatch(/<script|\]\(|!\[|^::/mu);
      expect(elementsNamed(parseXml(renderClientJunit(report)), "failure")).toHaveLength(1);
    },
  );
});
