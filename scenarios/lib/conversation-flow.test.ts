import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ConversationLoad } from "@assay/results";
import { converse } from "./conversation-flow.ts";
import {
  conversationIn,
  exampleLoad,
  exampleTask,
  type ScriptedAnswer,
  type ScriptedOptions,
  type ScriptedWorld,
  scriptedWorld,
} from "./testing/scripted-target.ts";

type Polls = (index: number) => ScriptedAnswer;

const processing: ScriptedAnswer = { json: conversationIn("processing") };
const completed: ScriptedAnswer = { json: conversationIn("completed") };

/** Completed from the poll with this index on. */
const endsAt =
  (end: number): Polls =>
  (index) =>
    index < end ? processing : completed;

interface Target {
  readonly create?: ScriptedAnswer;
  readonly poll?: Polls;
  readonly delete?: ScriptedAnswer;
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Runs one conversation with a scripted target. */
async function talked(
  { create = processing, poll = endsAt(2), delete: removal = {} }: Target,
  options?: ScriptedOptions,
  load: ConversationLoad = exampleLoad,
): Promise<ScriptedWorld> {
  vi.setSystemTime(0);
  const scripted = scriptedWorld(
    ({ operation }, index) => ({ create: () => create, poll: poll, delete: () => removal })[operation](index),
    options,
  );
  const over = converse(scripted.world, exampleTask, load);
  await vi.runAllTimersAsync();
  await over;
  return scripted;
}

const whole = ({ samples }: ScriptedWorld) => samples.find(({ kind }) => kind === "conversation");

const operations = ({ sent }: ScriptedWorld): string => sent.map(({ call }) => call.operation).join(" ");

const polledAt = ({ sent }: ScriptedWorld): readonly number[] =>
  sent.filter(({ call }) => call.operation === "poll").map(({ atMs }) => atMs);

describe("a conversation", () => {
  test("is created, polled to its end and one more time, and deleted", async () => {
    const scripted = await talked({});
    expect(operations(scripted)).toBe("create poll poll poll poll delete");
    expect(scripted.ledger).toEqual(["intend marker-of-a-run current", "made 1 users/1/conversations/7", "deleted 1"]);
  });

  test("ends between the last poll that saw it in progress and the response that showed its end", async () => {
    expect(whole(await talked({}))).toEqual({
      kind: "conversation",
      ...exampleTask.iteration,
      sendMs: 0,
      lastOpenMs: 201,
      endMs: 302,
      outcome: "ok",
      state: "completed",
      polls: 4,
    });
  });

  test("has no lower bound if the first poll shows its end", async () => {
    expect(whole(await talked({ poll: endsAt(0) }))).not.toHaveProperty("lastOpenMs");
  });

  test("is polled at fixed times after its creation, however slow the responses are", async () => {
    const poll: Polls = (index) => ({ ...(index < 3 ? processing : completed), takesMs: 30 * index });
    expect(polledAt(await talked({ poll }))).toEqual([101, 201, 301, 401, 501]);
  });

  test("is not polled in a burst after a slow response", async () => {
    const poll: Polls = (index) => ({ ...endsAt(2)(index), takesMs: index === 0 ? 350 : 1 });
    expect(polledAt(await talked({ poll }))).toEqual([101, 501, 601, 701]);
  });

  test("gives each call a sample with its scheduled time", async () => {
    const { samples } = await talked({ poll: endsAt(1) });
    expect(samples.map((sample) => [sample.kind, sample.planMs, sample.sendMs, sample.endMs, sample.outcome])).toEqual([
      ["call", 0, 0, 1, "ok"],
      ["call", 101, 101, 102, "ok"],
      ["call", 201, 201, 202, "ok"],
      ["call", 301, 301, 302, "ok"],
      ["call", 302, 302, 303, "ok"],
      ["conversation", 0, 0, 202, "ok"],
    ]);
  });

  test("that does not end in time is unfinished, and still deleted", async () => {
    const scripted = await talked({ poll: () => processing });
    expect(whole(scripted)).toMatchObject({ outcome: "unfinished", polls: 10, lastOpenMs: 1001 });
    expect(scripted.ledger.at(-1)).toBe("deleted 1");
  });

  test.each([
    { name: "a fault of the target", error: { code: "ERROR_INTERNAL" }, state: "error", outcome: "bad-status" },
    { name: "a used-up quota", error: { code: "ERROR_QUOTA_EXCEEDED" }, state: "error", outcome: "distress" },
    { name: "a cancellation by another user", error: {}, state: "canceled", outcome: "bad-status" },
  ])("that ends by $name is not ok", async ({ error, state, outcome }) => {
    const scripted = await talked({ poll: () => ({ json: conversationIn(state, error) }) });
    expect(whole(scripted)).toMatchObject({ outcome, state });
    expect(scripted.told.filter((line) => line.startsWith("distress"))).toHaveLength(outcome === "distress" ? 1 : 0);
  });

  test.each([
    {
      name: "after the end",
      poll: (index: number) => (index === 1 ? processing : completed),
      code: "illegal-transition",
    },
    { name: "at the beginning", create: completed, code: "illegal-transition" },
    {
      name: "that is unknown",
      poll: (index: number) => (index === 0 ? { json: conversationIn("queued") } : completed),
      code: "unknown-state",
    },
    { name: "that is missing", poll: (index: number) => (index === 0 ? { json: {} } : completed), code: "bad-answer" },
    {
      name: "in a response that is not JSON",
      poll: (index: number) => (index === 0 ? { text: "busy" } : completed),
      code: "bad-answer",
    },
  ])("with a state $name violates the contract, once", async ({ code, ...target }) => {
    const scripted = await talked(target);
    expect(scripted.samples.map(({ codes }) => codes).filter((codes) => codes !== undefined)).toEqual([{ [code]: 1 }]);
    expect(whole(scripted)).toMatchObject({ outcome: "violation" });
    expect(scripted.ledger.at(-1)).toBe("deleted 1");
  });

  test.each([
    { name: "without an id", create: { json: { state: { processing: {} } } }, outcome: "violation", ledger: [] },
    { name: "with a login page", create: { text: "\n<html>" }, outcome: "bad-status", ledger: [] },
    { name: "with status 401", create: { status: 401 }, outcome: "refused", ledger: ["nothing 1"] },
    { name: "with status 404", create: { status: 404 }, outcome: "bad-status", ledger: ["nothing 1"] },
    { name: "with status 429", create: { status: 429 }, outcome: "distress", ledger: ["nothing 1"] },
    { name: "with status 500, after which it may exist", create: { status: 500 }, outcome: "bad-status", ledger: [] },
    { name: "with status 503, after which it may exist", create: { status: 503 }, outcome: "distress", ledger: [] },
    { name: "too late", create: { status: 0, isTimeout: true }, outcome: "timeout", ledger: [] },
    { name: "with a broken connection", create: { status: 0 }, outcome: "transport", ledger: [] },
  ])("whose creation is answered $name is not polled", async ({ create, outcome, ledger }) => {
    const scripted = await talked({ create });
    expect(operations(scripted)).toBe("create");
    expect(whole(scripted)).toMatchObject({ outcome, polls: 0 });
    expect(scripted.ledger).toEqual(["intend marker-of-a-run current", ...ledger]);
  });

  test("is abandoned after five failed polls in a row", async () => {
    const scripted = await talked({ poll: () => ({ status: 500 }) });
    expect(whole(scripted)).toMatchObject({ outcome: "bad-status", polls: 5 });
    expect(scripted.told.filter((line) => line === "failed base")).toHaveLength(5);
  });

  test("that was answered with a page once violates no rule", async () => {
    const scripted = await talked({ poll: (index) => (index === 0 ? { text: "<html>" } : completed) });
    expect(scripted.samples.filter(({ codes }) => codes !== undefined)).toEqual([]);
    expect(whole(scripted)).toMatchObject({ outcome: "ok" });
  });

  test("continues after a failed poll", async () => {
    const poll: Polls = (index) => (index % 2 === 0 ? { status: 0 } : endsAt(13)(index));
    expect(whole(await talked({ poll }))).toMatchObject({ outcome: "unfinished", polls: 10 });
    expect(whole(await talked({ poll: (index) => (index === 0 ? { status: 0 } : completed) }))).toMatchObject({
      outcome: "ok",
    });
  });

  test("reports distress, and stops polling until the target may be asked again", async () => {
    const poll: Polls = (index) => (index === 0 ? { status: 429, retryAfterMs: 7000 } : completed);
    const scripted = await talked({ poll }, { holdBackMs: (nowMs) => (nowMs > 101 && nowMs < 450 ? 450 - nowMs : 0) });
    expect(scripted.told).toContain("distress base 7000");
    expect(polledAt(scripted)).toEqual([101, 501, 601]);
  });

  test("is not deleted if no response shows the mark of the run, since it may be somebody else's", async () => {
    const foreign = (state: string): ScriptedAnswer => ({
      json: { name: "users/2/conversations/9", state: { [state]: {} } },
    });
    const scripted = await talked({ create: foreign("processing"), poll: () => foreign("completed") });
    expect(operations(scripted)).not.toContain("delete");
    expect(scripted.ledger.at(-1)).toBe("made 1 users/2/conversations/9");
  });

  test.each([
    { name: "is gone already", removal: { status: 404 }, last: "deleted 1" },
    { name: "cannot be removed", removal: { status: 500 }, last: "made 1 users/1/conversations/7" },
  ])("that $name is noted so", async ({ removal, last }) => {
    const { ledger } = await talked({ delete: removal });
    expect(ledger.at(-1)).toBe(last);
  });

  test.each([
    { name: "a target in distress", options: { holdBackMs: () => 5 }, outcome: "held-back" },
    { name: "an exhausted budget", options: { budget: 0 }, outcome: "over-budget" },
  ])("is not begun with $name", async ({ options, outcome }) => {
    const scripted = await talked({}, options);
    expect(scripted.sent).toEqual([]);
    expect(scripted.ledger).toEqual([]);
    expect(scripted.samples).toEqual([
      { kind: "conversation", ...exampleTask.iteration, sendMs: 0, endMs: 0, outcome, polls: 0 },
    ]);
  });
});

describe("a conversation with several pollers", () => {
  const three: ConversationLoad = { ...exampleLoad, pollers: 3 };
  const polls = ({ sent }: ScriptedWorld) =>
    sent.filter(({ call }) => call.operation === "poll").map(({ poller, atMs }) => [atMs, poller]);

  test("is read in turn on one schedule, and one more time by each poller after its end", async () => {
    const scripted = await talked({ poll: endsAt(4) }, {}, three);
    expect(polls(scripted)).toEqual([
      [101, 0],
      [201, 1],
      [301, 2],
      [401, 0],
      [501, 1],
      [601, 2],
      [601, 1],
      [701, 0],
    ]);
    expect(whole(scripted)).toMatchObject({ outcome: "ok", lastOpenMs: 401, endMs: 502, polls: 8 });
  });

  test("is read further while one response is late, and ends with the first response that shows its end", async () => {
    const poll: Polls = (index) => ({ ...endsAt(2)(index), takesMs: index === 0 ? 350 : 1 });
    const scripted = await talked({ poll }, {}, { ...exampleLoad, pollers: 2 });
    expect(polls(scripted)).toEqual([
      [101, 0],
      [201, 1],
      [301, 1],
      [401, 1],
      [501, 0],
    ]);
    expect(whole(scripted)).toMatchObject({ outcome: "ok", lastOpenMs: 201, endMs: 302 });
  });

  test("may be shown in progress by an overtaken response without a violation", async () => {
    const poll: Polls = (index) => ({ ...(index === 0 ? processing : completed), takesMs: index === 0 ? 350 : 1 });
    const scripted = await talked({ poll }, {}, { ...exampleLoad, pollers: 2 });
    expect(whole(scripted)).toMatchObject({ outcome: "ok" });
    expect(scripted.samples.filter(({ outcome }) => outcome !== "ok")).toEqual([]);
  });

  test.each([
    { name: "that saw its end, violates the contract", goesBack: 3, outcome: "violation" },
    { name: "that did not see it, is left to the judge of all reads", goesBack: 2, outcome: "ok" },
  ])("that goes back for one poller $name", async ({ goesBack, outcome }) => {
    const poll: Polls = (index) => (index === 0 || index === goesBack ? processing : completed);
    const scripted = await talked({ poll }, {}, { ...exampleLoad, pollers: 2 });
    expect(polls(scripted)).toEqual([
      [101, 0],
      [201, 1],
      [301, 0],
      [301, 1],
    ]);
    expect(whole(scripted)).toMatchObject({ outcome });
  });

  test.each([
    { name: "never ends", poll: () => processing, outcome: "unfinished", count: 10 },
    { name: "never gets a valid response", poll: () => ({ status: 500 }), outcome: "bad-status", count: 5 },
  ])("and that $name costs as many reads as with one of them", async ({ poll, outcome, count }) => {
    const scripted = await talked({ poll }, {}, three);
    expect(whole(scripted)).toMatchObject({ outcome, polls: count });
    expect(scripted.ledger.at(-1)).toBe("deleted 1");
  });

  test("is held back for all pollers while the target is in distress", async () => {
    const poll: Polls = (index) => (index === 0 ? { status: 429 } : completed);
    const holdBackMs = (nowMs: number): number => (nowMs > 101 && nowMs < 450 ? 450 - nowMs : 0);
    const scripted = await talked({ poll }, { holdBackMs }, { ...exampleLoad, pollers: 2 });
    expect(polls(scripted).filter(([atMs = 0]) => atMs > 250 && atMs < 450)).toEqual([]);
  });
});
