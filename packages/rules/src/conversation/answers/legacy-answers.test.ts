import type { ConversationRuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { nameOf } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { notesOf, outcomeOf, describeReport } from "../testing/calls-report.ts";
import {
  currentConversation,
  completedQuestion,
  failure,
  legacyConversation,
  processingQuestion,
  retrievedConversation,
  source,
  statsOf,
} from "../testing/sample-conversations.ts";
import type { Changes } from "../testing/sample-conversations.ts";

const creates = (answer: unknown): CallSketch => ({ operation: "create", answer });
/** A creation whose ids are digits of any number. */
const createsWithIds = (conversation: string, inQuestion: string): CallSketch => {
  const json = JSON.stringify(legacyConversation([processingQuestion({ conversation_id: "inner" })], { id: "outer" }));
  return creates(json.replace('"outer"', conversation).replace('"inner"', inQuestion));
};
const gets = (answer: unknown): CallSketch => ({ operation: "get", answer });
const asks = (answer: unknown): CallSketch => ({ operation: "follow-up", answer });
const cancels: CallSketch = { operation: "cancel", answer: {} };
/** The other interface has a name for the conversation in which its number does not stand. */
const elsewhere: Partial<CallSketch> = { interface: "current", conversation: "k-7f" };
const createdElsewhere = (question: string): CallSketch => ({
  ...elsewhere,
  operation: "create",
  question,
  answer: currentConversation({ processing: {} }, [], { name: nameOf("k-7f") }),
});

const created = (changes: Changes = {}): CallSketch => creates(legacyConversation([processingQuestion(changes)]));
const read = (question: object, changes: Changes = {}): CallSketch => gets(retrievedConversation([question], changes));

const listed = (changes: Changes = {}, sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "list",
  answer: { conversations: [legacyConversation([completedQuestion()], changes)] },
  ...sketch,
});
/** The same for another user, by the read token. */
const shared = (changes: Changes = {}): CallSketch =>
  listed(changes, { credential: "other-token", query: { filter_read_token: "5c0ffee5" } });

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
  ...rows("legacy/conversation-fits-schema", [
    ["a creation", [created()], "holds"],
    ["a read", [read(completedQuestion())], "holds"],
    ["unknown members", [read(completedQuestion(), { starred: true })], "holds"],
    ["an id that is a text", [read(completedQuestion(), { id: "1" })], "broken"],
    ["an owner that is missing", [read(completedQuestion(), { user_id: undefined })], "broken"],
    ["questions that are not an array", [gets(retrievedConversation({}))], "broken"],
    ["questions that are null", [gets(retrievedConversation(null))], "broken"],
    ["questions that are null, in a list", [listed({ questions: null })], "broken"],
    ["questions that do not fit", [gets(retrievedConversation([1]))], "holds"],
    ["a viewer that does not fit", [read(completedQuestion(), { viewer: 1 })], "holds"],
    ["a follow-up that answers the question", [asks(processingQuestion())], "not observed"],
    [
      "a follow-up that answers the conversation",
      [asks(legacyConversation([processingQuestion()], { share_url: 1 }))],
      "broken",
    ],
    ["a creation that answers something else", [creates({ message: "no" })], "not observed"],
    ["a read that answers something else", [gets({ message: "no" })], "broken"],
    ["a refusal", [{ operation: "get", status: 404, answer: {} }], "not observed"],
    ["a body that is not JSON", [gets("{")], "not observed"],
    [
      "a connection that broke",
      [{ ...read(completedQuestion()), cutBy: "reset" }],
      "missing: a response to get: reset",
    ],
    ["a server that failed", [{ operation: "get", status: 503 }], "missing: a response to get other than 503"],
    ["a server that failed once", [{ operation: "get", status: 503 }, read(completedQuestion())], "holds"],
    [
      "a body that nests too deep",
      [read(completedQuestion()), gets("[".repeat(300))],
      "missing: a response to get: a body nested deeper than the checker's limit (256)",
    ],
  ]),
  ...rows("legacy/question-fits-schema", [
    ["a question", [read(completedQuestion())], "holds"],
    ["no question", [gets(retrievedConversation([]))], "not observed"],
    ["a status that is not listed", [read(completedQuestion({ status: "done" }))], "holds"],
    ["a question that is not an object", [gets(retrievedConversation([null]))], "broken"],
    ["an id that is a text", [read(completedQuestion({ id: "1" }))], "broken"],
    ["no time of creation", [read(completedQuestion({ created_at: undefined }))], "broken"],
    ["a title that is null", [read(processingQuestion({ title: null }))], "broken"],
    ["a title that is a number", [read(completedQuestion({ title: 1 }))], "broken"],
    ["follow-ups that are no texts", [read(completedQuestion({ suggested_followups: [1] }))], "broken"],
    ["the error of nothing", [read(completedQuestion({ error: null }))], "broken"],
    ["an error that is a text", [read(completedQuestion({ error: "no" }))], "broken"],
    ["sources that do not fit", [read(completedQuestion({ sources: [{}] }))], "holds"],
    ["sources that are null", [read(completedQuestion({ sources: null }))], "broken"],
    ["turns that are null", [read(completedQuestion({ turns: null }))], "broken"],
    ["follow-ups that are null", [read(processingQuestion())], "holds"],
    ["a follow-up that answers the question", [asks(processingQuestion({ status: 1 }))], "broken"],
  ]),
  ...rows("legacy/source-fits-schema", [
    ["a source", [read(completedQuestion())], "holds"],
    ["a source that is not an object", [read(completedQuestion({ sources: ["a"] }))], "broken"],
    ["sources that are not a list", [read(completedQuestion({ sources: { link: 1 } }))], "not observed"],
    ["no source", [read(completedQuestion({ sources: [] }))], "not observed"],
    ["a type that is missing", [read(completedQuestion({ sources: [{ ...source, type: undefined }] }))], "broken"],
    [
      "a link with a host",
      [read(completedQuestion({ sources: [{ ...source, link: "https://code.example/a" }] }))],
      "broken",
    ],
    [
      "a link without a scheme",
      [read(completedQuestion({ sources: [{ ...source, link: "//code.example/a" }] }))],
      "broken",
    ],
    ["a link without a slash", [read(completedQuestion({ sources: [{ ...source, link: "a" }] }))], "holds"],
    ["a link with a query", [read(completedQuestion({ sources: [{ ...source, link: "a/b?at=x:y" }] }))], "holds"],
    ["a link to another scheme", [read(completedQuestion({ sources: [{ ...source, link: "mailto:a" }] }))], "broken"],
    ["no link at all", [read(completedQuestion({ sources: [{ ...source, link: "" }] }))], "broken"],
    ["a link to the top", [read(completedQuestion({ sources: [{ ...source, link: "/" }] }))], "holds"],
  ]),
  ...rows("legacy/turn-fits-schema", [
    ["a turn", [created()], "holds"],
    ["no turn", [read(completedQuestion())], "not observed"],
    [
      "a timestamp in milliseconds",
      [created({ turns: [{ reasoning: "", role: "user", timestamp: 1_767_607_200_000 }] })],
      "broken",
    ],
    ["a timestamp that is a text", [created({ turns: [{ reasoning: "", role: "user", timestamp: "1" }] })], "broken"],
    ["no role", [created({ turns: [{ reasoning: "", timestamp: 1 }] })], "broken"],
  ]),
  ...rows("legacy/stats-are-counts", [
    ["zeros", [created()], "holds"],
    ["no stats", [created({ stats: null })], "not observed"],
    ["stats in a list", [created({ stats: [1] })], "not observed"],
    ["a negative number", [read(completedQuestion({ stats: { ...statsOf(0), credits: -1 } }))], "broken"],
    ["a fraction", [read(completedQuestion({ stats: { ...statsOf(0), credits: 0.5 } }))], "broken"],
    ["a missing member", [read(completedQuestion({ stats: { ...statsOf(0), credits: undefined } }))], "broken"],
    ["one more member", [read(completedQuestion({ stats: { ...statsOf(0), other: -1 } }))], "holds"],
  ]),
  ...rows("legacy/error-fits-schema", [
    ["an error", [read(completedQuestion({ error: failure }))], "holds"],
    ["no error", [read(completedQuestion())], "not observed"],
    ["no details", [read(completedQuestion({ error: { ...failure, details: undefined } }))], "broken"],
    ["a kind that is a number", [read(completedQuestion({ error: { ...failure, kind: 1 } }))], "broken"],
  ]),
  ...rows("legacy/error-kind-is-known", [
    ["a known kind", [read(completedQuestion({ error: failure }))], "holds"],
    ["a new kind", [read(completedQuestion({ error: { ...failure, kind: "New" } }))], "holds with a note"],
    ["no kind", [read(completedQuestion({ error: { ...failure, kind: 1 } }))], "not observed"],
  ]),
  ...rows("legacy/timestamps-are-utc", [
    ["Z", [read(completedQuestion())], "holds"],
    ["fractions", [read(completedQuestion({ created_at: "2026-01-05T10:00:00.123456Z" }))], "holds"],
    ["+00:00", [read(completedQuestion(), { created_at: "2026-01-05T10:00:00+00:00" })], "holds"],
    ["another zone", [read(completedQuestion(), { created_at: "2026-01-05T10:00:00+01:00" })], "broken"],
    ["no zone", [read(completedQuestion({ updated_at: "2026-01-05T10:00:00" }))], "broken"],
    ["a space instead of T", [read(completedQuestion({ updated_at: "2026-01-05 10:00:00Z" }))], "broken"],
    ["a day that is none", [read(completedQuestion({ updated_at: "2026-02-29T10:00:00Z" }))], "broken"],
    ["a leap day", [read(completedQuestion({ updated_at: "2028-02-29T10:00:00Z" }))], "holds"],
    ["a leap second", [read(completedQuestion({ updated_at: "2016-12-31T23:59:60Z" }))], "holds"],
    ["the end of a day", [read(completedQuestion({ updated_at: "2026-01-05T24:00:00Z" }))], "holds"],
    ["an hour that is none", [read(completedQuestion({ updated_at: "2026-01-05T25:00:00Z" }))], "broken"],
    ["the basic form", [read(completedQuestion({ updated_at: "20260105T100000.5Z" }))], "holds"],
    ["the basic form of no month", [read(completedQuestion({ updated_at: "20261305T100000Z" }))], "broken"],
    ["the basic form in another zone", [read(completedQuestion({ updated_at: "20260105T100000+0200" }))], "broken"],
    ["a day of the year", [read(completedQuestion({ updated_at: "2026-005T10:00:00Z" }))], "holds"],
    ["a day of a week", [read(completedQuestion({ updated_at: "2026-W02-1T10:00Z" }))], "holds"],
    ["a week that is none", [read(completedQuestion({ updated_at: "2026-W54-1T10:00Z" }))], "broken"],
    ["a form that is neither", [read(completedQuestion({ updated_at: "2026-01-05T10:0000Z" }))], "broken"],
    ["the end of the quota", [read(completedQuestion(), { quota_usage: { reset_time: "soon" } })], "broken"],
    ["no texts", [read({ created_at: 1 }, { created_at: 1, updated_at: null, quota_usage: 1 })], "not observed"],
  ]),
  ...rows("legacy/viewer-on-retrieval", [
    ["a viewer", [read(completedQuestion())], "holds"],
    ["no viewer", [read(completedQuestion(), { viewer: undefined })], "broken"],
    ["an owner in words", [read(completedQuestion(), { viewer: { is_owner: "yes" } })], "broken"],
    ["a creation", [created()], "not observed"],
  ]),
  ...rows("legacy/owner-is-viewer", [
    ["the owner", [created(), read(completedQuestion())], "holds"],
    [
      "the owner with `is_owner` false",
      [created(), read(completedQuestion(), { viewer: { is_owner: false } })],
      "broken",
    ],
    [
      "another user",
      [created(), { ...read(completedQuestion(), { viewer: { is_owner: false } }), credential: "other-token" }],
      "not observed",
    ],
    [
      "nobody knows who",
      [
        { ...created(), credential: "unknown" },
        { ...read(completedQuestion(), { viewer: { is_owner: false } }), credential: "unknown" },
      ],
      "not observed",
    ],
    ["a conversation that is not ours", [read(completedQuestion(), { viewer: { is_owner: false } })], "not observed"],
    ["another user with `is_owner` false", [created(), shared({ viewer: { is_owner: false } })], "holds"],
    ["another user with `is_owner` true", [created(), shared({ viewer: { is_owner: true } })], "broken"],
    ["the owner, in his list", [created(), listed({ viewer: { is_owner: true } })], "holds"],
    ["the owner with `is_owner` false in the list", [created(), listed({ viewer: { is_owner: false } })], "broken"],
    ["the owner, whose list says nothing of it", [created(), listed()], "not observed"],
  ]),
  ...rows("legacy/user-id-is-the-owner", [
    ["the owner, as another user reads it", [created(), shared()], "holds"],
    ["the reader", [created(), shared({ user_id: 8 })], "broken"],
    [
      "another token of perhaps the same user",
      [created(), { ...shared({ user_id: 8 }), credential: "oauth-token" }],
      "not observed",
    ],
    ["a conversation that is not ours", [shared({ user_id: 8 })], "not observed"],
    ["the owner, as reads show him", [created(), read(completedQuestion())], "holds"],
    ["another one, in a read", [created(), read(completedQuestion(), { user_id: 8 })], "broken"],
    [
      "another one, in a follow-up",
      [created(), asks(legacyConversation([processingQuestion()], { user_id: 8 }))],
      "broken",
    ],
    ["a read of another conversation", [created(), read(completedQuestion(), { id: 2, user_id: 8 })], "not observed"],
    ["an owner in words", [created(), read(completedQuestion(), { user_id: "eight" })], "not observed"],
    ["a follow-up that shows the question alone", [created(), asks(processingQuestion())], "not observed"],
  ]),
  ...rows("legacy/conversation-fits-schema", [
    ["an element of a list that shows little", [listed({ questions: undefined, share_url: undefined })], "holds"],
    ["an element of a list whose id is a text", [listed({ id: "1" })], "broken"],
  ]),
  ...rows("legacy/completed-question-is-filled", [
    ["an element of a list", [listed()], "holds"],
    [
      "an element of a list without an answer",
      [listed({ questions: [completedQuestion({ answer: undefined })] })],
      "broken",
    ],
  ]),
  ...rows("legacy/quota-usage-on-retrieval", [
    ["its usage", [read(completedQuestion())], "holds"],
    ["no usage", [read(completedQuestion(), { quota_usage: undefined })], "broken"],
    [
      "a limit that is null",
      [read(completedQuestion(), { quota_usage: { total_quota: 1, quota_limit: null, reset_time: "" } })],
      "broken",
    ],
    ["a creation", [created()], "not observed"],
  ]),
  ...rows("legacy/share-url-holds-read-token", [
    ["the token", [created()], "holds"],
    [
      "the token, escaped",
      [read(completedQuestion(), { read_token: "a/b c", share_url: "http://x/a%2Fb%20c" })],
      "holds",
    ],
    ["another token", [read(completedQuestion(), { share_url: "http://x/other" })], "broken"],
    ["no token", [read(completedQuestion(), { read_token: "" })], "broken"],
    ["a token that is too short to be followed", [read(completedQuestion(), { read_token: "abc1234" })], "holds"],
    [
      "another token, as short as those that are followed",
      [read(completedQuestion(), { read_token: "abc12345" })],
      "broken",
    ],
    ["neither member, as in a list", [listed({ share_url: undefined, read_token: undefined })], "not observed"],
    ["a token without an address, as in a list", [listed({ share_url: undefined })], "holds"],
    ["a path", [read(completedQuestion(), { share_url: "/deepsearch/5c0ffee5" })], "holds"],
    ["a path, in a list", [listed({ share_url: "deepsearch/5c0ffee5" })], "holds"],
    ["a path without the token", [read(completedQuestion(), { share_url: "/deepsearch/other" })], "broken"],
    ["no address", [read(completedQuestion(), { share_url: "" })], "broken"],
    ["an address of another scheme", [read(completedQuestion(), { share_url: "mailto:5c0ffee5" })], "broken"],
    ["an address without a host", [read(completedQuestion(), { share_url: "https:///5c0ffee5" })], "broken"],
    [
      "an address in capitals",
      [read(completedQuestion(), { share_url: "HTTPS://CODE.EXAMPLE/5c0ffee5?a=b" })],
      "holds",
    ],
    [
      "half a character",
      [
        gets(
          JSON.stringify(retrievedConversation([])).replace(
            /"read_token":"[^"]*"/,
            String.raw`"read_token":"abc1234\ud800"`,
          ),
        ),
      ],
      "broken",
    ],
  ]),
  ...rows("legacy/share-url-is-absolute", [
    ["an address", [created()], "holds"],
    ["an address, in a list", [listed()], "holds"],
    ["a path", [read(completedQuestion(), { share_url: "/deepsearch/5c0ffee5" })], "broken"],
    ["a path, in a list", [listed({ share_url: "deepsearch/5c0ffee5" })], "broken"],
    [
      "a host without a scheme",
      [read(completedQuestion(), { share_url: "code.example/deepsearch/5c0ffee5" })],
      "broken",
    ],
    ["words", [read(completedQuestion(), { share_url: "not a URL" })], "not observed"],
    ["no address", [read(completedQuestion(), { share_url: "" })], "not observed"],
  ]),
  ...rows("legacy/status-is-listed", [
    ["processing", [read(processingQuestion())], "holds"],
    ["completed", [read(completedQuestion())], "holds"],
    ["pending", [read(processingQuestion({ status: "pending" }))], "holds with a note"],
    ["done", [read(completedQuestion({ status: "done" }))], "broken"],
    ["no text", [read(completedQuestion({ status: 1 }))], "not observed"],
    ["done after the run cancelled it", [cancels, read(completedQuestion({ status: "done" }))], "a note"],
    [
      "done after a refused cancellation",
      [{ ...cancels, status: 400 }, read(completedQuestion({ status: "done" }))],
      "broken",
    ],
    [
      "done after the run cancelled another one",
      [{ ...cancels, questionId: 12 }, read(completedQuestion({ status: "done" }))],
      "broken",
    ],
    [
      "done after the run cancelled it through the other interface",
      [{ ...cancels, interface: "current" }, read(completedQuestion({ status: "done" }))],
      "a note",
    ],
    [
      "done after the run cancelled it through the other interface, which has another name for it",
      [createdElsewhere("words"), { ...cancels, ...elsewhere }, read(completedQuestion({ status: "done" }))],
      "a note",
    ],
    [
      "done after the run cancelled another question there",
      [createdElsewhere("other words"), { ...cancels, ...elsewhere }, read(completedQuestion({ status: "done" }))],
      "broken",
    ],
  ]),
  ...rows("legacy/created-in-progress", [
    ["processing", [created()], "holds"],
    ["pending", [created({ status: "pending" })], "broken"],
    ["completed", [created({ status: "completed" })], "broken"],
    ["a status that is not listed", [created({ status: "done" })], "not observed"],
    ["a read", [read(completedQuestion())], "not observed"],
    [
      "a follow-up that answers the conversation",
      [asks(legacyConversation([completedQuestion(), processingQuestion()]))],
      "holds",
    ],
    ["a follow-up that answers the question", [asks(processingQuestion())], "holds"],
    ["a follow-up that is completed", [asks(legacyConversation([completedQuestion(), completedQuestion()]))], "broken"],
  ]),
  ...rows("legacy/new-question-has-turns", [
    ["the turn of the user", [created()], "holds"],
    ["no turns", [created({ turns: undefined })], "broken"],
    ["turns of others", [created({ turns: [{ role: "assistant" }] })], "broken"],
    ["a follow-up with the turn of the user", [asks(processingQuestion())], "holds"],
    ["a follow-up without", [asks(processingQuestion({ turns: undefined }))], "broken"],
    [
      "a question before it without",
      [asks(legacyConversation([completedQuestion({ turns: undefined }), processingQuestion()]))],
      "holds",
    ],
    ["a read", [read(processingQuestion({ turns: undefined }))], "not observed"],
  ]),
  ...rows("legacy/stats-are-zero-while-processing", [
    ["zeros", [created()], "holds"],
    ["a number", [read(processingQuestion({ stats: { ...statsOf(0), tool_calls: 1 } }))], "broken"],
    ["a number that nobody documents", [read(processingQuestion({ stats: { ...statsOf(0), other: 1 } }))], "holds"],
    ["no stats", [read(processingQuestion({ stats: undefined }))], "not observed"],
    ["no stats in a creation", [created({ stats: null })], "broken"],
    ["a completed question", [read(completedQuestion())], "not observed"],
  ]),
  ...rows("legacy/no-answer-while-processing", [
    ["no answer", [created()], "holds"],
    ["null", [read(processingQuestion({ answer: null }))], "holds"],
    ["an empty text", [read(processingQuestion({ answer: "" }))], "broken"],
    ["an answer", [read(processingQuestion({ answer: "He" }))], "broken"],
    ["the answer to an earlier question", [read(completedQuestion())], "not observed"],
  ]),
  ...rows("legacy/followups-null-while-processing", [
    ["null", [created()], "holds"],
    ["left out", [created({ suggested_followups: undefined })], "holds with a note"],
    ["an empty array", [created({ suggested_followups: [] })], "broken"],
    ["a completed question", [read(completedQuestion())], "not observed"],
  ]),
  ...rows("legacy/completed-question-is-filled", [
    ["everything", [read(completedQuestion())], "holds"],
    ["null follow-ups", [read(completedQuestion({ suggested_followups: null }))], "broken"],
    ["follow-ups that are none", [read(completedQuestion({ suggested_followups: [] }))], "holds"],
    ["stats that are all zero", [read(completedQuestion({ stats: statsOf(0) }))], "broken"],
    ["stats of which one is not zero", [read(completedQuestion({ stats: { ...statsOf(0), credits: 1 } }))], "holds"],
    ["no follow-ups", [read(completedQuestion({ suggested_followups: undefined }))], "broken"],
    ["no title", [read(completedQuestion({ title: null }))], "broken"],
    ["an empty title", [read(completedQuestion({ title: "" }))], "broken"],
    ["an empty title where there is none yet", [read(processingQuestion({ title: "" }))], "not observed"],
    ["an empty answer", [read(completedQuestion({ answer: "" }))], "broken"],
    ["no sources", [read(completedQuestion({ sources: undefined }))], "broken"],
    ["no stats", [read(completedQuestion({ stats: undefined }))], "broken"],
    ["an error", [read(completedQuestion({ title: null, error: failure }))], "not observed"],
    ["a question that the run cancelled", [cancels, read(completedQuestion({ title: null }))], "not observed"],
    [
      "a question that the run cancelled when it had ended",
      [read(completedQuestion()), cancels, read(completedQuestion({ title: null }))],
      "broken",
    ],
    [
      "an answer without a title to the cancellation of what had ended",
      [read(completedQuestion()), { ...cancels, answer: retrievedConversation([completedQuestion({ title: null })]) }],
      "holds",
    ],
    [
      "a question that the run cancelled under another name",
      [createdElsewhere("words"), { ...cancels, ...elsewhere }, read(completedQuestion({ title: null }))],
      "not observed",
    ],
    [
      "a question that the run did not cancel under another name",
      [createdElsewhere("words"), { ...cancels, ...elsewhere, status: 400 }, read(completedQuestion({ title: null }))],
      "broken",
    ],
    ["a question that is processing", [created()], "not observed"],
  ]),
  ...rows("legacy/failed-question-is-completed", [
    ["completed", [read(completedQuestion({ error: failure }))], "holds"],
    ["processing", [read(processingQuestion({ error: failure }))], "broken"],
    ["a status that is not listed", [read(processingQuestion({ status: "failed", error: failure }))], "not observed"],
    ["cancelled by the run", [cancels, read(processingQuestion({ error: failure }))], "not observed"],
    ["no error", [read(completedQuestion())], "not observed"],
  ]),
  ...rows("legacy/question-belongs-to-conversation", [
    ["its conversation", [created()], "holds"],
    ["another conversation", [created({ conversation_id: 2 })], "broken"],
    ["none", [created({ conversation_id: null })], "not observed"],
    ["the question alone", [asks(processingQuestion({ conversation_id: 2 }))], "broken"],
    ["ids that a number rounds to the same", [createsWithIds("9007199254740992", "9007199254740993")], "broken"],
    ["the same id, which a number would round", [createsWithIds("9007199254740993", "9007199254740993")], "holds"],
  ]),
  ...rows("legacy/responses-fit-openapi", [
    ["a read", [read(completedQuestion())], "holds"],
    ["a member of another type", [read(completedQuestion(), { user_id: "7" })], "broken"],
    ["a body that is not JSON", [gets("no")], "not observed"],
    [
      "a broken connection",
      [{ ...read(completedQuestion()), status: 0 }],
      "missing: a response to get: no response was received",
    ],
  ]),
])("$rule with $name: $says", ({ rule, calls, says }) => {
  expect(describeReport(rule, calls)).toBe(says);
});

