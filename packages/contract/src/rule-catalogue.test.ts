import { describe, expect, test } from "vitest";
import { ruleReason } from "./rule-reasons.ts";
import {
  isConversationRuleId,
  isRuleId,
  isStreamRuleId,
  findNeededProbes,
  ruleCatalogue,
  ruleIds,
  ruleRecord,
} from "./rule-catalogue.ts";

describe("the rule catalogue", () => {
  test("has ids that are unique statements in kebab case", () => {
    const ids = ruleCatalogue.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^(stream|legacy|current|migration)\/[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  });

  test("groups rules by area, which is their interface", () => {
    expect(ruleCatalogue.filter((rule) => !rule.id.startsWith(`${rule.interface}/`))).toEqual([]);
    const areas = ruleCatalogue.map((rule) => rule.interface);
    expect(areas.filter((area, index) => area !== areas[index - 1])).toEqual([
      "stream",
      "legacy",
      "current",
      "migration",
    ]);
  });

  test("says in full sentences why each rule matters", () => {
    expect(ruleIds.filter((id) => !/^[A-Z`].{30,220}\.$/u.test(ruleReason(id)))).toEqual([]);
  });

  test("has a unique title for every rule of an interface, one sentence without a full stop", () => {
    const titles = ruleCatalogue.map((rule) => `${rule.interface}: ${rule.title}`);
    expect(new Set(titles).size).toBe(titles.length);
    expect(ruleCatalogue.filter(({ title }) => !/^[A-Z`].{10,}[^.]$/.test(title))).toEqual([]);
  });

  test("cites no requirement of another specification", () => {
    const specification = (area: string): string => (area === "stream" ? "search-stream#" : "conversation-api#");
    const strays = ruleCatalogue.filter(
      (rule) => !rule.requirements.every((id) => id.startsWith(specification(rule.interface))),
    );
    expect(strays).toEqual([]);
  });

  test("has the same chapters for both conversation interfaces", () => {
    const chaptersOf = (name: string): readonly string[] => [
      ...new Set(ruleCatalogue.filter((rule) => rule.interface === name).map(({ chapter }) => chapter)),
    ];
    expect(chaptersOf("stream")).toEqual(["framing", "schema", "order", "observed", "access", "parameters"]);
    expect(chaptersOf("legacy")).toEqual(["answers", "history", "operations", "lists", "access", "schema"]);
    expect(chaptersOf("current")).toEqual(chaptersOf("legacy"));
    expect(chaptersOf("migration")).toEqual(["migration"]);
  });

  test("lists the searches of rules about streams only", () => {
    expect(ruleCatalogue.filter((rule) => (rule.interface === "stream") !== rule.searches.length > 0)).toEqual([]);
  });

  test("has rules for every operation of both conversation interfaces", () => {
    const operations = (name: string): ReadonlySet<string> =>
      new Set(ruleCatalogue.filter((rule) => rule.interface === name).map((rule) => rule.operation));
    const all = new Set(["create", "get", "list", "follow-up", "cancel", "delete", "conversation"]);
    expect(operations("legacy")).toEqual(all);
    expect(operations("current")).toEqual(all);
  });

  test("has a reason for every rule that was not tested, most with advice", () => {
    const reasons = ruleCatalogue.map(({ notTested }) => notTested);
    expect(reasons.filter((reason) => !/^[a-z][^.\n]{20,200}$/u.test(reason))).toEqual([]);
    expect(reasons.filter((reason) => !/`--|--interface|tokens that|`assay /u.test(reason)).length).toBeLessThan(5);
  });

  test("returns each record by its id", () => {
    expect(ruleIds.map(ruleRecord)).toEqual(ruleCatalogue);
  });

  test("has each id either as a stream rule or as a conversation rule", () => {
    expect(ruleIds.filter((id) => isStreamRuleId(id) === isConversationRuleId(id))).toEqual([]);
    expect(ruleIds.filter((id) => isStreamRuleId(id) !== id.startsWith("stream/"))).toEqual([]);
  });

  test.each(["", "stream/", "stream/done", "legacy/", "toString", "__proto__", "hasOwnProperty"])(
    "has no rule %j",
    (id) => {
      expect([isRuleId(id), isConversationRuleId(id), isStreamRuleId(id)]).toEqual([false, false, false]);
    },
  );
});

describe("the probes that rules need", () => {
  const neededBy = (id: string): readonly string[] => [
    ...findNeededProbes([id], "legacy"),
    ...findNeededProbes([id], "current"),
  ];

  test("exist for rules about conversations only", () => {
    expect(ruleIds.filter((id) => isConversationRuleId(id) !== neededBy(id).length > 0)).toEqual([]);
    expect(neededBy("legacy/no-such-rule")).toEqual([]);
  });

  test("are those of the interface of a rule, or of both for a migration rule", () => {
    const rules = ["legacy/cancel-is-accepted"];
    expect([...findNeededProbes(rules, "legacy")]).toEqual([
      "create",
      "poll",
      "cancel",
      "cancel-follow-up",
      "cancel-again",
    ]);
    expect([...findNeededProbes(rules, "current")]).toEqual([]);
    const migration = ["migration/answers-agree"];
    expect(findNeededProbes(migration, "legacy")).toContain("migration");
    expect(findNeededProbes(migration, "current")).toContain("migration");
  });
});
