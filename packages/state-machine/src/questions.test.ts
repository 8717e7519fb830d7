import { currentMachine } from "@assay/contract";
import { describe, expect, test } from "vitest";
import {
  cancel,
  codesOf,
  create,
  currentCodes,
  followUp,
  legacyCodes,
  legacyRead,
  question,
  read,
  refusedFollowUp,
  snapshot,
  unansweredFollowUp,
} from "./testing/observations.ts";
import type { Observation, QuestionParts } from "./testing/observations.ts";

interface Row {
  readonly name: string;
  readonly history: readonly Observation[];
  readonly codes: readonly string[];
}

const ids = (...all: readonly string[]): readonly QuestionParts[] => all.map((id) => ({ id }));
const idRead = (sentMs: number, ...all: readonly string[]): Observation =>
  legacyRead([sentMs, sentMs + 1], ids(...all));
const textRead = (sentMs: number, ...texts: readonly string[]): Observation =>
  read([sentMs, sentMs + 1], undefined, { texts });

describe("lists of questions with ids", () => {
  test.each<Row>([
    { name: "grow at their end", history: [idRead(1, "1"), idRead(3, "1", "2"), idRead(5, "1", "2", "3")], codes: [] },
    { name: "lose the last question", history: [idRead(1, "1", "2"), idRead(3, "1")], codes: ["question-lost"] },
    { name: "lose all questions", history: [idRead(1, "1"), idRead(3)], codes: ["question-lost"] },
    {
      name: "are shorter in an answer to an earlier request",
      history: [legacyRead([1, 9], ids("1", "2")), legacyRead([2, 20], ids("1"))],
      codes: [],
    },
    {
      name: "lose a question in the middle",
      history: [idRead(1, "1", "2", "3"), idRead(3, "1", "3")],
      codes: ["question-lost"],
    },
    {
      name: "lose a question and gain another",
      history: [idRead(1, "1", "2", "3"), idRead(3, "1", "3", "4")],
      codes: ["question-lost"],
    },
    { name: "change places", history: [idRead(1, "1", "2"), idRead(3, "2", "1")], codes: ["question-reordered"] },
    {
      name: "change places in answers that overlap",
      history: [legacyRead([1, 9], ids("1", "2")), legacyRead([2, 8], ids("2", "1"))],
      codes: ["question-reordered"],
    },
    {
      name: "get a new question before others",
      history: [idRead(1, "1", "3"), idRead(3, "1", "2", "3")],
      codes: ["question-reordered"],
    },
    {
      name: "have another id at one position",
      history: [idRead(1, "1", "2"), idRead(3, "1", "7")],
      codes: ["question-id-changed"],
    },
    {
      name: "have another id and one more",
      history: [idRead(1, "1", "2"), idRead(3, "1", "7", "8")],
      codes: ["question-id-changed"],
    },
    { name: "contain an id twice", history: [idRead(1, "1", "1")], codes: ["question-duplicated"] },
    { name: "contain an id twice, far apart", history: [idRead(1, "1", "2", "1")], codes: ["question-duplicated"] },
    {
      name: "have ids named like members of every object",
      history: [idRead(1, "__proto__", "constructor"), idRead(3, "__proto__", "constructor")],
      codes: [],
    },
  ])("$name", ({ history, codes }) => {
    expect(legacyCodes(...history)).toEqual(codes);
  });
});

describe("lists of questions without ids", () => {
  test.each<Row>([
    { name: "grow at their end", history: [textRead(1, "a"), textRead(3, "a", "b")], codes: [] },
    {
      name: "may contain the same text twice",
      history: [textRead(1, "a", "a"), textRead(3, "a", "a", "a")],
      codes: [],
    },
    { name: "lose the last question", history: [textRead(1, "a", "b"), textRead(3, "a")], codes: ["question-lost"] },
    {
      name: "lose the first question",
      history: [textRead(1, "a", "b", "c"), textRead(3, "b", "c")],
      codes: ["question-lost"],
    },
    { name: "change places", history: [textRead(1, "a", "b"), textRead(3, "b", "a")], codes: ["question-reordered"] },
    {
      name: "have another text at one position",
      history: [textRead(1, "a", "b"), textRead(3, "a", "x")],
      codes: ["question-text-changed"],
    },
    {
      name: "have other texts at two positions",
      history: [textRead(1, "a", "b"), textRead(3, "x", "y")],
      codes: ["question-text-changed", "question-text-changed"],
    },
    {
      name: "have no texts either",
      history: [read([1, 2], undefined, { questions: [{}, {}] }), read([3, 4], undefined, { questions: [{}] })],
      codes: ["question-lost"],
    },
  ])("$name", ({ history, codes }) => {
    expect(currentCodes(...history)).toEqual(codes);
  });
});

const asked = { text: "a", snapshot: snapshot(undefined, { questions: [{ id: "1", text: "a" }] }) };

