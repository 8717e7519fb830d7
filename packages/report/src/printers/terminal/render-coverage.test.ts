import { describe, expect, test } from "vitest";
import { renderCoverage } from "./render-coverage.ts";
import type { CoveredRequirement } from "./render-coverage.ts";

const requirements: readonly CoveredRequirement[] = [
  { id: "d#1.1-a", text: "One.", coverage: { kind: "rules", rules: ["x/a", "x/b"] } },
  { id: "d#1.2-b", text: "Two.", coverage: { kind: "rules", rules: ["x/c"], partly: "the rest" } },
  { id: "d#1.3-c", text: "Three.", coverage: { kind: "unspecified", behaviour: "x/open" } },
  { id: "d#1.4-d", text: "Four.", coverage: { kind: "not-observable", reason: "it is history" } },
];

describe("the coverage of a specification", () => {
  test("has each requirement with its rules, and the counts", () => {
    expect(renderCoverage(requirements, { colour: false, width: 100 })).toBe(
      [
        "d#1.1-a",
        "  One.",
        "  → rules x/a, x/b",
        "",
        "d#1.2-b",
        "  Two.",
        "  → rules x/c (in part, not yet: the rest)",
        "",
        "d#1.3-c",
        "  Three.",
        "  → unspecified: x/open",
        "",
        "d#1.4-d",
        "  Four.",
        "  → not observable: it is history",
        "",
        "4 requirements: 2 have rules, 1 unspecified, 1 are not observable from outside",
        "",
      ].join("\n"),
    );
  });

  test("has the verdict on each rule of a run, and the number of tested requirements", () => {
    const standings = new Map([
      ["x/a", "not-tested"],
      ["x/b", "passed"],
    ]);
    const text = renderCoverage(requirements, { colour: false, width: 100, standings });
    expect(text).toContain("rules x/a (not tested), x/b (passed)");
    expect(text).toContain("rules x/c (not selected)");
    expect(text).toMatch(/\n1 of those with rules were seen in the run\n$/u);
  });
});
