import { repetitions } from "@assay/tools/proving";
import { currentMachine, legacyMachine } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { maxRows } from "./conversation-row.ts";
import { drawing, shuffled } from "./testing/drawing.ts";
import { currentCodes, legacyCodes, legacyRead, read, reportOn, stamp } from "./testing/observations.ts";
import type { Observation } from "./testing/observations.ts";

import fc from "fast-check";

const one = { texts: ["a"] };

describe("times that make no sense", () => {
  const completed = read([1, 2], "completed", one);
  const processing = read([3, 4], "processing", one);
  test.each([
    { name: "NaN as the end of the first", history: [{ ...completed, endedAtMicros: Number.NaN }, processing] },
    {
      name: "NaN as the sending of the second",
      history: [completed, { ...processing, sentAtMicros: Number.NaN }],
    },
    {
      name: "endless",
      history: [
        { ...completed, endedAtMicros: Infinity },
        { ...processing, sentAtMicros: -Infinity },
      ],
    },
    {
      name: "the second one ended before it was sent",
      history: [completed, { ...processing, sentAtMicros: 9000, endedAtMicros: 1500 }],
    },
    { name: "the first one ended before it was sent", history: [{ ...completed, sentAtMicros: 9000 }, processing] },
  ])("give no order: $name", ({ history }) => {
    expect(currentCodes(...history)).toEqual([]);
  });

  test("leave a finding with finite times", () => {
    const end = { ...read([1, 2], "completed", one), sentAtMicros: Number.NaN };
    const other = { ...read([3, 4], "error", one), endedAtMicros: Number.NaN };
    const [finding] = reportOn(currentMachine, [end, other]).findings;
    expect(finding).toMatchObject({ first: { sentAtMicros: 2000 }, second: { endedAtMicros: 3000 } });
    expect(finding?.message).toBe(
      "read 0001 (sent at an unknown time, answered 2 ms) shows completed, read 0003, sent 3 ms, shows error: both are terminal states, and neither leads to the other",
    );
  });
});

describe("names that are members of every object", () => {
  test.each(["__proto__", "constructor", "toString", "", "\u0000"])(
    "%j is a conversation and a question like any other",
    (name) => {
      const history = [
        legacyRead([1, 2], [{ id: name, status: "completed", facts: ["error"] }], {
          conversation: name,
          session: name,
          exchange: "a",
        }),
        legacyRead([3, 4], [{ id: name, status: "processing", facts: [] }], {
          conversation: name,
          session: name,
          exchange: "b",
        }),
      ];
      expect(reportOn(legacyMachine, history).findings).toMatchObject([
        { code: "backward-transition", conversation: name },
      ]);
    },
  );
});

describe("texts of a target in findings", () => {
  const history = (id: string): readonly Observation[] => [
    legacyRead([1, 2], [{ id: "1" }]),
    legacyRead([3, 4], [{ id }]),
  ];
  const valueOf = (id: string): string | undefined => reportOn(legacyMachine, history(id)).findings[0]?.second.value;

  test("are truncated to 80 characters", () => {
    expect(valueOf("x".repeat(1_000_000))).toBe(`${"x".repeat(79)}…`);
  });

  test("have no control characters", () => {
    expect(valueOf("a\u001B[31m\n\u0085b\uD800")).toBe("a\uFFFD[31m\uFFFD\uFFFDb\uFFFD");
  });

  test("keep other scripts", () => {
    expect(valueOf("größer 搜索 🔎")).toBe("größer 搜索 🔎");
  });

  test("of long conversation ids are truncated too, and stay different", () => {
    const long = "c".repeat(100_000);
    const conversations = [`${long}1`, `${long}2`];
    const report = reportOn(
      currentMachine,
      conversations.flatMap((conversation) => [
        read([1, 2], "completed", { ...one, conversation }),
        read([3, 4], "processing", { ...one, conversation }),
      ]),
    );
    expect(new Set(report.findings.map(({ conversation }) => conversation)).size).toBe(2);
    expect(report.findings.every(({ conversation }) => conversation.length < 320)).toBe(true);
  });
});

