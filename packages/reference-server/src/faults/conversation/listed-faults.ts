import { statsMembers } from "@assay/contract";
import { userIds } from "../../access.ts";
import type { ApiCall } from "../../conversation/api/api-call.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, violating } from "../fault.ts";
import { editAnswers, isMeant, isSuccess, replaceAnswers, withJson } from "./answer-edits.ts";
import { isRunning, questionsOf } from "./conversation-parts.ts";
import { changeEntries } from "./list-entries.ts";

const legacyLists = { interface: "legacy", operations: ["list"] } as const;

/** Changes each element of the legacy lists that are meant. */
const changed = (
  change: (entry: PayloadObject) => PayloadObject,
  isHit: (call: ApiCall) => boolean = () => true,
): ConversationEffect =>
  editAnswers(legacyLists, (json, { call }) =>
    isHit(call)
      ? changeEntries(json, (entries) => entries.map((entry) => (isPayloadObject(entry) ? change(entry) : entry)))
      : json,
  );

const withQuestions =
  (change: (question: PayloadObject) => PayloadObject) =>
  (entry: PayloadObject): PayloadObject => {
    const { questions } = entry;
    return isPayloadArray(questions)
      ? {
          ...entry,
          questions: questions.map((question) =>
            isPayloadObject(question) && question["status"] === "completed" ? change(question) : question,
          ),
        }
      : entry;
  };

const whileRunning =
  (change: (question: PayloadObject) => PayloadObject) =>
  (entry: PayloadObject): PayloadObject => ({
    ...entry,
    questions: questionsOf(entry).map((question) => (isRunning(question) ? change(question) : question)),
  });

/** As if there were an answer already. */
const answered = (question: PayloadObject): PayloadObject => ({
  ...question,
  status: "completed",
  title: "An early title",
  answer: "It is in the first file.",
  sources: [],
  stats: Object.fromEntries(statsMembers.map((name) => [name, 3])),
  suggested_followups: [],
});

/** As it was before there was an answer, with the time of the answer. */
const unanswered = ({ id, conversation_id, question, created_at, updated_at }: PayloadObject): PayloadObject => ({
  id,
  conversation_id,
  question,
  created_at,
  updated_at,
  status: "processing",
  stats: Object.fromEntries(statsMembers.map((name) => [name, 0])),
  suggested_followups: null,
});

const withoutAnswer = (question: PayloadObject): PayloadObject => {
  const { answer: _answer, ...rest } = question;
  return "error" in question ? question : rest;
};

const isOther = ({ credential }: ApiCall): boolean => credential === "other";
const hasToken = (call: ApiCall): boolean => call.parameters.has("filter_read_token");
const isSharedRead = (call: ApiCall): boolean => isOther(call) && hasToken(call);

/** Lists in the order of creation, where that of updates is meant. */
const byCreation = (isHit: (call: ApiCall) => boolean): ConversationEffect => ({
  layer: "conversation",
  list: (query, call, run) => {
    if (!isMeant(call, legacyLists) || !isHit(call)) {
      return query;
    }
    run.applied();
    return { ...query, sort: query.sort.startsWith("-") ? "-created_at" : "created_at" };
  },
});

/** Lists the newest conversation by a token that nobody has. */
const anyToken: ConversationEffect = {
  layer: "conversation",
  list: (query, call, run) => {
    if (!isMeant(call, legacyLists) || query.readToken?.startsWith("00000000-") !== true) {
      return query;
    }
    run.applied();
    const { readToken: _token, ...rest } = query;
    return { ...rest, pageSize: 1 };
  },
};

/** The share URL without the address of the instance. */
const withPath = (json: PayloadObject): PayloadObject =>
  typeof json["share_url"] === "string"
    ? { ...json, share_url: json["share_url"].replace(/^https?:\/\/[^/]+/u, "") }
    : json;

/** The same instant, two hours east of Greenwich. */
const inOtherZone = (time: string): string =>
  new Date(Date.parse(time) + 7_200_000).toISOString().replace("Z", "+02:00");

