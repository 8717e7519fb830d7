import { repetitions } from "@assay/tools/proving";
import type { LoadResult, RunResult, Verdict } from "@assay/results";
import { validate } from "ctrf";
import type { CTRFReport } from "ctrf";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyLoadResult } from "../../testing/arbitrary-load-result.ts";
import { anyRunResult } from "../../testing/arbitrary-run-result.ts";
import { loadOf } from "../../testing/sample-load.ts";
import { commentFinding, resultOf, withVerdict } from "../../testing/sample-results.ts";
import { hiddenCharacters } from "../../testing/styles.ts";
import { renderCtrf, renderLoadCtrf } from "./render-ctrf.ts";
import { renderMergedCtrf } from "../render-merged.ts";

const read = (text: string): CTRFReport => {
  const { valid, errors } = validate(JSON.parse(text));
  expect([valid, errors ?? []]).toEqual([true, []]);
  return JSON.parse(text);
};

const failed: Verdict = { outcome: "failed", findings: [commentFinding], moreFindings: 0 };

test("a rule that warns in a strict run has failed", () => {
  const verdicts = withVerdict("two-fields", { ...failed, outcome: "warned" });
  const { tests } = read(renderCtrf(resultOf({ verdicts, strict: true }))).results;
  const found = tests.find(({ name }) => name === "stream/two-fields");
  expect(found).toMatchObject({ status: "failed", rawStatus: "warned" });
});

describe("the test of the run", () => {
  const wholeOf = (result: RunResult) => read(renderCtrf(result)).results.tests[0];

  test.each([
    ["has passed where all rules do", resultOf(), "passed"],
    [
      "has passed where a rule tells why the run failed",
      resultOf({ verdicts: withVerdict("two-fields", failed) }),
      "passed",
    ],
    [
      "has failed where a rule that must be observed was not",
      resultOf({ verdicts: withVerdict("two-fields", { outcome: "not-tested" }, { mustTest: true }) }),
      "failed",
    ],
    ["has failed where nothing was selected", resultOf({ verdicts: [] }), "failed"],
    ["has failed where it was interrupted", resultOf({ interrupted: "SIGTERM" }), "failed"],
  ] as const)("%s", (_name, result, status) => {
    expect(wholeOf(result)).toMatchObject({ name: "the run is complete and conclusive", status });
  });
});

test("times come from the run", () => {
  const { summary } = read(renderCtrf(resultOf())).results;
  const start = Date.parse("2026-01-02T03:04:05.000Z");
  expect([summary.start, summary.stop, summary.duration]).toEqual([start, start + 50, 50]);
});

test("several runs have different suites", () => {
  const { results } = read(renderMergedCtrf({ runs: [{ result: resultOf() }], loads: [loadOf()], comparisons: [] }));
  expect(new Set(results.tests.map(({ suite }) => suite?.[0]))).toEqual(
    new Set(["20260102-030405-abcd", "20260102T030405Z-abcdef"]),
  );
});

const runs = { numRuns: repetitions(15, 60) } as const;

describe("any document fits its schema and has failures if and only if the exit code is not 0:", () => {
  test.each([
    ["contract tests", anyRunResult.map((result: RunResult) => [result.exitCode, renderCtrf(result)] as const)],
    ["load", anyLoadResult.map((result: LoadResult) => [result.exitCode, renderLoadCtrf(result)] as const)],
  ])("%s", (_name, rendered) => {
    fc.assert(
      fc.property(rendered, ([exitCode, text]) => {
        const { summary, tests } = read(text).results;
        expect(summary.failed > 0).toBe(exitCode !== 0);
        expect(summary.passed + summary.failed + summary.skipped + summary.other).toBe(tests.length);
        expect(tests.filter(({ status, message }) => status !== "passed" && message === undefined)).toEqual([]);
        expect(hiddenCharacters(text)).toEqual([]);
      }),
      runs,
    );
  });
});
