import { isRecord } from "@assay/reading";
import { unissuedTokens } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { headerOf } from "../../engine/header-of.ts";
import { hasEveryScope, mayDoEverything } from "./users.ts";
import type { Witness } from "./witness.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";
import { isAcceptedAround, isSignedInAround } from "./accepted-around.ts";
import { isNamedClient } from "../../engine/client-of.ts";

/** Whether an answer turns the caller away: as unauthorized or forbidden, or by sending him elsewhere, as to a login. */
export const isRefusedOrRedirected = ({ answer }: ConversationCall): boolean =>
  answer.kind === "elsewhere" || (answer.kind === "refused" && (answer.status === 401 || answer.status === 403));

const isRead = ({ operation }: ConversationCall): boolean => operation === "get" || operation === "list";

/**
 * Whether the token of a call is shown to be one that may do what it asks for. A legacy token needs no scope, so any success
 * shows it; in the current interface a success of the same sort, reading or writing. Where another full token got the same
 * operation, this one has to get it as well, if the target is shown to know it.
 */
export const isTokenProven = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  hasProvenItself(evidence, call) ||
  (isTokenKnown(evidence, call.record.credential) &&
    evidence.calls.some((other) => other.answer.kind === "success" && provesFor(call, other)));

/**
 * Whether the target is shown to know a token, which may otherwise just be wrong. It answered it with success, or with 403, unless it
 * answers tokens that were never issued with 403 as well.
 */
export const isTokenKnown = ({ calls }: ConversationEvidence, credential: CredentialKind): boolean =>
  calls.some(
    (call) =>
      call.record.credential === credential &&
      (call.answer.kind === "success" || (isForbidden(call) && !calls.some((other) => isNeverIssued(call, other)))),
  );

const isForbidden = ({ answer }: ConversationCall): boolean => answer.kind === "refused" && answer.status === 403;

const never: ReadonlySet<CredentialKind> = new Set(unissuedTokens);

/** Whether another call is forbidden to a token that was never issued. */
const isNeverIssued = (call: ConversationCall, other: ConversationCall): boolean =>
  other.interface === call.interface && never.has(other.record.credential) && isForbidden(other);

function provesItself(call: ConversationCall, other: ConversationCall): boolean {
  const isSameInterface = other.interface === call.interface;
  if (!isSameForm(call, other)) {
    return false;
  }
  const isEnough =
    call.interface === "legacy"
      ? isSameInterface || hasEveryScope(call.record.credential)
      : isSameInterface && isRead(other) === isRead(call);
  return isEnough && other.record.credential === call.record.credential;
}

/**
 * Whether two calls have the same word before their tokens: which one the current interface accepts is unspecified, so that a
 * refusal in one form says nothing about the token. Source: conversation-api, section 5.
 */
const isSameForm = (call: ConversationCall, other: ConversationCall): boolean => schemeIn(call) === schemeIn(other);

/** The word before the token of a call, in lower case; undefined where none was sent. */
export const schemeIn = ({ record }: ConversationCall): string | undefined =>
  /^\S+(?=\s)/u.exec(headerOf(record.request.headers, "authorization") ?? "")?.[0].toLowerCase();

const provesFor = (call: ConversationCall, other: ConversationCall): boolean =>
  isSameForm(call, other) &&
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
  (((!isRefusedOrRedirected(call) || isNamedClient(call)) && isAcceptedAround(evidence, call)) ||
    isUnauthorizedByMistake(evidence, call));

/** Whether a recording shows a credential refused with 401 that was accepted before and after. Section 7 has 401 for credentials. */
export const isUnauthorizedByMistake = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.record.credential === "unknown" &&
  call.answer.kind === "refused" &&
  call.answer.status === 401 &&
  isSignedInAround(evidence, call);

/** Whether a call was refused, and not because of the form of its header alone. */
const isRefusal = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  (call.answer.kind === "refused" || call.answer.kind === "elsewhere" || isRefusedByErrors(evidence, call)) &&
  !isInOtherForm(evidence, call);

/**
 * Judges the refusal of something that has to be accepted: a violation if the request has a good form and its credential may
 * do everything, or a recording shows it accepted before and after; a status from 500 is one where the operation gets it each
 * time. A token that nothing shows to be good may just be wrong. Other answers are not looked at.
 */
export function judgeRefusal(
  evidence: ConversationEvidence,
  witness: Witness,
  { call, what, subject }: { readonly call: ConversationCall; readonly what: string; readonly subject?: string },
): void {
  const { answer, record } = call;
  if (!isRefusal(evidence, call) || !call.asked.hasGoodForm) {
    return;
  }
  const isWrong = isWrongInRecording(evidence, call);
  if (!isWrong && !mayDoEverything(record.credential)) {
    return;
  }
  if (!isWrong && isRefusedOrRedirected(call) && !isTokenProven(evidence, call)) {
    witness.needs(acceptedTokenMissing);
    return;
  }
  if (hasUnknownMembers(evidence, call)) {
    witness.needs(`a ${call.operation} with the members that the target expects (one with others was refused)`);
    return;
  }
  if ("status" in answer) {
    witness.breaks(call, `${what} was answered with ${answer.status}`, subject);
  }
}

