import { member, stringMember } from "@assay/contract";
import type { QuestionView } from "@assay/contract";
import { mayHaveHappened } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isStale } from "../engine/stale-reads.ts";
import { userOf } from "../engine/users.ts";

/**
 * What the owner of a conversation reads after a write of another user: a clause about what it did, `none` where a read shows
 * that it did nothing, `unknown` where nothing shows either.
 */
export type WriteEffect = { readonly did: string } | "none" | "unknown";

interface Written {
  readonly call: ConversationCall;
  readonly own: OwnConversation;
}

/** Calls of the owner that were sent after a write had been answered. */
const ownersLater = ({ call, own }: Written): readonly ConversationCall[] =>
  own.calls.filter(
    (other) =>
      other.interface === call.interface &&
      userOf(other.record.credential) === own.user &&
      other.record.times.sentAtMicros >= call.record.times.endedAtMicros,
  );

/** Whether nobody else may have done the same before an answer. What the owner was refused may have happened all the same. */
const isAlone = ({ call, own }: Written, read: ConversationCall): boolean =>
  !own.calls.some(
    (other) =>
      other !== call &&
      other !== read &&
      other.operation === call.operation &&
      (mayHaveHappened(other) || userOf(other.record.credential) === own.user) &&
      other.record.times.sentAtMicros <= read.record.times.endedAtMicros,
  );

const isFoundNoMore = ({ answer }: ConversationCall): boolean =>
  answer.kind === "refused" && (answer.status === 404 || answer.status === 410);

const isShown = (read: ConversationCall): boolean => (conversationView(read)?.questions.length ?? 0) > 0;

function effectOfDeletion(write: Written): WriteEffect {
  const later = ownersLater(write).filter((read) => isAlone(write, read));
  if (later.some((other) => (other.operation === "get" || other.operation === "delete") && isFoundNoMore(other))) {
    return { did: "its owner no longer finds the conversation" };
  }
  return later.some((read) => read.operation === "get" && isShown(read)) ? "none" : "unknown";
}

function effectOfQuestion(write: Written): WriteEffect {
  const { call, own } = write;
  const text = call.asked.question?.trim();
  const isAsked = (other: ConversationCall): boolean =>
    other !== call && other.asked.question?.trim() === text && mayHaveHappened(other);
  const asked = own.calls.filter(isAsked).length;
  const reads = ownersLater(write).filter((read) => read.operation === "get" && isShown(read));
  const times = (read: ConversationCall): number =>
    (conversationView(read)?.questions ?? []).filter((question) => question.text?.trim() === text).length;
  if (text !== undefined && reads.some((read) => times(read) > asked)) {
    return { did: "its owner reads the question in the conversation" };
  }
  return reads.some((read) => !isStale(own, read)) ? "none" : "unknown";
}

const running: ReadonlySet<string | undefined> = new Set(["pending", "processing"]);

/** The same of the current interface, which has a state of its own for what was cancelled; undefined where neither is shown. */
function hasEndedByItselfNow(state: string | undefined, hasAnswer: boolean): boolean | undefined {
  if (state === "canceled") {
    return false;
  }
  // A completed question without an answer breaks another rule, and was not cancelled.
  return state === "error" || (state === "completed" && hasAnswer) ? true : undefined;
}

/**
 * Whether a question is shown to have ended as one that nobody cancelled, with an answer for example. Undefined while it is
 * processing, and for an error of the legacy interface, which one that was cancelled may have as well.
 */
function hasEndedByItself(
  read: ConversationCall,
  questionId: string | undefined,
  cancelledKinds: ReadonlySet<string>,
): boolean | undefined {
  const question = questionIn(read, questionId);
  const hasAnswer = question?.facts.has("answer") === true;
  if (read.interface !== "legacy") {
    return hasEndedByItselfNow(conversationView(read)?.state, hasAnswer);
  }
  if (question === undefined || running.has(question.status)) {
    return undefined;
  }
  if (question.facts.has("error")) {
    return cancelledKinds.has(errorKind(question)) ? false : undefined;
  }
  return hasAnswer;
}

/** The question of that id, or the last one. */
function questionIn(read: ConversationCall, id: string | undefined): QuestionView | undefined {
  const questions = conversationView(read)?.questions ?? [];
  return questions.find((question) => question.id === id) ?? questions.at(-1);
}

const errorKind = ({ json }: QuestionView): string => stringMember(member(json, "error"), "kind") ?? "";

/** Kinds of error that legacy questions have which their owner cancelled. */
const kindsOfCancelled = (evidence: ConversationEvidence): ReadonlySet<string> =>
  new Set(
    ownConversations(evidence).flatMap(({ calls, user }) => {
      const cancelled = calls
        .filter((call) => call.operation === "cancel" && call.answer.kind === "success")
        .filter((call) => call.interface === "legacy" && userOf(call.record.credential) === user);
      const ids = new Set(cancelled.map(({ asked }) => asked.questionId));
      return calls
        .filter(({ interface: name, operation }) => name === "legacy" && operation === "get")
        .flatMap((call) => conversationView(call)?.questions ?? [])
        .filter(({ id, facts }) => ids.has(id) && facts.has("error"))
        .map((question) => errorKind(question));
    }),
  );

function effectOfCancellation(evidence: ConversationEvidence, write: Written): WriteEffect {
  const { call, own } = write;
  const reads = ownersLater(write).filter(
    (read) => read.operation === "get" && isShown(read) && isAlone(write, read) && !isStale(own, read),
  );
  const kinds = kindsOfCancelled(evidence);
  const ends = reads.flatMap((read) => hasEndedByItself(read, call.asked.questionId, kinds) ?? []);
  if (ends.includes(false)) {
    return { did: "its owner reads a question that ended without an answer" };
  }
  return ends.length > 0 ? "none" : "unknown";
}

/** What became of a write of another user, as the owner of the conversation reads it afterwards. */
export function effectOfWrite(evidence: ConversationEvidence, write: Written): WriteEffect {
  switch (write.call.operation) {
    case "delete":
      return effectOfDeletion(write);
    case "follow-up":
      return effectOfQuestion(write);
    case "cancel":
      return effectOfCancellation(evidence, write);
    case "create":
    case "get":
    case "list":
      return "unknown";
  }
}
