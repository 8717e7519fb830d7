import type { RuleVerdict } from "@assay/results";
import { describe, expect, test } from "vitest";
import { passedWith, resultOf, sampleRules } from "../../testing/sample-results.ts";
import { createPageRuns } from "./page-runs.ts";
import { createRuleMatrices } from "./rule-matrix.ts";

const rule = (id: string, section: string, changes: Partial<RuleVerdict> = {}): RuleVerdict => ({
  rule: id,
  interface: id.slice(0, id.indexOf("/")),
  operation: "get",
  title: id,
  basis: "stated",
  requirements: [{ id: "x", specification: "conversation-api", section, text: "x" }],
  mustTest: false,
  verdict: passedWith(1),
  ...changes,
});

const runsOf = (...verdicts: readonly (readonly RuleVerdict[])[]) =>
  createPageRuns(verdicts.map((one) => ({ result: resultOf({ verdicts: one }) })));

const shapeOf = (matrices: ReturnType<typeof createRuleMatrices>) =>
  matrices.map(({ specification, columns, groups }) => ({
    specification,
    columns: columns.map(({ key }) => key),
    groups: groups.map(({ section, rows }) => [
      section,
      rows.map(({ label, cells }) => `${label}: ${cells.map((cell) => cell?.rule.rule ?? "-").join(" ")}`),
    ]),
  }));

describe("the matrix of one run", () => {
  test("has one row for the same rule of two interfaces, in the section of the first", () => {
    const runs = runsOf([
      rule("legacy/get-works", "4.1"),
      rule("legacy/id-is-kept", "2.1"),
      rule("current/get-works", "3.2"),
      rule("current/name-is-kept", "2.4"),
    ]);
    expect(shapeOf(createRuleMatrices(runs))).toEqual([
      {
        specification: "conversation-api",
        columns: ["legacy", "current"],
        groups: [
          ["2", ["id-is-kept: legacy/id-is-kept -", "name-is-kept: - current/name-is-kept"]],
          ["4", ["get-works: legacy/get-works current/get-works"]],
        ],
      },
    ]);
  });

  test("has both verdicts on a rule with two operations", () => {
    const runs = runsOf([rule("legacy/a", "1"), rule("legacy/a", "1", { operation: "list" })]);
    expect(createRuleMatrices(runs)[0]?.groups[0]?.rows).toHaveLength(2);
  });

  test("is separate for each specification, with rules without a section number last", () => {
    const runs = runsOf([...sampleRules, rule("legacy/a", "x"), rule("legacy/b", "10"), rule("legacy/c", "9")]);
    const [stream, conversation] = createRuleMatrices(runs);
    expect(stream?.specification).toBe("search-stream");
    expect(conversation?.groups.map(({ section }) => section)).toEqual(["9", "10", "x"]);
  });
});

describe("the matrix of several runs", () => {
  const failed = { outcome: "failed", findings: [{ kind: "violation", message: "x" }], moreFindings: 0 } as const;
  const runs = runsOf(
    [rule("legacy/a", "1"), rule("legacy/b", "1")],
    [rule("legacy/b", "1", { verdict: failed }), rule("legacy/c", "1"), rule("legacy/a", "1")],
  );

  test("has a column for each run, with an empty cell for a rule that was not selected", () => {
    expect(shapeOf(createRuleMatrices(runs))).toEqual([
      {
        specification: "conversation-api",
        columns: ["r1", "r2"],
        groups: [["1", ["legacy/a: legacy/a legacy/a", "legacy/b: legacy/b legacy/b", "legacy/c: - legacy/c"]]],
      },
    ]);
  });
});
