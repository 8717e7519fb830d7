import { currentMachine, legacyMachine } from "@assay/contract";
import type { ConversationMachine } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { chainMachine } from "./testing/chain-machine.ts";
import {
  cancel,
  codesOf,
  create,
  currentCodes,
  followUp,
  legacyCodes,
  legacyRead,
  read,
  refusedFollowUp,
  remove,
  snapshot,
  unansweredFollowUp,
} from "./testing/observations.ts";
import type { Observation } from "./testing/observations.ts";

interface Row {
  readonly name: string;
  readonly history: readonly Observation[];
  readonly codes: readonly string[];
}

const one = { texts: ["a"] };
const two = { texts: ["a", "b"] };

const currentRows: readonly Row[] = [
  { name: "nothing observed", history: [], codes: [] },
  { name: "one read", history: [read([1, 2], "completed")], codes: [] },
  {
    name: "processing until completed",
    history: [read([1, 2], "processing"), read([3, 4], "processing"), read([5, 6], "completed")],
    codes: [],
  },
  {
    name: "completed, then strictly later processing",
    history: [read([1, 2], "completed", one), read([3, 4], "processing", one)],
    codes: ["backward-transition"],
  },
  {
    name: "error, then strictly later processing",
    history: [read([1, 2], "error", one), read([3, 4], "processing", one)],
    codes: ["backward-transition"],
  },
  {
    name: "completed, then processing in an answer to an earlier request",
    history: [read([1, 4], "completed", one), read([3, 9], "processing", one)],
    codes: [],
  },
  {
    name: "a question that is completed until a follow-up is asked, and then processing as well",
    history: [
      read([1, 2], "completed", { questions: [{ status: "completed", facts: ["answer"] }], updated: 1 }),
      followUp([3, 4]),
      read([5, 6], "processing", { questions: [{ status: "processing" }, { status: "processing" }], updated: 2 }),
    ],
    codes: ["backward-transition"],
  },
  {
    name: "a question that stays completed while a follow-up is processing, and ends differently",
    history: [
      read([1, 2], "completed", { questions: [{ status: "completed", facts: ["answer"] }], updated: 1 }),
      followUp([3, 4]),
      read([5, 6], "processing", {
        questions: [{ status: "completed", facts: ["answer"] }, { status: "processing" }],
        updated: 2,
      }),
      read([7, 8], "error", {
        questions: [{ status: "completed", facts: ["answer"] }, { status: "error" }],
        updated: 3,
      }),
    ],
    codes: [],
  },
  {
    name: "questions whose states changed places with them",
    history: [
      read([1, 2], "processing", {
        questions: [
          { text: "a", status: "completed" },
          { text: "b", status: "processing" },
        ],
      }),
      read([3, 4], "processing", {
        questions: [
          { text: "b", status: "processing" },
          { text: "a", status: "completed" },
        ],
      }),
    ],
    codes: ["question-reordered"],
  },
  {
    name: "a read sent at the instant at which the other ended",
    history: [read([1, 3], "completed", one), read([3, 4], "processing", one)],
    codes: [],
  },
  {
    name: "a read sent just after the other ended",
    history: [read([1, 3], "completed", one), read([3.001, 4], "processing", one)],
    codes: ["backward-transition"],
  },
  {
    name: "completed, then error",
    history: [read([1, 2], "completed", one), read([3, 4], "error", one)],
    codes: ["incomparable-ends"],
  },
  {
    name: "completed and error at once",
    history: [read([1, 9], "completed", one), read([2, 8], "error", one)],
    codes: ["incomparable-ends"],
  },
  {
    name: "canceled and completed at once",
    history: [read([1, 9], "canceled", one), read([2, 8], "completed", one)],
    codes: ["incomparable-ends"],
  },
  {
    name: "all three ends",
    history: [read([1, 9], "canceled", one), read([2, 8], "completed", one), read([3, 4], "error", one)],
    codes: ["incomparable-ends", "incomparable-ends", "incomparable-ends"],
  },
  {
    name: "processing, then canceled, which no row lists",
    history: [read([1, 2], "processing", one), read([3, 4], "canceled", one)],
    codes: ["tolerated-transition current/canceled-state"],
  },
  {
    name: "canceled, then processing",
    history: [read([1, 2], "canceled", one), read([3, 4], "processing", one)],
    codes: ["backward-transition", "tolerated-transition current/canceled-state"],
  },
  {
    name: "an unlisted state between listed ones",
    history: [read([1, 2], "processing", one), read([3, 4], "thinking", one), read([5, 6], "completed", one)],
    codes: [],
  },
  {
    name: "an unlisted state after an end",
    history: [read([1, 2], "completed", one), read([3, 4], "thinking", one)],
    codes: [],
  },
  {
    name: "a state named like a member of every object",
    history: [read([1, 2], "completed", one), read([3, 4], "constructor", one), read([5, 6], "__proto__", one)],
    codes: [],
  },
  {
    name: "two conversations that contradict each other",
    history: [read([1, 2], "completed", one), read([3, 4], "processing", { ...one, conversation: "d" })],
    codes: [],
  },
  {
    name: "two conversations that both go back",
    history: [
      read([1, 2], "completed", one),
      read([3, 4], "processing", one),
      read([5, 6], "completed", { ...one, conversation: "d" }),
      read([7, 8], "processing", { ...one, conversation: "d" }),
    ],
    codes: ["backward-transition", "backward-transition"],
  },
  {
    name: "the answer to a creation is a read",
    history: [create([1, 2], { snapshot: snapshot("completed", one) }), read([3, 4], "processing", one)],
    codes: ["backward-transition"],
  },
  {
    name: "the answer to a cancellation is a read",
    history: [read([1, 2], "completed", one), cancel([3, 4], { snapshot: snapshot("processing", { questions: [] }) })],
    codes: ["backward-transition"],
  },
  {
    name: "completed after a cancellation",
    history: [read([1, 2], "processing", one), cancel([3, 4]), read([5, 6], "completed", one)],
    codes: [],
  },
  {
    name: "completed, a cancellation, then canceled",
    history: [read([1, 2], "completed", one), cancel([3, 4]), read([5, 6], "canceled", one)],
    codes: ["incomparable-ends"],
  },
  {
    name: "a read that began before a deletion and may have seen the conversation after it",
    history: [read([1, 2], "completed", one), read([3, 9], "error", one), remove([4, 5])],
    codes: [],
  },
  {
    name: "going back long before a deletion",
    history: [read([1, 2], "completed", one), read([3, 4], "processing", one), remove([5, 6])],
    codes: ["backward-transition"],
  },
];

