import { member, stringMember } from "@assay/reading";
import type { QuestionView } from "@assay/reading";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { conversationView } from "./conversation-view.ts";
import { ownConversations } from "./own-conversations.ts";
import type { OwnConversation } from "./own-conversations.ts";
import { progressBefore } from "./progress.ts";
import { isRefusedOrRedirected } from "./refusal.ts";
import { userOf } from "./users.ts";

const running: ReadonlySet<string | undefined> = new Set(["pending", "processing"]);

/**
 * Returns true if a read shows that a question ended without a cancellation, for example with an answer, and false if
 * it shows that it was cancelled. Undefined while the question is processing, and for a legacy error that can mean
 * either.
 */
export function hasEndedByItself(
  evidence: ConversationEvidence,
  read: ConversationCall,
  questionId: string | undefined,
): boolean | undefined {
  const question = questionIn(read, questionId);
  const hasAnswer = question?.facts.has("answer") === true;
  if (read.interface !== "legacy") {
    return hasEndedByItselfInCurrent(conversationView(read)?.state, hasAnswer);
  }
  if (question === undefined || running.has(question.status)) {
    return undefined;
  }
  if (question.facts.has("error")) {
    return kindsOfCancelled(evidence).has(errorKind(question)) ? false : undefined;
  }
  return hasAnswer;
}

/** Like `hasEndedByItself`, for the current interface, which has a separate state for cancelled conversations. */
function hasEndedByItselfInCurrent(state: string | undefined, hasAnswer: boolean): boolean | undefined {
  if (state === "canceled") {
    return false;
  }
  // A completed question without an answer was not cancelled. It fails another rule.
  return state === "error" || (state === "completed" && hasAnswer) ? true : undefined;
}

/**
 * Reports whether a read shows that a question was cancelled. A legacy question with neither an error nor an answer may
 * have ended in any way, so it does not.
 */
export const showsCancellation = (
  evidence: ConversationEvidence,
  read: ConversationCall,
  questionId: string | undefined,
): boolean =>
  hasEndedByItself(evidence, read, questionId) === false &&
  (read.interface === "current" || questionIn(read, questionId)?.facts.has("error") === true);

/** The question with this id, or the last question if there is no such id. */
function questionIn(read: ConversationCall, id: string | undefined): QuestionView | undefined {
  const questions = conversationView(read)?.questions ?? [];
  return questions.find((question) => question.id === id) ?? questions.at(-1);
}

const errorKind = ({ json }: QuestionView): string => stringMember(member(json, "error"), "kind") ?? "";

const known = new WeakMap<ConversationEvidence, ReadonlySet<string>>();

/** Error kinds of legacy questions that their owner cancelled. Cached. */
function kindsOfCancelled(evidence: ConversationEvidence): ReadonlySet<string> {
  const kinds = known.get(evidence) ?? collectKinds(evidence);
  known.set(evidence, kinds);
  return kinds;
}

/** A legacy question with an error. */
interface Failed {
  readonly kind: string;
  readonly cancel: "accepted" | "refused" | "none";
  readonly question: string;
}

/**
 * An error kind means "cancelled" if a question with an accepted cancellation has it. It also does if at least two
 * questions with refused cancellations have it and no question without a cancellation does.
 */
function collectKinds(evidence: ConversationEvidence): ReadonlySet<string> {
  const failed = ownConversations(evidence).flatMap((ownConversation) => failedIn(ownConversation));
  const kindsBy = (cancel: Failed["cancel"]): readonly Failed[] =>
    failed.filter((failure) => failure.cancel === cancel);
  const otherKinds = new Set(kindsBy("none").map(({ kind }) => kind));
  const idsByKind = new Map<string, Set<string>>();
  for (const { kind, question } of kindsBy("refused")) {
    idsByKind.set(kind, (idsByKind.get(kind) ?? new Set()).add(question));
  }
  const repeated = [...idsByKind].flatMap(([kind, questions]) =>
    questions.size > 1 && !otherKinds.has(kind) ? [kind] : [],
  );
  return new Set([...kindsBy("accepted").map(({ kind }) => kind), ...repeated]);
}

function failedIn(ownConversation: OwnConversation): readonly Failed[] {
  const { calls, user, id } = ownConversation;
  const legacy = calls.filter((call) => call.interface === "legacy");
  const cancels = calls.filter(({ operation }) => operation === "cancel");
  const byOwner = legacy.filter(
    ({ operation, record }) => operation === "cancel" && userOf(record.credential) === user,
  );
  const cancelledIds = (isIncluded: (call: ConversationCall) => boolean): ReadonlySet<string | undefined> =>
    new Set(byOwner.filter(isIncluded).map(({ request }) => request.questionId));
  const accepted = cancelledIds(({ response }) => response.kind === "success");
  const refused = cancelledIds(
    (call) =>
      call.response.kind === "refused" &&
      !isRefusedOrRedirected(call) &&
      progressBefore(ownConversation, call) === "processing",
  );
  const cancelOf = (id: string | undefined): Failed["cancel"] | undefined => {
    if (accepted.has(id)) {
      return "accepted";
    }
    return refused.has(id) ? "refused" : cancels.length === 0 ? "none" : undefined;
  };
  return legacy
    .filter(({ operation }) => operation === "get")
    .flatMap((call) => conversationView(call)?.questions ?? [])
    .filter(({ facts }) => facts.has("error"))
    .flatMap((question) => {
      const cancel = cancelOf(question.id);
      return cancel === undefined
        ? []
        : [
            {
              kind: errorKind(question),
              cancel,
              question: `${id} ${question.id ?? ""}`,
            },
          ];
    });
}
