import { describe, expect, test } from "vitest";
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

/** Runs one conversation with a target that answers so. */
function talked(
  { create = processing, poll = endsAt(2), delete: removal = {} }: Target,
  options?: ScriptedOptions,
): ScriptedWorld {
  const scripted = scriptedWorld(
    ({ operation }, index) => ({ create: () => create, poll: poll, delete: () => removal })[operation](index),
    options,
  );
  converse(scripted.world, exampleTask, exampleLoad);
  return scripted;
}

const whole = ({ samples }: ScriptedWorld) => samples.find(({ kind }) => kind === "conversation");

const operations = ({ sent }: ScriptedWorld): string => sent.map(({ call }) => call.operation).join(" ");

const polledAt = ({ sent }: ScriptedWorld): readonly number[] =>
  sent.filter(({ call }) => call.operation === "poll").map(({ atMs }) => atMs);

describe("a conversation", () => {
  test("is created, polled to its end and once more, and deleted", () => {
    const scripted = talked({});
    expect(operations(scripted)).toBe("create poll poll poll poll delete");
    expect(scripted.ledger).toEqual(["intend marker-of-a-run current", "made 1 users/1/conversations/7", "deleted 1"]);
  });

  test("is bracketed: by the last poll that saw it at work and the answer that showed its end", () => {
    expect(whole(talked({}))).toEqual({
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

  test("has no lower end when the first poll shows its end", () => {
    expect(whole(talked({ poll: endsAt(0) }))).not.toHaveProperty("lastOpenMs");
  });

  test("is polled at fixed times after its creation, however long answers take", () => {
    const poll: Polls = (index) => ({ ...(index < 3 ? processing : completed), takesMs: 30 * index });
    expect(polledAt(talked({ poll }))).toEqual([101, 201, 301, 401, 501]);
  });

  test("is not polled in a burst after a slow answer", () => {
    const poll: Polls = (index) => ({ ...endsAt(2)(index), takesMs: index === 0 ? 350 : 1 });
    expect(polledAt(talked({ poll }))).toEqual([101, 501, 601, 701]);
  });

  test("gives each call a sample whose plan is the schedule", () => {
    const { samples } = talked({ poll: endsAt(1) });
    expect(samples.map((sample) => [sample.kind, sample.planMs, sample.sendMs, sample.endMs, sample.outcome])).toEqual([
      ["call", 0, 0, 1, "ok"],
      ["call", 101, 101, 102, "ok"],
      ["call", 201, 201, 202, "ok"],
      ["call", 301, 301, 302, "ok"],
      ["call", 302, 302, 303, "ok"],
      ["conversation", 0, 0, 202, "ok"],
    ]);
  });

  test("that does not end in time is unfinished, and deleted all the same", () => {
    const scripted = talked({ poll: () => processing });
    expect(whole(scripted)).toMatchObject({ outcome: "unfinished", polls: 10, lastOpenMs: 1001 });
    expect(scripted.ledger.at(-1)).toBe("deleted 1");
  });

  test.each([
    { name: "a fault of the target", error: { code: "ERROR_INTERNAL" }, state: "error", outcome: "bad-status" },
    { name: "a used-up quota", error: { code: "ERROR_QUOTA_EXCEEDED" }, state: "error", outcome: "distress" },
    { name: "a cancellation by others", error: {}, state: "canceled", outcome: "bad-status" },
  ])("that ends by $name is not fine", ({ error, state, outcome }) => {
    const scripted = talked({ poll: () => ({ json: conversationIn(state, error) }) });
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
      name: "that nobody listed",
      poll: (index: number) => (index === 0 ? { json: conversationIn("queued") } : completed),
      code: "unknown-state",
    },
    { name: "that is missing", poll: (index: number) => (index === 0 ? { json: {} } : completed), code: "bad-answer" },
    {
      name: "in an answer that is no JSON",
      poll: (index: number) => (index === 0 ? { text: "<html>" } : completed),
      code: "bad-answer",
    },
  ])("with a state $name violates the contract, once", ({ code, ...target }) => {
    const scripted = talked(target);
    expect(scripted.samples.map(({ codes }) => codes).filter((codes) => codes !== undefined)).toEqual([{ [code]: 1 }]);
    expect(whole(scripted)).toMatchObject({ outcome: "violation" });
    expect(scripted.ledger.at(-1)).toBe("deleted 1");
  });

  test.each([
    { name: "without an id", create: { json: { state: { processing: {} } } }, outcome: "violation", ledger: [] },
    { name: "with status 401", create: { status: 401 }, outcome: "refused", ledger: ["nothing 1"] },
    { name: "with status 404", create: { status: 404 }, outcome: "bad-status", ledger: ["nothing 1"] },
    { name: "with status 429", create: { status: 429 }, outcome: "distress", ledger: ["nothing 1"] },
    { name: "with status 500, after which it may exist", create: { status: 500 }, outcome: "bad-status", ledger: [] },
    { name: "with status 503, after which it may exist", create: { status: 503 }, outcome: "distress", ledger: [] },
    { name: "too late", create: { status: 0, isTimeout: true }, outcome: "timeout", ledger: [] },
    { name: "with a broken connection", create: { status: 0 }, outcome: "transport", ledger: [] },
  ])("whose creation is answered $name is not polled", ({ create, outcome, ledger }) => {
    const scripted = talked({ create });
    expect(operations(scripted)).toBe("create");
    expect(whole(scripted)).toMatchObject({ outcome, polls: 0 });
    expect(scripted.ledger).toEqual(["intend marker-of-a-run current", ...ledger]);
  });

  test("is given up after five polls in a row that fail", () => {
    const scripted = talked({ poll: () => ({ status: 500 }) });
    expect(whole(scripted)).toMatchObject({ outcome: "bad-status", polls: 5 });
    expect(scripted.told.filter((line) => line === "failed a")).toHaveLength(5);
  });

  test("goes on after a poll that failed", () => {
    const poll: Polls = (index) => (index % 2 === 0 ? { status: 0 } : endsAt(13)(index));
    expect(whole(talked({ poll }))).toMatchObject({ outcome: "unfinished", polls: 10 });
    expect(whole(talked({ poll: (index) => (index === 0 ? { status: 0 } : completed) }))).toMatchObject({
      outcome: "ok",
    });
  });

  test("tells of distress, and polls no more until the target may be asked again", () => {
    const poll: Polls = (index) => (index === 0 ? { status: 429, retryAfterMs: 7000 } : completed);
    const scripted = talked({ poll }, { holdBackMs: (nowMs) => (nowMs > 101 && nowMs < 450 ? 450 - nowMs : 0) });
    expect(scripted.told).toContain("distress a 7000");
    expect(polledAt(scripted)).toEqual([101, 501, 601]);
  });

  test("is not deleted when no answer shows it with the mark of the run: it may be somebody else's", () => {
    const foreign = (state: string): ScriptedAnswer => ({
      json: { name: "users/2/conversations/9", state: { [state]: {} } },
    });
    const scripted = talked({ create: foreign("processing"), poll: () => foreign("completed") });
    expect(operations(scripted)).not.toContain("delete");
    expect(scripted.ledger.at(-1)).toBe("made 1 users/2/conversations/9");
  });

  test.each([
    { name: "is gone already", removal: { status: 404 }, last: "deleted 1" },
    { name: "cannot be removed", removal: { status: 500 }, last: "made 1 users/1/conversations/7" },
  ])("that $name is noted so", ({ removal, last }) => {
    expect(talked({ delete: removal }).ledger.at(-1)).toBe(last);
  });

  test.each([
    { name: "a target in distress", options: { holdBackMs: () => 5 }, outcome: "held-back" },
    { name: "a budget that is used up", options: { budget: 0 }, outcome: "over-budget" },
  ])("is not begun with $name", ({ options, outcome }) => {
    const scripted = talked({}, options);
    expect(scripted.sent).toEqual([]);
    expect(scripted.ledger).toEqual([]);
    expect(scripted.samples).toEqual([
      { kind: "conversation", ...exampleTask.iteration, sendMs: 0, endMs: 0, outcome, polls: 0 },
    ]);
  });
});
