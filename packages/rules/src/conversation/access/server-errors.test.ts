import { describe, expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentList,
  currentRead,
  expectedOutcome,
  legacyCreated,
  legacyList,
  legacyRead,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const cancel = (status: number, sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "cancel",
  conversation: 1,
  questionId: 11,
  answer: "",
  status,
  ...sketch,
});

const twice = (message: string): readonly string[] => [message, message];

describe("what a caller of the legacy interface may not do", () => {
  const ended = [legacyCreated(1), legacyRead(1)];
  const madeUp = (status: number): CallSketch => legacyList([], { query: { page_after: "none" }, status });

  test.each<CallCase>([
    { name: "is refused", calls: [...ended, cancel(400), madeUp(400)], observed: 2 },
    { name: "may be accepted", calls: [...ended, cancel(200), madeUp(200)] },
    { name: "may meet one server error", calls: [...ended, cancel(500), legacyRead(1)] },
    {
      name: "may meet a server error before it is refused",
      calls: [...ended, madeUp(500), madeUp(400), legacyRead(1)],
      observed: 1,
    },
    {
      name: "may meet errors of a target that answers nobody any more",
      calls: [...ended, madeUp(500), madeUp(500)],
    },
    {
      name: "may meet errors that say when to come back",
      calls: [
        ...ended,
        ...[1, 2].map(() => ({ ...madeUp(503), answerHeaders: [["Retry-After", "1"]] as const })),
        legacyRead(1),
      ],
    },
    {
      name: "does not meet a server error each time it cancels what had ended",
      calls: [...ended, cancel(500), legacyRead(1), cancel(502), legacyRead(1)],
      observed: 2,
      violations: [500, 502].map((status) => `a cancellation after the end returned ${status} each time`),
    },
    {
      name: "does not meet a server error each time it makes a cursor up",
      calls: [...ended, madeUp(500), madeUp(500), legacyRead(1)],
      observed: 2,
      violations: twice("a list with a cursor that no list returned returned 500 each time"),
    },
    {
      name: "has statuses and rules of its own for what is unknown and unauthorized",
      calls: [
        ...ended,
        ...[1, 2].flatMap(() => [
          legacyRead(2_000_000_000, { status: 500 }),
          legacyList([], { credential: "none", status: 500 }),
        ]),
        legacyRead(1),
      ],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/refusal-is-no-server-error", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("what a caller of the current interface may not do", () => {
  const ended = [currentCreated("a"), currentRead("a")];
  const unknown = (status: number): CallSketch => currentRead("b", { status });
  const nobody = (status: number): CallSketch => currentList([], { credential: "none", status });
  const unscoped = (status: number): CallSketch => currentList([], { credential: "unscoped-token", status });
  const usesGet = (status: number): CallSketch => currentRead("a", { method: "GET", body: "", status });
  const silent = (status: number): CallSketch => currentCreated("b", { body: {}, status });

  test.each<CallCase>([
    { name: "is refused in any way", calls: [...ended, unknown(404), nobody(403), silent(422)], observed: 3 },
    { name: "may meet one server error", calls: [...ended, unknown(500), nobody(500), silent(500), currentRead("a")] },
    {
      name: "does not meet a server error each time it names what is unknown",
      calls: [...ended, unknown(500), unknown(500), currentRead("a")],
      observed: 2,
      violations: twice("reading a conversation that was never created returned 500 each time"),
    },
    {
      name: "does not meet a server error each time it has no token",
      calls: [...ended, nobody(500), currentRead("b", { status: 500, credential: "invalid-token" }), currentRead("a")],
      observed: 2,
      violations: twice("a call without an issued token returned 500 each time"),
    },
    {
      name: "does not meet a server error each time its token lacks the scope",
      calls: [
        ...ended,
        unscoped(500),
        currentRead("a", { status: 503, credential: "unscoped-token" }),
        currentRead("a"),
      ],
      observed: 2,
      violations: [500, 503].map((status) => `a call with a token that lacks the scope returned ${status} each time`),
    },
    { name: "is refused where it uses GET", calls: [...ended, usesGet(405), usesGet(501)], observed: 2 },
    {
      name: "may be answered where it uses GET",
      calls: [...ended, usesGet(200)],
      unspecified: ["current/other-method"],
    },
    {
      name: "does not meet a server error each time it uses GET",
      calls: [...ended, usesGet(500), usesGet(500), currentRead("a")],
      observed: 2,
      violations: twice("an operation called with another method than POST returned 500 each time"),
    },
    { name: "is refused where its token lacks the scope", calls: [...ended, unscoped(403)], observed: 1 },
    {
      name: "may meet a server error before it is refused where its token lacks the scope",
      calls: [...ended, unscoped(500), unscoped(403), currentRead("a")],
      observed: 1,
    },
    {
      name: "may be accepted although its token lacks the scope, by this rule",
      calls: [...ended, unscoped(200), unscoped(500), currentRead("a")],
    },
    {
      name: "does not meet a server error each time it writes with a token for reading",
      calls: [
        ...ended,
        ...["c", "d"].map((id) => currentCreated(id, { status: 500, credential: "read-token" })),
        currentList([], { credential: "read-token" }),
        currentRead("a"),
      ],
      observed: 2,
      violations: twice("a write with a token that has only the scope for reading returned 500 each time"),
    },
    {
      name: "does not meet a server error each time it reads with a token for writing",
      calls: [
        ...ended,
        ...[1, 2].map(() => currentList([], { status: 500, credential: "write-token" })),
        currentCreated("c", { credential: "write-token" }),
        currentRead("a"),
      ],
      observed: 2,
      violations: twice("a read with a token that has only the scope for writing returned 500 each time"),
    },
    {
      name: "does not meet a server error each time it asks nothing",
      calls: [...ended, silent(500), silent(500), currentRead("a")],
      observed: 2,
      violations: twice("a creation without a question returned 500 each time"),
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/refusal-is-no-server-error", row.calls)).toEqual(expectedOutcome(row));
  });
});
