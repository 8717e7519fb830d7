import { expect, test } from "vitest";
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
import type { CallSketch } from "../testing/recorded-calls.ts";

const cancel = (sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "cancel",
  conversation: 1,
  questionId: 11,
  answer: "",
  ...sketch,
});
const stillProcessing = legacyRead(1, {
  answer: legacyShown(1, { questions: [legacyQuestion("processing")] }),
});
const answered = legacyRead(1, {
  answer: legacyShown(1, {
    questions: [{ ...legacyQuestion("completed"), answer: "Here." }],
  }),
});
const failed = (id: number, kind: string): CallSketch =>
  legacyRead(id, {
    answer: legacyShown(id, {
      questions: [{ ...legacyQuestion("completed"), error: { kind } }],
    }),
  });
const body = ["legacy/cancel-body"];
const canceled = "cancelling a question that was processing, and was cancelled anyway, returned 409";
const refused = "cancelling a question that was processing, and still is in a later response, returned 409";

const updatedLater = { answer: legacyShown(2, { updated_at: "2026-01-01T00:00:01Z" }) };

test.each<CallCase>([
  { name: "holds for success", calls: [legacyCreated(1), cancel()], observed: 1, unspecified: body },
  {
    name: "holds for success although processing goes on",
    calls: [legacyCreated(1), cancel(), stillProcessing],
    observed: 1,
    unspecified: body,
  },
  {
    name: "is broken by a refusal while processing goes on",
    calls: [legacyCreated(1), cancel({ status: 409 }), stillProcessing],
    observed: 1,
    violations: [refused],
  },
  {
    name: "is not observed for a refusal of what had ended meanwhile",
    calls: [legacyCreated(1), cancel({ status: 409 }), legacyRead(1)],
  },
  {
    name: "is not observed for a refusal when nobody looked afterwards",
    calls: [legacyCreated(1), cancel({ status: 409 })],
  },
  {
    name: "is broken by 404 for a question that the reads before and after show",
    calls: [legacyCreated(1), cancel({ status: 404 }), answered],
    observed: 1,
    violations: ["cancelling a question that reads before and after show returned 404"],
  },
  {
    name: "is not observed for 404 where a late cancel is answered with 404 too",
    calls: [legacyCreated(1), cancel({ status: 404 }), answered, cancel({ status: 404 })],
    unspecified: ["legacy/cancel-of-finished"],
  },
  {
    name: "is not observed for 404 where the question is not shown afterwards",
    calls: [legacyCreated(1), cancel({ status: 404 }), legacyRead(1, { status: 404 })],
  },
  {
    name: "is broken by refused cancels that take effect",
    calls: [1, 2].flatMap((id) => [
      legacyCreated(id),
      cancel({ conversation: id, status: 409 }),
      failed(id, "Cancelled"),
    ]),
    observed: 2,
    violations: [canceled, canceled],
  },
  {
    name: "is not observed for refused cancels of questions that failed as others do",
    calls: [
      legacyCreated(3),
      failed(3, "Internal"),
      ...[1, 2].flatMap((id) => [legacyCreated(id), cancel({ conversation: id, status: 409 }), failed(id, "Internal")]),
    ],
  },
  {
    name: "is not observed for what had ended before, and notes what came",
    calls: [legacyCreated(1), legacyRead(1), cancel({ status: 409 })],
    unspecified: ["legacy/cancel-of-finished"],
  },
  {
    name: "is not observed for a question nobody saw",
    calls: [legacyCreated(1), cancel({ questionId: 99, status: 404 }), stillProcessing],
  },
  {
    name: "is not observed for another user",
    calls: [legacyCreated(1), cancel({ status: 404, credential: "other-token" }), stillProcessing],
  },
  {
    name: "cannot run on distress",
    calls: [legacyCreated(1), cancel({ status: 502 })],
    blockedBy: "transport: a response to cancel other than 502",
  },
  {
    name: "is broken by server errors each time while others are answered",
    calls: [legacyCreated(1), cancel({ status: 502 }), cancel({ status: 500 }), legacyRead(1)],
    observed: 1,
    violations: ["cancelling a question that was processing returned 502"],
  },
  {
    name: "holds where a busy target asked for a second try, which it accepted",
    calls: [
      legacyCreated(1),
      cancel({ status: 503, answerHeaders: [["Retry-After", "0"]] }),
      stillProcessing,
      cancel(),
    ],
    observed: 0,
    unspecified: body,
  },
  {
    name: "cannot run where the second try says when to come back",
    calls: [
      legacyCreated(1),
      cancel({ status: 503 }),
      cancel({ status: 503, answerHeaders: [["Retry-After", "1"]] }),
      legacyRead(1),
    ],
    blockedBy: "transport: a response to cancel other than 503",
  },
  {
    name: "is not observed for a refusal while processing goes on in a read of a replica that may lag",
    calls: [
      legacyCreated(1),
      cancel({ status: 409 }),
      stillProcessing,
      legacyCreated(2),
      legacyRead(2, updatedLater),
      legacyRead(2),
    ],
  },
  ...[
    { name: "a cancellation", late: {}, unspecified: [...body, "legacy/cancel-of-finished"] },
    { name: "a refused cancellation", late: { status: 409 }, unspecified: ["legacy/cancel-of-finished"] },
  ].map(({ name, late, unspecified }) => ({
    name: `is broken by a refusal although ${name} made a conversation older`,
    calls: [
      legacyCreated(1),
      cancel({ status: 409 }),
      stillProcessing,
      legacyCreated(2),
      legacyRead(2, updatedLater),
      cancel({ conversation: 2, ...late }),
      legacyRead(2),
    ],
    observed: 1,
    violations: [refused],
    unspecified,
  })),
])("in the legacy interface the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/cancel-is-accepted", row.calls)).toEqual(expectedOutcome(row));
});

