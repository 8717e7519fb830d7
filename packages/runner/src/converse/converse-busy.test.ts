import { describe, expect, test } from "vitest";
import type { ConverseOptions } from "./converse.ts";
import { conversationLimits } from "./conversation-limits.ts";
import type { Twist } from "./testing/conversation-server.ts";
import { realWait, runOnce } from "./testing/driven-run.ts";

const one: Partial<ConverseOptions> = {
  credentials: new Set(["read-token"]),
  interfaces: new Set(["current"]),
  wait: realWait,
};

/** A retry time in an answer. */
const wellAgain = (ms: number): string => new Date(Date.now() + ms).toISOString();
const later = (ms: number): Twist => ({ status: 429, json: { retry_time: wellAgain(ms) } });

describe("a busy target with a retry time", () => {
  test.each([
    { name: "soon", busy: () => later(150) },
    { name: "at once", busy: (): Twist => ({ status: 429, headers: { "retry-after": "0" } }) },
    {
      name: "at once, as an unavailable service",
      busy: (): Twist => ({ status: 503, headers: { "retry-after": "0" } }),
    },
  ])("is waited for, and then gets all requests: $name", async ({ busy }) => {
    let reads = 0;
    const { end, left } = await runOnce(one, {
      before: ({ operation }) => (operation === "get" && (reads += 1) === 2 ? busy() : undefined),
    });
    expect([end.distress, left]).toEqual([undefined, []]);
    expect(end.skippedProbes.filter(({ cause }) => cause === "busy")).toEqual([]);
  });

  test("gets no further question if it is busy again", async () => {
    const { end, left } = await runOnce(one, {
      before: ({ operation }) => (operation === "list" ? later(100) : undefined),
    });
    expect(end.distress).toBe("the target answered with status 429");
    expect([left, end.cleanUp.leftovers]).toEqual([[], []]);
    expect(end.skippedProbes.find(({ probe }) => probe === "read-token-write")).toEqual({
      probe: "read-token-write",
      interface: "current",
      cause: "busy",
      reason: "no more questions are asked because the target answered with status 429",
    });
  });

  test.each([
    { name: "a time beyond the maximum wait", twist: { status: 429, headers: { "retry-after": "3600" } } },
    { name: "a quota", twist: { status: 429, json: { code: "quota_exceeded", retry_time: wellAgain(3_600_000) } } },
  ])("gets no further question at once if it names $name", async ({ twist }) => {
    let reads = 0;
    const limits = conversationLimits("local", { questionDeadlineMs: 300_000, maxRetryWaitMs: 100 });
    const { end } = await runOnce(
      { ...one, limits },
      { before: ({ operation }) => (operation === "get" && (reads += 1) === 1 ? twist : undefined) },
    );
    expect(end.distress).toBeDefined();
    expect(end.skippedProbes.find(({ probe }) => probe === "cancel")?.reason).toContain("no more questions are asked");
  });
});

test("a call that was refused once is retried, even a creation", async () => {
  const seen = new Map<string, number>();
  const { end, drafts, left } = await runOnce(one, {
    before: ({ operation }) => {
      const count = (seen.get(operation) ?? 0) + 1;
      seen.set(operation, count);
      return count === 1 && operation === "create" ? { status: 429, headers: { "retry-after": "0" } } : undefined;
    },
  });
  const created = drafts.filter(({ probe }) => probe === "create").map(({ response }) => response?.status);
  expect([created, end.distress, left]).toEqual([[429, 200], undefined, []]);
});

test("a creation with another status than 429 is not retried, since it may have had an effect", async () => {
  const { drafts } = await runOnce(one, {
    before: ({ operation }) => (operation === "create" ? { status: 503, headers: { "retry-after": "0" } } : undefined),
  });
  expect(drafts.filter(({ probe }) => probe === "create")).toHaveLength(1);
});

describe("a skipped probe has its cause", () => {
  test.each([
    { name: "a token that was not given", probe: "quota", cause: "token", options: {} },
    {
      name: "a budget that is used up",
      probe: "cancel",
      cause: "budget",
      options: { limits: conversationLimits("local", { questions: 1 }) },
    },
    {
      name: "a budget of zero",
      probe: "create",
      cause: "other",
      options: { limits: conversationLimits("local", { questions: 0 }) },
    },
  ] as const)("for $name", async ({ probe, cause, options }) => {
    const { end } = await runOnce({ ...one, ...options });
    expect(end.skippedProbes.find((skipped) => skipped.probe === probe)).toMatchObject({ cause });
  });

  test("for a conversation that a busy target did not create", async () => {
    const { end } = await runOnce(one, {
      before: ({ operation }) => (operation === "create" ? { status: 429 } : undefined),
    });
    expect(end.skippedProbes.find(({ probe }) => probe === "follow-up")).toMatchObject({
      cause: "busy",
      reason: "the creation of a conversation returned status 429",
    });
  });
});
