import { ruleIds } from "@assay/contract";
import { allRules } from "@assay/rules";
import type { Rule } from "@assay/rules";
import { describe, expect, test } from "vitest";
import { goodStream, recorded } from "../testing/recorded.ts";
import { resultOf } from "../testing/result-of.ts";

const exchanges = [recorded({ body: goodStream })];
const crash = (): never => {
  throw new TypeError("cannot read \u001b[31mnothing");
};

/** Ways in which a rule can throw. */
const crashing: readonly { readonly name: string; readonly rule: Rule }[] = [
  { name: "when it begins", rule: { needs: "stream", id: "stream/filters-only-grow", open: crash } },
  {
    name: "at an event",
    rule: {
      needs: "stream",
      id: "stream/filters-only-grow",
      open: () => ({ events: new Map([["done", crash] as const]), match: undefined }),
    },
  },
  { name: "at the end", rule: { needs: "exchanges", id: "stream/filters-only-grow", check: crash } },
  {
    name: "when it is asked whether it applies",
    rule: { needs: "exchanges", id: "stream/filters-only-grow", exclusionReason: crash, check: () => undefined },
  },
];

describe.each(crashing)("a rule that throws $name", ({ rule }) => {
  const rules = allRules.map((other) => (other.id === rule.id ? rule : other));
  const result = resultOf(exchanges, { rules: ruleIds, implementations: rules });
  const healthy = resultOf(exchanges, { rules: ruleIds });

  test("is a bug of the harness, and never a passed run", () => {
    expect([result.outcome, result.exitCode]).toEqual(["harness-error", 70]);
    expect(result.summary).toContain("the rule stream/filters-only-grow failed: cannot read");
  });

  test("has no answer of its own", () => {
    const own = result.verdicts.find(({ rule: id }) => id === rule.id);
    expect(own?.verdict).toMatchObject({ outcome: "blocked", blockedBy: "limit" });
  });

  test("costs the other rules nothing", () => {
    const others = (verdicts: typeof result.verdicts) => verdicts.filter(({ rule: id }) => id !== rule.id);
    expect(others(result.verdicts)).toEqual(others(healthy.verdicts));
    expect(others(result.verdicts)).toHaveLength(ruleIds.length - 1);
  });
});

test("what throws without any rule is not blamed on one", () => {
  const [first] = exchanges;
  const broken = { record: recorded({}).record, ...first, chunks: crash };
  expect(() => resultOf([broken])).toThrow("cannot read");
});
