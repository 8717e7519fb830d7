import { isRecord } from "@assay/reading";
import { unissuedTokens } from "@assay/evidence";
import { isRead } from "./conversation-call.ts";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { headerOf } from "../../engine/header-of.ts";
import { hasEveryScope, mayDoEverything } from "./users.ts";
import type { CallReporter } from "./call-rule.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";
import { isAcceptedAround, isSignedInAround } from "./accepted-around.ts";
import { isNamedClient } from "../../engine/client-of.ts";

/** Whether a response refuses the caller: unauthorized, forbidden, or redirected, for example to a login. */
export const isRefusedOrRedirected = ({ answer }: ConversationCall): boolean =>
  answer.kind === "elsewhere" || (answer.kind === "refused" && (answer.status === 401 || answer.status === 403));

/**
 * Whether the evidence shows that the token of a call permits the operation. A legacy token needs no scope, so any
 * success shows it; in the current interface, a success of the same kind, reading or writing. If another full token
 * was accepted for the operation, this one must be too, provided that the target knows it.
 */
export const isTokenSufficient = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  isSufficientByItself(evidence, call) ||
  (isTokenKnown(evidence, call.record.credential) &&
    evidence.calls.some((other) => other.answer.kind === "success" && showsRightsOf(call, other)));

/**
 * Whether the evidence shows that the target knows a token, which may otherwise be wrong. It responded to it with
 * success, or with 403 unless it also sends 403 for tokens that were never issued.
 */
export const isTokenKnown = ({ calls }: ConversationEvidence, credential: CredentialKind): boolean =>
  calls.some(
    (call) =>
      call.record.credential === credential &&
      (call.answer.kind === "success" || (isForbidden(call) && !calls.some((other) => isNeverIssued(call, other)))),
  );

const isForbidden = ({ answer }: ConversationCall): boolean => answer.kind === "refused" && answer.status === 403;

const never: ReadonlySet<CredentialKind> = new Set(unissuedTokens);

/** Whether another call is forbidden for a token that was never issued. */
const isNeverIssued = (call: ConversationCall, other: ConversationCall): boolean =>
  other.interface === call.interface && never.has(other.record.credential) && isForbidden(other);

function showsOwnRights(call: ConversationCall, other: ConversationCall): boolean {
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
 * Whether two calls have the same word before their tokens. The word of the current interface is unspecified, so a
 * refusal with one word does not show that the token is wrong. Source: conversation-api, section 5.
 */
const isSameForm = (call: ConversationCall, other: ConversationCall): boolean => schemeIn(call) === schemeIn(other);

/** The word before the token of a call, in lower case; undefined without a token. */
export const schemeIn = ({ record }: ConversationCall): string | undefined =>
  /^\S+(?=\s)/u.exec(headerOf(record.request.headers, "authorization") ?? "")?.[0].toLowerCase();

const showsRightsOf = (call: ConversationCall, other: ConversationCall): boolean =>
  isSameForm(call, other) &&
  hasEveryScope(call.record.credential) &&
  hasEveryScope(other.record.credential) &&
  other.interface === call.interface &&
  other.operation === call.operation;

/** Like `isTokenSufficient`, but only by successes of the token itself. */
export const isSufficientByItself = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  evidence.calls.some((other) => other.answer.kind === "success" && showsOwnRights(call, other));

/**
 * Whether a recording shows that a refusal was wrong. A refused user may have lost a session and signed in again,
 * unless the recording shows that the credential did not change.
 */
const isWrongInRecording = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.record.credential === "unknown" &&
  (((!isRefusedOrRedirected(call) || isNamedClient(call)) && isAcceptedAround(evidence, call)) ||
    isWronglyUnauthorized(evidence, call));

/**
 * Whether a recording shows a credential refused with 401 that was accepted before and after. 401 is about
 * credentials, see section 7.
 */
export const isWronglyUnauthorized = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.record.credential === "unknown" &&
  call.answer.kind === "refused" &&
  call.answer.status === 401 &&
  isSignedInAround(evidence, call);

/** Whether a call was refused, and not only because of the form of its header. */
const isRefusal = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  (call.answer.kind === "refused" || call.answer.kind === "elsewhere" || isRefusedByErrors(evidence, call)) &&
  !isInOtherForm(evidence, call);

/**
 * Judges the refusal of a request that must be accepted. It is a violation if the request is well-formed and its
 * credential permits everything, or if a recording shows the credential accepted before and after. A status from 500
 * counts as a refusal if the operation gets it every time. A token that was never accepted may be wrong. Other
 * responses are ignored.
 */
export function judgeRefusal(
  evidence: ConversationEvidence,
  reporter: CallReporter,
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
  if (!isWrong && isRefusedOrRedirected(call) && !isTokenSufficient(evidence, call)) {
    reporter.needs(acceptedTokenMissing);
    return;
  }
  if (hasUnknownMembers(evidence, call)) {
    reporter.needs(`a ${call.operation} with the members that the target expects (one with others was refused)`);
    return;
  }
  if ("status" in answer) {
    reporter.fails(call, `${what} was answered with ${answer.status}`, subject);
  }
}

/**
 * Whether the current interface refused a call in a form of the header in which it accepts nothing, and accepts the
 * same token in another form. Source: conversation-api, section 5.
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
 * Whether a request of the current interface may be bad because of the names of its members, which are only specified
 * for a creation: no served OpenAPI document describes them, and no request with the same names was accepted. Source:
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

/** Whether there is no response, or one of an overloaded or failing target. */
export const isBroken = ({ answer }: ConversationCall): boolean => answer.kind === "distress" || answer.kind === "none";

/** Whether a response has a status from 500 without a retry time. With one, the target is only busy. */
const isInternalError = ({ answer, record }: ConversationCall): boolean =>
  answer.kind === "distress" &&
  answer.status >= 500 &&
  headerOf(record.response?.headers ?? [], "retry-after") === undefined;

/** Whether a response to another call counts as a response to this one. */
export type IsAlike = (other: ConversationCall) => boolean;

/** The same request by the same user. */
const isSameRequest =
  ({ operation, record }: ConversationCall): IsAlike =>
  (other) =>
    other.operation === operation &&
    other.record.credential === record.credential &&
    other.record.request.url === record.request.url &&
    other.record.request.body === record.request.body;

/**
 * Whether a status from 500 is caused by this request, and not by a failing target: similar calls (by default the
 * same request) got such a status every time, at least twice, while the interface served others before and after the
 * first. Section 7 of conversation-api names 500 only for errors of the server.
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
  // After a deletion that failed, everything that could be read may be gone.
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

/** Operations that do not process a question. Processing may fail for longer than a run. */
const processesNothing: ReadonlySet<string> = new Set(["get", "list", "cancel", "delete"]);

const parameterNames = ({ asked }: ConversationCall): string => [...asked.parameters.keys()].toSorted().join(" ");

/**
 * Whether an operation that must be accepted gets a status from 500 from this user every time. Refused calls are not
 * included.
 */
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

/**
 * Whether a response is missing that would have been judged: the request is well-formed, and was not sent to be
 * refused.
 */
export const isMissing = (call: ConversationCall): boolean =>
  isBroken(call) &&
  call.asked.hasGoodForm &&
  (mayDoEverything(call.record.credential) || call.record.credential === "unknown");
