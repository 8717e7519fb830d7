import { describe, expect, test } from "vitest";
import { asksFor } from "./testing/recorded-calls.ts";
import type { CallSketch } from "./testing/recorded-calls.ts";
import { failedRuleIds } from "./testing/calls-report.ts";
import {
  completedQuestion,
  currentConversation,
  currentQuestion,
  completedConversation,
  failedConversation,
  failure,
  legacyConversation,
  processingQuestion,
  retrievedConversation,
  source,
  statsOf,
  processingConversation,
} from "./testing/sample-conversations.ts";
import type { Changes } from "./testing/sample-conversations.ts";

/** What each answer of a legacy run shows; members replace those of a run without a fault. */
interface LegacyRun {
  readonly create?: Changes;
  readonly poll?: Changes;
  readonly end?: Changes;
  readonly conversation?: Changes;
}

const second = { id: 12, question: "more", created_at: "2026-01-05T10:00:10Z", updated_at: "2026-01-05T10:00:10Z" };
const secondDone = { ...second, updated_at: "2026-01-05T10:00:19Z" };
const later = { updated_at: "2026-01-05T10:00:09Z" };
const latest = { updated_at: "2026-01-05T10:00:10Z" };
const last = { updated_at: "2026-01-05T10:00:19Z" };

const legacyRun = ({ create, poll, end, conversation = {} }: LegacyRun): readonly CallSketch[] => [
  { operation: "create", answer: legacyConversation([processingQuestion(create)]) },
  { operation: "get", answer: retrievedConversation([processingQuestion(poll)], conversation) },
  { operation: "get", answer: retrievedConversation([completedQuestion(end)], { ...later, ...conversation }) },
  {
    operation: "follow-up",
    question: "more",
    status: 202,
    answer: legacyConversation([completedQuestion(end), processingQuestion(second)], latest),
  },
  {
    operation: "get",
    answer: retrievedConversation([completedQuestion(end), processingQuestion(second)], { ...latest, ...conversation }),
  },
  {
    operation: "get",
    answer: retrievedConversation([completedQuestion(end), completedQuestion(secondDone)], {
      ...last,
      ...conversation,
    }),
  },
  { operation: "delete", answer: "" },
];

const answered = [currentQuestion("Here.")];

const currentRun = (changes: { readonly create?: Changes; readonly end?: Changes }): readonly CallSketch[] =>
  [
    { operation: "create", answer: processingConversation(changes.create) } as const,
    { operation: "get", answer: processingConversation() } as const,
    {
      operation: "get",
      answer: completedConversation({ updateTime: "2026-01-05T10:00:09Z", ...changes.end }),
    } as const,
    { operation: "follow-up", question: "more", answer: asksFor("more") } as const,
    {
      operation: "get",
      answer: currentConversation({ processing: {} }, [...answered, asksFor("more")], {
        updateTime: "2026-01-05T10:00:10Z",
      }),
    } as const,
    {
      operation: "get",
      answer: currentConversation({ completed: {} }, [...answered, { ...asksFor("more"), answer: "There." }], {
        updateTime: "2026-01-05T10:00:19Z",
      }),
    } as const,
    { operation: "delete", answer: {} } as const,
  ].map((sketch) => ({ interface: "current", ...sketch }));

describe("a run without a fault", () => {
  test.each([
    { name: "legacy", calls: legacyRun({}) },
    { name: "current", calls: currentRun({}) },
  ])("breaks nothing: $name", ({ calls }) => {
    expect(failedRuleIds(calls)).toEqual([]);
  });
});

/** The schema rules say of one object what the OpenAPI document says of whole answers. */
const besides = "legacy/responses-fit-openapi";

