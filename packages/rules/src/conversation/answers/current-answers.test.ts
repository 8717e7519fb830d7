import type { ConversationRuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { asksFor } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { notesOf, outcomeOf, describeReport } from "../testing/calls-report.ts";
import {
  currentConversation,
  currentQuestion,
  completedConversation,
  failedConversation,
  processingConversation,
} from "../testing/sample-conversations.ts";

const of = (operation: CallSketch["operation"], answer: unknown): CallSketch => ({
  interface: "current",
  operation,
  answer,
});
const creates = (answer: unknown): CallSketch => of("create", answer);
const gets = (answer: unknown): CallSketch => of("get", answer);
const asks = (answer: unknown): CallSketch => of("follow-up", answer);
const lists = (...names: readonly unknown[]): CallSketch =>
  of("list", { conversationSummaries: names.map((name) => ({ name })) });

const said = { code: "ERROR_INTERNAL", message: "No." };
const error = { ...said, retryTime: "2026-01-05T10:00:00Z" };
const blocks = [{ markdown: { text: "Here." } }];
const answered = (answer: unknown): CallSketch =>
  gets(currentConversation({ completed: {} }, [currentQuestion(answer)]));
const inState = (state: unknown): CallSketch => gets(currentConversation(state, [currentQuestion()]));

const stated = (state: unknown): unknown => ({
  ...Object(currentConversation(undefined, [{ ...Object(currentQuestion()), state }])),
});

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
  ...rows("current/conversation-fits-schema", [
    ["a creation", [creates(processingConversation())], "holds with a note"],
    ["a read", [gets(completedConversation())], "holds with a note"],
    ["a read without times", [gets({ name: "users/1/conversations/1", state: {}, questions: [] })], "holds"],
    ["a creation without questions", [creates(processingConversation({ questions: undefined }))], "holds with a note"],
    ["a read without questions", [gets(completedConversation({ questions: undefined }))], "broken"],
    ["a read with questions that are null", [gets(completedConversation({ questions: null }))], "broken"],
    ["a creation with questions that are null", [creates(processingConversation({ questions: null }))], "broken"],
    ["a read with one question", [gets(completedConversation({ questions: {} }))], "broken"],
    ["a read without a state", [gets(completedConversation({ state: undefined }))], "broken"],
    ["a state that is a text", [gets(completedConversation({ state: "completed" }))], "holds with a note"],
    ["a name that is a number", [gets(completedConversation({ name: 1 }))], "broken"],
    ["a name that is missing", [gets(completedConversation({ name: undefined }))], "broken"],
    ["a creation that answers something else", [creates({ message: "no" })], "not observed"],
    [
      "a cancellation that answers the conversation",
      [of("cancel", completedConversation({ state: undefined }))],
      "broken",
    ],
    ["a cancellation that answers nothing", [of("cancel", {})], "not observed"],
    ["a cancellation that answers a name", [of("cancel", { name: "users/7/conversations/1" })], "not observed"],
    ["a cancellation that answers something else", [of("cancel", { name: 1, state: "done" })], "not observed"],
    ["a cancellation that answers an operation", [of("cancel", { name: "operations/1" })], "not observed"],
    ["a conversation in a wrapper", [gets({ conversation: completedConversation() })], "holds with a note"],
    [
      "a connection that broke",
      [{ ...gets(completedConversation()), cutBy: "reset" }],
      "missing: a response to get: reset",
    ],
  ]),
  ...rows("current/name-is-a-resource-name", [
    ["a number for the user", [gets(completedConversation())], "holds with a note"],
    ["the user as asked", [lists("users/~self/conversations/1")], "holds with a note"],
    ["another collection", [gets(completedConversation({ name: "conversations/1" }))], "broken"],
    ["one part more", [lists("users/1/conversations/1/2")], "broken"],
    ["an empty part", [lists("users//conversations/1")], "broken"],
    ["an empty name", [lists("")], "broken"],
    ["an empty name in a read", [gets(completedConversation({ name: "" }))], "broken"],
    ["no name", [lists(1)], "not observed"],
  ]),
  ...rows("current/state-has-one-key", [
    ["one key", [gets(completedConversation())], "holds"],
    ["a key that is not listed", [inState({ done: {} })], "holds"],
    ["no key", [inState({})], "broken"],
    ["two keys", [inState({ completed: {}, error })], "broken"],
    ["a text", [inState("completed")], "broken"],
    ["null", [inState(null)], "broken"],
    ["an array", [inState([{}])], "broken"],
    ["a key of true", [inState({ completed: true })], "broken"],
    ["no state", [inState(undefined)], "not observed"],
  ]),
  ...rows("current/state-is-listed", [
    ["processing", [gets(processingConversation())], "holds"],
    ["canceled", [inState({ canceled: {} })], "holds"],
    ["cancelled", [inState({ cancelled: {} })], "broken"],
    ["two keys", [inState({ a: {}, b: {} })], "not observed"],
    ["a text", [inState("done")], "not observed"],
  ]),
  ...rows("current/error-has-its-members", [
    ["code and message", [gets(failedConversation(error))], "holds"],
    ["no message", [gets(failedConversation({ code: "ERROR_INTERNAL" }))], "broken"],
    ["a code that is a number", [gets(failedConversation({ ...error, code: 13 }))], "broken"],
    ["a code that is not listed", [gets(failedConversation({ ...error, code: "OTHER" }))], "holds"],
    ["a time that is none", [gets(failedConversation({ ...error, retryTime: 1 }))], "holds"],
    ["the time in the other spelling", [gets(failedConversation({ ...said, retry_time: error.retryTime }))], "holds"],
    ["no time", [gets(failedConversation(said))], "broken"],
    ["null for a time", [gets(failedConversation({ ...said, retry_time: null }))], "broken"],
    [
      "an answer besides",
      [gets(failedConversation(error, { questions: [currentQuestion("Her")] }))],
      "holds with a note",
    ],
    ["no error", [gets(completedConversation())], "not observed"],
    ["an error that is a text", [gets(failedConversation("no"))], "not observed"],
  ]),
  ...rows("current/error-code-is-listed", [
    ["a listed code", [gets(failedConversation({ code: "ERROR_QUOTA_EXCEEDED" }))], "holds"],
    ["another code", [gets(failedConversation({ code: "ERROR_OTHER" }))], "broken"],
    ["no code", [gets(failedConversation({}))], "not observed"],
  ]),
  ...rows("current/retry-time-is-a-timestamp", [
    ["retryTime", [gets(failedConversation({ retryTime: "2026-01-05T10:00:00Z" }))], "holds"],
    ["retry_time in another zone", [gets(failedConversation({ retry_time: "2026-01-05T10:00:00.5+02:00" }))], "holds"],
    ["seconds", [gets(failedConversation({ retry_time: 1_767_607_200 }))], "holds with a note"],
    ["an hour in seconds", [gets(failedConversation({ retry_time: 3600 }))], "broken"],
    ["an hour in seconds, as text", [gets(failedConversation({ retryTime: "3600" }))], "broken"],
    ["an hour in milliseconds", [gets(failedConversation({ retryTime: 3_600_000 }))], "broken"],
    ["an hour after 1970", [gets(failedConversation({ retry_time: "1970-01-01T01:00:00Z" }))], "broken"],
    [
      "an hour as seconds and nanoseconds",
      [gets(failedConversation({ retry_time: { seconds: "3600", nanos: 0 } }))],
      "broken",
    ],
    ["nothing to wait for", [gets(failedConversation({ retry_time: 0 }))], "holds with a note"],
    ["nothing to wait for, as a time", [gets(failedConversation({ retry_time: "1970-01-01T00:00:00Z" }))], "holds"],
    ["the first of all times", [gets(failedConversation({ retry_time: "0001-01-01T00:00:00Z" }))], "holds"],
    ["milliseconds since 1970", [gets(failedConversation({ retry_time: 1_767_607_200_000 }))], "holds with a note"],
    ["half a second", [gets(failedConversation({ retry_time: 1_767_607_200.5 }))], "broken"],
    ["a time before all", [gets(failedConversation({ retry_time: -1 }))], "broken"],
    ["a day", [gets(failedConversation({ retryTime: "2026-01-05" }))], "broken"],
    ["null", [gets(failedConversation({ retry_time: null }))], "not observed"],
    ["none", [gets(failedConversation(said))], "not observed"],
  ]),
  ...rows("current/answer-is-unchanged", [
    ["a text", [answered("Here.")], "holds"],
    ["blocks", [answered(blocks)], "broken"],
    ["a block of another sort", [answered([{ table: {} }])], "broken"],
    ["no blocks", [answered([])], "broken"],
    ["a block that is a text", [answered(["Here."])], "broken"],
    ["markdown that is a text", [answered([{ markdown: "Here." }])], "broken"],
    ["an object", [answered({ text: "Here." })], "broken"],
    ["null", [answered(null)], "not observed"],
    ["the answer of a question alone", [asks({ ...asksFor("words"), answer: 1 })], "broken"],
  ]),
  ...rows("current/created-in-progress", [
    ["processing", [creates(processingConversation())], "holds"],
    ["completed", [creates(completedConversation())], "broken"],
    ["a state that is not listed", [creates(currentConversation({ pending: {} }, []))], "not observed"],
    ["a follow-up that answers the question", [asks(currentQuestion())], "a note"],
    ["a follow-up that answers the conversation", [asks(processingConversation())], "holds with a note"],
    ["a follow-up that is completed", [asks(completedConversation())], "broken"],
    ["a read", [gets(completedConversation())], "not observed"],
  ]),
  ...rows("current/conversation-fits-schema", [
    ["the state in its question", [gets(stated({ completed: {} }))], "holds with a note"],
    ["no state anywhere", [gets(currentConversation(undefined, [currentQuestion()]))], "broken"],
  ]),
  ...rows("current/state-has-one-key", [
    ["the state in its question", [gets(stated({ completed: {} }))], "holds with a note"],
    ["two in its question", [gets(stated({ completed: {}, error: {} }))], "broken"],
  ]),
  ...rows("current/state-is-listed", [["another one in its question", [gets(stated({ failed: {} }))], "broken"]]),
  ...rows("current/error-has-its-members", [
    ["a question that failed", [gets(stated({ error }))], "holds"],
    ["a question that failed for no reason", [gets(stated({ error: {} }))], "broken"],
  ]),
  ...rows("current/completed-has-an-answer", [
    ["no answer, in the state of its question", [gets(stated({ completed: {} }))], "broken"],
    [
      "an answer while it is processing",
      [gets(processingConversation({ questions: [currentQuestion(blocks)] }))],
      "a note",
    ],
    ["a text", [gets(completedConversation())], "holds"],
    ["blocks", [answered(blocks)], "holds"],
    ["no answer", [answered(undefined)], "broken"],
    ["an empty text", [answered("")], "broken"],
    ["no blocks", [answered([])], "broken"],
    ["empty blocks", [answered([{ markdown: { text: "" } }])], "broken"],
    [
      "only an earlier answer",
      [gets(completedConversation({ questions: [currentQuestion("Here."), currentQuestion()] }))],
      "broken",
    ],
    ["failed", [gets(failedConversation(error))], "not observed"],
  ]),
  ...rows("current/responses-fit-openapi", [
    ["a read", [gets(completedConversation())], "holds"],
    ["a name of another type", [gets(completedConversation({ name: 1 }))], "broken"],
  ]),
])("$rule with $name: $says", ({ rule, calls, says }) => {
  expect(describeReport(rule, calls)).toBe(says);
});

