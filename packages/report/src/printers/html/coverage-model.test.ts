import { allRequirements, isRuleId, ruleRecord } from "@assay/contract";
import { toPositiveCount, type RuleVerdict, type Verdict } from "@assay/results";
import { expect, test } from "vitest";
import { resultOf } from "../../testing/sample-results.ts";
import { listCoveredSections } from "./coverage-model.ts";
import { createPageRuns } from "./page-runs.ts";

const verdictOf = (rule: string, verdict: Verdict): RuleVerdict => {
  if (!isRuleId(rule)) {
    throw new Error(`no rule is called ${rule}`);
  }
  const { title, basis, interface: name, operation } = ruleRecord(rule);
  return { rule, title, basis, interface: name, operation, requirements: [], mustTest: false, verdict };
};

const standingsWith = (verdicts: readonly RuleVerdict[]) => {
  const [run] = createPageRuns([{ result: resultOf({ verdicts }) }]);
  const judged = run === undefined ? [] : listCoveredSections(run).flatMap(({ requirements }) => requirements);
  return new Map<string, string>(judged.map(({ requirement, standing }) => [requirement.id, standing]));
};

const once = toPositiveCount(1);
const passed: Verdict = once === undefined ? { outcome: "not-tested" } : { outcome: "passed", observations: once };
const failed: Verdict = {
  outcome: "failed",
  findings: [{ kind: "violation", message: "x" }],
  moreFindings: 0,
};

const requirement = "search-stream#6.1-two-fields";

test.each([
  ["a rule passed", [verdictOf("stream/two-fields", passed)], "passed"],
  ["a rule failed", [verdictOf("stream/two-fields", failed)], "failed"],
  ["no rule was tested", [verdictOf("stream/two-fields", { outcome: "not-tested" })], "unjudged"],
  ["no rule was selected", [], "unjudged"],
])("if %s, its requirement is %s", (_why, verdicts, standing) => {
  expect(standingsWith(verdicts).get(requirement)).toBe(standing);
});

test("every requirement of both specifications is listed once, those without rules with their reason", () => {
  const standings = standingsWith([]);
  expect([...standings.keys()].toSorted()).toEqual(allRequirements.map(({ id }) => id).toSorted());
  const kinds = { rules: "unjudged", unspecified: "unspecified", "not-observable": "not-observable" } as const;
  expect(allRequirements.filter(({ id, coverage }) => standings.get(id) !== kinds[coverage.kind])).toEqual([]);
});
