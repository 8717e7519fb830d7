import { statsMembers } from "@assay/contract";
import { parseConversationName } from "../../service/conversation/current/resource-name.ts";
import { isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, selectVariant, type Variants, defineViolation } from "../fault.ts";
import { withMember, withoutMember } from "../json-mutation.ts";
import {
  passesAll,
  allRefusals,
  selectCalls,
  type CallTest,
  editJson,
  type InterfaceName,
  type JsonEdit,
  listsWith,
  byMainUser,
  plainLists,
  replaceAnswer,
  sharedLists,
  unpagedLists,
} from "./call-effects.ts";
import {
  emptyLists,
  inEntries,
  inOtherZone,
  inQuestions,
  inText,
  isAnswered,
  isRunning,
  reopenQuestion,
  editWhen,
  inConversations,
  withEntries,
  withExtraEntry,
} from "./conversation-parts.ts";
import { findOrigin, trackingOrigins } from "./seen-conversations.ts";

/** Edits each entry of the selected lists. */
const editEntries = (isSelected: CallTest, edit: JsonEdit): ConversationEffect => editJson(isSelected, inEntries(edit));

const legacyLists = listsWith();
const currentLists = selectCalls("current", "list");

/** Members of an entry that only an answered question has. */
const earlyMembers: PayloadObject = {
  status: "completed",
  title: "An early title",
  answer: "It is in the first file.",
  sources: [],
  stats: Object.fromEntries(statsMembers.map((name) => [name, 3])),
  suggested_followups: [],
};

/** Removes the origin from the share URL. */
const removeOrigin = inText("share_url", (url) => url.replace(/^https?:\/\/[^/]+/u, ""));

const unknownToken = "00000000-0000-4000-8000-000000000000";

const toForeignEntry = ({ questions: _theirs, ...entry }: PayloadObject): PayloadObject => ({
  ...entry,
  id: Number(entry["id"]) + 100_000,
  user_id: Number(entry["user_id"]) + 1000,
  read_token: unknownToken,
  share_url: String(entry["share_url"]).replace(String(entry["read_token"]), unknownToken),
  viewer: { is_owner: false },
});

const brokenUserLists: Variants<JsonEdit> = {
  "a-stranger": (json) =>
    withEntries(json, (entries) => [...entries, ...entries.slice(-1).filter(isPayloadObject).map(toForeignEntry)]),
  "nothing-passes": emptyLists.all,
};

const removeLast: JsonEdit = (json) => withEntries(json, (entries) => entries.slice(0, -1));

/** Removes the first conversation that was created through this interface. Lists may omit conversations of the other interface. */
const removeFirstCreated: JsonEdit = (json, { run }) =>
  withEntries(json, (entries) => {
    const index = entries.findIndex(
      (entry) => isPayloadObject(entry) && findOrigin(parseConversationName(entry["name"]), run) === "current",
    );
    return entries.filter((_entry, entryIndex) => entryIndex !== index);
  });

/** Lists the first conversation twice. */
const repeatFirst: JsonEdit = (json) => withEntries(json, (entries) => [...entries.slice(0, 1), ...entries]);

const createListedTwiceFault = (name: InterfaceName, lists: CallTest): Fault =>
  defineViolation(`${name}/pages-do-not-overlap`, `${name}-listed-twice`)(
    "Lists without paging contain their first conversation twice.",
    editJson(passesAll(lists, byMainUser), repeatFirst),
  );

