import type { ConversationRuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { asksFor, nameOf } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { notesOf, outcomeOf, describeReport } from "../testing/calls-report.ts";
import {
  completedQuestion,
  failure,
  currentConversation,
  currentQuestion,
  completedConversation,
  legacyConversation,
  processingQuestion,
  retrievedConversation,
  processingConversation,
} from "../testing/sample-conversations.ts";
import type { Changes } from "../testing/sample-conversations.ts";

const later = { updated_at: "2026-01-05T10:00:09Z" };

const creates: CallSketch = { operation: "create", answer: legacyConversation([processingQuestion()]) };
const reads = (questions: readonly object[], changes: Changes = {}): CallSketch => ({
  operation: "get",
  answer: retrievedConversation(questions, changes),
});
const asks = (question: string, answer: unknown = {}): CallSketch => ({
  operation: "follow-up",
  question,
  answer,
});
const more = { id: 12, question: "more" };
const polling = reads([processingQuestion()]);
const finished = reads([completedQuestion()], later);
/** A step back whose time of update is newer than that of the state before. */
const reopened = reads([processingQuestion({ updated_at: "2026-01-05T10:00:20Z" })], {
  updated_at: "2026-01-05T10:00:20Z",
});

const cancels: CallSketch = { operation: "cancel", questionId: 11, answer: "" };
const retitled = reads([completedQuestion({ title: "Others" })], later);

const of = (operation: CallSketch["operation"], answer: unknown, changes: Partial<CallSketch> = {}): CallSketch => ({
  interface: "current",
  operation,
  answer,
  ...changes,
});
const makes = of("create", processingConversation());
const works = of("get", processingConversation());
const ended = (changes: Changes = {}): CallSketch =>
  of("get", completedConversation({ updateTime: "2026-01-05T10:00:09Z", ...changes }));
const inState = (state: object, updateTime: string): CallSketch =>
  of("get", currentConversation(state, [currentQuestion("Here.")], { updateTime }));

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
  ...rows("legacy/status-transitions-are-listed", [
    ["processing, then completed", [creates, polling, finished], "holds"],
    ["completed, then processing", [creates, finished, reopened], "broken"],
    [
      "completed, then processing in a list with a newer time",
      [creates, finished, { ...reopened, operation: "list", answer: [reopened.answer] }],
      "broken",
    ],
    ["completed, then completed in a list", [creates, finished, { ...finished, operation: "list" }], "holds"],
    [
      "a status that is not listed in between",
      [creates, reads([processingQuestion({ status: "done" })]), finished],
      "holds",
    ],
    ["one read alone", [finished], "not observed"],
    ["a broken connection and nothing else", [{ ...polling, cutBy: "reset" }], "missing: a response to get: reset"],
  ]),
  ...rows("legacy/reads-are-current", [
    ["reads in order", [creates, polling, finished], "holds"],
    ["an older version by another session", [creates, finished, { ...polling, session: "other" }, finished], "broken"],
    [
      "an older version in a list",
      [creates, finished, { ...polling, operation: "list", answer: [polling.answer], session: "other" }, finished],
      "broken",
    ],
  ]),
  ...rows("legacy/finished-answer-is-stable", [
    ["the same twice", [finished, finished], "holds"],
    [
      "members in another order",
      [
        finished,
        reads([completedQuestion({ sources: [{ label: "a", link: "/code.example/a", type: "Repository" }] })], later),
      ],
      "holds",
    ],
    ["another answer", [finished, reads([completedQuestion({ answer: "There." })], later)], "broken"],
    ["an answer that is gone", [finished, reads([completedQuestion({ answer: null })], later)], "broken"],
    ["another title", [finished, reads([completedQuestion({ title: "Others" })], later)], "broken"],
    ["another title since it was cancelled, after its end", [finished, cancels, retitled], "broken"],
    [
      "another title since it was cancelled without an answer, after its end",
      [finished, { ...cancels, status: 0 }, retitled],
      "broken",
    ],
    [
      "another title since a further question was cancelled",
      [finished, asks("more"), { ...cancels, questionId: 12 }, retitled],
      "broken",
    ],
    [
      "another title since the conversation was cancelled through the other interface, with a further question",
      [
        finished,
        { interface: "current", operation: "follow-up" },
        { interface: "current", operation: "cancel" },
        retitled,
      ],
      "broken",
    ],
  ]),
  ...rows("legacy/ids-are-stable", [
    ["the id that was asked for", [creates, polling], "holds"],
    ["another id", [creates, reads([processingQuestion()], { id: 2 })], "broken"],
    ["another id for a question", [creates, reads([processingQuestion({ id: 77 })])], "broken"],
    ["an id that was never shown", [creates, { ...polling, conversation: 999 }], "not observed"],
    ["an id that was never shown, in a recording of others", [{ ...polling, conversation: 999 }], "not observed"],
    ["no id", [creates, reads([processingQuestion()], { id: undefined })], "holds"],
  ]),
  ...rows("legacy/questions-keep-their-order", [
    [
      "one question after the other",
      [finished, asks("more"), reads([completedQuestion(), processingQuestion(more)])],
      "holds",
    ],
    [
      "a question that is gone",
      [
        reads([completedQuestion(), completedQuestion(more)], later),
        asks("third"),
        reads([completedQuestion()], { updated_at: "2026-01-05T10:00:30Z" }),
      ],
      "broken",
    ],
    [
      "the other order",
      [
        reads([completedQuestion(), completedQuestion(more)], later),
        reads([completedQuestion(more), completedQuestion()], later),
      ],
      "broken",
    ],
    [
      "a question that is gone since it was cancelled",
      [creates, { operation: "cancel", questionId: 11, answer: "" }, reads([], later)],
      "holds with a note",
    ],
    [
      "another question that is gone since one was cancelled",
      [
        reads([completedQuestion(), completedQuestion(more)], later),
        { operation: "cancel", questionId: 12, answer: "" },
        reads([completedQuestion(more)], { updated_at: "2026-01-05T10:00:30Z" }),
      ],
      "broken",
    ],
    ["a question that is there twice", [creates, reads([processingQuestion(), processingQuestion()])], "broken"],
    [
      "no questions at all",
      [
        creates,
        reads([processingQuestion()]),
        { operation: "get", answer: retrievedConversation([], { questions: undefined }) },
      ],
      "holds",
    ],
  ]),
  ...rows("legacy/question-text-is-kept", [
    ["the text that was asked", [creates], "holds"],
    ["another text", [{ ...creates, question: "Words" }], "broken"],
    ["another text later", [creates, reads([processingQuestion({ question: "wor" })])], "broken"],
    ["a follow-up that answers the question", [asks("words", processingQuestion())], "holds"],
    ["a follow-up with another text", [asks("more", processingQuestion({ ...more, question: "mo" }))], "broken"],
    [
      "a follow-up in another place",
      [asks("more", legacyConversation([processingQuestion(more), completedQuestion()]))],
      "holds",
    ],
    ["no text", [{ ...creates, answer: legacyConversation([processingQuestion({ question: 1 })]) }], "not observed"],
    ["a request nobody kept", [{ ...creates, body: "" }], "not observed"],
  ]),
  ...rows("legacy/created-at-is-stable", [
    ["the same twice", [creates, finished], "holds"],
    [
      "another time for the conversation",
      [creates, reads([completedQuestion()], { ...later, created_at: "2026-01-05T10:00:01Z" })],
      "broken",
    ],
    [
      "another time for the question",
      [creates, reads([completedQuestion({ created_at: "2026-01-05T10:00:01Z" })], later)],
      "broken",
    ],
    [
      "the same time written otherwise",
      [creates, reads([completedQuestion()], { ...later, created_at: "2026-01-05T10:00:00.000Z" })],
      "holds",
    ],
  ]),
  ...rows("legacy/updated-at-never-falls", [
    ["a later time", [creates, finished], "holds"],
    ["an earlier time", [finished, reads([completedQuestion()], { updated_at: "2026-01-05T10:00:08Z" })], "broken"],
    ["a time before the creation", [reads([processingQuestion()], { updated_at: "2026-01-05T09:59:58Z" })], "broken"],
    [
      "a time of a question before its creation",
      [reads([processingQuestion({ updated_at: "2026-01-05T09:59:58.999Z" })])],
      "broken",
    ],
    [
      "a time before the creation in a list",
      [{ operation: "list", answer: [retrievedConversation([], { updated_at: "2026-01-05T09:00:00Z" })] }],
      "broken",
    ],
    [
      "a time that is rounded down, of a creation that is not",
      [reads([processingQuestion()], { created_at: "2026-01-05T10:00:00.999999Z" })],
      "holds",
    ],
    [
      "the same times with another offset",
      [reads([processingQuestion()], { updated_at: "2026-01-05T12:00:00+02:00" })],
      "holds",
    ],
    [
      "times that cannot be read",
      [reads([processingQuestion({ updated_at: "never", created_at: 4 })], { created_at: undefined, updated_at: 0 })],
      "not observed",
    ],
  ]),
  ...rows("current/state-transitions-are-listed", [
    ["processing, then completed", [makes, works, ended()], "holds"],
    [
      "processing, then canceled",
      [makes, works, of("get", currentConversation({ canceled: {} }, [currentQuestion()]))],
      "holds with a note",
    ],
    ["completed, then error", [makes, ended(), inState({ error: {} }, "2026-01-05T10:00:20Z")], "broken"],
    ["completed, then processing", [makes, ended(), inState({ processing: {} }, "2026-01-05T10:00:20Z")], "broken"],
    [
      "completed, then a follow-up",
      [
        makes,
        ended(),
        of("follow-up", asksFor("more"), { question: "more" }),
        of(
          "get",
          currentConversation({ processing: {} }, [currentQuestion("Here."), asksFor("more")], {
            updateTime: "2026-01-05T10:00:20Z",
          }),
        ),
      ],
      "holds",
    ],
    [
      "completed, then a follow-up through the other interface",
      [
        makes,
        ended(),
        asks("more"),
        of(
          "get",
          currentConversation({ processing: {} }, undefined, {
            updateTime: "2026-01-05T10:00:20Z",
          }),
        ),
      ],
      "holds",
    ],
    [
      "a state that is not listed in between",
      [makes, of("get", processingConversation({ state: { done: {} } })), ended()],
      "holds",
    ],
  ]),
  ...rows("current/reads-are-current", [
    ["an older version by another session", [makes, ended(), { ...works, session: "other" }, ended()], "broken"],
    ["reads in order", [makes, works, ended()], "holds"],
  ]),
  ...rows("current/finished-answer-is-stable", [
    ["the same twice", [ended(), ended()], "holds"],
    [
      "the same in another form",
      [ended(), ended({ questions: [currentQuestion([{ markdown: { text: "Here." } }])] })],
      "holds",
    ],
    ["another answer", [ended(), ended({ questions: [currentQuestion("There.")] })], "broken"],
    ["an answer that is gone", [ended(), ended({ questions: [currentQuestion()] })], "broken"],
    [
      "another answer since a further question was cancelled",
      [
        makes,
        ended(),
        of("follow-up", {}),
        of("cancel", ""),
        ended({ state: { canceled: {} }, questions: [currentQuestion("There."), currentQuestion()] }),
      ],
      "broken",
    ],
    [
      "the same answer since a further question was cancelled",
      [
        makes,
        ended(),
        of("follow-up", {}),
        of("cancel", ""),
        ended({ state: { canceled: {} }, questions: [currentQuestion("Here."), currentQuestion()] }),
      ],
      "holds",
    ],
    ["an answer of no form", [ended(), ended({ questions: [currentQuestion({})] })], "not observed"],
  ]),
  ...rows("current/name-is-stable", [
    ["the same name", [makes, works], "holds"],
    ["another id", [makes, ended({ name: nameOf(2, "7") })], "broken"],
    ["another user", [makes, ended({ name: nameOf(1, "8") })], "broken"],
    [
      "another user for another credential",
      [makes, { ...ended({ name: nameOf(1, "~self") }), credential: "read-token" }],
      "holds",
    ],
    [
      "another user in a list",
      [makes, of("list", { conversationSummaries: [{ name: nameOf(1, "~self") }] })],
      "broken",
    ],
    [
      "a name that was never shown",
      [of("get", processingConversation({ name: nameOf(2, "7") }), { conversation: 99 })],
      "not observed",
    ],
  ]),
  ...rows("current/questions-keep-their-order", [
    ["the same questions", [makes, works, ended()], "holds"],
    [
      "a follow-up that is there twice",
      [
        makes,
        of("follow-up", asksFor("more"), { question: "more" }),
        of("get", completedConversation({ questions: [currentQuestion("Here."), asksFor("more"), asksFor("more")] })),
      ],
      "broken",
    ],
    [
      "two follow-ups of the same words",
      [
        makes,
        of("follow-up", asksFor("more"), { question: "more" }),
        of("follow-up", asksFor("more"), { question: "more", status: 500 }),
        of("get", completedConversation({ questions: [currentQuestion("Here."), asksFor("more"), asksFor("more")] })),
      ],
      "holds",
    ],
    [
      "a question that is gone",
      [
        of(
          "get",
          completedConversation({ questions: [currentQuestion("Here."), { ...asksFor("more"), answer: "a" }] }),
        ),
        ended(),
      ],
      "broken",
    ],
  ]),
  ...rows("current/question-text-is-kept", [
    ["the text that was asked", [makes], "holds"],
    ["another text", [{ ...makes, question: "Words" }], "broken"],
    ["another text later", [makes, of("get", processingConversation({ questions: [asksFor("wor")] }))], "broken"],
    ["a follow-up", [of("follow-up", asksFor("more"), { question: "more" })], "holds"],
    ["a follow-up with another text", [of("follow-up", asksFor("mo"), { question: "more" })], "broken"],
  ]),
  ...rows("current/created-at-is-stable", [
    ["the same twice", [makes, ended()], "holds"],
    ["another time", [makes, ended({ createTime: "2026-01-05T10:00:01Z" })], "broken"],
    ["another spelling", [makes, ended({ createTime: undefined, create_time: "2026-01-05T10:00:00Z" })], "holds"],
    [
      "no times",
      [
        of("create", processingConversation({ createTime: 1, questions: [asksFor("words")] })),
        ended({ createTime: 2, questions: [asksFor("words")] }),
      ],
      "not observed",
    ],
  ]),
  ...rows("current/updated-at-never-falls", [
    ["a later time", [makes, ended()], "holds"],
    ["an earlier time", [ended(), ended({ updateTime: "2026-01-05T10:00:08Z" })], "broken"],
    ["a time before the creation", [ended({ updateTime: "2026-01-05T09:59:58Z" })], "broken"],
    ["no time of update", [ended({ updateTime: undefined })], "not observed"],
  ]),
])("$rule with $name: $says", ({ rule, calls, says }) => {
  expect(describeReport(rule, calls)).toBe(says);
});