/**
 * Whether the current interface refused a call in a form of the header in which it accepts nothing, and accepts the same token in
 * another form. Source: conversation-api, section 5.
 */
const isInOtherForm = ({ calls }: ConversationEvidence, call: ConversationCall): boolean => {
  const accepted = calls.filter(
    ({ answer, interface: name, record }) =>
      name === "current" && answer.kind === "success" && record.credential === call.record.credential,
  );
  return (
    call.interface === "current" &&
    mayDoEverything(call.record.credential) &&
    accepted.length > 0 &&
    !accepted.some((other) => schemeIn(other) === schemeIn(call))
  );
};

/**
 * Whether a bad request of the current interface may be one because of the names of its members, which are unspecified but for a
 * creation: neither does a served OpenAPI document describe them, nor was a request with the same ones accepted. Source:
 * conversation-api, section 4.2.
 */
function hasUnknownMembers({ api, calls }: ConversationEvidence, call: ConversationCall): boolean {
  const { answer, asked, interface: name, operation } = call;
  const isOpen = name === "current" && operation !== "create" && isRecord(asked.json);
  if (!isOpen || answer.kind !== "refused" || (answer.status !== 400 && answer.status !== 422)) {
    return false;
  }
  const members = membersOf(call);
  const described = api?.operation(name, operation)?.requestMembers ?? [];
  const isKnown = (member: string): boolean =>
    described.includes(member) || (operation === "list" && member === "parent");
  return (
    !members.every((member) => isKnown(member)) &&
    !calls.some(
      (other) =>
        other.interface === name &&
        other.operation === operation &&
        other.answer.kind === "success" &&
        membersOf(other).join(" ") === members.join(" "),
    )
  );
}

const membersOf = ({ asked: { json } }: ConversationCall): readonly string[] =>
  isRecord(json) ? Object.keys(json).toSorted() : [];

/** Whether no answer came, or one of a target in distress. */
export const isBroken = ({ answer }: ConversationCall): boolean => answer.kind === "distress" || answer.kind === "none";

/** Whether an answer is a status from 500 that names no time to try again: one that does is of a busy target. */
const isInternalError = ({ answer, record }: ConversationCall): boolean =>
  answer.kind === "distress" &&
  answer.status >= 500 &&
  headerOf(record.response?.headers ?? [], "retry-after") === undefined;

/** Calls that one answer says as much about as another. */
export type IsAlike = (other: ConversationCall) => boolean;

/** The very same request, by the same user. */
const isSameRequest =
  ({ operation, record }: ConversationCall): IsAlike =>
  (other) =>
    other.operation === operation &&
    other.record.credential === record.credential &&
    other.record.request.url === record.request.url &&
    other.record.request.body === record.request.body;

/**
 * Whether a status from 500 is the answer to this request and not that of a target in distress: calls like it (by default the same
 * request) got such a status each time, at least twice, while the interface served others before and after the first.
 * Section 7 of conversation-api names 500 for errors of the server alone.
 */
export function failsEachTime(
  { calls }: ConversationEvidence,
  call: ConversationCall,
  isAlike: IsAlike = isSameRequest(call),
): boolean {
  if (!isInternalError(call)) {
    return false;
  }
  const tries = calls.filter((other) => other.interface === call.interface && isAlike(other));
  const [first] = tries;
  // After a deletion that was answered with an error, all that is left to be read may be gone.
  const served = calls.filter(
    ({ interface: name, answer, record }) =>
      name === call.interface &&
      (answer.kind === "success" || answer.kind === "refused") &&
      mayDoEverything(record.credential),
  );
  return (
    first !== undefined &&
    tries.length > 1 &&
    tries.every(isInternalError) &&
    served.some(({ record }) => record.times.endedAtMicros <= first.record.times.sentAtMicros) &&
    served.some(({ record }) => record.times.sentAtMicros >= first.record.times.endedAtMicros)
  );
}

/** Operations that answer without processing a question: what processes questions may be out of order for longer than a run. */
const processesNothing: ReadonlySet<string> = new Set(["get", "list", "cancel", "delete"]);

const parameterNames = ({ asked }: ConversationCall): string => [...asked.parameters.keys()].toSorted().join(" ");

/** Whether an operation that has to be accepted gets a status from 500 from this user each time. A refused call is another case. */
export function isRefusedByErrors(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const names = parameterNames(call);
  return (
    processesNothing.has(call.operation) &&
    failsEachTime(
      evidence,
      call,
      (other) =>
        other.operation === call.operation &&
        other.record.credential === call.record.credential &&
        other.asked.hasGoodForm &&
        other.answer.kind !== "refused" &&
        parameterNames(other) === names,
    )
  );
}

/** Whether an answer did not come that would have been judged: the request has a good form, and was not sent to be refused. */
export const isMissing = (call: ConversationCall): boolean =>
  isBroken(call) &&
  call.asked.hasGoodForm &&
  (mayDoEverything(call.record.credential) || call.record.credential === "unknown");
