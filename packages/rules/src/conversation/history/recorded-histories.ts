import { orderCodes, transitionCodes } from "@assay/contract";
import { withdrawnQuestions } from "../engine/cancelled-questions.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { historyRule } from "./history-rule.ts";
import { checkAskedIds } from "./ids-are-stable.ts";
import { checkAskedTexts } from "./question-text-is-kept.ts";
import { checkCounts } from "./questions-were-asked.ts";
import { checkCreationsFirst } from "./update-follows-creation.ts";

/** A status changes only as the state table permits. Source: conversation-api, section 3.1. */
export const legacyStatusTransitionsAreListed = historyRule({
  id: "legacy/status-transitions-are-listed",
  interface: "legacy",
  codes: transitionCodes,
});

/** No read shows an older state than an earlier one. Source: conversation-api, section 3. */
export const readsAreCurrent = inBothInterfaces((name) =>
  historyRule({
    id: `${name}/reads-are-current`,
    interface: name,
    codes: ["stale-read"],
  }),
);

/** Finished questions do not change. Source: conversation-api, sections 2.2, 2.4 and 3. */
export const finishedAnswerIsStable = inBothInterfaces((name) =>
  historyRule({
    id: `${name}/finished-answer-is-stable`,
    interface: name,
    codes: ["terminal-content-changed"],
  }),
);

/**
 * A question keeps its id, and the response to a call is about the requested conversation. Source: conversation-api,
 * sections 2.1 and 2.2.
 */
export const legacyIdsAreStable = historyRule({
  id: "legacy/ids-are-stable",
  interface: "legacy",
  codes: ["question-id-changed"],
  also: (evidence, reportFor) => checkAskedIds(evidence, "legacy", reportFor),
});

/** No question is lost, moved or duplicated. Source: conversation-api, sections 2.1 and 2.4. */
export const questionsKeepTheirOrder = inBothInterfaces((name) =>
  historyRule({
    id: `${name}/questions-keep-their-order`,
    interface: name,
    codes: orderCodes,
    also(evidence, reportFor) {
      checkCounts(evidence, name, reportFor);
      for (const { call, id } of name === "legacy" ? withdrawnQuestions(evidence.threads) : []) {
        const message = `question ${id} is no longer shown after its cancellation`;
        reportFor(call.record.id).note({ code: "legacy/status-after-cancel", message });
      }
    },
  }),
);

/**
 * A question keeps the requested text; lost or moved questions are reported by the rule about order. Source:
 * conversation-api, sections 2.2 and 2.4.
 */
export const questionTextIsKept = inBothInterfaces((name) =>
  historyRule({
    id: `${name}/question-text-is-kept`,
    interface: name,
    codes: ["question-text-changed"],
    yieldsTo: orderCodes,
    also: (evidence, reportFor) => checkAskedTexts(evidence, name, reportFor),
  }),
);

/** Creation times do not change. Source: conversation-api, sections 2.1, 2.2 and 2.4. */
export const createdAtIsStable = inBothInterfaces((name) =>
  historyRule({
    id: `${name}/created-at-is-stable`,
    interface: name,
    codes: ["created-at-changed"],
  }),
);

/**
 * An update time never goes back, and is not before the creation time. Source: conversation-api, sections 2.1, 2.2
 * and 2.4.
 */
export const updatedAtNeverFalls = inBothInterfaces((name) =>
  historyRule({
    id: `${name}/updated-at-never-falls`,
    interface: name,
    codes: ["updated-at-fell"],
    also: (evidence, reportFor) => checkCreationsFirst(evidence, name, reportFor),
  }),
);

/** A state changes only as the state table permits. Source: conversation-api, section 3.2. */
export const currentStateTransitionsAreListed = historyRule({
  id: "current/state-transitions-are-listed",
  interface: "current",
  codes: transitionCodes,
});
