import type { ConversationRuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { isInterfaceInUse, couldSucceed, callKey, workingCallKeys } from "./call-key.ts";
import type { ConversationCall, ConversationInterface, ConversationOperation } from "../engine/conversation-call.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { failsEachTime, hasFailed, isTokenKnown } from "../engine/refusal.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { acceptedTokenPrerequisite } from "../../engine/reporter.ts";

interface CredentialRule {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  /** The credentials to check. */
  readonly credentials: readonly CredentialKind[];
  /** A clause that describes the credential of the request. */
  readonly description: string;
  /** Specified status of the refusal [any]. A read may also get 404. */
  readonly status?: number;
  /** Operations that the rule checks. Default: all. */
  readonly operations?: readonly ConversationOperation[];
  /** The missing prerequisite if the request was not sent and the user of Assay must provide something. */
  readonly needs?: string;
  /** Whether the token must be valid with fewer rights than others [no]. A wrong token would be refused anyway. */
  readonly mustBeValid?: true;
}

/**
 * Defines a rule that a bad credential is refused. A refusal is evidence only if the same call succeeds with a valid
 * credential. Otherwise the target may refuse it with any credential.
 */
export const defineCredentialRule = ({ id, operations, needs, ...rule }: CredentialRule): ConversationRule =>
  defineCallRule({
    id,
    check(evidence, reporter) {
      const workingKeys = workingCallKeys(evidence);
      const checkedCalls = evidence.calls.filter(
        (call) =>
          call.interface === rule.interface &&
          rule.credentials.includes(call.record.credential) &&
          operations?.includes(call.operation) !== false,
      );
      if (checkedCalls.length === 0 && needs !== undefined && isInterfaceInUse(evidence, rule.interface)) {
        reporter.needs(needs);
      }
      for (const call of checkedCalls) {
        if (
          rule.mustBeValid === true &&
          call.response.kind === "refused" &&
          !isTokenKnown(evidence, call.record.credential)
        ) {
          reporter.needs(acceptedTokenPrerequisite);
        } else if (
          call.response.kind === "success" ||
          (call.request.isWellFormed && workingKeys.has(callKey(call)) && couldSucceed(evidence, call))
        ) {
          judgeResponse(evidence, reporter, { call, rule });
        }
      }
    },
  });

/** Reports whether the status is the specified one for a refusal. A read may also get 404. */
const isSpecifiedStatus = ({ operation }: ConversationCall, status: number, specifiedStatus: number): boolean =>
  status === specifiedStatus || (status === 404 && operation !== "list" && operation !== "create");

/**
 * Returns the status of a response that denies access without being a refusal: a redirection, or a status of 500 or
 * above for every such request.
 */
function findStatusWithoutRefusal(
  evidence: ConversationEvidence,
  call: ConversationCall,
  { credentials }: Pick<CredentialRule, "credentials">,
): number | undefined {
  const { response } = call;
  const failsEveryTime = failsEachTime(
    evidence,
    call,
    (other) => credentials.includes(other.record.credential) && other.response.kind !== "refused",
  );
  return response.kind === "not-api" || (response.kind === "server-failure" && failsEveryTime)
    ? response.status
    : undefined;
}

interface CheckedCall {
  readonly call: ConversationCall;
  readonly rule: Pick<CredentialRule, "description" | "credentials" | "status">;
}

function judgeResponse(evidence: ConversationEvidence, reporter: CallReporter, { call, rule }: CheckedCall): void {
  const { description, status } = rule;
  const subject = callKey(call);
  const { response } = call;
  const statusWithoutRefusal = findStatusWithoutRefusal(evidence, call, rule);
  if (statusWithoutRefusal === undefined && hasFailed(call)) {
    reporter.lacksResponse(call, subject);
  } else if (response.kind === "success") {
    reporter.fails(call, `${call.operation} ${description} returned ${response.status}`, subject);
  } else if (statusWithoutRefusal !== undefined && status !== undefined) {
    reporter.fails(
      call,
      `${call.operation} ${description} returned ${statusWithoutRefusal} instead of ${status}`,
      subject,
    );
  } else if (response.kind === "refused" && status !== undefined && !isSpecifiedStatus(call, response.status, status)) {
    reporter.fails(
      call,
      `${call.operation} ${description} was refused with ${response.status} instead of ${status}`,
      subject,
    );
  } else {
    reporter.passes(call, subject);
  }
}
