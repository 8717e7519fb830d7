import { expect, test } from "vitest";
import { describeReport, outcomeOf } from "../testing/calls-report.ts";
import { asksFor, nameOf } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import {
  completedQuestion,
  currentConversation,
  legacyConversation,
  processingQuestion,
  retrievedConversation,
} from "../testing/sample-conversations.ts";

const rule = "migration/deleted-is-gone";
const words = "words [assay run=r1]";
const second = 1_000_000;

const at = (seconds: number, call: CallSketch): CallSketch => ({
  ...call,
  sentAtMicros: seconds * second,
  endedAtMicros: seconds * second + 1000,
});
const creates: CallSketch = {
  operation: "create",
  question: words,
  answer: legacyConversation([processingQuestion({ question: words })], { id: 1 }),
};
const reads: CallSketch = {
  operation: "get",
  conversation: 1,
  answer: retrievedConversation([completedQuestion({ question: words })], { id: 1 }),
};
const sees: CallSketch = {
  interface: "current",
  operation: "get",
  conversation: 1,
  answer: currentConversation({ completed: {} }, [{ ...asksFor(words), answer: "Here." }], { name: nameOf(1, "7") }),
};
const seesOther: CallSketch = {
  ...sees,
  answer: currentConversation({ completed: {} }, [{ ...asksFor("else"), answer: "Here." }], { name: nameOf(1, "7") }),
};
const deletes: CallSketch = { operation: "delete", conversation: 1, answer: {} };
const deletesInCurrent: CallSketch = { ...deletes, interface: "current" };
const isGone: CallSketch = { operation: "get", conversation: 1, status: 404, answer: "gone" };
const isGoneInCurrent: CallSketch = { ...isGone, interface: "current", answer: {} };
const lists: CallSketch = {
  interface: "current",
  operation: "list",
  answer: { conversationSummaries: [{ name: nameOf(1, "7") }] },
};
const asks: CallSketch = {
  interface: "current",
  operation: "follow-up",
  conversation: 1,
  question: "more [assay run=r1]",
  answer: {},
};
/** A conversation that both interfaces showed, until the legacy one deleted it. */
const deleted = [at(0, creates), at(1, reads), at(2, sees), at(3, deletes), at(4, isGone)];

test.each<{ name: string; calls: readonly CallSketch[]; says: string }>([
  { name: "gone from both interfaces", calls: [...deleted, at(4, isGoneInCurrent)], says: "holds" },
  { name: "still read at once", calls: [...deleted, at(5, sees), at(9, isGoneInCurrent)], says: "holds" },
  { name: "still read at once, and not looked at again", calls: [...deleted, at(5, sees)], says: "not observed" },
  { name: "still read later", calls: [...deleted, at(10, sees)], says: "broken" },
  { name: "still listed later", calls: [...deleted, at(10, lists)], says: "broken" },
  { name: "accepting a question later", calls: [...deleted, at(10, asks)], says: "broken" },
  { name: "gone, and there again", calls: [...deleted, at(4, isGoneInCurrent), at(10, sees)], says: "broken" },
  {
    name: "deleted through the other interface, and still read",
    calls: [at(0, creates), at(2, sees), at(3, deletesInCurrent), at(4, isGoneInCurrent), at(10, reads)],
    says: "broken",
  },
  {
    name: "deleted without effect, which another rule reports",
    calls: [at(0, creates), at(2, sees), at(3, deletes), at(10, reads), at(11, sees)],
    says: "not observed",
  },
  {
    name: "never shown by the other interface",
    calls: [at(0, creates), at(3, deletes), at(4, isGone), at(10, isGoneInCurrent)],
    says: "not observed",
  },
  {
    name: "of which the other interface has another one under its id",
    calls: [at(0, creates), at(2, seesOther), at(3, deletes), at(4, isGone), at(10, seesOther)],
    says: "not observed",
  },
  {
    name: "not deleted, but refused",
    calls: [at(0, creates), at(2, sees), at(3, { ...deletes, status: 400 }), at(10, sees)],
    says: "not observed",
  },
])("a conversation $name: $says", ({ calls, says }) => {
  expect(describeReport(rule, calls)).toBe(says);
});

test("the message has the shortest sequence", () => {
  const [finding] = outcomeOf(rule, [...deleted, at(10, sees)]).findings;
  expect(finding).toMatchObject({
    exchange: "6",
    message:
      "conversation 1 was deleted through the other interface, but the current interface still returns it; " +
      "shortest sequence: legacy deletion (4), current read (6)",
  });
});
