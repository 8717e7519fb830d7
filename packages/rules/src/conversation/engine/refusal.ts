import { isRecord } from "@assay/reading";
import { unissuedTokens } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import { isRead } from "./conversation-call.ts";
import type { ConversationCall, ConversationInterface } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { headerOf } from "../../engine/header-of.ts";
import { hasEveryScope, hasFullAccess } from "./users.ts";
import type { CallReporter } from "./call-rule.ts";
import { acceptedTokenPrerequisite } from "../../engine/reporter.ts";
import { wasAcceptedBeforeAndAfter, wasSignedInBeforeAndAfter } from "./accepted-before-and-after.ts";
import { hasKnownClient } from "../../engine/identify-client.ts";

/**
 * Reports whether a response refuses the caller: unauthorized, forbidden, or redirected, for example to a login page.
 */
export const isRefusedOrRedirected = ({ response }: ConversationCall): boolean =>
  response.kind === "not-api" || (response.kind === "refused" && (response.status === 401 || response.status === 403));

/**
 * Reports whether the evidence shows that the token of a call permits the operation. A legacy token needs no scope, so
 * any success is sufficient. In the current interface, a success of the same kind (reading or writing) is needed. If
 * another full token was accepted for the operation, this one must be accepted too, provided that the target knows it.
 */
export const isTokenSufficient = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  isTokenSufficientAlone(evidence, call) ||
  (isTokenKnown(evidence, call.record.credential) &&
    evidence.calls.some((other) => other.response.kind === "success" && provesRightsOfFullToken(call, other)));

/**
 * Reports whether the evidence shows that the target knows a token. Otherwise the token may be wrong. A success with
 * the token shows it. So does status 403, unless tokens that were never issued get 403 too.
 */
export const isTokenKnown = ({ calls }: ConversationEvidence, credential: CredentialKind): boolean =>
  calls.some(
    (call) =>
      call.record.credential === credential &&
      (call.response.kind === "success" ||
        (isForbidden(call) && !calls.some((other) => isUnissuedAndForbidden(other, call.interface)))),
  );

const isForbidden = ({ response }: ConversationCall): boolean => response.kind === "refused" && response.status === 403;

const unissuedCredentials: ReadonlySet<CredentialKind> = new Set(unissuedTokens);

/** Reports whether a call through an interface got 403 for a token that was never issued. */
const isUnissuedAndForbidden = (call: ConversationCall, interfaceName: ConversationInterface): boolean =>
  call.interface === interfaceName && unissuedCredentials.has(call.record.credential) && isForbidden(call);

/** Reports whether the success of another call with the same token shows that the token permits this call. */
function provesTokenRights(call: ConversationCall, other: ConversationCall): boolean {
  const isSameInterface = other.interface === call.interface;
  if (!hasSameScheme(call, other)) {
    return false;
  }
  const isSufficient =
    call.interface === "legacy"
      ? isSameInterface || hasEveryScope(call.record.credential)
      : isSameInterface && isRead(other) === isRead(call);
  return isSufficient && other.record.credential === call.record.credential;
}

/**
 * Reports whether two calls use the same authorization scheme. The scheme of the current interface is unspecified, so a
 * refusal with one scheme does not show that the token is wrong. Source: conversation-api, section 5.
 */
const hasSameScheme = (call: ConversationCall, other: ConversationCall): boolean =>
  authorizationScheme(call) === authorizationScheme(other);

/** Returns the authorization scheme of a call in lower case, or undefined without a token. */
export const authorizationScheme = ({ record }: ConversationCall): string | undefined =>
  /^\S+(?=\s)/u.exec(headerOf(record.request.headers, "authorization") ?? "")?.[0].toLowerCase();

/** Reports whether the success of a call with any full token shows that every full token permits this call. */
const provesRightsOfFullToken = (call: ConversationCall, other: ConversationCall): boolean =>
  hasSameScheme(call, other) &&
  hasEveryScope(call.record.credential) &&
  hasEveryScope(other.record.credential) &&
  other.interface === call.interface &&
  other.operation === call.operation;

