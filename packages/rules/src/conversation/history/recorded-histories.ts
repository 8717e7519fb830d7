import { orderCodes, transitionCodes } from "@assay/contract";
import { droppedQuestions } from "../engine/cancelled-questions.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
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
export const readsAreCurrent = inBothInterfaces((name) =>
  defineHistoryRule({
    id: `${name}/reads-are-current`,
    interface: name,
    codes: ["stale-read"],
  }),
);

/** Finished questions do not change. Source: conversation-api, sections 2.2, 2.4 and 3. */
export const finishedAnswerIsStable = inBothInterfaces((name) =>
  defineHistoryRule({
    id: `${name}/finished-answer-is-stable`,
    interface: name,
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
export const questionsKeepTheirOrder = inBothInterfaces((name) =>
  defineHistoryRule({
    id: `${name}/questions-keep-their-order`,
    interface: name,
    codes: orderCodes,
    checkResponses(evidence, reportFor) {
      checkQuestionCounts(evidence, name, reportFor);
      for (const { call, questionId } of name === "legacy" ? droppedQuestions(evidence.threads) : []) {
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
export const questionTextIsKept = inBothInterfaces((name) =>
  defineHistoryRule({
    id: `${name}/question-text-is-kept`,
    interface: name,
    codes: ["question-text-changed"],
    skipsAfter: orderCodes,
    checkResponses: (evidence, reportFor) => checkRequestedTexts(evidence, name, reportFor),
  }),
);

/** Creation times do not change. Source: conversation-api, sections 2.1, 2.2 and 2.4. */
export const createdAtIsStable = inBothInterfaces((name) =>
  defineHistoryRule({
    id: `${name}/created-at-is-stable`,
    interface: name,
    codes: ["created-at-changed"],
  }),
);

/**
 * An update time never decreases, and is not before the creation time. Source: conversation-api, sections 2.1, 2.2 and
 * 2.4.
 */
export const updatedAtNeverFalls = inBothInterfaces((name) =>
  defineHistoryRule({
    id: `${name}/updated-at-never-falls`,
    interface: name,
    codes: ["updated-at-fell"],
    checkResponses: (evidence, reportFor) => checkUpdateTimes(evidence, name, reportFor),
  }),
);

/** A state changes only as the state table permits. Source: conversation-api, section 3.2. */
export const currentStateTransitionsAreListed = defineHistoryRule({
  id: "current/state-transitions-are-listed",
  interface: "current",
  codes: transitionCodes,
});