describe("a finding", () => {
  test.each<{
    rule: ConversationRuleId;
    calls: readonly CallSketch[];
    message: string;
    pointer: string;
  }>([
    {
      rule: "legacy/conversation-fits-schema",
      calls: [read(completedQuestion(), { user_id: "7" })],
      message: "the conversation, at `/user_id`, must be integer",
      pointer: "/user_id",
    },
    {
      rule: "legacy/stats-are-counts",
      calls: [
        gets(
          retrievedConversation([completedQuestion(), completedQuestion({ stats: { ...statsOf(0), credits: -1 } })]),
        ),
      ],
      message: "the stats, at `/credits`, must be >= 0",
      pointer: "/questions/1/stats/credits",
    },
    {
      rule: "legacy/status-is-listed",
      calls: [gets({ conversation: retrievedConversation([completedQuestion({ status: "done" })]) })],
      message: "the status of a question is `done`",
      pointer: "/conversation/questions/0/status",
    },
    {
      rule: "legacy/completed-question-is-filled",
      calls: [asks(completedQuestion({ answer: null }))],
      message: "a question that is `completed` has no `answer`",
      pointer: "/answer",
    },
    {
      rule: "legacy/stats-are-zero-while-processing",
      calls: [read(processingQuestion({ stats: statsOf(1) }))],
      message: "a question that is `processing` has stats that are not zero",
      pointer: "/questions/0/stats",
    },
  ])("of $rule says what was seen and where", ({ rule, calls, message, pointer }) => {
    expect(outcomeOf(rule, calls).findings).toMatchObject([{ kind: "violation", exchange: "1", message, pointer }]);
  });

  test("quotes at most 80 characters", () => {
    const [finding] = outcomeOf("legacy/status-is-listed", [
      read(completedQuestion({ status: "x".repeat(500) })),
    ]).findings;
    expect(finding?.message).toHaveLength("the status of a question is ``".length + 81);
  });

  test("never quotes a read token", () => {
    const findings = outcomeOf("legacy/share-url-holds-read-token", [
      read(completedQuestion(), { share_url: "http://x/y" }),
    ]);
    expect(JSON.stringify(findings)).not.toMatch(/5c0ffee5|http/);
  });
});