const epochRows: readonly Row[] = [
  {
    name: "a follow-up reopens a completed conversation",
    history: [read([1, 2], "completed", one), followUp([3, 4]), read([5, 6], "processing", two)],
    codes: [],
  },
  {
    name: "different ends of different epochs",
    history: [read([1, 2], "completed", one), followUp([3, 4]), read([5, 6], "error", two)],
    codes: [],
  },
  {
    name: "the same without lists of questions",
    history: [read([1, 2], "completed"), followUp([3, 4]), read([5, 6], "processing"), read([7, 8], "error")],
    codes: [],
  },
  {
    name: "going back in the second epoch",
    history: [
      read([1, 2], "completed", one),
      followUp([3, 4]),
      read([5, 6], "completed", two),
      read([7, 8], "processing", two),
    ],
    codes: ["backward-transition"],
  },
  {
    name: "going back in the second epoch without lists",
    history: [read([1, 2], "completed"), followUp([3, 4]), read([5, 6], "completed"), read([7, 8], "processing")],
    codes: ["backward-transition"],
  },
  {
    name: "two ends in the second epoch without lists",
    history: [followUp([3, 4]), read([5, 6], "completed"), read([7, 8], "error")],
    codes: ["incomparable-ends"],
  },
  {
    name: "a refused follow-up reopens nothing",
    history: [read([1, 2], "completed"), refusedFollowUp([3, 4]), read([5, 6], "processing")],
    codes: ["backward-transition"],
  },
  {
    name: "a follow-up without an answer may have happened",
    history: [read([1, 2], "completed"), unansweredFollowUp(3), read([50, 60], "processing")],
    codes: [],
  },
  {
    name: "a follow-up without an answer explains nothing that ended before",
    history: [read([1, 2], "completed"), read([3, 4], "processing"), unansweredFollowUp(5)],
    codes: ["backward-transition"],
  },
  {
    name: "a read that overlaps a follow-up belongs to the epoch before",
    history: [followUp([3, 10]), read([4, 5], "completed"), read([11, 12], "processing")],
    codes: [],
  },
  {
    name: "a read that overlaps a follow-up belongs to the epoch after",
    history: [read([1, 2], "completed"), followUp([3, 10]), read([4, 5], "processing"), read([11, 12], "error")],
    codes: [],
  },
  {
    name: "a follow-up of another client shows in the list",
    history: [read([1, 2], "completed", one), read([5, 6], "processing", two)],
    codes: [],
  },
  {
    name: "a follow-up whose question does not show explains nothing",
    history: [read([1, 2], "completed", one), followUp([3, 4]), read([5, 6], "processing", one)],
    codes: ["backward-transition"],
  },
  {
    name: "an answer without a list belongs to the epoch of those with one",
    history: [read([1, 2], "completed", one), cancel([3, 4], { snapshot: snapshot("canceled", { questions: [] }) })],
    codes: ["incomparable-ends"],
  },
  {
    name: "an answer without a list may belong to an epoch that another client started",
    history: [
      read([1, 2], "completed", one),
      cancel([3, 4], { snapshot: snapshot("canceled", {}) }),
      read([5, 6], "processing", two),
    ],
    codes: [],
  },
];

