import { mayHaveHappened } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { conversationView } from "../engine/conversation-view.ts";
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

/** Whether nobody else may have done the same before an answer. */
const isAlone = ({ call, own }: Written, read: ConversationCall): boolean =>
  !own.calls.some(
    (other) =>
      other !== call &&
      other.operation === call.operation &&
      mayHaveHappened(other) &&
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

/** Whether a question is shown to have ended as one that nobody cancelled; undefined while it is processing. */
function hasEndedByItself(read: ConversationCall, questionId: string | undefined): boolean | undefined {
  const view = conversationView(read);
  const question =
    questionId === undefined ? view?.questions.at(-1) : view?.questions.find(({ id }) => id === questionId);
  const state = read.interface === "legacy" ? question?.status : view?.state;
  if (running.has(state)) {
    return undefined;
  }
  const isFilled = ["answer", "error"].some((fact) => question?.facts.has(fact) === true);
  return state === "error" || (state === "completed" && isFilled);
}

function effectOfCancellation(write: Written): WriteEffect {
  const { call, own } = write;
  const reads = ownersLater(write).filter(
    (read) => read.operation === "get" && isShown(read) && isAlone(write, read) && !isStale(own, read),
  );
  const ends = reads.flatMap((read) => hasEndedByItself(read, call.asked.questionId) ?? []);
  if (ends.includes(false)) {
    return { did: "its owner reads a question that ended without an answer" };
  }
  return ends.length > 0 ? "none" : "unknown";
}

/** What became of a write of another user, as the owner of the conversation reads it afterwards. */
export function effectOfWrite(write: Written): WriteEffect {
  switch (write.call.operation) {
    case "delete":
      return effectOfDeletion(write);
    case "follow-up":
      return effectOfQuestion(write);
    case "cancel":
      return effectOfCancellation(write);
    case "create":
    case "get":
    case "list":
      return "unknown";
  }
}
