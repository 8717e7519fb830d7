import { orderCodes, transitionCodes } from "@assay/contract";
import { findDroppedQuestions } from "../engine/cancelled-questions.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { defineHistoryRule } from "./history-rule.ts";
import { checkRequestedIds } from "./check-requested-ids.ts";
import { checkRequestedTexts } from "./check-requested-texts.ts";
import { checkQuestionCounts } from "./check-question-counts.ts";
import { checkUpdateTimes } from "./check-update-times.ts";

/** A status changes only as the state table permits. Source: conversation-api, section 3.1. */
export const legacyStatusTransitionsAreListed = defineHistoryRule({
  id: "legacy/status-transitions-are-listed",
  interface: "legacy",
  codes: transitionCodes,
});

/** A read never shows an older state than an earlier read. Source: conversation-api, section 3. */
export const readsAreCurrent = defineForBothInterfaces((interfaceName) =>
  defineHistoryRule({
    id: `${interfaceName}/reads-are-current`,
    interface: interfaceName,
    codes: ["stale-read"],
  }),
);

/** Finished questions do not change. Source: conversation-api, sections 2.2, 2.4 and 3. */
export const finishedAnswerIsStable = defineForBothInterfaces((interfaceName) =>
  defineHistoryRule({
    id: `${interfaceName}/finished-answer-is-stable`,
    interface: interfaceName,
    codes: ["terminal-content-changed"],
  }),
);

/**
 * A question keeps its id, and a response is about the requested conversation. Source: conversation-api, sections 2.1
 * and 2.2.
 */
export const legacyIdsAreStable = defineHistoryRule({
  id: "legacy/ids-are-stable",
  interface: "legacy",
  codes: ["question-id-changed"],
  checkResponses: (evidence, reportFor) => checkRequestedIds(evidence, "legacy", reportFor),
});

/** Questions are never lost, moved or duplicated. Source: conversation-api, sections 2.1 and 2.4. */
export const questionsKeepTheirOrder = defineForBothInterfaces((interfaceName) =>
  defineHistoryRule({
    id: `${interfaceName}/questions-keep-their-order`,
    interface: interfaceName,
    codes: orderCodes,
    checkResponses(evidence, reportFor) {
      checkQuestionCounts(evidence, interfaceName, reportFor);
      for (const { call, questionId } of interfaceName === "legacy"
        ? findDroppedQuestions(evidence.conversationsOf)
        : []) {
        const message = `question ${questionId} is no longer shown after its cancellation`;
        reportFor(call.record.id).note({ code: "legacy/status-after-cancel", message });
      }
    },
  }),
);

/**
 * A question keeps the requested text. `questions-keep-their-order` reports lost or moved questions. Source:
 * conversation-api, sections 2.2 and 2.4.
 */
export const questionTextIsKept = defineForBothInterfaces((interfaceName) =>
  defineHistoryRule({
    id: `${interfaceName}/question-text-is-kept`,
    interface: interfaceName,
    codes: ["question-text-changed"],
    skipsAfter: orderCodes,
    checkResponses: (evidence, reportFor) => checkRequestedTexts(evidence, interfaceName, reportFor),
  }),
);

/** Creation times do not change. Source: conversation-api, sections 2.1, 2.2 and 2.4. */
export const createdAtIsStable = defineForBothInterfaces((interfaceName) =>
  defineHistoryRule({
    id: `${interfaceName}/created-at-is-stable`,
    interface: interfaceName,
    codes: ["created-at-changed"],
  }),
);

/**
 * An update time never decreases, and is not before the creation time. Source: conversation-api, sections 2.1, 2.2 and
 * 2.4.
 */
export const updatedAtNeverFalls = defineForBothInterfaces((interfaceName) =>
  defineHistoryRule({
    id: `${interfaceName}/updated-at-never-falls`,
    interface: interfaceName,
    codes: ["updated-at-fell"],
    checkResponses: (evidence, reportFor) => checkUpdateTimes(evidence, interfaceName, reportFor),
  }),
);

/** A state changes only as the state table permits. Source: conversation-api, section 3.2. */
export const currentStateTransitionsAreListed = defineHistoryRule({
  id: "current/state-transitions-are-listed",
  interface: "current",
  codes: transitionCodes,
});