/** Does the same as `isTokenSufficient`, but considers only successes of the token itself. */
export const isTokenSufficientAlone = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  evidence.calls.some((other) => other.response.kind === "success" && provesTokenRights(call, other));

/**
 * Reports whether a recording shows that a refusal was wrong. A refused user may have lost a session and signed in
 * again, unless the recording shows that the credential did not change.
 */
const isWronglyRefusedInRecording = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.record.credential === "unknown" &&
  (((!isRefusedOrRedirected(call) || hasKnownClient(call)) && wasAcceptedBeforeAndAfter(evidence, call)) ||
    isWronglyUnauthorized(evidence, call));

/**
 * Reports whether a recording shows a credential refused with 401 that was accepted before and after. Section 7
 * reserves 401 for credentials.
 */
export const isWronglyUnauthorized = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  call.record.credential === "unknown" &&
  call.response.kind === "refused" &&
  call.response.status === 401 &&
  wasSignedInBeforeAndAfter(evidence, call);

/** Reports whether a call was refused for a reason other than its authorization scheme. */
const isRefusedRequest = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  (call.response.kind === "refused" || call.response.kind === "not-api" || isRefusedWithServerErrors(evidence, call)) &&
  !usesUnacceptedScheme(evidence, call);

/**
 * Judges the refusal of a request that must be accepted. It is a violation if the request is well-formed and its
 * credential has full access, or if a recording shows the credential accepted before and after. A status of 500 or
 * above is a refusal if the operation gets it every time. A token that was never accepted may be wrong, so its refusal
 * is not a violation. Other responses are ignored.
 */
export function judgeRefusal(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  {
    call,
    description,
    subject,
  }: { readonly call: ConversationCall; readonly description: string; readonly subject?: string },
): void {
  const { response, record } = call;
  if (!isRefusedRequest(evidence, call) || !call.request.isWellFormed) {
    return;
  }
  const isWronglyRefused = isWronglyRefusedInRecording(evidence, call);
  if (!isWronglyRefused && !hasFullAccess(record.credential)) {
    return;
  }
  if (!isWronglyRefused && isRefusedOrRedirected(call) && !isTokenSufficient(evidence, call)) {
    reporter.needs(acceptedTokenPrerequisite);
    return;
  }
  if (hasUnknownMembers(evidence, call)) {
    reporter.needs(`a ${call.operation} with the members that the target expects (one with others was refused)`);
    return;
  }
  if ("status" in response) {
    reporter.fails(call, `${description} returned ${response.status}`, subject);
  }
}

/**
 * Reports whether the current interface refused a call that uses a scheme it never accepts, and accepts the same token
 * with another scheme. Source: conversation-api, section 5.
 */
const usesUnacceptedScheme = ({ calls }: ConversationEvidence, call: ConversationCall): boolean => {
  const acceptedCalls = calls.filter(
    ({ response, interface: interfaceName, record }) =>
      interfaceName === "current" && response.kind === "success" && record.credential === call.record.credential,
  );
  return (
    call.interface === "current" &&
    hasFullAccess(call.record.credential) &&
    acceptedCalls.length > 0 &&
    !acceptedCalls.some((other) => authorizationScheme(other) === authorizationScheme(call))
  );
};

/**
 * Reports whether a request of the current interface may have been rejected because of its member names, which are only
 * specified for a creation. True if no served OpenAPI document describes them and no request with the same names was
 * accepted. Source: conversation-api, section 4.2.
 */
