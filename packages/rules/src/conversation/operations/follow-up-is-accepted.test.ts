import { describe, expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentRead,
  currentShown,
  expectedOutcome,
  legacyCreated,
  legacyQuestion,
  legacyRead,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import { asksFor } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const ended = [legacyCreated(1), legacyRead(1)];
const followUp = (sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "follow-up",
  conversation: 1,
  question: "more words",
  answer: legacyQuestion("processing", "more words", 12),
  ...sketch,
});
/** As a call of a recording, whose credential only its header shows. */
const unknown =
  (token: string) =>
  (sketch: CallSketch): CallSketch => ({
    ...sketch,
    credential: "unknown",
    headers: [
      ["Content-Type", "application/json"],
      ["X-Requested-With", "browser 1.0"],
      ["Authorization", token],
    ],
  });
/** A read that is sent so late that every replica shows what was written. */
const lateRead = (sentAtMicros = 20_000_000): CallSketch =>
  legacyRead(1, { sentAtMicros, endedAtMicros: sentAtMicros + 1_000 });
const stampedAt = (second: number, sketch: Partial<CallSketch> = {}): CallSketch =>
  legacyRead(1, { answer: legacyShown(1, { updated_at: `2026-01-01T00:00:0${second}Z` }), ...sketch });
const cancelled = { operation: "cancel", conversation: 1, status: 200 } as const;
const both = (text: string): CallSketch =>
  legacyRead(1, {
    answer: legacyShown(1, { questions: [legacyQuestion("completed"), legacyQuestion("processing", text, 12)] }),
  });
