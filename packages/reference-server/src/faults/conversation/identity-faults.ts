import { setTimeout as pause } from "node:timers/promises";
import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, oneOf, type Variants, violating } from "../fault.ts";
import { callsOf, editing, type InterfaceName, type JsonEdit, replacing, showing } from "./call-effects.ts";
import { inQuestions, inText, isConversation, when } from "./conversation-parts.ts";
import { inSecondReads, keptApart } from "./seen-conversations.ts";

/** Far from all ids that a test meets. */
const distance = 100_000;

/** The number under a name, far away; anything else stays. */
const farther =
  (name: string) =>
  (data: PayloadObject): PayloadObject =>
    typeof data[name] === "number" ? { ...data, [name]: data[name] + distance } : data;

const movedQuestions = inQuestions(farther("conversation_id"));

const movedConversation: JsonEdit = when(isConversation, (json, context) => ({
  ...Object(movedQuestions(json, context)),
  ...farther("id")({ id: json["id"] }),
}));

const otherIds: Variants<ConversationEffect> = {
  "of-the-conversation": editing(callsOf("legacy", "get"), inSecondReads(movedConversation)),
  "of-the-questions": editing(callsOf("legacy", "get"), inSecondReads(inQuestions(farther("id")))),
  "in-a-follow-up": editing(callsOf("legacy", "follow-up"), movedConversation),
};

const strays: Variants<JsonEdit> = {
  all: movedQuestions,
  "the-first": inQuestions(farther("conversation_id"), (index) => index === 0),
};

const otherNames: Variants<(name: string) => string> = {
  "another-conversation": (name) => name.replace(/\d+$/u, (id) => String(Number(id) + distance)),
  "another-user": (name) => name.replace(/^users\/[^/]+/u, "users/~self"),
  "a-user-by-name": (name) => name.replace(/^users\/[^/]+/u, "users/somebody"),
};

/** Long enough for reads that are sent at the same moment to be there all. */
const heldMs = 60;

/** The answers to reads that are kept in the memory of a server, by conversation. */
const answersIn = (memory: Map<string, unknown>): Map<number | undefined, ApiAnswer> => {
  const kept = memory.get("read answers");
  const answers: Map<number | undefined, ApiAnswer> = kept instanceof Map ? kept : new Map();
  memory.set("read answers", answers);
  return answers;
};

/**
 * What a read is to answer is kept in one place for all calls: a read that is held up while another one comes is answered
 * with what that one asked for, as it was last read.
 */
const mixedUpFault = (rule: string, name: InterfaceName): Fault => {
  const isRead = callsOf(name, "get");
  return violating(`${name}/${rule}`, `${name}-parallel-reads-mixed-up`)(
    "A read is answered with the conversation of the read that came last, if one came while it was under way.",
    {
      ...replacing(isRead, (answer, { call, run: { memory } }) => {
        const answers = answersIn(memory).set(call.conversation, answer);
        return answers.get(Number(memory.get("asked for last")));
      }),
      hold: (call, { memory }) => {
        if (!isRead(call)) {
          return undefined;
        }
        memory.set("asked for last", call.conversation);
        return pause(heldMs);
      },
    },
  );
};

/** Faults in which conversation and which question an answer is about. */
export const identityFaults: readonly Fault[] = [
  violating("legacy/ids-are-stable", "legacy-ids-changed")(
    "Every second read of a finished conversation, or each follow-up, is answered with other ids.",
    oneOf(otherIds, keptApart),
  ),
  violating("legacy/question-belongs-to-conversation", "legacy-question-astray")(
    "Questions say that they are in another conversation than the one they come with.",
    oneOf(strays, (edit) => editing(callsOf("legacy", ...showing), edit)),
  ),
  violating("current/name-is-stable", "current-name-changed")(
    "Every second read of a finished conversation tells another name.",
    oneOf(otherNames, (rename) => keptApart(editing(callsOf("current", "get"), inSecondReads(inText("name", rename))))),
  ),
  mixedUpFault("ids-are-stable", "legacy"),
  mixedUpFault("name-is-stable", "current"),
];
