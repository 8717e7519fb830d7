import { errorCodes } from "@assay/contract";
import { formatValue } from "../../engine/format-value.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import { findFinishedPairs } from "./finished-pairs.ts";
import { findLateConversations } from "./late-conversations.ts";
import { defineMigrationRule } from "./migration-rule.ts";

/**
 * A conversation that is completed without an error in one interface is completed in the other. The effect of a
 * cancellation is unspecified. Source: conversation-api, section 9.
 */
export const migrationStateFollowsStatus = defineMigrationRule({
  id: "migration/state-follows-status",
  check(evidence, reportFor) {
    for (const { legacyId, hasLegacyError, currentState, isCancelled, legacyStatus, report } of findFinishedPairs(
      evidence,
      reportFor,
    )) {
      if (isCancelled) {
        const message = `a cancelled conversation is ${legacyStatus} in the legacy interface and \`${currentState}\` in the current one`;
        report.note({ code: "migration/canceled-question", message });
      } else if (!hasLegacyError) {
        report.observation();
        if (currentState !== "completed") {
          const message = `conversation ${formatValue(legacyId)} is ${legacyStatus} in the legacy interface and \`${currentState}\` in the current one`;
          report.violation({ message, pointer: "" });
        }
      }
    }
    reportLateConversations(evidence, reportFor);
  },
});

/**
 * Reports conversations that are late: one that ended in one interface must not remain in progress in the other for
 * longer than the maximum wait for a question.
 */
function reportLateConversations(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { legacyId, finishedRead, lateRead } of findLateConversations(evidence)) {
    const report = reportFor(lateRead.call.record.id);
    report.observation();
    const ending = `ended in the ${finishedRead.call.interface} interface (${finishedRead.call.record.id})`;
    const message = `conversation ${formatValue(legacyId)} ${ending} and is still processing in the ${lateRead.call.interface} one after the maximum time for a question`;
    report.violation({ message, pointer: "" });
  }
}

const currentTokenLimit = "ERROR_TOKEN_LIMIT_EXCEEDED";
const legacyTokenLimit = "TokenLimitExceeded";
const listedCodes: ReadonlySet<string> = new Set(errorCodes);

/**
 * A question that is completed with an error is a conversation in the state `error` in the other interface. The token
 * limit has an error in both interfaces, so kind and code must agree. Other kinds are unspecified. Source:
 * conversation-api, sections 7, 8 and 9.
 */
export const migrationErrorBecomesState = defineMigrationRule({
  id: "migration/error-becomes-state",
  check(evidence, reportFor) {
    for (const {
      legacyId,
      hasLegacyError,
      legacyErrorKind,
      currentErrorCode,
      currentState,
      isCancelled,
      legacyStatus,
      report,
    } of findFinishedPairs(evidence, reportFor)) {
      if (isCancelled || !hasLegacyError) {
        continue;
      }
      report.observation();
      if (
        legacyErrorKind !== undefined &&
        currentErrorCode !== undefined &&
        isOtherLimit(legacyErrorKind, currentErrorCode)
      ) {
        const message = `conversation ${formatValue(legacyId)} ended with an error of kind \`${formatValue(legacyErrorKind)}\` in the legacy interface and \`${formatValue(currentErrorCode)}\` in the current one`;
        report.violation({ message, code: "other-limit", argument: currentErrorCode, pointer: "" });
      } else if (currentState !== "error") {
        const message = `conversation ${formatValue(legacyId)} is ${legacyStatus} in the legacy interface and \`${currentState}\` in the current one`;
        report.violation({ message, pointer: "" });
      }
    }
  },
});

/** Reports whether exactly one of the two is the token limit. `current/error-code-is-listed` reports other codes. */
const isOtherLimit = (kind: string, code: string): boolean =>
  listedCodes.has(code) && (kind === legacyTokenLimit) !== (code === currentTokenLimit);