const legacyRows: readonly Row[] = [
  {
    name: "processing until completed",
    history: [
      legacyRead([1, 2], [{ id: "1", status: "processing" }]),
      legacyRead([3, 4], [{ id: "1", status: "completed", facts: ["error"] }]),
    ],
    codes: [],
  },
  {
    name: "completed, then processing",
    history: [
      legacyRead([1, 2], [{ id: "1", status: "completed", facts: ["error"] }]),
      legacyRead([3, 4], [{ id: "1", status: "processing" }]),
    ],
    codes: ["backward-transition"],
  },
  {
    name: "completed, then processing, of a question without an id",
    history: [
      legacyRead([1, 2], [{ text: "a", status: "completed", facts: ["error"] }]),
      legacyRead([3, 4], [{ text: "a", status: "processing" }]),
    ],
    codes: ["backward-transition"],
  },
  {
    name: "the first question completed, the second processing",
    history: [
      legacyRead([1, 2], [{ id: "1", status: "completed", facts: ["error"] }]),
      followUp([3, 4]),
      legacyRead(
        [5, 6],
        [
          { id: "1", status: "completed", facts: ["error"] },
          { id: "2", status: "processing" },
        ],
      ),
    ],
    codes: [],
  },
  {
    name: "a follow-up does not reopen a question",
    history: [
      legacyRead([1, 2], [{ id: "1", status: "completed", facts: ["error"] }]),
      followUp([3, 4]),
      legacyRead(
        [5, 6],
        [
          { id: "1", status: "processing" },
          { id: "2", status: "processing" },
        ],
      ),
    ],
    codes: ["backward-transition"],
  },
  {
    name: "leaving pending is accepted",
    history: [
      legacyRead([1, 2], [{ id: "1", status: "pending" }]),
      legacyRead([3, 4], [{ id: "1", status: "processing" }]),
    ],
    codes: ["tolerated-transition legacy/pending-status"],
  },
  {
    name: "entering pending is accepted",
    history: [
      legacyRead([1, 2], [{ id: "1", status: "completed", facts: ["error"] }]),
      legacyRead([3, 4], [{ id: "1", status: "pending" }]),
    ],
    codes: ["tolerated-transition legacy/pending-status"],
  },
  {
    name: "pending between two states does not permit going back",
    history: [
      legacyRead([1, 2], [{ id: "1", status: "completed", facts: ["error"] }]),
      legacyRead([3, 4], [{ id: "1", status: "pending" }]),
      legacyRead([5, 6], [{ id: "1", status: "processing" }]),
    ],
    codes: [
      "backward-transition",
      "tolerated-transition legacy/pending-status",
      "tolerated-transition legacy/pending-status",
    ],
  },
  {
    name: "the state of the conversation says nothing in this interface",
    history: [read([1, 2], "completed"), read([3, 4], "processing")],
    codes: [],
  },
];

