import { errorCodes } from "@assay/contract";
import type { ReportFor } from "./engine/choices-once.ts";
import type { ConversationEvidence } from "./engine/conversation-evidence.ts";
import { shownValue } from "../engine/shown-value.ts";
import { finishedPairs } from "./migration/finished-pairs.ts";
import { lateViews } from "./migration/late-views.ts";
import { defineMigrationRule } from "./migration/migration-rule.ts";

export { migrationAnswersAgree } from "./migration/answers-agree.ts";
export { migrationQuestionsAgree } from "./migration/questions-agree.ts";

/** Completed without an error in one interface is completed in the other. What a cancellation leads to is not shown. Source: conversation-api, section 9. */
export const migrationStateFollowsStatus = defineMigrationRule({
  id: "migration/state-follows-status",
  check(evidence, reportFor) {
    for (const { conversation, hasError, state, isCancelled, status, report } of finishedPairs(evidence, reportFor)) {
      if (isCancelled) {
        const message = `a cancelled conversation is ${status} in the legacy interface and \`${state}\` in the current one`;
        report.note({ code: "migration/canceled-question", message });
      } else if (!hasError) {
        report.opportunity();
        if (state !== "completed") {
          const message = `conversation ${shownValue(conversation)} is ${status} in the legacy interface and \`${state}\` in the current one`;
          report.violation({ message, pointer: "" });
        }
      }
    }
    reportLate(evidence, reportFor);
  },
});

/** What has ended in one interface does not go on in the other one for longer than a question is waited for. */
function reportLate(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { conversation, ended, late } of lateViews(evidence)) {
    const report = reportFor(late.call.record.id);
    report.opportunity();
    const has = `has ended in the ${ended.call.interface} interface (${ended.call.record.id})`;
    const message = `conversation ${shownValue(conversation)} ${has} and is still processing in the ${late.call.interface} one after the time in which a question has to end`;
    report.violation({ message, pointer: "" });
  }
}

const tokenLimit = "ERROR_TOKEN_LIMIT_EXCEEDED";
const listedCodes: ReadonlySet<string> = new Set(errorCodes);

/**
 * A question that is completed with an error is, in the other interface, a conversation in the state error. The one kind that is
 * shown is that of a limit which has a code of its own. Source: conversation-api, sections 7, 8 and 9.
 */
export const migrationErrorBecomesState = defineMigrationRule({
  id: "migration/error-becomes-state",
  check(evidence, reportFor) {
    for (const { conversation, hasError, kind, code, state, isCancelled, status, report } of finishedPairs(
      evidence,
      reportFor,
    )) {
      if (isCancelled || !hasError) {
        continue;
      }
      report.opportunity();
      if (kind === "TokenLimitExceeded" && code !== undefined && listedCodes.has(code) && code !== tokenLimit) {
        const message = `conversation ${shownValue(conversation)} exceeded the token limit in the legacy interface, and ended in \`${code}\` in the current one`;
        report.violation({ message, code: "other-limit", argument: code, pointer: "" });
      } else if (state !== "error") {
        const message = `conversation ${shownValue(conversation)} is ${status} in the legacy interface and \`${state}\` in the current one`;
        report.violation({ message, pointer: "" });
      }
    }
  },
});
