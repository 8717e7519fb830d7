import { defined } from "@assay/contract";
import type { ConversationRuleId } from "@assay/contract";
import type { HistoryCode, HistoryFinding } from "@assay/state-machine";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { reportBlocked } from "../engine/define-conversation-check.ts";
import { listView } from "../engine/list-view.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";

/** The definition of a rule about several responses of one conversation. */
export interface HistoryRule {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  /** Codes of the history checker that fail the rule. */
  readonly codes: readonly HistoryCode[];
  /** Codes of other rules. If a conversation has a finding with one of these codes, this rule skips it. */
  readonly skipsAfter?: readonly HistoryCode[];
  /** Additional checks of individual responses. */
  readonly checkResponses?: (evidence: ConversationEvidence, reportFor: ReportFor) => void;
}

/** Defines a rule about several responses of one conversation. */
export const defineHistoryRule = ({
  id,
  interface: interfaceName,
  codes,
  skipsAfter = [],
  checkResponses,
}: HistoryRule): ConversationRule =>
  defineConversationRule({
    id,
    check(evidence, reportFor) {
      const { findings, observations } = evidence.histories(interfaceName);
      // All codes of one rule are checked on the same pairs of reads, so a pair is one observation.
      countObservations(Math.max(...codes.map((code) => observations[code])), evidence.calls, reportFor);
      const skippedConversations = new Set(
        findings.filter(({ code }) => skipsAfter.includes(code)).map(({ conversation }) => conversation),
      );
      for (const finding of findings.filter(({ code }) => codes.includes(code))) {
        if (skippedConversations.has(finding.conversation)) {
          continue;
        }
        reportFor(finding.second.exchange).violation(createFindingDraft(finding, evidence, interfaceName));
      }
      if (codes.includes("unlisted-transition")) {
        noteToleratedTransitions(findings, reportFor);
      }
      checkResponses?.(evidence, reportFor);
      reportBlocked(
        evidence.calls.filter((call) => call.interface === interfaceName && call.operation === "get"),
        reportFor,
      );
    },
  });

function countObservations(count: number, [firstCall]: readonly ConversationCall[], reportFor: ReportFor): void {
  if (firstCall !== undefined && count > 0) {
    reportFor(firstCall.record.id).observation(count);
  }
}

function noteToleratedTransitions(findings: readonly HistoryFinding[], reportFor: ReportFor): void {
  for (const { code, behaviour, message, second } of findings) {
    if (code === "tolerated-transition") {
      reportFor(second.exchange).note({
        message,
        ...defined({ code: behaviour }),
      });
    }
  }
}

/** Codes that concern states. */
const stateCodes: ReadonlySet<HistoryCode> = new Set([
  "backward-transition",
  "unlisted-transition",
  "incomparable-ends",
  "stale-read",
]);

/** The member that a finding concerns, for codes that always concern the same one. */
const membersByCode: Readonly<Record<ConversationInterface, Readonly<Partial<Record<HistoryCode, string>>>>> = {
  legacy: {
    "question-id-changed": "id",
    "question-text-changed": "question",
    "created-at-changed": "created_at",
    "updated-at-fell": "updated_at",
  },
  current: { "question-text-changed": "input" },
};

/** Returns the JSON pointer to a finding, from the conversation in the second response. */
function findPointerInConversation(
  { code, question }: HistoryFinding,
  interfaceName: ConversationInterface,
): string | undefined {
  const questionPointer = question === undefined ? undefined : `/questions/${question}`;
  if (!stateCodes.has(code)) {
    const changedMember = membersByCode[interfaceName][code];
    return changedMember === undefined ? questionPointer : `${questionPointer ?? ""}/${changedMember}`;
  }
  return interfaceName === "current" ? "/state" : questionPointer && `${questionPointer}/status`;
}

/**
 * Returns the JSON pointer to the conversation of a finding in a list. It returns an empty string if the conversation
 * is the response itself.
 */
function findListPointer({ conversation, second }: HistoryFinding, { calls }: ConversationEvidence): string {
  const call = calls.find(({ record }) => record.id === second.exchange);
  const entries = call === undefined ? undefined : listView(call)?.entries;
  return entries?.find(({ id }) => id === conversation)?.pointer ?? "";
}

function createFindingDraft(
  finding: HistoryFinding,
  evidence: ConversationEvidence,
  interfaceName: ConversationInterface,
) {
  const pointerInConversation = findPointerInConversation(finding, interfaceName);
  const pointer = pointerInConversation && findListPointer(finding, evidence) + pointerInConversation;
  return {
    message: finding.message,
    code: finding.code,
    ...defined({ pointer }),
  };
}