/** Reformatted rows would take ten lines each. */
describe("states of the current interface", () => {
  test.each([...currentRows, ...epochRows])("$name", ({ history, codes }) => {
    expect(currentCodes(...history)).toEqual(codes);
  });
});

describe("states of the legacy interface", () => {
  test.each(legacyRows)("$name", ({ history, codes }) => {
    expect(legacyCodes(...history)).toEqual(codes);
  });
});

/** Two branches that never join: `left` and `right` both come from `root`, and only `left` leads to the end. */
const forked: ConversationMachine = {
  ...chainMachine(1),
  states: ["root", "left", "right", "end"],
  initial: "root",
  terminal: ["end"],
  transitions: [
    { from: "root", to: "left" },
    { from: "root", to: "right" },
    { from: "left", to: "end" },
  ],
};

describe("states of other machines", () => {
  test.each<Row>([
    { name: "a state is skipped between polls", history: [read([1, 2], "root"), read([3, 4], "end")], codes: [] },
    {
      name: "from one branch to the other",
      history: [read([1, 2], "left"), read([3, 4], "right")],
      codes: ["unlisted-transition"],
    },
    {
      name: "on both branches at once",
      history: [read([1, 9], "left"), read([2, 8], "right")],
      codes: ["unlisted-transition"],
    },
    { name: "on one branch only", history: [read([1, 2], "root"), read([3, 4], "right")], codes: [] },
    {
      name: "from an end to a branch that does not lead to it",
      history: [read([1, 2], "end"), read([3, 4], "right")],
      codes: ["unlisted-transition"],
    },
    {
      name: "back over two steps",
      history: [read([1, 2], "end"), read([3, 4], "root")],
      codes: ["backward-transition"],
    },
  ])("$name", ({ history, codes }) => {
    expect(codesOf(forked, history)).toEqual(codes);
  });

  test("a table with a cycle never goes back", () => {
    const circle = {
      ...chainMachine(2),
      transitions: [
        { from: "s0", to: "s1" },
        { from: "s1", to: "s0" },
      ],
    };
    expect(codesOf(circle, [read([1, 2], "s1"), read([3, 4], "s0")])).toEqual([]);
  });

  test("a follow-up reopens nothing in a machine that does not reopen", () => {
    const history = [read([1, 2], "s1"), followUp([3, 4]), read([5, 6], "s0")];
    expect(codesOf(chainMachine(2), history)).toEqual(["backward-transition"]);
  });
});

test("ends with a cancellation between them are accepted if the options allow it", () => {
  const history = [read([1, 2], "completed", one), cancel([3, 4]), read([5, 6], "canceled", one)];
  const behaviour = "tolerated-transition current/cancel-of-finished";
  expect(codesOf(currentMachine, history, { strictEnds: false })).toEqual([behaviour]);
  const without = [read([1, 2], "completed", one), read([3, 4], "canceled", one), cancel([5, 6])];
  expect(codesOf(currentMachine, without, { strictEnds: false })).toEqual(["incomparable-ends"]);
});

test("the machines of both interfaces are used unchanged", () => {
  expect([legacyMachine.reopens, currentMachine.reopens]).toEqual([false, true]);
});
