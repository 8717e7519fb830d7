import type { ConversationRuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { isInUse, isPossible, sameCall, workingCalls } from "./same-call.ts";
import type { ConversationCall, ConversationInterface, ConversationOperation } from "../engine/conversation-call.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { failsEachTime, isBroken, isTokenKnown } from "../engine/refusal.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

interface RefusedCredential {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  /** Any of these. */
  readonly credentials: readonly CredentialKind[];
  /** Describes the credential of the request, one clause. */
  readonly came: string;
  /** Specified status of the refusal [any]. A read may also get 404. */
  readonly status?: number;
  /** Operations that the rule checks [all]. */
  readonly operations?: readonly ConversationOperation[];
  /** Missing prerequisite if no such request was sent, if the user of the run must provide something. */
  readonly needs?: string;
  /** Whether the token must be valid with fewer rights than others: a wrong one is refused anyway [no]. */
  readonly isGood?: true;
}

/**
 * Defines a rule that a bad credential gets nothing. A refusal only counts for a call that succeeds with a valid
 * credential; any other is refused for everybody.
 */
export const credentialIsRefused = ({ id, operations, needs, ...rule }: RefusedCredential): ConversationRule =>
  defineCallRule({
    id,
    check(evidence, reporter) {
      const works = workingCalls(evidence);
      const sent = evidence.calls.filter(
        (call) =>
          call.interface === rule.interface &&
          rule.credentials.includes(call.record.credential) &&
          operations?.includes(call.operation) !== false,
      );
      if (sent.length === 0 && needs !== undefined && isInUse(evidence, rule.interface)) {
        reporter.needs(needs);
      }
      for (const call of sent) {
        if (rule.isGood === true && call.answer.kind === "refused" && !isTokenKnown(evidence, call.record.credential)) {
          reporter.needs(acceptedTokenMissing);
        } else if (
          call.answer.kind === "success" ||
          (call.asked.hasGoodForm && works.has(sameCall(call)) && isPossible(evidence, call))
        ) {
          judgeAnswer(evidence, reporter, { call, rule });
        }
      }
    },
  });

/** Whether a status is the specified one for a refusal. A read may also get 404. */
const isNamed = ({ operation }: ConversationCall, status: number, named: number): boolean =>
  status === named || (status === 404 && operation !== "list" && operation !== "create");

/**
 * The status of a response that denies access without being a refusal: a redirection, or a status from 500 for every
 * such request.
 */
function unspecifiedStatus(
  evidence: ConversationEvidence,
  call: ConversationCall,
  { credentials }: Pick<RefusedCredential, "credentials">,
): number | undefined {
  const { answer } = call;
  const isError = failsEachTime(
    evidence,
    call,
    (other) => credentials.includes(other.record.credential) && other.answer.kind !== "refused",
  );
  return answer.kind === "elsewhere" || (answer.kind === "distress" && isError) ? answer.status : undefined;
}

interface BadlySent {
  readonly call: ConversationCall;
  readonly rule: Pick<RefusedCredential, "came" | "credentials" | "status">;
}

function judgeAnswer(evidence: ConversationEvidence, reporter: CallReporter, { call, rule }: BadlySent): void {
  const { came, status } = rule;
  const subject = sameCall(call);
  const { answer } = call;
  const oddity = unspecifiedStatus(evidence, call, rule);
  if (oddity === undefined && isBroken(call)) {
    reporter.misses(call, subject);
  } else if (answer.kind === "success") {
    reporter.fails(call, `${call.operation} ${came} was answered with ${answer.status}`, subject);
  } else if (oddity !== undefined && status !== undefined) {
    reporter.fails(call, `${call.operation} ${came} was answered with ${oddity} instead of ${status}`, subject);
  } else if (answer.kind === "refused" && status !== undefined && !isNamed(call, answer.status, status)) {
    reporter.fails(call, `${call.operation} ${came} was refused with ${answer.status} instead of ${status}`, subject);
  } else {
    reporter.passes(call, subject);
  }
}