describe("a finding", () => {
  test.each<{ rule: ConversationRuleId; calls: readonly CallSketch[]; message: string; pointer: string }>([
    {
      rule: "current/state-has-one-key",
      calls: [inState({ completed: {}, error })],
      message: "the state has 2 keys: `completed, error`",
      pointer: "/state",
    },
    {
      rule: "current/retry-time-is-a-timestamp",
      calls: [gets({ conversation: failedConversation({ retry_time: "soon" }) })],
      message: "`retry_time` is not a timestamp: `soon`",
      pointer: "/conversation/state/error/retry_time",
    },
    {
      rule: "current/completed-has-an-answer",
      calls: [answered(undefined)],
      message: "the last question of a conversation that is `completed` has no `answer`",
      pointer: "/questions/0/answer",
    },
    {
      rule: "current/answer-is-unchanged",
      calls: [answered([...blocks, 1])],
      message: "an answer is an array, not a string, and element 2 is not a content block",
      pointer: "/questions/0/answer",
    },
    {
      rule: "current/answer-is-unchanged",
      calls: [answered(blocks)],
      message: "an answer is an array of content blocks, not a string",
      pointer: "/questions/0/answer",
    },
    {
      rule: "current/name-is-a-resource-name",
      calls: [lists("users/1/conversations/1", "conversations/2")],
      message: "a conversation is named `conversations/2`",
      pointer: "/conversationSummaries/1/name",
    },
  ])("of $rule says what was seen and where", ({ rule, calls, message, pointer }) => {
    const violations = outcomeOf(rule, calls).findings.filter(({ kind }) => kind === "violation");
    expect(violations).toMatchObject([{ kind: "violation", exchange: "1", message, pointer }]);
  });
});

