import { HarnessError, isHarnessError, ruleIds, ruleRecord } from "@assay/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getProfile, profileNames } from "./profiles.ts";
import {
  findProfile,
  limitToVersion,
  ruleTags,
  selectRules,
  limitToInterfaces,
  excludeRules,
  limitToTags,
} from "./select-rules.ts";

const gate = getProfile("gate");
const smoke = getProfile("smoke");

/** Number of selected rules, or the code of the error. */
const numberSelected = (patterns: readonly string[]): number | string => {
  try {
    return selectRules(gate, patterns).rules.length;
  } catch (error) {
    return isHarnessError(error) ? error.code : "another error";
  }
};

describe("a profile", () => {
  test.each(profileNames)("named %s is found", (name) => {
    expect(findProfile(name)).toEqual(getProfile(name));
  });

  test.each(profileNames)("named %s requires tests only of rules that it selects", (name) => {
    const { rules, mustTest } = getProfile(name);
    expect(mustTest.filter((id) => !rules.includes(id))).toEqual([]);
  });

  test.each(profileNames)("named %s requires some tests, so that an empty run does not pass", (name) => {
    expect(getProfile(name).mustTest.length).toBeGreaterThan(8);
  });

  test("named gate or release has every rule", () => {
    expect([getProfile("gate").rules, getProfile("release").rules]).toEqual([ruleIds, ruleIds]);
  });

  test.each([
    ["gat", "unknown-profile: there is no profile `gat`; did you mean `gate`? profiles are smoke, gate, release."],
    ["zzzzzz", "unknown-profile: there is no profile `zzzzzz`; profiles are smoke, gate, release."],
    ["constructor", "unknown-profile: there is no profile `constructor`; profiles are smoke, gate, release."],
  ])("that does not exist is refused: %s", (name, message) => {
    expect(() => findProfile(name)).toThrow(new HarnessError("unknown-profile", message.replace(/^[a-z-]+: /u, "")));
  });
});

describe("a selection within interfaces", () => {
  test.each([
    { interfaces: ["stream"], areas: ["stream"] },
    { interfaces: ["legacy"], areas: ["legacy"] },
    { interfaces: ["current", "stream"], areas: ["stream", "current"] },
    { interfaces: ["legacy", "current"], areas: ["legacy", "current", "migration"] },
  ] as const)("$interfaces has rules of $areas and no others", ({ interfaces, areas }) => {
    const { rules, mustTest } = limitToInterfaces(gate, new Set(interfaces));
    expect([...new Set(rules.map((id) => id.split("/")[0]))]).toEqual(areas);
    expect(mustTest.filter((id) => !rules.includes(id))).toEqual([]);
    expect(mustTest.length).toBeGreaterThan(5);
  });

  test("without any rule is refused", () => {
    const selection = selectRules(gate, ["stream/done-is-last"]);
    expect(() => limitToInterfaces(selection, new Set(["legacy"]))).toThrow("none of the rules is about");
  });
});

describe("the rules of a run", () => {
  test("are those of the profile when none is named", () => {
    expect(selectRules(smoke, undefined)).toEqual(smoke);
  });

  test.each([
    { name: "an id", patterns: ["stream/done-is-last"], rules: ["stream/done-is-last"] },
    { name: "the last part of an id", patterns: ["done-is-last"], rules: ["stream/done-is-last"] },
    {
      name: "a prefix without the area",
      patterns: ["done-*"],
      rules: ["stream/done-is-last", "stream/done-is-an-empty-object"],
    },
    {
      name: "a prefix with the area",
      patterns: ["stream/done-*"],
      rules: ["stream/done-is-last", "stream/done-is-an-empty-object"],
    },
    { name: "a star alone", patterns: ["*"], rules: ruleIds },
    {
      name: "the last part of ids of two interfaces",
      patterns: ["created-in-progress"],
      rules: ["legacy/created-in-progress", "current/created-in-progress"],
    },
    { name: "the same rule twice", patterns: ["done-is-last", "stream/done-is-l*"], rules: ["stream/done-is-last"] },
    {
      name: "several in another order",
      patterns: ["done-is-last", "two-fields"],
      rules: ["stream/two-fields", "stream/done-is-last"],
    },
    {
      name: "one that the profile lacks",
      patterns: ["display-bounds-matches"],
      rules: ["stream/display-bounds-matches"],
    },
  ])("are meant by $name", ({ patterns, rules }) => {
    expect(selectRules(smoke, patterns).rules).toEqual(rules);
  });

  test("must be tested if the profile requires it", () => {
    expect(selectRules(gate, ["done-is-last", "match-count-never-falls"]).mustTest).toEqual(["stream/done-is-last"]);
  });

  test.each([
    { name: "nothing", patterns: [], code: "empty-selection" },
    { name: "a prefix that no rule has", patterns: ["zzz*"], code: "empty-selection" },
    { name: "such a prefix next to a rule", patterns: ["done-is-last", "zzz*"], code: "empty-selection" },
    { name: "a name that no rule has", patterns: ["done-is-lst"], code: "unknown-rule" },
    { name: "such a name next to a rule", patterns: ["done-is-last", "done-is-lst"], code: "unknown-rule" },
    { name: "an empty name", patterns: [""], code: "unknown-rule" },
    { name: "a star in the middle", patterns: ["done-*-last"], code: "unknown-rule" },
    { name: "a name that every JavaScript object has", patterns: ["toString"], code: "unknown-rule" },
  ])("cannot be meant by $name", ({ patterns, code }) => {
    expect(numberSelected(patterns)).toBe(code);
  });

  test.each(["done-is-lst", "stream/done-is-lst", "is-last"])("close to `%s` are suggested", (typed) => {
    expect(() => selectRules(gate, [typed])).toThrow("did you mean `stream/done-is-last`?");
  });

  test("selected by several prefixes are exactly those with one of the prefixes", () => {
    const beginning = fc.tuple(fc.constantFrom(...ruleIds), fc.nat(40)).map(([id, length]) => id.slice(0, length));
    fc.assert(
      fc.property(fc.array(beginning, { minLength: 1, maxLength: 4 }), (beginnings) => {
        const expected = ruleIds.filter((id) =>
          beginnings.some((start) => id.startsWith(start) || id.slice(id.indexOf("/") + 1).startsWith(start)),
        );
        expect(
          selectRules(
            smoke,
            beginnings.map((start) => `${start}*`),
          ).rules,
        ).toEqual(expected);
      }),
    );
  });

  test("are never empty, whatever was typed", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }), (patterns) => {
        expect([0, "another error"]).not.toContain(numberSelected(patterns));
      }),
    );
  });
});