/** Faults in the elements of lists, and in lists that look right as long as nothing stands against them. */
export const listedFaults: readonly Fault[] = [
  violating("legacy/status-transitions-are-listed", "legacy-listed-status-stale")(
    "Lists show completed questions as processing, with the time of their newest update.",
    changed(withQuestions(unanswered)),
  ),
  violating("legacy/reads-are-current", "legacy-listed-at-work-as-completed")(
    "Lists show questions that are processing as completed, with an answer.",
    changed(whileRunning(answered)),
  ),
  violating("legacy/stats-are-zero-while-processing", "legacy-listed-at-work-stats")(
    "Lists show stats that are not zero of questions that are processing.",
    changed(whileRunning((question) => ({ ...question, stats: answered(question)["stats"] }))),
  ),
  violating("legacy/sort-is-kept", "legacy-filtered-sort-ignored")(
    "Lists with a filter are in the order of updates, whatever order is asked for.",
    {
      layer: "conversation",
      list: (query, call, run) => {
        if (!isMeant(call, legacyLists) || !call.parameters.has("filter_user_id") || !call.parameters.has("sort")) {
          return query;
        }
        run.applied();
        return { ...query, sort: "-updated_at" };
      },
    },
  ),
  violating("legacy/sort-is-kept", "legacy-paged-sort-ignored")(
    "Lists of a number of conversations a page are in the order of updates, whatever order is asked for.",
    {
      layer: "conversation",
      list: (query, call, run) => {
        if (!isMeant(call, legacyLists) || !call.parameters.has("page_first") || !call.parameters.has("sort")) {
          return query;
        }
        run.applied();
        return { ...query, sort: "-updated_at" };
      },
    },
  ),
  violating("legacy/filter-id-filters", "legacy-sorted-filter-ignored")(
    "Lists in an order have every conversation, whatever `filter_id` is.",
    {
      layer: "conversation",
      list: (query, call, run) => {
        const { id, ...rest } = query;
        if (!isMeant(call, legacyLists) || id === undefined || !call.parameters.has("sort")) {
          return query;
        }
        run.applied();
        return rest;
      },
    },
  ),
  violating("legacy/conversation-fits-schema", "legacy-listed-id-text")(
    "The ids of conversations in lists are texts.",
    changed((entry) => ({ ...entry, id: String(entry["id"]) })),
  ),
  violating("legacy/share-url-holds-read-token", "legacy-listed-share-url")(
    "The share URL of conversations in lists does not hold the read token.",
    changed((entry) => ({ ...entry, share_url: "https://search.example/deepsearch/shared" })),
  ),
  violating("legacy/share-url-holds-read-token", "legacy-share-url-path")(
    "The share URL is a path on the instance, with the read token in it, in lists or wherever it is shown.",
    editAnswers({ interface: "legacy" }, (json, { call, run }) =>
      call.operation === "list"
        ? changeEntries(json, (entries) => entries.map((entry) => (isPayloadObject(entry) ? withPath(entry) : entry)))
        : run.values["place"] === "lists"
          ? json
          : withPath(json),
    ),
    { place: { title: "where", default: "everywhere", choices: ["everywhere", "lists"] } },
  ),
  violating("legacy/share-url-holds-read-token", "legacy-listed-read-token-empty")(
    "The read token of conversations in lists has no text.",
    changed((entry) => ({ ...entry, read_token: "" })),
  ),
  violating("legacy/owner-is-viewer", "legacy-listed-owner-denied")(
    "Conversations in the list of the user who created them say that somebody else is their owner.",
    changed(
      (entry) => ("viewer" in entry ? { ...entry, viewer: { is_owner: false } } : entry),
      (call) => !isOther(call),
    ),
  ),
  violating("legacy/page-first-bounds", "legacy-page-first-one-empty")(
    "A first page of one conversation has none, and leads nowhere.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        const isHit = isMeant(call, legacyLists) && call.parameters.get("page_first") === "1";
        if (!isHit || !isSuccess(answer)) {
          return answer;
        }
        run.applied();
        return withJson(answer, { conversations: [] });
      },
    },
  ),
  violating("legacy/list-parameters-are-accepted", "legacy-filtered-list-text")(
    "Lists with `filter_id` are answered with text.",
    replaceAnswers(legacyLists, ({ status }, { call }) =>
      call.parameters.has("filter_id")
        ? { status, headers: { "content-type": "text/plain; charset=utf-8" }, text: "one conversation\n" }
        : undefined,
    ),
  ),
  violating("legacy/timestamps-are-utc", "legacy-listed-local-time")(
    "The times of creation of conversations in lists tell the same instants in another zone.",
    changed((entry) => ({ ...entry, created_at: inOtherZone(String(entry["created_at"])) })),
  ),
  violating("legacy/completed-question-is-filled", "legacy-listed-answer-missing")(
    "Completed questions in lists have no answer.",
    changed(withQuestions(withoutAnswer)),
  ),
  violating("legacy/sort-is-kept", "legacy-sort-by-creation")(
    "Lists that are to be in the order of updates are in that of creations.",
    byCreation(({ parameters }) => String(parameters.get("sort")).endsWith("updated_at")),
  ),
  violating("legacy/default-sort-is-newest-update-first", "legacy-default-sort-by-creation")(
    "Lists without `sort` are in the order of creations.",
    byCreation(({ parameters }) => !parameters.has("sort")),
  ),
  violating("legacy/filter-user-id-filters", "legacy-filter-user-id-ignored")(
    "A list with `filter_user_id` has the conversations of who asks, whatever user is meant.",
    {
      layer: "conversation",
      list: (query, call, run) => {
        if (!isMeant(call, legacyLists) || query.userId === undefined) {
          return query;
        }
        run.applied();
        const { userId: _user, ...rest } = query;
        return rest;
      },
    },
  ),
  violating("legacy/filter-read-token-filters", "legacy-any-read-token")(
    "A list by a read token that nobody was given has a conversation.",
    anyToken,
  ),
  violating("legacy/list-shows-own-only", "legacy-filter-user-id-opens")(
    "Lists with `filter_user_id` show another user the conversations of the main one.",
    {
      layer: "conversation",
      list: (query, call, run) => {
        if (!isMeant(call, legacyLists) || !isOther(call) || query.userId === undefined) {
          return query;
        }
        run.applied();
        return { ...query, viewerId: userIds.main };
      },
    },
  ),
  violating("legacy/user-id-is-the-owner", "legacy-user-id-of-reader")(
    "Another user who lists a conversation by its read token is told to be its user.",
    changed((entry) => ({ ...entry, user_id: Number(entry["user_id"]) + 1 }), isSharedRead),
  ),
  violating("legacy/owner-is-viewer", "legacy-everybody-owns")(
    "Another user who lists a conversation by its read token is told to own it.",
    changed((entry) => ({ ...entry, viewer: { is_owner: true } }), isSharedRead),
  ),
];