describe("the text of a question", () => {
  test.each<Row>([
    { name: "stays", history: [create([1, 2], asked), legacyRead([3, 4], [{ id: "1", text: "a" }])], codes: [] },
    {
      name: "changes between reads",
      history: [legacyRead([1, 2], [{ id: "1", text: "a" }]), legacyRead([3, 4], [{ id: "1", text: "b" }])],
      codes: ["question-text-changed"],
    },
    {
      name: "differs from the creation",
      history: [create([1, 2], { text: "a" }), legacyRead([3, 4], [{ id: "1", text: "b" }])],
      codes: ["question-text-changed"],
    },
    {
      name: "differs from a follow-up",
      history: [
        create([1, 2], { text: "a" }),
        followUp([3, 4], { text: "b" }),
        legacyRead(
          [5, 6],
          [
            { id: "1", text: "a" },
            { id: "2", text: "c" },
          ],
        ),
      ],
      codes: ["question-text-changed"],
    },
    {
      name: "is what a follow-up asked",
      history: [
        create([1, 2], { text: "a" }),
        followUp([3, 4], { text: "b" }),
        legacyRead(
          [5, 6],
          [
            { id: "1", text: "a" },
            { id: "2", text: "b" },
          ],
        ),
      ],
      codes: [],
    },
    {
      name: "is unknown for a follow-up without an answer",
      history: [
        create([1, 2], { text: "a" }),
        unansweredFollowUp(3, { text: "x" }),
        followUp([5, 6], { text: "b" }),
        legacyRead(
          [7, 8],
          [
            { id: "1", text: "a" },
            { id: "2", text: "b" },
          ],
        ),
      ],
      codes: [],
    },
    {
      name: "is unknown after a follow-up without a question that was accepted",
      history: [
        create([1, 2], { text: "a" }),
        followUp([3, 4]),
        followUp([5, 6], { text: "b" }),
        followUp([7, 8], { text: "c" }),
        legacyRead(
          [9, 10],
          [
            { id: "1", text: "a" },
            { id: "2", text: "b" },
            { id: "3", text: "c" },
          ],
        ),
      ],
      codes: [],
    },
    {
      name: "is unknown for overlapping follow-ups",
      history: [
        followUp([3, 9], { text: "b" }),
        followUp([4, 8], { text: "c" }),
        legacyRead([11, 12], [{ id: "1" }, { id: "2", text: "c" }, { id: "3", text: "b" }]),
      ],
      codes: [],
    },
    {
      name: "is unknown if another client asked too",
      history: [
        followUp([3, 4], { text: "b" }),
        legacyRead([11, 12], [{ id: "1" }, { id: "2", text: "x" }, { id: "3", text: "b" }]),
      ],
      codes: [],
    },
    {
      name: "is not the text of a refused follow-up",
      history: [
        refusedFollowUp([3, 4], { text: "x" }),
        followUp([5, 6], { text: "b" }),
        legacyRead([7, 8], [{ id: "1" }, { id: "2", text: "b" }]),
      ],
      codes: [],
    },
    {
      name: "differs in the answer to the follow-up",
      history: [followUp([3, 4], { text: "b", snapshot: { questions: [question({ id: "2", text: "x" })] } })],
      codes: ["question-text-changed"],
    },
    {
      name: "is the same in the answer to the follow-up, which is one question",
      history: [
        legacyRead([1, 2], ids("1")),
        followUp([3, 4], { text: "b", snapshot: { questions: [question({ id: "2", text: "b" })] } }),
        legacyRead([5, 6], [{ id: "1" }, { id: "2", text: "b" }]),
      ],
      codes: [],
    },
    {
      name: "is the text of a question that moved",
      history: [
        create([1, 2], { text: "a" }),
        legacyRead(
          [3, 4],
          [
            { id: "1", text: "a" },
            { id: "2", text: "b" },
          ],
        ),
        legacyRead(
          [5, 6],
          [
            { id: "2", text: "b" },
            { id: "1", text: "a" },
          ],
        ),
      ],
      codes: ["question-reordered"],
    },
  ])("$name", ({ history, codes }) => {
    expect(legacyCodes(...history)).toEqual(codes);
  });
});

const done = (content: string): readonly QuestionParts[] => [
  { id: "1", status: "completed", facts: ["error"], content },
];
const finished = (content: string, texts: number): { readonly questions: readonly QuestionParts[] } => ({
  questions: Array.from({ length: texts }, (_, index) => ({ content: index === 0 ? content : "-", facts: ["answer"] })),
});

