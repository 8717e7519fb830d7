import type { ConversationRuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import { isInUse, isPossible, sameCall, workingCalls } from "./same-call.ts";
import type { ConversationCall, ConversationInterface, ConversationOperation } from "../engine/conversation-call.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { failsEachTime, isBroken, isTokenKnown } from "../engine/refusal.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

interface RefusedCredential {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  /** Any of these. */
  readonly credentials: readonly CredentialKind[];
  /** What the request came with, one clause. */
  readonly came: string;
  /** Status that the document names for this refusal [any]; of a conversation it may also be said that it is not there. */
  readonly status?: number;
  /** Operations the rule is about [all]. */
  readonly operations?: readonly ConversationOperation[];
  /** What is missing where no such request was sent, when a run has to be given something for it. */
  readonly needs?: string;
  /** Whether the token has to be a good one, which may do less than others: a wrong one is refused anyway [no]. */
  readonly isGood?: true;
}

/**
 * A rule that nothing is delivered to a bad credential. A refusal counts only for a call that succeeds with a good one: any
 * other is refused to everybody.
 */
export const credentialIsRefused = ({ id, operations, needs, ...rule }: RefusedCredential): ConversationRule =>
  defineWitnessedRule({
    id,
    check(evidence, witness) {
      const works = workingCalls(evidence);
      const sent = evidence.calls.filter(
        (call) =>
          call.interface === rule.interface &&
          rule.credentials.includes(call.record.credential) &&
          operations?.includes(call.operation) !== false,
      );
      if (sent.length === 0 && needs !== undefined && isInUse(evidence, rule.interface)) {
        witness.needs(needs);
      }
      for (const call of sent) {
        if (rule.isGood === true && call.answer.kind === "refused" && !isTokenKnown(evidence, call.record.credential)) {
          witness.needs(acceptedTokenMissing);
        } else if (
          call.answer.kind === "success" ||
          (call.asked.hasGoodForm && works.has(sameCall(call)) && isPossible(evidence, call))
        ) {
          judgeAnswer(evidence, witness, { call, rule });
        }
      }
    },
  });

/** Whether a status is the one that is named for a refusal. Of a conversation it may be said that it is not there. */
const isNamed = ({ operation }: ConversationCall, status: number, named: number): boolean =>
  status === named || (status === 404 && operation !== "list" && operation !== "create");

/** The status of an answer that refuses without being a refusal: it leads elsewhere, or is from 500 for everybody who asks so. */
function oddStatus(
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

function judgeAnswer(evidence: ConversationEvidence, witness: Witness, { call, rule }: BadlySent): void {
  const { came, status } = rule;
  const subject = sameCall(call);
  const { answer } = call;
  const oddity = oddStatus(evidence, call, rule);
  if (oddity === undefined && isBroken(call)) {
    witness.lacks(call, subject);
  } else if (answer.kind === "success") {
    witness.breaks(call, `${call.operation} ${came} was answered with ${answer.status}`, subject);
  } else if (oddity !== undefined && status !== undefined) {
    witness.breaks(call, `${call.operation} ${came} was answered with ${oddity} instead of ${status}`, subject);
  } else if (answer.kind === "refused" && status !== undefined && !isNamed(call, answer.status, status)) {
    witness.breaks(call, `${call.operation} ${came} was refused with ${answer.status} instead of ${status}`, subject);
  } else {
    witness.holds(call, subject);
  }
}
