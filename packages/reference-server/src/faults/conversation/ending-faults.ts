import type { ApiCall, ApiOperation } from "../../service/conversation/api/api-call.ts";
import { isPayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import { type Fault, selectEffect, selectVariant, type Variants, defineViolation } from "../fault.ts";
import {
  passesAll,
  changeAnswer,
  type CallTest,
  selectCalls,
  editJson,
  emptyAnswer,
  type InterfaceName,
  interfaces,
  isSuccess,
  listsWith,
  byMainUser,
  type AnswerCreator,
  plainRefusals,
  refusal,
  refusals,
  replaceAnswer,
  withJson,
} from "./call-effects.ts";
import { listEntries, resetLastQuestion, withEntries } from "./conversation-parts.ts";
import { countUp } from "./seen-conversations.ts";

/**
 * Refuses every cancellation, which has no effect. The next read after the first refusal shows the question in progress, even if it has
 * ended, so that the result does not depend on the processing time.
 */
const refuseCancellations = (name: InterfaceName, refuse: AnswerCreator): ConversationEffect => ({
  ...changeAnswer(selectCalls(name, "cancel", "get"), (answer, { call, run: { memory } }) => {
    const key = `refused cancellation ${call.conversationId}`;
    if (call.operation === "cancel" && byMainUser(call)) {
      memory.set(key, memory.get(key) ?? "to be shown");
      return refuse(call);
    }
    if (call.operation === "cancel" || memory.get(key) !== "to be shown") {
      return answer;
    }
    memory.set(key, "shown");
    return isSuccess(answer) && isPayloadObject(answer.json)
      ? withJson(answer, resetLastQuestion(answer.json))
      : answer;
  }),
  store: { shouldPerform: (act, call) => act !== "cancel" || call.interface !== name },
});

/** Refuses the first deletion of each conversation. The second one succeeds, so that no conversation is left behind. */
const refuseDeletions = (name: InterfaceName, refuse: AnswerCreator): ConversationEffect => ({
  ...replaceAnswer(selectCalls(name, "delete"), (_answer, { call, run }) =>
    run.memory.get(`deletions ${call.conversationId}`) === 1 ? refuse(call) : undefined,
  ),
  store: {
    shouldPerform: (act, call, run) =>
      act !== "delete" || call.interface !== name || countUp(run, `deletions ${call.conversationId}`) > 1,
  },
});

/** Responds to valid acts of the main user through one interface with status 500, every time. */
const failAct = (name: InterfaceName, act: "cancel" | "delete"): ConversationEffect => ({
  ...replaceAnswer(passesAll(selectCalls(name, act), byMainUser), () => refusal(name, 500, "Something went wrong.")),
  store: {
    shouldPerform: (performedAct, call) => performedAct !== act || call.interface !== name || !byMainUser(call),
  },
});

/** Accepts an act through one interface without performing it. */
const acceptWithoutEffect = (
  name: InterfaceName,
  undoneAct: "cancel" | "delete",
  isSelected: (call: ApiCall, run: FaultRun) => boolean = () => true,
): ConversationEffect => ({
  layer: "conversation",
  store: {
    shouldPerform: (act, call, run) => {
      if (act === "cancel") {
        run.memory.set(`cancelled ${call.conversationId}`, true);
      }
      const isSkipped = act === undoneAct && call.interface === name && isSelected(call, run);
      if (isSkipped) {
        run.recordChange();
      }
      return !isSkipped;
    },
  },
});

/** Returns the number of a listed conversation: its id, or the end of its name. */
const readListedId = (entry: unknown): string =>
  isPayloadObject(entry) ? String(entry["id"] ?? entry["name"]).replace(/^.*\//u, "") : "";

/** Keeps the first deleted conversation in lists. */
const keepInLists = (name: InterfaceName): ConversationEffect =>
  replaceAnswer(selectCalls(name, "list", "delete"), (answer, { call, run: { memory } }) => {
    const keptConversation = memory.get("kept in lists");
    if (call.operation === "delete") {
      memory.set("kept in lists", keptConversation ?? memory.get(`listed ${call.conversationId}`));
    }
    if (call.operation === "delete" || !isPayloadObject(answer.json)) {
      return undefined;
    }
    const entries = listEntries(answer.json);
    entries.forEach((entry) => memory.set(`listed ${readListedId(entry)}`, entry));
    const isListed =
      keptConversation === undefined || entries.some((entry) => readListedId(entry) === readListedId(keptConversation));
    const extendedList = withEntries(answer.json, () => [...entries, keptConversation]);
    return isListed ? undefined : withJson(answer, extendedList);
  });

/** Accepts questions to deleted conversations and ignores them. */
const acceptQuestionsToDeleted = (name: InterfaceName): ConversationEffect =>
  changeAnswer(selectCalls(name, "delete", "follow-up"), (answer, { call, run: { memory } }) => {
    const key = `deleted ${call.conversationId}`;
    if (call.operation === "delete") {
      memory.set(key, memory.has(key) || isSuccess(answer));
    }
    return call.operation === "follow-up" && memory.get(key) === true
      ? { status: 200, headers: { "content-type": "application/json" }, json: {} }
      : answer;
  });

const createFaults = (name: InterfaceName): readonly Fault[] => [
  defineViolation(`${name}/cancel-is-accepted`, `${name}-cancellation-refused`)(
    "A question in progress cannot be cancelled and continues.",
    selectVariant(plainRefusals, (refuse) => refuseCancellations(name, refuse)),
  ),
  defineViolation(`${name}/delete-is-accepted`, `${name}-deletion-refused`)(
    "The first deletion of each conversation is refused, and the conversation is kept.",
    selectVariant(plainRefusals, (refuse) => refuseDeletions(name, refuse)),
  ),
  defineViolation(`${name}/cancel-is-accepted`, `${name}-cancellation-fails`)(
    "Each cancellation of a question in progress fails with status 500 and has no effect.",
    failAct(name, "cancel"),
  ),
  defineViolation(`${name}/delete-is-accepted`, `${name}-deletion-fails`)(
    "Each deletion fails with status 500 and has no effect.",
    failAct(name, "delete"),
  ),
  defineViolation(`${name}/cancel-has-effect`, `${name}-cancellation-without-effect`)(
    "Cancellations are accepted, but the question is still answered.",
    acceptWithoutEffect(name, "cancel"),
  ),
  // Other refusals are checked by separate rules, and a cancellation may arrive too late.
  defineViolation(`${name}/access-token-is-accepted`, `${name}-access-token-refused`)(
    "Cancellations take effect, but are refused as if the token were invalid.",
    selectVariant(refusals(401, 403), (refuse) =>
      changeAnswer(passesAll(selectCalls(name, "cancel"), byMainUser), (_answer, { call }) => refuse(call)),
    ),
  ),
  defineViolation(`${name}/deleted-is-gone`, `${name}-deletion-without-effect`)(
    "Deletions are accepted, but the conversation is kept, or remains in lists.",
    selectEffect({
      everywhere: acceptWithoutEffect(name, "delete"),
      "if-cancelled": acceptWithoutEffect(name, "delete", ({ conversationId }, { memory }) =>
        memory.has(`cancelled ${conversationId}`),
      ),
      "in-lists": keepInLists(name),
    }),
  ),
  defineViolation(`${name}/deleted-is-gone`, `${name}-deleted-takes-questions`)(
    "Follow-up questions to a deleted conversation are accepted.",
    acceptQuestionsToDeleted(name),
  ),
];

const hasOneFilter: CallTest = ({ parameters }) =>
  [...parameters.keys()].filter((name) => name.startsWith("filter_")).length === 1;

const statuses: Variants<readonly [ApiOperation, number]> = {
  "creation-201": ["create", 201],
  "retrieval-203": ["get", 203],
  "list-206": ["list", 206],
  "follow-up-201": ["follow-up", 201],
  "cancellation-204": ["cancel", 204],
  "deletion-204": ["delete", 204],
};

/** Faults in cancelling, in deleting, and in the status codes of success. */
export const endingFaults: readonly Fault[] = [
  ...interfaces.flatMap(createFaults),
  defineViolation("legacy/deleted-is-gone", "legacy-deleted-opened-by-token")(
    "Lists filtered by the read token or id of a deleted conversation still contain it.",
    selectVariant({ "read-token": "filter_read_token", id: "filter_id" }, (filter) =>
      editJson(passesAll(listsWith(filter), byMainUser, hasOneFilter), (json, { call, run: { memory } }) => {
        const key = `by ${call.parameters.get(filter)}`;
        const entries = listEntries(json);
        memory.set(key, memory.get(key) ?? entries[0]);
        const rememberedEntry = memory.get(key);
        return entries.length > 0 || rememberedEntry === undefined ? json : withEntries(json, () => [rememberedEntry]);
      }),
    ),
  ),
  defineViolation("legacy/success-status-is-listed", "legacy-success-status-unlisted")(
    "One operation returns a 2xx status that is neither 200 nor 202.",
    selectVariant(statuses, ([operation, status]) =>
      replaceAnswer(selectCalls("legacy", operation), (answer) =>
        status === 204 ? emptyAnswer(status) : { ...answer, status },
      ),
    ),
  ),
];