describe("rules that are left out", () => {
  const all = { rules: ruleIds, mustTest: ruleIds };

  test.each([
    { patterns: ["done-is-last"], tags: [] },
    { patterns: ["stream/*"], tags: [] },
    { patterns: [], tags: ["inferred"] },
    { patterns: ["legacy/*"], tags: ["stream", "list"] },
  ])("by $patterns and $tags are all that these choose, and no others", ({ patterns, tags }) => {
    const named = patterns.length === 0 ? [] : selectRules(gate, patterns).rules;
    const tagged = tags.length === 0 ? [] : limitToTags(all, tags).rules;
    const chosen = new Set([...named, ...tagged]);
    const { rules, mustTest } = excludeRules(all, { patterns, tags });
    expect(rules).toEqual(ruleIds.filter((id) => !chosen.has(id)));
    expect(mustTest).toEqual(rules);
    expect(rules.length).toBeLessThan(ruleIds.length);
  });

  test("are none if nothing is named", () => {
    expect(excludeRules(all, { patterns: [], tags: [] })).toEqual(all);
  });

  test.each([
    { patterns: ["*"], tags: [], says: /every rule is left out/u },
    { patterns: [], tags: ruleTags, says: /every rule is left out/u },
    { patterns: ["done-is-lst"], tags: [], says: /did you mean `stream\/done-is-last`/u },
    { patterns: [], tags: ["acces"], says: /did you mean `access`/u },
  ])("by $patterns and $tags are refused", ({ patterns, tags, says }) => {
    expect(() => excludeRules(all, { patterns, tags })).toThrow(says);
  });
});

describe("rules with a tag", () => {
  const all = { rules: ruleIds, mustTest: ruleIds };

  test.each([
    { tags: ["access"], has: "stream/access-token-is-accepted", hasNot: "stream/done-is-last" },
    {
      tags: ["legacy"],
      has: ruleIds.find((id) => ruleRecord(id).interface === "legacy"),
      hasNot: "stream/done-is-last",
    },
    { tags: ["framing", "list"], has: "stream/two-fields", hasNot: "stream/access-token-is-accepted" },
    { tags: ["inferred"], has: ruleIds.find((id) => ruleRecord(id).basis === "inferred"), hasNot: "stream/two-fields" },
  ])("$tags are those of that interface, chapter, operation or basis", ({ tags, has, hasNot }) => {
    const { rules, mustTest } = limitToTags(all, tags);
    expect([
      rules.includes(ruleIds.find((id) => id === has) ?? "stream/done-is-last"),
      rules.some((id) => id === hasNot),
    ]).toEqual([true, false]);
    expect(mustTest).toEqual(rules);
  });

  test("together are all rules", () => {
    expect(limitToTags(all, ruleTags)).toEqual(all);
  });

  test.each([
    { tags: ["acces"], says: /did you mean `access`/u },
    {
      tags: ["access", "nothing-of-the-kind"],
      says: /no rule has the tag `nothing-of-the-kind`; (?:did you[^?]+\? )?tags are stream/u,
    },
  ])("$tags are none, in one sentence", ({ tags, says }) => {
    expect(() => limitToTags(all, tags)).toThrow(says);
  });

  test("outside the selection leave nothing", () => {
    const streams = limitToInterfaces(all, new Set(["stream"]));
    expect(() => limitToTags(streams, ["legacy"])).toThrow(expect.objectContaining({ code: "empty-selection" }));
  });
});

describe("the rules as of a version", () => {
  const [first, second, ...others] = ruleIds;
  const selection = { rules: ruleIds, mustTest: ruleIds };
  const since = (id: string): string => (id === first ? "1.10.0" : id === second ? "1.9.3" : "0.1.0");

  test.each([
    { version: "1.10.0", newer: [] },
    { version: "2.0.0", newer: [] },
    { version: "1.9.12", newer: [first] },
    { version: "1.9.2", newer: [first, second] },
    { version: "0.1.0", newer: [first, second] },
  ])("$version are those that it had, in number and not in letters", ({ version, newer }) => {
    const rules = ruleIds.filter((id) => !newer.includes(id));
    expect(limitToVersion(selection, version, since)).toEqual({ rules, mustTest: rules, newerRules: newer });
    expect(rules).toEqual(expect.arrayContaining(others));
  });

  test("of the first version are all without a later version in their records", () => {
    const young = ruleIds.filter((id) => ruleRecord(id).since !== undefined);
    expect(limitToVersion(selection, "0.1.0").newerRules).toEqual(young);
  });

  test.each([
    { version: "0.0.9", code: "empty-selection" },
    { version: "latest", code: "usage" },
    { version: "1.2", code: "usage" },
    { version: "v1.2.3", code: "usage" },
  ])("$version are none, in one sentence", ({ version, code }) => {
    expect(() => limitToVersion(selection, version)).toThrow(expect.objectContaining({ code }));
  });
});
