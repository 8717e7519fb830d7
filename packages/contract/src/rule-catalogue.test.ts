import { describe, expect, test } from "vitest";
import { isRuleId, ruleCatalogue, ruleIds, ruleRecord } from "./rule-catalogue.ts";

describe("the rule catalogue", () => {
  test("has ids that are unique statements in kebab case", () => {
    const ids = ruleCatalogue.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^stream\/[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  });

  test("has a title of its own for every rule, one sentence without a full stop", () => {
    const titles = ruleCatalogue.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.filter((title) => !/^[A-Z`].{10,}[^.]$/.test(title))).toEqual([]);
  });

  test("is found again by id", () => {
    expect(ruleIds.map(ruleRecord)).toEqual(ruleCatalogue);
  });

  test.each(["", "stream/", "stream/done", "toString", "__proto__", "hasOwnProperty"])("has no rule %j", (id) => {
    expect(isRuleId(id)).toBe(false);
  });
});
