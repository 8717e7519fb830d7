import type { ConversationRuleId } from "@assay/contract";
import { expect, test } from "vitest";
import { asksFor, nameOf } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { notesOf, outcomeOf, describeReport } from "../testing/calls-report.ts";
import {
  completedQuestion,
  currentConversation,
  failure,
  legacyConversation,
  processingQuestion,
  retrievedConversation,
  processingConversation,
} from "../testing/sample-conversations.ts";

const words = "words [assay run=r1]";
const other = "others [assay run=r1]";

const creates = (question = words, id = 1): CallSketch => ({
  operation: "create",
  question,
  answer: legacyConversation([processingQuestion({ question })], { id }),
});
const createsCurrent = (question = words, id = 1): CallSketch => ({
  interface: "current",
  operation: "create",
  question,
  answer: processingConversation({ name: nameOf(id, "7"), questions: [asksFor(question)] }),
});

/** A legacy read of a conversation with these questions. */
const reads = (questions: readonly object[], id = 1): CallSketch => ({
  operation: "get",
  conversation: id,
  answer: retrievedConversation(questions, { id }),
});
/** A read through the current interface of texts and answers. */
const sees = (
  questions: readonly (readonly [string, unknown?])[],
  state: unknown = { completed: {} },
  id = 1,
): CallSketch => ({
  interface: "current",
  operation: "get",
  conversation: id,
  answer: currentConversation(
    state,
    questions.map(([text, answer = "Here."]) => ({ ...asksFor(text), answer })),
    { name: nameOf(id, "7") },
  ),
});

/** The last look, after the time in which a question has to end. */
const late = (call: CallSketch): CallSketch => ({ ...call, probe: "migration-late" });

const finished = completedQuestion({ question: words });
const withError = completedQuestion({ question: words, answer: null, error: failure });
const limited = completedQuestion({ question: words, answer: null, error: { ...failure, kind: "TokenLimitExceeded" } });
const otherFailure = completedQuestion({ question: words, answer: null, error: { ...failure, kind: "Internal" } });
const cancelledOne = completedQuestion({ question: words, answer: null, error: { ...failure, kind: "Cancelled" } });
const followed = [finished, completedQuestion({ id: 12, question: other })];
const cancels: CallSketch = { operation: "cancel", answer: {} };
const asks: CallSketch = { operation: "follow-up", question: other, answer: {} };
const notFound: CallSketch = { interface: "current", operation: "get", conversation: 1, status: 404, answer: {} };

interface Row {
  readonly rule: ConversationRuleId;
  readonly name: string;
  readonly calls: readonly CallSketch[];
  readonly says: string;
}

const rows = (
  rule: ConversationRuleId,
  table: readonly (readonly [string, readonly CallSketch[], string])[],
): readonly Row[] => table.map(([name, calls, says]) => ({ rule, name, calls, says }));

