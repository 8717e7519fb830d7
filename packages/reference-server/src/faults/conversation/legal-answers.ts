import { type ApiAnswer, jsonAnswer, textAnswer } from "../../service/conversation/api/api-answer.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject, mapObjects, mapStrings } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import { type Fault, defineLegalVariation, selectVariant, withSettings, type Variants } from "../fault.ts";
import { withMember, withoutMember } from "../json-mutation.ts";
import { readyAnswer } from "./asking-faults.ts";
import {
  changeAnswer,
  selectCalls,
  editJson,
  emptyAnswer,
  emptyJson,
  everyCall,
  type InterfaceName,
  interfaces,
  isSuccess,
  type JsonEdit,
  namedVariants,
  type AnswerCreator,
  refusals,
  replaceAnswer,
  returnsConversation,
  withJson,
} from "./call-effects.ts";
import {
  creationNames,
  listEntries,
  findEntriesMember,
  inElements,
  inEntries,
  inQuestions,
  inText,
  isConversation,
  isFinished,
  isRunning,
  listQuestions,
  reopenLastQuestion,
  respellMembers,
  resetLastQuestion,
  editWhen,
  inConversations,
  withSelf,
} from "./conversation-parts.ts";
import { countUp, trackingOrigins, wasCancellationRequested } from "./seen-conversations.ts";

const goneAnswers: Variants<AnswerCreator> = { ...refusals(410, 403), "empty-200": () => emptyJson(200) };

const createReadAfterDeleteFault = (name: InterfaceName): Fault =>
  defineLegalVariation(`${name}-read-after-delete`)(
    "Reads of a deleted conversation are answered differently.",
    selectVariant(goneAnswers, (createAnswer) =>
      changeAnswer(everyCall, (answer, { call, run: { memory } }) => {
        const key = `deleted ${call.conversationId}`;
        if (call.operation === "delete" && isSuccess(answer)) {
          memory.set(key, true);
        }
        return answer.status === 404 && memory.has(key) && selectCalls(name, "get")(call) ? createAnswer(call) : answer;
      }),
    ),
  );

/** Returns the time of the last question, in Unix milliseconds. */
const readLastCreationMs = (json: PayloadObject): number => {
  const last = listQuestions(json).at(-1) ?? {};
  return Date.parse(String(creationNames.map((name) => last[name]).find((time) => typeof time === "string")));
};

/**
 * Shows a question as in progress for `ms` after it was asked, unless it was cancelled. The update time is unchanged: summaries contain
 * it too, and a read must not appear older than a summary.
 */
const showLater = (ms: number): JsonEdit =>
  editWhen((json, { call, run }) => {
    const conversationId = Number(json["id"] ?? call.conversationId);
    const isSelected = isConversation(json) && !wasCancellationRequested({ call: { ...call, conversationId }, run });
    return isSelected && isFinished(json) && Date.now() < readLastCreationMs(json) + ms;
  }, reopenLastQuestion);

const createStateKey = (conversation: unknown): string => `state of ${String(conversation).split("/").at(-1)}`;

/** Adds the state to each listed conversation except failed ones, whose state would need details. */
const addStatesToLists: ConversationEffect = {
  ...editJson(
    selectCalls("current", "list"),
    inEntries((entry, { run }) => {
      const state = String(run.memory.get(createStateKey(entry["name"])));
      return state === "failed" ? entry : { ...entry, state: { [state]: {} } };
    }),
  ),
  page: (page, _call, { memory }) => {
    for (const { id, questions } of page.conversations) {
      memory.set(createStateKey(id), questions.at(-1)?.outcome?.kind ?? "processing");
    }
    return page;
  },
};

/** Bodies of responses whose form is not documented. */
const openBodies: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  empty: ({ status }) => emptyAnswer(status),
  text: ({ status }) => textAnswer(status, "done"),
  flag: (answer) => withJson(answer, { done: true }),
  operation: (answer) => withJson(answer, { name: "operations/17", state: "DONE" }),
};

