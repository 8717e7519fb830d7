import { repetitions } from "@assay/tools/proving";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyRunResult } from "../../testing/arbitrary-run-result.ts";
import { commentFinding, resultOf, withVerdict } from "../../testing/sample-results.ts";
import { renderCodeQuality } from "./render-code-quality.ts";

const failed = { outcome: "failed", findings: [commentFinding], moreFindings: 0 } as const;
const issuesOf = (...results: readonly Parameters<typeof resultOf>[0][]) =>
  JSON.parse(renderCodeQuality({ runs: results.map((each) => ({ result: resultOf(each) })), loads: [] }));

test("a failure is an issue with the members that GitLab requires", () => {
  expect(issuesOf({ verdicts: withVerdict("two-fields", failed) })).toEqual([
    {
      description: "stream/two-fields: a comment line (http://127.0.0.1:3080)",
      check_name: "stream/two-fields",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/u),
      severity: "major",
      location: { path: "stream/two-fields", lines: { begin: 1 } },
    },
  ]);
});

test("the same failure has the same fingerprint in another run, and a run that passed has none", () => {
  const [one, other] = issuesOf(
    { verdicts: withVerdict("two-fields", failed) },
    { verdicts: withVerdict("two-fields", { ...failed, moreFindings: 7 }) },
  );
  expect(one.fingerprint).toBe(other.fingerprint);
  expect(issuesOf({})).toEqual([]);
});

test("there is an issue if and only if a rule failed or warned", () => {
  fc.assert(
    fc.property(anyRunResult, (result) => {
      const issues: readonly { readonly severity: string }[] = JSON.parse(
        renderCodeQuality({ runs: [{ result }], loads: [] }),
      );
      expect(issues.some(({ severity }) => severity !== "minor")).toBe(result.exitCode !== 0);
    }),
    { numRuns: repetitions(60, 300) },
  );
});