describe("one fault breaks one rule", () => {
  test.each<{ name: string; run: LegacyRun; rules: readonly string[] }>([
    { name: "a status that is not listed", run: { end: { status: "done" } }, rules: ["legacy/status-is-listed"] },
    {
      name: "a creation with a status that is not listed",
      run: { create: { status: "queued" } },
      rules: ["legacy/status-is-listed"],
    },
    { name: "no title", run: { end: { title: undefined } }, rules: ["legacy/completed-question-is-filled"] },
    {
      name: "stats while processing",
      run: { poll: { stats: statsOf(1) } },
      rules: ["legacy/stats-are-zero-while-processing"],
    },
    {
      name: "an answer while processing",
      run: { poll: { answer: "He" } },
      rules: ["legacy/no-answer-while-processing"],
    },
    {
      name: "follow-ups while processing",
      run: { poll: { suggested_followups: [] } },
      rules: ["legacy/followups-null-while-processing"],
    },
    {
      name: "an error while processing",
      run: { poll: { error: failure } },
      rules: ["legacy/failed-question-is-completed"],
    },
    { name: "no turns", run: { create: { turns: [] } }, rules: ["legacy/new-question-has-turns"] },
    {
      name: "a time in another zone",
      run: { poll: { created_at: "2026-01-05T11:00:00+01:00" } },
      rules: ["legacy/timestamps-are-utc"],
    },
    {
      name: "another conversation around it",
      run: { poll: { conversation_id: 2 } },
      rules: ["legacy/question-belongs-to-conversation"],
    },
    {
      name: "somebody else's conversation",
      run: { conversation: { viewer: { is_owner: false } } },
      rules: ["legacy/owner-is-viewer"],
    },
    {
      name: "an address without the token",
      run: { conversation: { share_url: "http://x/y" } },
      rules: ["legacy/share-url-holds-read-token"],
    },
    { name: "no viewer", run: { conversation: { viewer: undefined } }, rules: ["legacy/viewer-on-retrieval"] },
    { name: "no usage", run: { conversation: { quota_usage: undefined } }, rules: ["legacy/quota-usage-on-retrieval"] },
    {
      name: "an owner in words",
      run: { conversation: { user_id: "seven" } },
      rules: ["legacy/conversation-fits-schema", besides],
    },
    {
      name: "a link with a host",
      run: { end: { sources: [{ ...source, link: "http://x/" }] } },
      rules: ["legacy/source-fits-schema", besides],
    },
    { name: "stats below zero", run: { end: { stats: statsOf(-1) } }, rules: ["legacy/stats-are-counts", besides] },
    { name: "a title that is a number", run: { end: { title: 1 } }, rules: ["legacy/question-fits-schema", besides] },
    { name: "an id that is a text", run: { end: { id: "11" } }, rules: ["legacy/question-fits-schema", besides] },
  ])("legacy: $name", ({ run, rules }) => {
    expect(failedRuleIds(legacyRun(run))).toEqual(rules);
  });

  /** One read more at the end of a run without a fault, before its deletion. */
  const withRead = (questions: readonly object[], conversation: Changes = {}): readonly CallSketch[] => [
    ...legacyRun({}).slice(0, -1),
    {
      operation: "get",
      answer: retrievedConversation(questions, { updated_at: "2026-01-05T10:00:30Z", ...conversation }),
    },
  ];
  const [one, two] = [completedQuestion(), completedQuestion(secondDone)];

  test.each<{ name: string; calls: readonly CallSketch[]; rules: readonly string[] }>([
    { name: "nothing new", calls: withRead([one, two]), rules: [] },
    {
      name: "a question that is processing again",
      calls: withRead([one, processingQuestion({ ...second, updated_at: "2026-01-05T10:00:30Z" })]),
      rules: ["legacy/status-transitions-are-listed"],
    },
    {
      name: "another answer",
      calls: withRead([completedQuestion({ answer: "There." }), two]),
      rules: ["legacy/finished-answer-is-stable"],
    },
    { name: "a question that is gone", calls: withRead([one]), rules: ["legacy/questions-keep-their-order"] },
    { name: "questions in another order", calls: withRead([two, one]), rules: ["legacy/questions-keep-their-order"] },
    {
      name: "another id of a question",
      calls: withRead([completedQuestion({ id: 99 }), two]),
      rules: ["legacy/ids-are-stable"],
    },
    {
      name: "another text",
      calls: withRead([completedQuestion({ question: "wor" }), two]),
      rules: ["legacy/question-text-is-kept"],
    },
    {
      name: "another conversation",
      calls: withRead([one, two], { id: 2 }),
      rules: ["legacy/ids-are-stable", "legacy/question-belongs-to-conversation"],
    },
    {
      name: "another time of creation",
      calls: withRead([one, two], { created_at: "2026-01-05T09:00:00Z" }),
      rules: ["legacy/created-at-is-stable"],
    },
    {
      name: "an earlier time of update",
      calls: withRead([one, two], { updated_at: "2026-01-05T10:00:01Z" }),
      rules: ["legacy/updated-at-never-falls"],
    },
    {
      name: "an older version",
      calls: [...withRead([one, processingQuestion(second)], latest), ...withRead([one, two]).slice(-1)],
      rules: ["legacy/reads-are-current"],
    },
  ])("several answers: $name", ({ calls, rules }) => {
    expect(failedRuleIds(calls)).toEqual(rules);
  });

  const schema = "current/responses-fit-openapi";
  test.each<{ name: string; calls: readonly CallSketch[]; rules: readonly string[] }>([
    {
      name: "a state that is not listed",
      calls: currentRun({ end: { state: { done: {} } } }),
      rules: ["current/state-is-listed", schema],
    },
    {
      name: "a state of two keys",
      calls: currentRun({ end: { state: { completed: {}, processing: {} } } }),
      rules: ["current/state-has-one-key", schema],
    },
    {
      name: "a state that is a text",
      calls: currentRun({ end: { state: "completed" } }),
      rules: ["current/state-has-one-key", schema],
    },
    {
      name: "no state",
      calls: currentRun({ end: { state: undefined } }),
      rules: ["current/conversation-fits-schema"],
    },
    {
      name: "no questions",
      calls: currentRun({ end: { questions: undefined } }),
      rules: ["current/conversation-fits-schema"],
    },
    {
      name: "another name",
      calls: currentRun({ end: { name: "users/me/conversations/1" } }),
      rules: ["current/name-is-stable"],
    },
    {
      name: "an answer of another form",
      calls: currentRun({ end: { questions: [currentQuestion({ text: "Here." })] } }),
      rules: ["current/answer-is-unchanged", schema],
    },
    {
      name: "an error without a message",
      calls: [
        { interface: "current", operation: "create", answer: processingConversation() },
        { interface: "current", operation: "get", answer: failedConversation({ code: "ERROR_INTERNAL" }) },
      ],
      rules: ["current/error-has-its-members", schema],
    },
    {
      name: "an error of another code",
      calls: [
        { interface: "current", operation: "create", answer: processingConversation() },
        {
          interface: "current",
          operation: "get",
          answer: failedConversation({ code: "OTHER", message: "No.", retryTime: "2026-01-05T10:00:00Z" }),
        },
      ],
      rules: ["current/error-code-is-listed", schema],
    },
  ])("current: $name", ({ calls, rules }) => {
    expect(failedRuleIds(calls)).toEqual(rules);
  });
});