describe("in the legacy interface the rule", () => {
  test.each<CallCase>([
    {
      name: "holds when the question is there afterwards",
      calls: [...ended, followUp(), both("more words")],
      observed: 1,
    },
    { name: "holds when nobody looked afterwards", calls: [...ended, followUp()], observed: 1 },
    {
      name: "holds when an older read still lacks the question",
      calls: [...ended, followUp(), legacyRead(1), both("more words")],
      observed: 1,
    },
    {
      name: "is broken by a refusal",
      calls: [...ended, followUp({ status: 409 })],
      observed: 1,
      violations: ["a follow-up to a conversation that has ended returned 409"],
    },
    {
      name: "is broken by a refusal in a recording whose client was accepted before and afterwards",
      calls: [...ended, followUp({ status: 400 }), legacyRead(1)].map(unknown("token anna")),
      observed: 1,
      violations: ["a follow-up to a conversation that has ended returned 400"],
    },
    {
      name: "is not observed for a refusal of another client of a recording",
      calls: [
        ...ended.map(unknown("token anna")),
        unknown("token ben")(followUp({ status: 400 })),
        unknown("token anna")(legacyRead(1)),
      ],
    },
    {
      name: "is not observed for a refusal of a client of a recording that only reads",
      calls: [
        unknown("token anna")(legacyCreated(1)),
        ...[legacyRead(1), followUp({ status: 400 }), legacyRead(1)].map(unknown("token ben")),
      ],
    },
    {
      name: "is broken when no read shows more questions",
      calls: [...ended, followUp(), legacyRead(1), lateRead()],
      observed: 1,
      violations: ["a follow-up was accepted, but no read after it shows more than 1 question"],
    },
    {
      name: "is broken when a read with a newer stamp shows no more questions",
      calls: [...ended, followUp(), stampedAt(3)],
      observed: 1,
      violations: ["a follow-up was accepted, but no read after it shows more than 1 question"],
    },
    {
      name: "holds when all reads that lack it may be of a replica that lags",
      calls: [...ended, followUp(), legacyRead(1), legacyRead(1)],
      observed: 1,
    },
    {
      name: "holds when a read has a newer stamp than before and an older one than the answer to the follow-up",
      calls: [
        ...ended,
        followUp({
          answer: legacyShown(1, {
            updated_at: "2026-01-01T00:00:05Z",
            questions: [legacyQuestion("completed"), legacyQuestion("processing", "more words", 12)],
          }),
        }),
        stampedAt(3),
      ],
      observed: 1,
    },
    {
      name: "is broken when the new question has another text",
      calls: [...ended, followUp(), both("words")],
      observed: 1,
      violations: ["a follow-up was accepted, but no read after it shows its text in a new question"],
    },
    {
      name: "holds when the question was cancelled, and only read without it then",
      calls: [...ended, followUp(), cancelled, lateRead()],
      observed: 1,
    },
    {
      name: "is broken when the question was missing before it was cancelled",
      calls: [
        ...ended,
        followUp(),
        lateRead(),
        { ...cancelled, sentAtMicros: 21_000_000, endedAtMicros: 21_000_001 },
        lateRead(22_000_000),
      ],
      observed: 1,
      violations: ["a follow-up was accepted, but no read after it shows more than 1 question"],
    },
    {
      name: "is broken when a cancellation was refused",
      calls: [...ended, followUp(), { ...cancelled, status: 404 }, lateRead()],
      observed: 1,
      violations: ["a follow-up was accepted, but no read after it shows more than 1 question"],
    },
    {
      name: "is not observed for a read that was under way",
      calls: [...ended, followUp({ endedAtMicros: 9_000_000 }), legacyRead(1)],
      observed: 1,
    },
    {
      name: "is not observed while the conversation is processing, and notes what came",
      calls: [legacyCreated(1), followUp({ status: 409 })],
      unspecified: ["legacy/follow-up-while-processing"],
    },
    {
      name: "holds for the first of two at a time, and is not observed for the refusal of the second",
      calls: [
        ...ended,
        followUp({ sentAtMicros: 5_000_000, endedAtMicros: 7_000_000 }),
        followUp({ sentAtMicros: 6_000_000, endedAtMicros: 8_000_000, status: 409 }),
      ],
      observed: 1,
    },
    {
      name: "notes that a question was refused after a cancellation",
      calls: [legacyCreated(1), cancelled, legacyRead(1), followUp({ status: 409 })],
      unspecified: ["legacy/follow-up-after-other-end"],
    },
    {
      name: "is broken by a refusal after a cancellation that came too late",
      calls: [...ended, cancelled, legacyRead(1), followUp({ status: 409 })],
      observed: 1,
      violations: ["a follow-up to a conversation that has ended returned 409"],
    },
    {
      name: "notes that a question was refused after a failure",
      calls: [
        legacyCreated(1),
        legacyRead(1, { answer: legacyShown(1, { questions: [{ ...legacyQuestion("completed"), error: {} }] }) }),
        followUp({ status: 409 }),
      ],
      unspecified: ["legacy/follow-up-after-other-end"],
    },
    {
      name: "is not observed after a follow-up of which nothing is known",
      calls: [...ended, followUp({ cutBy: "reset" }), legacyRead(1), followUp({ status: 409 })],
      blockedBy: "transport: a response to follow-up: reset",
    },
    {
      name: "is not observed when another id is in the body",
      calls: [...ended, followUp({ body: { conversation_id: 2, question: "x" }, status: 400 })],
    },
    {
      name: "is not observed after a deletion",
      calls: [...ended, { operation: "delete", conversation: 1 }, followUp({ status: 404 })],
    },
    {
      name: "is not observed for another user",
      calls: [...ended, followUp({ status: 404, credential: "other-token" })],
    },
    {
      name: "cannot run on distress",
      calls: [...ended, followUp({ status: 500 })],
      blockedBy: "transport: a response to follow-up other than 500",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/follow-up-is-accepted", row.calls)).toEqual(expectedOutcome(row));
  });
});

const currentFollowUp = (sketch: Partial<CallSketch> = {}): CallSketch => ({
  interface: "current",
  operation: "follow-up",
  conversation: "a",
  question: "more words",
  answer: asksFor("more words"),
  ...sketch,
});

describe("in the current interface the rule", () => {
  test.each<CallCase>([
    {
      name: "holds when the question is there afterwards",
      calls: [
        currentCreated("a"),
        currentRead("a"),
        currentFollowUp(),
        currentRead("a", {
          answer: currentShown("a", "processing", { questions: [asksFor("words"), asksFor("more words")] }),
        }),
      ],
      observed: 1,
      unspecified: ["current/follow-up-body"],
    },
    {
      name: "holds after an error as well",
      calls: [
        currentCreated("a"),
        currentRead("a", { answer: currentShown("a", "error") }),
        currentFollowUp({ answer: {} }),
      ],
      observed: 1,
      unspecified: ["current/follow-up-body"],
    },
    {
      name: "notes that a question was refused after a cancellation, or a failure",
      calls: ["canceled", "error"].flatMap((state, index) => [
        currentCreated(`a${index}`),
        currentRead(`a${index}`, { answer: currentShown(`a${index}`, state) }),
        currentFollowUp({ conversation: `a${index}`, status: 400 + index }),
      ]),
      unspecified: ["current/follow-up-after-other-end", "current/follow-up-after-other-end"],
    },
    {
      name: "is broken by a refusal",
      calls: [currentCreated("a"), currentRead("a"), currentFollowUp({ status: 409 })],
      observed: 1,
      violations: ["a follow-up to a conversation that has ended returned 409"],
    },
    {
      name: "is not observed for a bad request whose members nothing shows",
      calls: [currentCreated("a"), currentRead("a"), currentFollowUp({ status: 400 })],
      blockedBy: "prerequisite: a follow-up with the members that the target expects (one with others was refused)",
    },
    {
      name: "is broken by a bad request whose members another one had that was accepted",
      calls: [
        currentCreated("b"),
        currentRead("b"),
        currentFollowUp({ conversation: "b" }),
        currentCreated("a"),
        currentRead("a"),
        currentFollowUp({ status: 400 }),
      ],
      observed: 2,
      unspecified: ["current/follow-up-body"],
      violations: ["a follow-up to a conversation that has ended returned 400"],
    },
    {
      name: "is not observed while the conversation is processing, and notes what came",
      calls: [currentCreated("a"), currentFollowUp()],
      unspecified: ["current/follow-up-body", "current/follow-up-while-processing"],
    },
    {
      name: "is not observed where no answer shows a state",
      calls: [currentCreated("a", { answer: { name: "users/7/conversations/a" } }), currentFollowUp({ status: 400 })],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/follow-up-is-accepted", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("of two follow-ups at once", () => {
  const two = [
    followUp({ sentAtMicros: 10, endedAtMicros: 1_000 }),
    followUp({ question: "other words", sentAtMicros: 20, endedAtMicros: 1_000 }),
  ];
  const shows = (...texts: readonly string[]): CallSketch => ({
    ...lateRead(),
    answer: legacyShown(1, {
      questions: [
        legacyQuestion("completed"),
        ...texts.map((text, index) => legacyQuestion("completed", text, 12 + index)),
      ],
    }),
  });
  test.each<CallCase>([
    { name: "both are kept", calls: [...ended, ...two, shows("other words", "more words")], observed: 2 },
    {
      name: "one is lost",
      calls: [...ended, ...two, shows("other words")],
      observed: 2,
      violations: [
        "a follow-up was accepted, but a later read does not show it; shortest sequence: legacy follow-up (3), legacy read (5)",
      ],
    },
    {
      name: "one may be refused",
      calls: [
        ...ended,
        ...two.slice(0, 1),
        { ...followUp({ question: "other words" }), ...two[1], status: 400 },
        shows("more words"),
      ],
      observed: 1,
    },
  ])("$name", (row) => {
    const { observed, violations } = outcomeOfCalls("legacy/follow-up-is-accepted", row.calls);
    expect([observed, violations]).toEqual([row.observed, row.violations ?? []]);
  });
});