const currentCancel = (sketch: Partial<CallSketch> = {}): CallSketch => ({
  interface: "current",
  operation: "cancel",
  conversation: "a",
  answer: currentShown("a", "canceled"),
  ...sketch,
});
const processing = currentRead("a", {
  answer: currentShown("a", "processing"),
});
const canceledRead = currentRead("a", {
  answer: currentShown("a", "canceled"),
});
const followUp: CallSketch = {
  interface: "current",
  operation: "follow-up",
  conversation: "a",
};

test.each<CallCase>([
  {
    name: "holds for success",
    calls: [currentCreated("a"), currentCancel()],
    observed: 1,
    unspecified: ["current/cancel-body"],
  },
  {
    name: "is broken by a refusal while processing goes on",
    calls: [currentCreated("a"), currentCancel({ status: 409 }), processing],
    observed: 1,
    violations: [refused],
  },
  ...[404, 409].map((status) => ({
    name: `is broken by ${status} for a cancel that takes effect`,
    calls: [currentCreated("a"), currentCancel({ status }), canceledRead],
    observed: 1,
    violations: [`cancelling a question that was processing, and was cancelled anyway, returned ${status}`],
  })),
  {
    name: "is not observed where another user may have cancelled it",
    calls: [
      currentCreated("a"),
      currentCancel({ status: 404, credential: "other-token" }),
      currentCancel({ status: 400 }),
      canceledRead,
    ],
  },
  {
    name: "is not observed for 400 where it ended meanwhile",
    calls: [currentCreated("a"), currentCancel({ status: 400 }), currentRead("a")],
  },
  {
    name: "is not observed where a follow-up may be what is processing",
    calls: [currentCreated("a"), currentCancel({ status: 409 }), followUp, processing],
  },
  {
    name: "is not observed for what had ended before, and notes what came",
    calls: [currentCreated("a"), currentRead("a"), currentCancel()],
    unspecified: ["current/cancel-body", "current/cancel-of-finished"],
  },
])("in the current interface the rule $name", (row) => {
  expect(outcomeOfCalls("current/cancel-is-accepted", row.calls)).toEqual(expectedOutcome(row));
});