const createOpenBodyFault = (name: InterfaceName, act: "cancellation" | "deletion"): Fault =>
  defineLegalVariation(`${name}-${act}-body`)(
    `A ${act} returns a different body, or no body.`,
    selectVariant(openBodies, (change) =>
      replaceAnswer(selectCalls(name, act === "deletion" ? "delete" : "cancel"), change),
    ),
  );

type Envelope = (entries: readonly unknown[], otherMembers: PayloadObject) => unknown;

const underName =
  (name: string): Envelope =>
  (entries, otherMembers) => ({ [name]: entries, ...otherMembers });

const envelopes: Readonly<Record<InterfaceName, Variants<Envelope>>> = {
  legacy: {
    array: (entries) => entries,
    results: underName("results"),
    data: underName("data"),
    "name-of-its-own": underName("deep_search_threads"),
    "cursor-in-page-info": (entries, { next_cursor: cursor }) => ({
      conversations: entries,
      page_info: { has_next_page: cursor !== undefined, end_cursor: cursor ?? null },
    }),
    nested: (entries, { next_cursor: cursor }) => ({
      conversations: { nodes: entries, totalCount: entries.length, pageInfo: { endCursor: cursor ?? null } },
    }),
  },
  current: {
    conversations: underName("conversations"),
    summaries: underName("summaries"),
    results: underName("results"),
    "name-of-its-own": underName("threads"),
    nested: (entries, otherMembers) => ({ conversations: { nodes: entries, ...otherMembers } }),
  },
};

const createEnvelopeFault = (name: InterfaceName): Fault =>
  defineLegalVariation(`${name}-list-envelope`)(
    "Lists have a different member name, or are a bare array.",
    selectVariant(envelopes[name], (envelope) =>
      editJson(selectCalls(name, "list"), (json) => {
        const member = findEntriesMember(json);
        return member === undefined ? json : envelope(listEntries(json), without(json, member));
      }),
    ),
  );

const contentTypes = namedVariants("Application/JSON;charset=UTF-8", "text/plain");
const withContentType = (type: string): ConversationEffect =>
  replaceAnswer(everyCall, (answer) =>
    answer.json === undefined ? undefined : { ...answer, headers: { ...answer.headers, "content-type": type } },
  );

/** Adds a member to all objects except the state, whose only key is its value. */
const withNewMembers: JsonEdit = (json) =>
  mapObjects(json, (data, name) =>
    name === "state" ? data : { ...data, addedLater: true, "x-note": { texts: ["more"] }, constructor: null },
  );

/** Returns the number at the end of a name, or 0 if there is none. */
const readTrailingNumber = (name: unknown): number => Number(/\d+$/u.exec(String(name))?.[0] ?? 0);

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u;

/** Changes the format of all times. */
const changeTimes =
  (write: (time: string) => string): JsonEdit =>
  (json) =>
    mapStrings(json, (text) => (isTime.test(text) ? write(text) : text));

/** Formats times with at least `minDecimals` decimals. Keeps milliseconds that are not zero. */
const withDecimals = (minDecimals: number): JsonEdit =>
  changeTimes((time) => {
    const fraction = /\.(\d+)Z$/u.exec(time)?.[1] ?? "";
    const shortFraction = fraction.replace(/0+$/u, "").padEnd(minDecimals, "0");
    return `${time.replace(/(?:\.\d+)?Z$/u, "")}${shortFraction === "" ? "" : `.${shortFraction}`}Z`;
  });

const toBasicFormat = changeTimes((time) => time.replaceAll(/[-:]/gu, ""));

