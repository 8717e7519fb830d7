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

  test("ends with the pairs that an ordinary run covers, and those that it leaves out", () => {
    const pairs = {
      searchCount: 9,
      partPairCount: 3,
      neverTogether: ["t with cm"],
      neverWithout: [],
      differenceCount: 4,
      neverVaried: ["t while cm is set"],
      commandPairCount: 7,
      sequencesForAllPairs: 2,
    };
    const text = renderCoverage([], { colour: false, width: 200, pairs });
    expect(text).toContain("2 of 3 pairs of parts are in one search; never: t with cm\n");
    expect(text).toContain("6 of 6 ordered pairs have a search with the first part and without the second one\n");
    expect(text).toContain(
      "3 of 4 differences between two searches occur while both have another part; never: t while cm is set\n",
    );
    expect(text).toContain("--sequences 2 sends all 7 pairs of commands");
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
