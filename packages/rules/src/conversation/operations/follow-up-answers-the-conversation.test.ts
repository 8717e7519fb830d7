import { expect, test } from "vitest";
import {
  outcomeOfCalls,
  expectedOutcome,
  legacyCreated,
  legacyQuestion,
  legacyRead,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const ended = [legacyCreated(1), legacyRead(1)];
const answered = (answer: unknown, sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "follow-up",
  conversation: 1,
  question: "more words",
  answer,
  ...sketch,
});
const added = legacyQuestion("processing", "more words", 12);
const both = legacyShown(1, { questions: [legacyQuestion("completed"), added] });

test.each<CallCase>([
  { name: "holds for the conversation", calls: [...ended, answered(both)], observed: 1 },
  {
    name: "holds for a conversation that is wrapped",
    calls: [...ended, answered({ conversation: both })],
    observed: 1,
  },
  {
    name: "is broken by the question alone",
    calls: [...ended, answered(added)],
    observed: 1,
    violations: ["a follow-up returned the question instead of the conversation"],
  },
  {
    name: "is broken by an object with neither",
    calls: [...ended, answered({})],
    observed: 1,
    violations: ["a follow-up returned an empty object instead of the conversation"],
  },
  {
    name: "is broken by a conversation without the questions before",
    calls: [...ended, answered(legacyShown(1, { questions: [added] }))],
    observed: 1,
    violations: ["a follow-up returned a conversation that lacks question 11, which an earlier response showed"],
  },
  {
    name: "holds for a conversation without a question that was cancelled before",
    calls: [
      legacyCreated(1),
      { operation: "cancel", conversation: 1, questionId: 11, answer: undefined, status: 202 },
      legacyRead(1),
      answered(legacyShown(1, { questions: [added] })),
    ],
    observed: 1,
  },
  {
    name: "is broken by a conversation without a question that was cancelled when it had ended",
    calls: [
      ...ended,
      { operation: "cancel", conversation: 1, questionId: 11, answer: undefined, status: 202 },
      answered(legacyShown(1, { questions: [added] })),
    ],
    observed: 1,
    violations: ["a follow-up returned a conversation that lacks question 11, which an earlier response showed"],
  },
  {
    name: "is broken by a conversation without a question whose cancellation was refused",
    calls: [
      ...ended,
      { operation: "cancel", conversation: 1, questionId: 11, answer: undefined, status: 400 },
      answered(legacyShown(1, { questions: [added] })),
    ],
    observed: 1,
    violations: ["a follow-up returned a conversation that lacks question 11, which an earlier response showed"],
  },
  {
    name: "holds where no read showed a question before",
    calls: [legacyCreated(1), answered(legacyShown(1, { questions: [added] }))],
    observed: 1,
  },
  {
    name: "holds where a read that is still under way shows more",
    calls: [
      legacyCreated(1),
      legacyRead(1, { endedAtMicros: 9_000_000 }),
      answered(legacyShown(1, { questions: [added] })),
    ],
    observed: 1,
  },
  {
    name: "leaves questions without ids and a conversation without questions to others",
    calls: [
      ...ended,
      answered(legacyShown(1, { questions: [{ question: "more words", status: "processing" }] })),
      answered(legacyShown(1, { questions: null })),
    ],
    observed: 2,
  },
  { name: "is not observed for a refusal", calls: [...ended, answered(undefined, { status: 404 })] },
  {
    name: "cannot run where no response was received",
    calls: [...ended, answered(undefined, { cutBy: "reset" })],
    blockedBy: "transport: a response to follow-up: reset",
  },
])("the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/follow-up-answers-the-conversation", row.calls)).toEqual(expectedOutcome(row));
});
