import { defined } from "@assay/contract";
import type { CTRFReport, Summary, Test, TestStatus } from "ctrf";
import { printableJson } from "@assay/results";
import { escapeForDisplay } from "../../document/shown-text.ts";
import type { CaseList, TestCase } from "../../document/test-case.ts";

const statuses = {
  passed: "passed",
  warning: "passed",
  failure: "failed",
  error: "failed",
  skipped: "skipped",
} as const satisfies Record<TestCase["kind"], TestStatus>;

/** Returns the status of a case. A blocked rule is reported as `other`; the test case for the run itself then fails. */
const getCaseStatus = ({ kind, standing }: TestCase): TestStatus => (standing === "blocked" ? "other" : statuses[kind]);

const markEmpty = (text: string): string => (text === "" ? "(empty)" : text);

const toCtrfTest = (testCase: TestCase, prefix: readonly string[]): Test => {
  const { suite, name, standing, message, type, details } = testCase;
  const path = [...prefix, markEmpty(suite)];
  return {
    testId: [...path, markEmpty(name)].join("/"),
    name: markEmpty(name),
    status: getCaseStatus(testCase),
    duration: 0,
    suite: path,
    rawStatus: standing,
    ...defined({ message }),
    ...(details === undefined || details.length === 0 ? {} : { trace: details.join("\n") }),
    ...(type === undefined ? {} : { tags: [type] }),
    type: "contract",
  };
};

const parseEpochMs = (startedAt: string): number | undefined => {
  const ms = /^\d{4}-\d\d-\d\dT/u.test(startedAt) ? Date.parse(startedAt) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
};

const countTests = (tests: readonly Test[], status: TestStatus): number =>
  tests.filter((test) => test.status === status).length;

const createCtrfSummary = (lists: readonly CaseList[], tests: readonly Test[]): Summary => {
  const times = lists.flatMap(({ startedAt, durationMs }) => {
    const start = parseEpochMs(startedAt);
    return start === undefined ? [] : [{ start, stop: start + Math.ceil(durationMs) }];
  });
  const start = Math.min(...times.map((time) => time.start));
  const stop = Math.max(...times.map((time) => time.stop));
  const [from, to] = times.length === 0 ? [0, 0] : [start, stop];
  return {
    tests: tests.length,
    passed: countTests(tests, "passed"),
    failed: countTests(tests, "failed"),
    skipped: countTests(tests, "skipped"),
    pending: 0,
    other: countTests(tests, "other"),
    suites: new Set(tests.map(({ suite }) => JSON.stringify(suite))).size,
    start: from,
    stop: to,
    duration: to - from,
  };
};

const runExtra = ({ id, exitCode, properties }: CaseList): Record<string, unknown> => ({
  run: escapeForDisplay(id, "name"),
  exitCode,
  ...Object.fromEntries(properties.map(([name, value]) => [name, escapeForDisplay(value)])),
});

/**
 * Renders one or more runs in the Common Test Report Format, schema version 0.0.0. Rules are judged after all requests, so tests have no
 * duration. The duration of a run is the sum of its requests. The output is deterministic. `failed` is above 0 if and only if a run's exit
 * code is not 0.
 */
export const createCtrfDocument = (lists: readonly CaseList[]): string => {
  const [firstRun] = lists;
  const isMerged = lists.length > 1;
  const tests = lists.flatMap(({ id, cases }) =>
    cases.map((testCase) => toCtrfTest(testCase, isMerged ? [markEmpty(escapeForDisplay(id, "name"))] : [])),
  );
  const startMs = firstRun === undefined ? undefined : parseEpochMs(firstRun.startedAt);
  const report: CTRFReport = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    ...(firstRun === undefined || isMerged ? {} : { runId: markEmpty(escapeForDisplay(firstRun.id, "name")) }),
    ...(startMs === undefined ? {} : { timestamp: new Date(startMs).toISOString() }),
    generatedBy: "assay",
    results: {
      tool: { name: "assay", version: escapeForDisplay(firstRun?.tool.version ?? "", "name") },
      summary: createCtrfSummary(lists, tests),
      tests,
      extra: { runs: lists.map(runExtra) },
    },
  };
  return `${printableJson(JSON.stringify(report, undefined, 2))}\n`;
};
