import { defined } from "@assay/contract";
import { cachePerObject } from "../../engine/cache-per-object.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findCreatedConversations } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { hasFullAccess, userOf } from "../engine/users.ts";
import { readListPage } from "../lists/list-page.ts";
import { findIdentifiedConversations } from "../migration/identified-conversations.ts";
import { findContradictions } from "./permitted-worlds.ts";
import type { Contradiction, Step } from "./permitted-worlds.ts";

/** A conversation of the run, and what the model finds in its recorded sequence. */
export interface ModelledConversation {
  readonly conversation: CreatedConversation;
  /** Calls of both interfaces about it, with the lists that show it. Sorted by sending time. */
  readonly calls: readonly ConversationCall[];
  /** Whether the interface that did not create it showed it: both interfaces have one store. */
  readonly isShared: boolean;
  readonly contradictions: readonly Contradiction[];
}

/** Returns the conversations that the run created, with the contradictions of the model. Cached. */
export const findModelledConversations = cachePerObject(
  (evidence: ConversationEvidence): readonly ModelledConversation[] => {
    const identified = new Map(findIdentifiedConversations(evidence).map(({ create, question }) => [create, question]));
    const lists = evidence.calls.filter(({ operation }) => operation === "list");
    return findCreatedConversations(evidence).map((conversation) => {
      const question = identified.get(conversation.create);
      const isShared = conversation.calls.some((call) => showsInOtherInterface(call, conversation, question));
      const calls = [...conversation.calls, ...lists.filter((list) => isListed(list, conversation))]
        .filter((call) => isShared || call.interface === conversation.interface)
        .toSorted((left, right) => left.record.times.sentAtMicros - right.record.times.sentAtMicros);
      const steps = calls.flatMap((call) => toStep(call, conversation) ?? []);
      return { conversation, calls, isShared, contradictions: findContradictions(steps) };
    });
  },
);

/** The same id may mean another conversation in the other interface. Its question shows that it does not. */
function showsInOtherInterface(
  call: ConversationCall,
  { id, interface: interfaceName }: CreatedConversation,
  question: string | undefined,
): boolean {
  const view = call.operation === "get" && call.interface !== interfaceName ? conversationView(call) : undefined;
  return question !== undefined && view?.id === id && view.questions.some(({ text }) => text === question);
}

const isListed = (list: ConversationCall, { id, user }: CreatedConversation): boolean =>
  userOf(list.record.credential) === user && readListPage(list)?.ids.includes(id) === true;

function toStep(call: ConversationCall, conversation: CreatedConversation): Step | undefined {
  const { record, interface: interfaceName, operation } = call;
  const { sentAtMicros, endedAtMicros } = record.times;
  const base = { exchange: record.id, interface: interfaceName, sentAtMicros, endedAtMicros };
  switch (operation) {
    case "create":
    case "follow-up":
    case "cancel":
    case "delete": {
      const text = call.request.question?.trim();
      const outcome = toOutcome(call, conversation);
      return { kind: "write", write: operation, ...base, outcome, ...defined({ text }) };
    }
    case "get":
    case "list": {
      const content = userOf(record.credential) === conversation.user ? readContent(call, conversation) : undefined;
      return content && { kind: "read", ...base, ...content };
    }
  }
}

/** The outcome of a write by another user, or of a malformed one, is not for this rule to judge. */
function toOutcome(
  { response, request, record }: ConversationCall,
  { user }: CreatedConversation,
): "accepted" | "refused" | "unknown" {
  if (response.kind === "refused") {
    return "refused";
  }
  return response.kind === "success" && request.isWellFormed && userOf(record.credential) === user
    ? "accepted"
    : "unknown";
}

function readContent(
  call: ConversationCall,
  { id }: CreatedConversation,
): { readonly shows: "conversation" | "nothing"; readonly texts?: readonly (string | undefined)[] } | undefined {
  const { operation, response, record, request } = call;
  if (operation === "list") {
    return { shows: "conversation" };
  }
  if (response.kind === "refused") {
    const isMissing = response.status === 404 && request.isWellFormed && hasFullAccess(record.credential);
    return isMissing ? { shows: "nothing" } : undefined;
  }
  const view = conversationView(call);
  // A notice about a deleted conversation has no questions.
  return view?.id === id && view.questions.length > 0
    ? { shows: "conversation", texts: view.questions.map(({ text }) => text?.trim()) }
    : undefined;
}

const verbs = { create: "creation", "follow-up": "follow-up", cancel: "cancellation", delete: "deletion" } as const;

const describeStep = (step: Step): string => {
  const name = step.kind === "write" ? verbs[step.write] : step.shows === "nothing" ? "read of nothing" : "read";
  return `${step.interface} ${name} (${step.exchange})`;
};

/** Describes the shortest sequence that shows a contradiction, for messages. */
export const describeSequence = ({ shortest }: Contradiction): string =>
  `shortest sequence: ${shortest.map((step) => describeStep(step)).join(", ")}`;
