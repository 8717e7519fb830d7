import { describe, expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentList,
  currentRead,
  currentShown,
  expectedOutcome,
  legacyCreated,
  legacyList,
  legacyQuestion,
  legacyRead,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const seconds = (value: number) => ({
  sentAtMicros: value * 1_000_000,
  endedAtMicros: value * 1_000_000 + 1,
});
const created = legacyCreated(1, seconds(1));
const deleted: CallSketch = { operation: "delete", conversation: 1, answer: "", ...seconds(2) };
const late = seconds(8);
const asked: CallSketch = { operation: "follow-up", conversation: 1, answer: "" };

describe("what was deleted through the legacy interface", () => {
  test.each<CallCase>([
    {
      name: "is gone",
      calls: [created, deleted, legacyRead(1, { status: 404, ...seconds(3) })],
      observed: 1,
    },
    {
      name: "is gone in whatever words",
      calls: [created, deleted, legacyRead(1, { answer: "", ...late })],
      observed: 1,
    },
    { name: "may be shown for a while", calls: [created, deleted, legacyRead(1, seconds(3))] },
    {
      name: "may be shown for a while and is gone then",
      calls: [created, deleted, legacyRead(1, seconds(3)), legacyRead(1, { status: 410, ...late })],
      observed: 1,
    },
    {
      name: "is still delivered",
      calls: [created, deleted, legacyRead(1, late)],
      observed: 1,
      violations: ["conversation 1 is still returned after its deletion succeeded"],
    },
    {
      name: "is still listed",
      calls: [created, deleted, legacyRead(1, { status: 404, ...seconds(3) }), legacyList([1], late)],
      observed: 2,
      violations: ["conversation 1 is still listed after its deletion succeeded"],
    },
    {
      name: "takes no question",
      calls: [created, deleted, { ...asked, status: 404, ...seconds(3) }],
      observed: 1,
    },
    {
      name: "may take a question for a while",
      calls: [created, deleted, { ...asked, ...seconds(3) }],
    },
    {
      name: "still takes a question",
      calls: [created, deleted, { ...asked, ...seconds(3) }, { ...asked, ...late }],
      observed: 1,
      violations: ["conversation 1 still accepts a question after its deletion succeeded"],
    },
    {
      name: "is still found by its read token",
      calls: [created, deleted, legacyList([1], { query: { filter_read_token: "token-of-1" }, ...late })],
      observed: 1,
      violations: ["conversation 1 is still listed after its deletion succeeded"],
    },
    { name: "is listed no more", calls: [created, deleted, legacyList([2], late)], observed: 1 },
    {
      name: "is not judged by what others see",
      calls: [created, deleted, legacyRead(1, { credential: "other-token", ...late })],
    },
    {
      name: "was refused to be",
      calls: [created, { ...deleted, status: 404 }, legacyRead(1, late)],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/deleted-is-gone", row.calls)).toEqual(expectedOutcome(row));
  });
});

test("what was deleted through the current interface is looked for there", () => {
  const gone: CallSketch = { ...deleted, interface: "current", conversation: "a" };
  const calls = [currentCreated("a", seconds(1)), gone, currentRead("a", late), currentList(["a"], late)];
  expect(outcomeOfCalls("current/deleted-is-gone", calls).violations).toHaveLength(2);
});

const cancelled = (id: number, members: object = { status: "completed", answer: "Here." }): readonly CallSketch[] => [
  legacyCreated(id),
  { operation: "cancel", conversation: id, questionId: 11, answer: "" },
  legacyRead(id, { answer: legacyShown(id, { questions: [legacyQuestion("processing")] }) }),
  legacyRead(id, {
    answer: legacyShown(id, { questions: [{ ...legacyQuestion("completed"), ...members }] }),
  }),
];

describe("cancellations through the legacy interface", () => {
  test.each<CallCase>([
    { name: "have an effect", calls: cancelled(1, { error: { kind: "Cancelled" } }), observed: 1 },
    {
      name: "have an effect at least once",
      calls: [...cancelled(1), ...cancelled(2), ...cancelled(3, {})],
      observed: 1,
    },
    { name: "may come too late twice", calls: [...cancelled(1), ...cancelled(2)] },
    {
      name: "never have an effect",
      calls: [...cancelled(1), ...cancelled(2), ...cancelled(3)],
      observed: 1,
      violations: ["each of 3 questions that were cancelled while processing was completed normally"],
    },
    {
      name: "are not judged where nothing was seen processing after them",
      calls: [1, 2, 3].flatMap((id) => cancelled(id).filter((_, index) => index !== 2)),
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/cancel-has-effect", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("cancellations through the current interface", () => {
  const cancelledInCurrent = (id: string, end: object): readonly CallSketch[] => [
    currentCreated(id),
    { interface: "current", operation: "cancel", conversation: id, answer: "" },
    currentRead(id, { answer: currentShown(id, "processing") }),
    currentRead(id, { answer: end }),
  ];
  const answered = (id: string): object =>
    currentShown(id, "completed", { questions: [{ input: [{ question: { text: "words" } }], answer: "Here." }] });

  test.each<CallCase>([
    {
      name: "never have an effect",
      calls: ["a", "b", "c"].flatMap((id) => cancelledInCurrent(id, answered(id))),
      observed: 1,
      violations: ["each of 3 questions that were cancelled while processing was completed normally"],
    },
    { name: "have an effect", calls: cancelledInCurrent("a", currentShown("a", "cancelled")), observed: 1 },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/cancel-has-effect", row.calls)).toEqual(expectedOutcome(row));
  });
});