describe("what is left open", () => {
  test.each<{ rule: ConversationRuleId; calls: readonly CallSketch[]; notes: readonly string[] }>([
    {
      rule: "current/conversation-fits-schema",
      calls: [gets(completedConversation())],
      notes: ["current/member-spelling: members are spelled in lowerCamelCase"],
    },
    {
      rule: "current/conversation-fits-schema",
      calls: [
        gets(failedConversation({ retry_time: "" }, { createTime: undefined, updateTime: undefined, questions: [] })),
      ],
      notes: ["current/member-spelling: members are spelled with underscores"],
    },
    {
      rule: "current/conversation-fits-schema",
      calls: [
        gets({ name: "users/1/conversations/1", id: 1, status: "processing", state: { completed: {} }, questions: [] }),
      ],
      notes: [
        "current/replaced-members: a conversation is sent with `id` next to `name`",
        "current/replaced-members: a conversation is sent with `status` next to `state`",
      ],
    },
    {
      rule: "current/name-is-a-resource-name",
      calls: [
        gets(completedConversation({ name: "users/~self/conversations/1" })),
        gets(completedConversation({ name: "users/me/conversations/1" })),
      ],
      notes: [
        "current/user-in-names: names contain `~self` as the user",
        "current/user-in-names: names contain a name of the user",
      ],
    },
    {
      rule: "current/error-has-its-members",
      calls: [gets(failedConversation(error, { questions: [currentQuestion("Her")] }))],
      notes: ["current/error-with-answer: a failed conversation has an answer"],
    },
    {
      rule: "current/created-in-progress",
      calls: [asks(currentQuestion()), asks(processingConversation()), asks({})],
      notes: [
        "current/follow-up-body: the response to a follow-up is only the question",
        "current/follow-up-body: the response to a follow-up is the conversation",
        "current/follow-up-body: the response to a follow-up is neither the question nor the conversation",
      ],
    },
  ])("is noted by $rule: $notes", ({ rule, calls, notes }) => {
    expect(notesOf(rule, calls)).toEqual(notes);
  });
});
