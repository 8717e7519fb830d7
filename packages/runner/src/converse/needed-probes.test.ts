import { isConversationRuleId, ruleIds } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { neededProbes } from "./needed-probes.ts";

const neededBy = (id: string): number => {
  const { legacy, current } = neededProbes(new Set([id]));
  return legacy.size + current.size;
};

describe("the probes that rules need", () => {
  test.each(ruleIds.filter(isConversationRuleId))("are some for %s", (id) => {
    expect(neededBy(id)).toBeGreaterThan(0);
  });

  test("are none for rules about streams, and for what is no rule", () => {
    expect(ruleIds.filter((id) => id.startsWith("stream/")).filter((id) => neededBy(id) > 0)).toEqual([]);
    expect(neededBy("legacy/no-such-rule")).toBe(0);
  });

  test("are those of one interface for a rule of it, those of both for how they go together", () => {
    const legacy = neededProbes(new Set(["legacy/cancel-is-accepted"]));
    expect([[...legacy.legacy], [...legacy.current]]).toEqual([
      ["create", "poll", "cancel", "cancel-follow-up", "cancel-again"],
      [],
    ]);
    const migration = neededProbes(new Set(["migration/answers-agree"]));
    expect([migration.legacy.has("migration"), migration.current.has("migration")]).toEqual([true, true]);
  });
});