describe("a finding of several answers", () => {
  test("is about the second one and says where the question is", () => {
    const [finding] = outcomeOf("legacy/finished-answer-is-stable", [
      finished,
      reads([completedQuestion({ answer: "There." })], later),
    ]).findings;
    expect(finding).toMatchObject({ kind: "violation", exchange: "2", pointer: "/questions/0" });
  });

  test.each<{ name: string; calls: readonly CallSketch[]; message: string }>([
    {
      name: "an error that became an answer",
      calls: [reads([completedQuestion({ answer: undefined, error: failure })], later), finished],
      message:
        'read 1 (sent 0 ms, answered 1 ms) shows question 1 completed, an error "It failed.", read 2, sent 1000 ms, shows question 1 completed, an answer "Here.": an error became an answer, and a finished question does not change',
    },
    {
      name: "an answer that became an error",
      calls: [finished, reads([completedQuestion({ answer: undefined, error: failure })], later)],
      message:
        'read 1 (sent 0 ms, answered 1 ms) shows question 1 completed, an answer "Here.", read 2, sent 1000 ms, shows question 1 completed, an error "It failed.": an answer became an error, and a finished question does not change',
    },
    {
      name: "another answer",
      calls: [finished, reads([completedQuestion({ answer: "There." })], later)],
      message:
        'read 1 (sent 0 ms, answered 1 ms) shows question 1 completed, an answer "Here.", read 2, sent 1000 ms, shows question 1 completed, an answer "There.": a finished question does not change',
    },
  ])("quotes what changed: $name", ({ calls, message }) => {
    const [finding] = outcomeOf("legacy/finished-answer-is-stable", calls).findings;
    expect(finding?.message).toBe(message);
  });

  test("tells two long answers with one beginning apart", () => {
    const long = "word ".repeat(40);
    const [finding] = outcomeOf("legacy/finished-answer-is-stable", [
      reads([completedQuestion({ answer: `${long}here` })], later),
      reads([completedQuestion({ answer: `${long}there` })], later),
    ]).findings;
    expect(finding?.message).toMatch(
      /"word [^"]*…"? \(\d+ characters in all\).*"word [^"]*…"? \(\d+ characters in all\): a part that is not quoted here changed, and a finished question does not change$/u,
    );
  });

  test("says so where something else than the answer changed", () => {
    const [finding] = outcomeOf("legacy/finished-answer-is-stable", [
      finished,
      reads([completedQuestion({ title: "Another title" })], later),
    ]).findings;
    expect(finding?.message).toMatch(
      /an answer "Here\." \(\d+ characters in all\), read 2, sent 1000 ms, shows question 1 completed, an answer "Here\." \(\d+ characters in all\): a part that is not quoted here changed, and a finished question does not change$/u,
    );
  });

  test.each<{
    rule: ConversationRuleId;
    name: string;
    calls: readonly CallSketch[];
    pointer: string;
  }>([
    {
      rule: "legacy/question-text-is-kept",
      name: "a text that is not the one that was asked",
      calls: [{ ...creates, question: "Words" }],
      pointer: "/questions/0/question",
    },
    {
      rule: "legacy/question-text-is-kept",
      name: "a text that is another one later",
      calls: [creates, reads([processingQuestion({ question: "wor" })])],
      pointer: "/questions/0/question",
    },
    {
      rule: "current/question-text-is-kept",
      name: "a text that is not the one that was asked",
      calls: [{ ...makes, question: "Words" }],
      pointer: "/questions/0/input",
    },
    {
      rule: "legacy/ids-are-stable",
      name: "another id for a question",
      calls: [creates, reads([processingQuestion({ id: 77 })])],
      pointer: "/questions/0/id",
    },
    {
      rule: "legacy/created-at-is-stable",
      name: "another time for the conversation",
      calls: [creates, reads([completedQuestion()], { ...later, created_at: "2026-01-05T10:00:01Z" })],
      pointer: "/created_at",
    },
    {
      rule: "legacy/updated-at-never-falls",
      name: "an earlier time",
      calls: [finished, reads([completedQuestion()], { updated_at: "2026-01-05T10:00:08Z" })],
      pointer: "/updated_at",
    },
  ])("of $rule points to the member with $name", ({ rule, calls, pointer }) => {
    expect(outcomeOf(rule, calls).findings[0]).toMatchObject({ kind: "violation", pointer });
  });

  test("of an answer about another conversation says both ids, and breaks nothing else there", () => {
    const calls = [creates, reads([processingQuestion({ id: 77, question: "else" })], { id: 2 })];
    expect(outcomeOf("legacy/ids-are-stable", calls).findings).toEqual([
      {
        kind: "violation",
        exchange: "2",
        code: "other-conversation",
        message: "requested conversation 1, but the response is about 2",
        pointer: "/id",
      },
    ]);
    expect(describeReport("legacy/question-text-is-kept", calls)).toBe("holds");
  });

  test("tells a transition that no row lists with the row of the behaviour register", () => {
    const calls = [makes, works, of("get", currentConversation({ canceled: {} }, [currentQuestion()]))];
    expect(notesOf("current/state-transitions-are-listed", calls)).toEqual([
      expect.stringMatching(/^current\/canceled-state: /u),
    ]);
  });
});

test("a recording of others, with no session, is judged by its credential", () => {
  const { session: _, ...plain } = { ...finished, session: "", credential: "unknown" as const };
  expect(describeReport("legacy/finished-answer-is-stable", [plain, plain])).toBe("holds");
});