function hasUnknownMembers({ api, calls }: ConversationEvidence, call: ConversationCall): boolean {
  const { response, request, interface: interfaceName, operation } = call;
  const isUnspecified = interfaceName === "current" && operation !== "create" && isRecord(request.json);
  if (!isUnspecified || response.kind !== "refused" || (response.status !== 400 && response.status !== 422)) {
    return false;
  }
  const members = memberNames(call);
  const describedMembers = api?.operation(interfaceName, operation)?.requestMembers ?? [];
  const isKnown = (member: string): boolean =>
    describedMembers.includes(member) || (operation === "list" && member === "parent");
  return (
    !members.every((member) => isKnown(member)) &&
    !calls.some(
      (other) =>
        other.interface === interfaceName &&
        other.operation === operation &&
        other.response.kind === "success" &&
        memberNames(other).join(" ") === members.join(" "),
    )
  );
}

const memberNames = ({ request: { json } }: ConversationCall): readonly string[] =>
  isRecord(json) ? Object.keys(json).toSorted() : [];

/** Reports whether there is no response, or one from an overloaded or failing target. */
export const hasFailed = ({ response }: ConversationCall): boolean =>
  response.kind === "server-failure" || response.kind === "none";

/** Reports whether a response has status 500 or above and no retry time. With a retry time, the target is only busy. */
const isInternalError = ({ response, record }: ConversationCall): boolean =>
  response.kind === "server-failure" &&
  response.status >= 500 &&
  headerOf(record.response?.headers ?? [], "retry-after") === undefined;

/** Reports whether another call is the same attempt as this one. */
export type IsSameAttempt = (other: ConversationCall) => boolean;

const isSameRequest =
  ({ operation, record }: ConversationCall): IsSameAttempt =>
  (other) =>
    other.operation === operation &&
    other.record.credential === record.credential &&
    other.record.request.url === record.request.url &&
    other.record.request.body === record.request.body;

/**
 * Reports whether a status of 500 or above is caused by this request and not by a failing target. Similar calls (by
 * default the same request) must have failed that way every time, at least twice, while the interface served other
 * calls before and after the first failure. Section 7 of conversation-api allows 500 only for server errors.
 */
export function failsEachTime(
  { calls }: ConversationEvidence,
  call: ConversationCall,
  isSameAttempt: IsSameAttempt = isSameRequest(call),
): boolean {
  if (!isInternalError(call)) {
    return false;
  }
  const attempts = calls.filter((other) => other.interface === call.interface && isSameAttempt(other));
  const [firstAttempt] = attempts;
  // After a deletion that failed, there may be nothing left to read.
  const servedCalls = calls.filter(
    ({ interface: interfaceName, response, record }) =>
      interfaceName === call.interface &&
      (response.kind === "success" || response.kind === "refused") &&
      hasFullAccess(record.credential),
  );
  return (
    firstAttempt !== undefined &&
    attempts.length > 1 &&
    attempts.every(isInternalError) &&
    servedCalls.some(({ record }) => record.times.endedAtMicros <= firstAttempt.record.times.sentAtMicros) &&
    servedCalls.some(({ record }) => record.times.sentAtMicros >= firstAttempt.record.times.endedAtMicros)
  );
}

/** Operations that do not process a question. Processing may fail for longer than a run. */
const operationsWithoutProcessing: ReadonlySet<string> = new Set(["get", "list", "cancel", "delete"]);

const parameterNames = ({ request }: ConversationCall): string => [...request.parameters.keys()].toSorted().join(" ");

/**
 * Reports whether an operation that must be accepted returns 500 or above to this user every time. Refused calls are
 * excluded.
 */
export function isRefusedWithServerErrors(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const names = parameterNames(call);
  return (
    operationsWithoutProcessing.has(call.operation) &&
    failsEachTime(
      evidence,
      call,
      (other) =>
        other.operation === call.operation &&
        other.record.credential === call.record.credential &&
        other.request.isWellFormed &&
        other.response.kind !== "refused" &&
        parameterNames(other) === names,
    )
  );
}

/**
 * Reports whether a response that the rule would have judged is missing. Calls that are malformed or were sent to be
 * refused are excluded.
 */
export const isResponseMissing = (call: ConversationCall): boolean =>
  hasFailed(call) &&
  call.request.isWellFormed &&
  (hasFullAccess(call.record.credential) || call.record.credential === "unknown");