describe("too much of everything", () => {
  test("very many questions in an answer", () => {
    const facts = new Set<string>();
    const questions = Array.from({ length: 300_000 }, (_, index) => ({
      id: String(index),
      status: "processing",
      facts,
    }));
    const at = (sentMs: number) => ({ ...legacyRead([sentMs, sentMs + 1], []), snapshot: { questions } });
    expect(legacyCodes(at(1), at(3))).toEqual([]);
    expect(legacyCodes(at(1), legacyRead([3, 4], [{ id: "0", status: "processing" }]))).toEqual(["question-lost"]);
  });

  test("new ids in every answer: as many as are kept, the same whatever the order", () => {
    const draw = drawing(3);
    const history = Array.from({ length: 60 }, (_, index) =>
      legacyRead(
        [3 * index, 3 * index + 1],
        Array.from({ length: 100 }, () => ({ id: String(draw(1e9)), status: "processing", facts: ["answer"] })),
      ),
    );
    const report = reportOn(legacyMachine, history);
    const gates =
      report.findings.filter(({ code }) => code === "field-gate").length + (report.dropped["field-gate"] ?? 0);
    expect(gates).toBe(maxRows);
    expect(reportOn(legacyMachine, shuffled(history, draw))).toEqual(report);
  });

  test("another number of questions in each of many answers", () => {
    const texts = Array.from({ length: 100 }, (_, index) => String(index));
    const history = Array.from({ length: 1000 }, (_, index) =>
      read([3 * index, 3 * index + 1], "processing", {
        texts: texts.slice(0, 1 + ((index * 7) % 100)),
        exchange: String(index),
      }),
    );
    expect(currentCodes(...history)).toEqual(["question-lost"]);
  });

  test("another time of update in each of many answers", () => {
    const at = (index: number) =>
      `2025-06-01T12:${String(Math.floor(index / 60) % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}Z`;
    const history = Array.from({ length: 3000 }, (_, index) => ({
      ...read([3 * index, 3 * index + 1], "processing", { ...one, exchange: String(index) }),
      snapshot: { updatedAt: at(index) },
    }));
    expect(currentCodes(...history)).toEqual([]);
    const fallen = { ...read([20_000, 20_001], "processing"), snapshot: { updatedAt: "2025-06-01T11:00:00Z" } };
    expect(currentCodes(...history, fallen)).toEqual(["updated-at-fell"]);
    expect(currentCodes(...shuffled([...history, fallen], drawing(1)))).toEqual(["updated-at-fell"]);
  });

  test("many follow-ups and many answers that do not show their epoch", () => {
    const history = Array.from({ length: 20_000 }, (_, index) =>
      index % 2 === 0
        ? read([4 * index, 4 * index + 1], index % 4 === 0 ? "processing" : "completed", { exchange: String(index) })
        : {
            ...read([0, 0], undefined),
            kind: "write" as const,
            write: "follow-up" as const,
            outcome: "accepted" as const,
            exchange: String(index),
            sentAtMicros: 4000 * index,
            endedAtMicros: 4000 * index + 1000,
          },
    );
    expect(reportOn(currentMachine, history).findings).toEqual([]);
  });

  test("many sessions", () => {
    const history = Array.from({ length: 20_000 }, (_, index) =>
      read([3 * index, 3 * index + 1], index === 0 ? "completed" : "processing", {
        ...one,
        updated: 1,
        session: String(index),
        exchange: String(index),
      }),
    );
    expect(currentCodes(...history)).toEqual(["stale-read"]);
  });
});

test("no answer makes it throw, and the order of observing never changes the report", () => {
  const text = fc.option(
    fc.oneof(fc.constantFrom("processing", "completed", "pending", stamp(1), stamp(2), "__proto__"), fc.string()),
    { nil: undefined },
  );
  const time = fc.oneof(fc.nat(50), fc.double());
  const questionOf = fc
    .record({ id: text, text, status: text, createdAt: text, updatedAt: text, content: text })
    .map((parts) => ({ ...parts, facts: new Set(["answer"]) }));
  const observation = fc
    .record({
      state: text,
      createdAt: text,
      updatedAt: text,
      questions: fc.array(questionOf, { maxLength: 4 }),
      sent: time,
      ended: time,
    })
    .map(({ sent, ended, questions, ...parts }) => ({
      ...read([0, 0], undefined),
      sentAtMicros: sent,
      endedAtMicros: ended,
      snapshot: { ...parts, questions },
    }));
  fc.assert(
    fc.property(
      fc.array(observation, { maxLength: 8 }),
      fc.integer(),
      fc.constantFrom(legacyMachine, currentMachine),
      (all, order, machine) => {
        const history = all.map((unnamed, index) => ({ ...unnamed, exchange: String(index) }));
        expect(reportOn(machine, shuffled(history, drawing(order)))).toEqual(reportOn(machine, history));
      },
    ),
    { numRuns: repetitions(125, 500) },
  );
});