describe("what is left open", () => {
  test.each<{ rule: ConversationRuleId; calls: readonly CallSketch[]; note: string }>([
    {
      rule: "legacy/status-is-listed",
      calls: [read(processingQuestion({ status: "pending" }))],
      note: "legacy/pending-status: a question is `pending`",
    },
    {
      rule: "legacy/status-is-listed",
      calls: [cancels, read(completedQuestion({ status: "cancelled" }))],
      note: "legacy/status-after-cancel: the status of a cancelled question is `cancelled`",
    },
    {
      rule: "legacy/followups-null-while-processing",
      calls: [created({ suggested_followups: undefined })],
      note: "legacy/null-for-absent: `suggested_followups` is absent while a question is processing",
    },
    {
      rule: "legacy/error-kind-is-known",
      calls: [read(completedQuestion({ error: { ...failure, kind: "New" } }))],
      note: "no code: new kind of error: `New`",
    },
  ])("is noted by $rule: $note", ({ rule, calls, note }) => {
    expect(notesOf(rule, calls)).toEqual([note]);
  });

  test("is noted once per response, for any number of questions", () => {
    const many = gets(retrievedConversation([1, 2, 3].map((id) => processingQuestion({ id, status: "pending" }))));
    expect(notesOf("legacy/status-is-listed", [many, many])).toHaveLength(2);
  });
});
