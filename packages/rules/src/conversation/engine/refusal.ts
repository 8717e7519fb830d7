import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { hasEveryScope, mayDoEverything } from "./users.ts";
import type { Witness } from "./witness.ts";
import { provenTokenMissing } from "../../engine/proven-token.ts";
import { isAcceptedAround } from "./accepted-around.ts";
import { isNamedClient } from "./client-of.ts";

/** Whether an answer turns the caller away: as unauthorized or forbidden, or by sending him elsewhere, as to a login. */
export const isTurnedAway = ({ answer }: ConversationCall): boolean =>
  answer.kind === "elsewhere" || (answer.kind === "refused" && (answer.status === 401 || answer.status === 403));

const isRead = ({ operation }: ConversationCall): boolean => operation === "get" || operation === "list";

/**
 * Whether the token of a call is shown to be one that may do what it asks for. A legacy token needs no scope, so any success
 * shows it; in the current interface a success of the same sort, reading or writing. Where another full token got the same
 * operation, this one has to get it as well.
 */
export const isTokenProven = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  evidence.calls.some(
    (other) => other.answer.kind === "success" && (provesItself(call, other) || provesFor(call, other)),
  );

function provesItself(call: ConversationCall, other: ConversationCall): boolean {
  const isSameInterface = other.interface === call.interface;
  const isEnough =
    call.interface === "legacy"
      ? isSameInterface || hasEveryScope(call.record.credential)
      : isSameInterface && isRead(other) === isRead(call);
  return isEnough && other.record.credential === call.record.credential;
}

const provesFor = (call: ConversationCall, other: ConversationCall): boolean =>
  hasEveryScope(call.record.credential) &&
  hasEveryScope(other.record.credential) &&
  other.interface === call.interface &&
  other.operation === call.operation;

/** As `isTokenProven`, but by successes of the token itself alone. */
export const hasProvenItself = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  evidence.calls.some((other) => other.answer.kind === "success" && provesItself(call, other));

/**
 * Whether a recording shows that a refusal was wrong. Who is turned away may have lost a session and signed in again, unless the
 * recording shows that the credential stayed the same.
 */
const isWrongInRecording = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.record.credential === "unknown" &&
  (!isTurnedAway(call) || isNamedClient(call)) &&
  isAcceptedAround(evidence, call);

/**
 * Judges the refusal of something that has to be accepted: a violation if the request has a good form and its credential may
 * do everything, or a recording shows it accepted before and after. A token that nothing shows to be good may just be wrong.
 * Other answers are not looked at.
 */
export function judgeRefusal(
  evidence: ConversationEvidence,
  witness: Witness,
  { call, what, subject }: { readonly call: ConversationCall; readonly what: string; readonly subject?: string },
): void {
  const { answer, record } = call;
  const isRefusal = answer.kind === "refused" || answer.kind === "elsewhere";
  if (!isRefusal || !call.asked.hasGoodForm) {
    return;
  }
  const isWrong = isWrongInRecording(evidence, call);
  if (!isWrong && !mayDoEverything(record.credential)) {
    return;
  }
  if (!isWrong && isTurnedAway(call) && !isTokenProven(evidence, call)) {
    witness.needs(provenTokenMissing);
    return;
  }
  witness.breaks(call, `${what} was answered with ${answer.status}`, subject);
}

/** Whether no answer came, or one of a target in distress. */
export const isBroken = ({ answer }: ConversationCall): boolean => answer.kind === "distress" || answer.kind === "none";

/**
 * Whether this very request was answered with an internal error, and with nothing else however often it was sent, while the
 * same user got other answers afterwards. Then the error is the answer to it, and not one of a target in distress.
 */
export function failsEachTime({ calls }: ConversationEvidence, call: ConversationCall): boolean {
  const { url, body } = call.record.request;
  const isOfUser = ({ record }: ConversationCall): boolean => record.credential === call.record.credential;
  const same = calls.filter(
    ({ operation, record }) =>
      operation === call.operation && record.request.url === url && record.request.body === body,
  );
  const tries = same.filter(isOfUser);
  const [first] = tries;
  return (
    first !== undefined &&
    tries.length > 1 &&
    tries.every(({ answer }) => answer.kind === "distress" && answer.status === 500) &&
    calls.some(
      (other) =>
        isOfUser(other) &&
        other.interface === call.interface &&
        other.answer.kind === "success" &&
        other.record.times.sentAtMicros >= first.record.times.endedAtMicros,
    )
  );
}

/** Whether an answer did not come that would have been judged: the request has a good form, and was not sent to be refused. */
export const isMissing = (call: ConversationCall): boolean =>
  isBroken(call) &&
  call.asked.hasGoodForm &&
  (mayDoEverything(call.record.credential) || call.record.credential === "unknown");