test.each<Row>([
  ...rows("migration/questions-agree", [
    [
      "the same questions under another id",
      [creates(), reads(followed), sees([[words], [other]], { completed: {} }, 5)],
      "holds",
    ],
    [
      "other questions under another id",
      [creates(), reads(followed), sees([[words], ["What?"]], { completed: {} }, 5)],
      "broken",
    ],
    ["an id that is not found", [creates(), notFound], "a note"],
    ["the same questions", [reads(followed), sees([[words], [other]])], "holds"],
    ["another text", [creates(), reads([finished]), sees([["wor"]])], "broken"],
    ["another text later on", [reads(followed), sees([[words], ["oth"]])], "broken"],
    ["the other order", [creates(), reads(followed), sees([[other], [words]])], "broken"],
    ["one question less", [reads(followed), sees([[words]])], "broken"],
    ["one question less while it is processing", [reads(followed), sees([[words]], { processing: {} })], "holds"],
    [
      "one question less, and another one asked after both",
      [reads(followed), sees([[words]]), asks, reads(followed)],
      "broken",
    ],
    ["one question less before it was asked", [sees([[words]]), asks, reads(followed)], "holds"],
    ["one question less after it was asked", [asks, sees([[words]]), reads(followed)], "broken"],
    ["one question less that may have come late", [{ ...asks, status: 0 }, sees([[words]]), reads(followed)], "holds"],
    ["another conversation that nobody knows", [reads([finished]), sees([["else"]])], "not observed"],
    [
      "two conversations of the run under one id",
      [creates(), createsCurrent(other, 1), reads([finished]), sees([[other]])],
      "not observed",
    ],
  ]),
  ...rows("migration/answers-agree", [
    ["the same answer", [reads([finished]), sees([[words]])], "holds"],
    [
      "the same answer in blocks",
      [
        reads([completedQuestion({ question: words, answer: "a\n\nb" })]),
        sees([[words, [{ markdown: { text: "a" } }, { markdown: { text: "b" } }]]]),
      ],
      "holds",
    ],
    ["another answer", [reads([finished]), sees([[words, "There."]])], "broken"],
    ["the answer as HTML", [reads([finished]), sees([[words, "<p>Here.</p>"]])], "broken"],
    [
      "the answer as HTML in blocks, which has a rule of its own",
      [reads([finished]), sees([[words, [{ html: { text: "<p>Here.</p>" } }]]])],
      "not observed",
    ],
    [
      "the answer with escaped characters",
      [reads([completedQuestion({ question: words, answer: "`a < b`" })]), sees([[words, "`a &lt; b`"]])],
      "broken",
    ],
    ["another answer to an earlier question", [reads(followed), sees([[words, "There."], [other]])], "broken"],
    ["no answer in one of them", [reads([finished]), sees([[words, ""]])], "not observed"],
    ["an answer that is not finished", [reads([finished]), sees([[words, "He"]], { processing: {} })], "not observed"],
    ["an answer that changed in one of them", [reads([finished]), sees([[words]]), sees([[words, "There."]])], "holds"],
    ["another question", [creates(), reads([finished]), sees([["wor", "There."]])], "not observed"],
  ]),
  ...rows("migration/state-follows-status", [
    ["completed in both", [reads([finished]), sees([[words]])], "holds"],
    ["an error of which the other knows nothing", [reads([finished]), sees([[words]], { error: {} })], "broken"],
    ["canceled by nobody", [reads([finished]), sees([[words]], { canceled: {} })], "broken"],
    ["canceled by the run", [cancels, reads([finished]), sees([[words]], { canceled: {} })], "a note"],
    ["cancelled by somebody", [reads([cancelledOne]), sees([[words]], { canceled: {} })], "a note"],
    ["an error", [reads([withError]), sees([[words]], { error: {} })], "not observed"],
    ["not finished", [reads([processingQuestion({ question: words })]), sees([[words]])], "not observed"],
    ["not finished in the other", [reads([finished]), sees([[words]], { processing: {} })], "not observed"],
    ["not finished when it has to be", [reads([finished]), late(sees([[words]], { processing: {} }))], "broken"],
    [
      "not finished here when it has to be",
      [sees([[words]]), late(reads([processingQuestion({ question: words })]))],
      "broken",
    ],
    ["a failure that goes on", [reads([withError]), late(sees([[words]], { processing: {} }))], "broken"],
    [
      "a question that was added meanwhile",
      [reads([finished]), late(sees([[words], [other, undefined]], { processing: {} }))],
      "not observed",
    ],
    [
      "cancelled, and never finished",
      [cancels, reads([finished]), late(sees([[words]], { processing: {} }))],
      "not observed",
    ],
    ["a state that is not listed", [reads([finished]), sees([[words]], { done: {} })], "not observed"],
    ["one question more", [reads(followed), sees([[words]], { error: {} })], "not observed"],
  ]),
  ...rows("migration/error-becomes-state", [
    ["an error in both", [reads([withError]), sees([[words]], { error: {} })], "holds"],
    [
      "the token limit in both",
      [reads([limited]), sees([[words]], { error: { code: "ERROR_TOKEN_LIMIT_EXCEEDED" } })],
      "holds",
    ],
    [
      "the token limit, then another",
      [reads([limited]), sees([[words]], { error: { code: "ERROR_INTERNAL" } })],
      "broken",
    ],
    [
      "the token limit, then a code that is not listed",
      [reads([limited]), sees([[words]], { error: { code: "X" } })],
      "holds",
    ],
    [
      "another kind, then the token limit",
      [reads([otherFailure]), sees([[words]], { error: { code: "ERROR_TOKEN_LIMIT_EXCEEDED" } })],
      "broken",
    ],
    [
      "no kind, then the token limit",
      [
        reads([completedQuestion({ question: words, answer: null, error: { ...failure, kind: 7 } })]),
        sees([[words]], { error: { code: "ERROR_TOKEN_LIMIT_EXCEEDED" } }),
      ],
      "holds",
    ],
    ["another kind", [reads([otherFailure]), sees([[words]], { error: { code: "ERROR_INTERNAL" } })], "holds"],
    ["an error that is completed", [reads([withError]), sees([[words]])], "broken"],
    ["an error that is canceled", [reads([withError]), sees([[words]], { canceled: {} })], "broken"],
    ["canceled by the run", [cancels, reads([withError]), sees([[words]], { canceled: {} })], "not observed"],
    ["no error", [reads([finished]), sees([[words]], { error: {} })], "not observed"],
  ]),
])("$rule with $name: $says", ({ rule, calls, says }) => {
  expect(describeReport(rule, calls)).toBe(says);
});

test.each<{ rule: ConversationRuleId; calls: readonly CallSketch[]; message: string; exchange: string }>([
  {
    rule: "migration/questions-agree",
    calls: [sees([[words]]), reads(followed)],
    message: "the legacy interface shows 2 questions of conversation 1, the current one 1",
    exchange: "2",
  },
  {
    rule: "migration/error-becomes-state",
    calls: [reads([withError]), sees([[words]])],
    message: "conversation 1 is completed with an error in the legacy interface and `completed` in the current one",
    exchange: "2",
  },
])("$rule says what was seen, of the later answer", ({ rule, calls, message, exchange }) => {
  expect(outcomeOf(rule, calls).findings).toMatchObject([{ kind: "violation", exchange, message }]);
});

test("the effect of a cancellation is noted with both values", () => {
  const calls = [cancels, reads([cancelledOne]), sees([[words]], { canceled: {} })];
  expect(notesOf("migration/state-follows-status", calls)).toEqual([
    "migration/canceled-question: a cancelled conversation is completed with an error in the legacy interface and `canceled` in the current one",
  ]);
});