/** Faults in the entries of lists, and in the selection of listed conversations. */
export const listedFaults: readonly Fault[] = [
  defineViolation("legacy/list-has-own-conversations", "legacy-plain-list-incomplete")(
    "Lists without parameters lack the conversation that was updated first, or all of them in one of several forms.",
    selectVariant({ one: removeLast, ...emptyLists }, (edit) => editJson(passesAll(plainLists, byMainUser), edit)),
  ),
  createListedTwiceFault("legacy", plainLists),
  createListedTwiceFault("current", unpagedLists),
  defineViolation("legacy/filter-user-id-filters", "legacy-filter-user-id-broken")(
    "Lists with `filter_user_id` also contain a conversation of another user, or are empty.",
    selectVariant(brokenUserLists, (edit) => editJson(listsWith("filter_user_id"), edit)),
  ),
  defineViolation("legacy/status-transitions-are-listed", "legacy-listed-status-stale")(
    "Lists show completed questions as processing, with the time of their newest update.",
    editEntries(legacyLists, inQuestions(editWhen((question) => !isRunning(question), reopenQuestion))),
  ),
  defineViolation("legacy/reads-are-current", "legacy-listed-at-work-as-completed")(
    "Lists show questions that are processing as completed, with an answer.",
    editEntries(legacyLists, inQuestions(editWhen(isRunning, (question) => ({ ...question, ...earlyMembers })))),
  ),
  defineViolation("legacy/stats-are-zero-while-processing", "legacy-listed-at-work-stats")(
    "Lists show stats other than zero for questions that are processing.",
    editEntries(legacyLists, inQuestions(editWhen(isRunning, withMember("stats", earlyMembers["stats"])))),
  ),
  defineViolation("legacy/completed-question-is-filled", "legacy-listed-answer-missing")(
    "Completed questions in lists have no answer.",
    editEntries(legacyLists, inQuestions(editWhen(isAnswered, withoutMember("answer")))),
  ),
  defineViolation("legacy/conversation-fits-schema", "legacy-listed-id-text")(
    "The ids of conversations in lists are strings.",
    editEntries(legacyLists, (entry) => ({ ...entry, id: String(entry["id"]) })),
  ),
  defineViolation("legacy/timestamps-are-utc", "legacy-listed-local-time")(
    "The creation times of conversations in lists are the same instants in a different time zone.",
    editEntries(legacyLists, inText("created_at", inOtherZone)),
  ),
  defineViolation("legacy/share-url-holds-read-token", "legacy-listed-share-url")(
    "The share URL of conversations in lists does not contain the read token.",
    editEntries(legacyLists, withMember("share_url", "https://search.example/deepsearch/shared")),
  ),
  defineViolation("legacy/share-url-is-absolute", "legacy-share-url-path")(
    "The share URL is a path on the instance that contains the read token, in lists or in all responses.",
    selectVariant(
      { everywhere: selectCalls("legacy"), lists: legacyLists },
      (calls) => editJson(calls, inConversations(removeOrigin)),
      ["place", "where"],
    ),
  ),
  defineViolation("legacy/share-url-holds-read-token", "legacy-listed-read-token-empty")(
    "The read token of conversations in lists is empty.",
    editEntries(legacyLists, withMember("read_token", "")),
  ),
  defineViolation("legacy/owner-is-viewer", "legacy-listed-owner-denied")(
    "Conversations in the list of the user who created them have a different user as their owner.",
    editEntries(passesAll(legacyLists, byMainUser), withMember("viewer", { is_owner: false })),
  ),
  defineViolation("legacy/owner-is-viewer", "legacy-everybody-owns")(
    "Another user who lists a conversation by its read token is shown as its owner.",
    editEntries(sharedLists, withMember("viewer", { is_owner: true })),
  ),
  defineViolation("legacy/user-id-is-the-owner", "legacy-user-id-of-reader")(
    "Another user who lists a conversation by its read token is shown as its user.",
    editEntries(sharedLists, (entry) => ({ ...entry, user_id: Number(entry["user_id"]) + 1 })),
  ),
  defineViolation("current/list-is-accepted", "current-list-refused")(
    "Lists of the user's own conversations are refused.",
    selectVariant(allRefusals, (refuse) =>
      replaceAnswer(passesAll(unpagedLists, byMainUser), (_answer, { call }) => refuse(call)),
    ),
  ),
  defineViolation("current/list-is-accepted", "current-list-incomplete")(
    "Lists without paging lack one of the user's conversations, or all of them in one of several forms.",
    selectVariant({ one: removeFirstCreated, ...emptyLists }, (edit) => trackingOrigins(editJson(unpagedLists, edit))),
  ),
  defineViolation("current/self-stands-for-the-user", "current-list-of-others")(
    "Lists of `users/~self` without paging contain an extra conversation, whose name contains a different user.",
    selectVariant(
      { "by-number": "users/9007/conversations/700007", "by-name": "users/eve/conversations/700008" },
      (name) => editJson(unpagedLists, withExtraEntry(name)),
    ),
  ),
  defineViolation("current/state-is-listed", "current-listed-state-unlisted")(
    "Conversations in lists have an invalid state.",
    editEntries(currentLists, withMember("state", { failed: {} })),
  ),
  defineViolation("current/state-has-one-key", "current-listed-state-of-two")(
    "Conversations in lists have two states.",
    editEntries(currentLists, withMember("state", { completed: {}, processing: {} })),
  ),
];