describe("the content of a finished question", () => {
  test.each<Row>([
    { name: "stays", history: [legacyRead([1, 2], done("x")), legacyRead([3, 4], done("x"))], codes: [] },
    {
      name: "changes",
      history: [legacyRead([1, 2], done("x")), legacyRead([3, 4], done("y"))],
      codes: ["terminal-content-changed"],
    },
    {
      name: "changes in answers that overlap",
      history: [legacyRead([1, 9], done("x")), legacyRead([2, 8], done("y"))],
      codes: ["terminal-content-changed"],
    },
    {
      name: "grows while it is processing",
      history: [
        legacyRead([1, 2], [{ id: "1", status: "processing", content: "x" }]),
        legacyRead([3, 4], [{ id: "1", status: "processing", content: "xy" }]),
        legacyRead([5, 6], done("xyz")),
      ],
      codes: [],
    },
    {
      name: "changes with a cancellation that may have come before it was seen",
      history: [legacyRead([1, 4], done("x")), cancel([2, 3]), legacyRead([5, 6], done("y"))],
      codes: ["tolerated-transition legacy/cancel-of-finished"],
    },
    {
      name: "changes with a cancellation after it was seen",
      history: [legacyRead([1, 2], done("x")), cancel([3, 4]), legacyRead([5, 6], done("y"))],
      codes: ["terminal-content-changed"],
    },
    {
      name: "changes after a cancellation ended",
      history: [cancel([1, 2]), legacyRead([3, 4], done("x")), legacyRead([5, 6], done("y"))],
      codes: ["terminal-content-changed"],
    },
  ])("$name", ({ history, codes }) => {
    expect(legacyCodes(...history)).toEqual(codes);
  });

  test.each<Row>([
    {
      name: "changes",
      history: [read([1, 2], "completed", finished("x", 1)), read([3, 4], "completed", finished("y", 1))],
      codes: ["terminal-content-changed"],
    },
    {
      name: "changes when another question is finished",
      history: [read([1, 2], "completed", finished("x", 1)), read([3, 4], "completed", finished("y", 2))],
      codes: ["terminal-content-changed"],
    },
    {
      name: "stays when another question is finished",
      history: [read([1, 2], "completed", finished("x", 1)), read([3, 4], "completed", finished("x", 2))],
      codes: [],
    },
    {
      name: "is not compared while a follow-up is processing",
      history: [
        read([1, 2], "completed", finished("x", 1)),
        read([3, 4], "processing", { questions: [{ content: "y" }, {}] }),
      ],
      codes: [],
    },
  ])("of the current interface: $name", ({ history, codes }) => {
    expect(currentCodes(...history)).toEqual(codes);
  });
});

const full = ["title", "answer", "sources", "stats-not-zero", "followups"];
const status = (state: string, ...facts: readonly string[]): Observation =>
  legacyRead([1, 2], [{ id: "1", status: state, facts }]);

describe("gates of the legacy interface", () => {
  test.each<Row>([
    { name: "processing with nothing", history: [status("processing", "title", "stats")], codes: [] },
    {
      name: "processing with an answer",
      history: [status("processing", "answer")],
      codes: ["field-gate no-answer-while-processing"],
    },
    {
      name: "processing with stats that are not zero",
      history: [status("processing", "stats-not-zero")],
      codes: ["field-gate stats-are-zero-while-processing"],
    },
    {
      name: "processing with follow-ups",
      history: [status("processing", "followups")],
      codes: ["field-gate followups-null-while-processing"],
    },
    { name: "completed with all", history: [status("completed", ...full)], codes: [] },
    {
      name: "completed without sources",
      history: [status("completed", ...full.filter((fact) => fact !== "sources"))],
      codes: ["field-gate completed-question-is-filled"],
    },
    { name: "completed with only an error", history: [status("completed", "error")], codes: [] },
    { name: "completed after a cancellation", history: [status("completed", "cancelled")], codes: [] },
    { name: "a status that is not listed", history: [status("failed", "answer")], codes: [] },
    {
      name: "one gate failed by two questions",
      history: [
        legacyRead(
          [1, 2],
          [
            { id: "1", status: "processing", facts: ["answer"] },
            { id: "2", status: "processing", facts: ["answer"] },
          ],
        ),
      ],
      codes: ["field-gate no-answer-while-processing", "field-gate no-answer-while-processing"],
    },
  ])("$name", ({ history, codes }) => {
    expect(legacyCodes(...history)).toEqual(codes);
  });
});

describe("gates of the current interface", () => {
  test.each<Row>([
    {
      name: "an answer while processing, which no requirement forbids",
      history: [read([1, 2], "processing", { questions: [{ facts: ["answer"] }] })],
      codes: [],
    },
    {
      name: "an answer of an earlier question while processing",
      history: [read([1, 2], "processing", { questions: [{ facts: ["answer"] }, {}] })],
      codes: [],
    },
    {
      name: "completed without an answer",
      history: [read([1, 2], "completed", { questions: [{ facts: ["answer"] }, {}] })],
      codes: ["field-gate completed-has-an-answer"],
    },
    {
      name: "an error with an answer",
      history: [read([1, 2], "error", { questions: [{ facts: ["answer"] }] })],
      codes: [],
    },
    { name: "no list of questions", history: [read([1, 2], "completed")], codes: [] },
  ])("$name", ({ history, codes }) => {
    expect(codesOf(currentMachine, history)).toEqual(codes);
  });
});
