import { defined } from "@assay/contract";
import type { CTRFReport, Summary, Test, TestStatus } from "ctrf";
import { printableJson } from "@assay/results";
import { shownText } from "../../document/shown-text.ts";
import type { CaseList, TestCase } from "../../document/test-case.ts";

const statusOfKind = {
  passed: "passed",
  warning: "passed",
  failure: "failed",
  error: "failed",
  skipped: "skipped",
} as const satisfies Record<TestCase["kind"], TestStatus>;

/**
 * Returns the status of a case. A blocked rule is reported as `other`; the test case for the run itself then fails.
 */
const statusOf = ({ kind, standing }: TestCase): TestStatus => (standing === "blocked" ? "other" : statusOfKind[kind]);

const filled = (text: string): string => (text === "" ? "(empty)" : text);

const testOf = (one: TestCase, prefix: readonly string[]): Test => {
  const { suite, name, standing, message, type, details } = one;
  const path = [...prefix, filled(suite)];
  return {
    testId: [...path, filled(name)].join("/"),
    name: filled(name),
    status: statusOf(one),
    duration: 0,
    suite: path,
    rawStatus: standing,
    ...defined({ message }),
    ...(details === undefined || details.length === 0 ? {} : { trace: details.join("\n") }),
    ...(type === undefined ? {} : { tags: [type] }),
    type: "contract",
  };
};

const epochMs = (startedAt: string): number | undefined => {
  const ms = /^\d{4}-\d\d-\d\dT/u.test(startedAt) ? Date.parse(startedAt) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
};

const countOf = (tests: readonly Test[], status: TestStatus): number =>
  tests.filter((test) => test.status === status).length;

const summaryOf = (lists: readonly CaseList[], tests: readonly Test[]): Summary => {
  const times = lists.flatMap(({ startedAt, durationMs }) => {
    const start = epochMs(startedAt);
    return start === undefined ? [] : [{ start, stop: start + Math.ceil(durationMs) }];
  });
  const start = Math.min(...times.map((time) => time.start));
  const stop = Math.max(...times.map((time) => time.stop));
  const [from, to] = times.length === 0 ? [0, 0] : [start, stop];
  return {
    tests: tests.length,
    passed: countOf(tests, "passed"),
    failed: countOf(tests, "failed"),
    skipped: countOf(tests, "skipped"),
    pending: 0,
    other: countOf(tests, "other"),
    suites: new Set(tests.map(({ suite }) => JSON.stringify(suite))).size,
    start: from,
    stop: to,
    duration: to - from,
  };
};

const extraOf = ({ id, exitCode, properties }: CaseList): Record<string, unknown> => ({
  run: shownText(id, "name"),
  exitCode,
  ...Object.fromEntries(properties.map(([name, value]) => [name, shownText(value)])),
});

/**
 * Renders one or more runs in the Common Test Report Format, schema version 0.0.0. Rules are judged after all requests, so tests have no
 * duration. The duration of a run is the sum of its requests. Equal lists yield equal bytes. `failed` is more than 0 if and only if an
 * exit code is not 0.
 */
export const ctrfDocument = (lists: readonly CaseList[]): string => {
  const [first] = lists;
  const isMerged = lists.length > 1;
  const tests = lists.flatMap(({ id, cases }) =>
    cases.map((one) => testOf(one, isMerged ? [filled(shownText(id, "name"))] : [])),
  );
  const stamp = first === undefined ? undefined : epochMs(first.startedAt);
  const report: CTRFReport = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    ...(first === undefined || isMerged ? {} : { runId: filled(shownText(first.id, "name")) }),
    ...(stamp === undefined ? {} : { timestamp: new Date(stamp).toISOString() }),
    generatedBy: "assay",
    results: {
      tool: { name: "assay", version: shownText(first?.tool.version ?? "", "name") },
      summary: summaryOf(lists, tests),
      tests,
      extra: { runs: lists.map(extraOf) },
    },
  };
  return `${printableJson(JSON.stringify(report, undefined, 2))}\n`;
};