const withoutSlash = inText("link", (link) => link.replace(/^\//u, ""));

const escapedByte = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

/** Ways to escape text in a URL. The result is ASCII. */
const escapes: Variants<(text: string) => string> = {
  "first-character": (text) => `${escapedByte(text.slice(0, 1))}${text.slice(1)}`,
  "every-character": (text) => Array.from(text, escapedByte).join(""),
};

const withMoreTurns = (question: PayloadObject): PayloadObject => {
  const turns = isPayloadArray(question["turns"]) ? question["turns"] : [];
  const first = { reasoning: String(question["question"]), timestamp: 1_700_000_000, role: "user" };
  const agent = { reasoning: "Looking for the words of the question.", timestamp: 1_700_000_001, role: "assistant" };
  return { ...question, turns: [...(turns.length === 0 ? [first] : turns), agent] };
};

const refusalForms: Variants<(message: string) => unknown> = {
  error: (message) => ({ error: message }),
  text: (message) => message,
  list: (message) => [{ detail: { text: message } }],
};

const inLegacyQuestions = (edit: JsonEdit): ConversationEffect =>
  editJson(returnsConversation("legacy"), inQuestions(edit));

/** Unusual but permitted forms of responses, states and times. */
export const legalAnswers: readonly Fault[] = [
  defineLegalVariation("legacy-other-success-status")(
    "All successful answers of the legacy interface have the same status, 200 or 202.",
    selectVariant({ "status-200": 200, "status-202": 202 }, (status) =>
      changeAnswer(selectCalls("legacy"), (answer) =>
        isSuccess(answer) && answer.status !== status ? { ...answer, status } : answer,
      ),
    ),
  ),
  defineLegalVariation("current-follow-up-answered-with-question")(
    "The response to a follow-up is the new question instead of its conversation.",
    editJson(selectCalls("current", "follow-up"), (json) => listQuestions(json).at(-1) ?? json),
  ),
  ...interfaces.flatMap((name) => [createOpenBodyFault(name, "cancellation"), createOpenBodyFault(name, "deletion")]),
  defineLegalVariation("conversation-ids-beyond-2-53")(
    "Ids of users, conversations and questions are integers beyond 2^53, which differ in their last digits only.",
    {
      layer: "conversation",
      wire: {
        // 19 digits: they fit the 64-bit ids of other services.
        toServer: (text) => text.replaceAll(/9007199254740993(\d{3})/gu, (_, digits: string) => String(Number(digits))),
        toWire: (text) =>
          text.replaceAll(
            /("(?:id|conversation_id|user_id)": ?|"users\/[^"/]*\/conversations\/)(\d{1,3})(?!\d)/gu,
            (_, before: string, id: string) => `${before}9007199254740993${id.padStart(3, "0")}`,
          ),
      },
    },
  ),
  ...interfaces.map(createEnvelopeFault),
  defineLegalVariation("conversation-other-content-type")(
    "JSON responses of both interfaces have a parameter in their content type, or a different type.",
    selectVariant(contentTypes, withContentType, ["type", "the content type"]),
  ),
  defineLegalVariation("conversation-new-members")(
    "Every object in every response except the state has undocumented members.",
    editJson(everyCall, withNewMembers),
  ),
  defineLegalVariation("conversation-fraction-digits")(
    "All times have a different number of decimals, but denote the same instants.",
    selectVariant({ none: 0, six: 6, nine: 9 }, (minDecimals) => editJson(everyCall, withDecimals(minDecimals))),
  ),
  defineLegalVariation("conversation-basic-times")(
    "All times are written without hyphens and colons, but denote the same instants.",
    editJson(everyCall, toBasicFormat),
  ),
  defineLegalVariation("legacy-links-without-slash")(
    "Sources of legacy questions link to paths without a leading slash.",
    inLegacyQuestions(inElements("sources", withoutSlash)),
  ),
  defineLegalVariation("legacy-share-url-escaped")(
    "The read token of a conversation has characters that are escaped in its share URL.",
    selectVariant(escapes, (escape) =>
      editJson(returnsConversation("legacy"), (json) =>
        typeof json["read_token"] === "string"
          ? { ...json, share_url: `https://search.example/deepsearch/shared?token=${escape(json["read_token"])}&tab=1` }
          : json,
      ),
    ),
  ),
  defineLegalVariation("legacy-followups-left-out")(
    "Suggested follow-ups of legacy questions are omitted instead of null.",
    inLegacyQuestions(
      editWhen(({ suggested_followups: followups }) => followups === null, withoutMember("suggested_followups")),
    ),
  ),
  defineLegalVariation("legacy-followups-empty")(
    "Suggested follow-ups of completed legacy questions are an empty list.",
    inLegacyQuestions(
      editWhen(
        ({ suggested_followups: followups }) => isPayloadArray(followups),
        withMember("suggested_followups", []),
      ),
    ),
  ),
  defineLegalVariation("legacy-turns-kept")(
    "Turns with a different role are added to legacy questions.",
    inLegacyQuestions(withMoreTurns),
  ),
  defineLegalVariation("legacy-refusal-as-json")(
    "Refusals of the legacy interface are JSON that contains the message.",
    selectVariant(refusalForms, (form) =>
      changeAnswer(selectCalls("legacy"), (answer) =>
        answer.status < 400 || answer.text === undefined
          ? answer
          : jsonAnswer(answer.status, form(answer.text.toString().trim())),
      ),
    ),
  ),
  defineLegalVariation("current-refusal-as-text")(
    "Refusals of the current interface are one line of plain text.",
    changeAnswer(selectCalls("current"), (answer) =>
      answer.status < 400 || !isPayloadObject(answer.json)
        ? answer
        : textAnswer(answer.status, String(answer.json["message"])),
    ),
  ),
  ...interfaces.map(createReadAfterDeleteFault),
  defineLegalVariation("current-spelling")(
    "Names of more than one word are spelled in lowerCamelCase, or in snake_case.",
    selectVariant({ "capital-letters": false, underscores: true }, (isSnake) =>
      editJson(selectCalls("current"), (json) => respellMembers(json, isSnake)),
    ),
  ),
  defineLegalVariation("current-replaced-members-kept")(
    "Conversations and questions of the current interface also have the ids and statuses of the legacy one.",
    editJson(returnsConversation("current"), (json, context) => {
      const edited = inQuestions(withMember("status", "completed"))(json, context);
      return isConversation(json)
        ? { ...Object(edited), id: readTrailingNumber(json["name"]), status: "processing" }
        : edited;
    }),
  ),
  defineLegalVariation("current-listed-state")(
    "Summaries also contain the state of their conversation.",
    addStatesToLists,
  ),
  defineLegalVariation("current-name-of-self")(
    "Names of conversations contain `~self` instead of the user's id.",
    editJson(selectCalls("current"), withSelf),
  ),
  defineLegalVariation("conversation-answer-on-failure")(
    "Questions that fail have the beginning of an answer in addition to their error, through both interfaces.",
    {
      layer: "conversation",
      store: {
        finalOutcome: (outcome, _question, run) => {
          if (outcome.kind !== "failed") {
            return outcome;
          }
          run.recordChange();
          return { ...outcome, answer: "The first thing that was found is in " };
        },
      },
    },
  ),
  defineLegalVariation("legacy-pending-first")(
    "The first two reads of a question in progress show it pending.",
    editJson(
      selectCalls("legacy", "get"),
      editWhen(
        (json, { call, run }) =>
          !isFinished(json) && countUp(run, `pending ${call.conversationId} ${listQuestions(json).length}`) <= 2,
        inQuestions(editWhen(isRunning, withMember("status", "pending"))),
      ),
    ),
  ),
  defineLegalVariation("conversation-never-in-progress")(
    "Questions have ended when they are first read. Only the response that adds them shows them in progress.",
    {
      ...editJson(
        ({ operation }) => operation === "create" || operation === "follow-up",
        (json) => (isConversation(json) || "status" in json ? resetLastQuestion(json) : without(json, "answer")),
      ),
      store: { immediateOutcome: () => readyAnswer },
    },
  ),
  defineLegalVariation("conversation-slow")(
    "Conversations are shown in progress for a while after they have ended.",
    withSettings({ ms: { title: "time after the question, in milliseconds", default: 900 } }, ({ ms }) =>
      trackingOrigins(editJson(everyCall, inConversations(showLater(ms)))),
    ),
  ),
];
