import { legacyMachine, observedErrorKinds } from "@assay/contract";
import { arrayMember, member, stringMember } from "@assay/reading";
import { formatValue } from "../../engine/format-value.ts";
import { defineQuestionCheck } from "../engine/define-question-check.ts";

const knownErrorKinds: ReadonlySet<string> = new Set(observedErrorKinds);

/** Error kinds are an open set. A new kind is noted and never fails. Source: conversation-api, section 7. */
export const legacyErrorKindIsKnown = defineQuestionCheck({
  id: "legacy/error-kind-is-known",
  interface: "legacy",
  check({ question }, report) {
    const kind = stringMember(member(question.json, "error"), "kind");
    if (kind === undefined) {
      return;
    }
    report.observation();
    if (!knownErrorKinds.has(kind)) {
      report.note({
        message: `new kind of error: \`${formatValue(kind)}\``,
        pointer: `${question.pointer}/error/kind`,
      });
    }
  },
});

/**
 * The status is a listed value. The status of a cancelled question is unspecified. Source: conversation-api, section
 * 3.1.
 */
export const legacyStatusIsListed = defineQuestionCheck({
  id: "legacy/status-is-listed",
  interface: "legacy",
  check({ question: { status, pointer }, isCancelled }, report) {
    if (status === undefined) {
      return;
    }
    const position = { pointer: `${pointer}/status` };
    if (status === "pending") {
      report.note({
        code: "legacy/pending-status",
        message: "a question is `pending`",
        ...position,
      });
    }
    if (isCancelled) {
      // The final status is unspecified, so no status is wrong.
      if (status !== legacyMachine.initial) {
        const message = `the status of a cancelled question is \`${formatValue(status)}\``;
        report.note({ code: "legacy/status-after-cancel", message, ...position });
      }
      return;
    }
    report.observation();
    if (!legacyMachine.states.includes(status)) {
      const message = `the status of a question is \`${formatValue(status)}\``;
      report.violation({ message, code: "unlisted", argument: status, ...position });
    }
  },
});

/** The response to a creation or a follow-up shows the question in progress. Source: conversation-api, section 3.1. */
export const legacyCreatedInProgress = defineQuestionCheck({
  id: "legacy/created-in-progress",
  interface: "legacy",
  check({ question: { status, pointer }, isNew }, report) {
    // `legacy/status-is-listed` reports an unlisted status.
    if (!isNew || status === undefined || !legacyMachine.states.includes(status)) {
      return;
    }
    const position = { pointer: `${pointer}/status` };
    report.observation();
    if (status !== legacyMachine.initial) {
      const message = `a new question is \`${status}\`, not \`${legacyMachine.initial}\``;
      report.violation({ message, code: "begins-as", argument: status, ...position });
    }
  },
});

/** The response to a creation or a follow-up contains the user's turn. Source: conversation-api, section 2.2. */
export const legacyNewQuestionHasTurns = defineQuestionCheck({
  id: "legacy/new-question-has-turns",
  interface: "legacy",
  check({ question: { json, status, pointer }, isNew }, report) {
    // A question that has ended is not new. `legacy/created-in-progress` reports it.
    if (!isNew || status === "completed") {
      return;
    }
    report.observation();
    if (!arrayMember(json, "turns").some((turn) => stringMember(turn, "role") === "user")) {
      report.violation({
        message: "a new question has no user turn",
        pointer: `${pointer}/turns`,
      });
    }
  },
});

/**
 * There is no status for failure, so a question with an error is completed. Source: conversation-api, sections 3.1 and
 * 7.
 */
export const legacyFailedQuestionIsCompleted = defineQuestionCheck({
  id: "legacy/failed-question-is-completed",
  interface: "legacy",
  check({ question: { status, facts, pointer }, isCancelled }, report) {
    // `legacy/status-is-listed` reports unlisted statuses. The result of a cancellation is unspecified.
    if (isCancelled || !facts.has("error") || status === undefined || !legacyMachine.states.includes(status)) {
      return;
    }
    report.observation();
    if (status !== "completed") {
      report.violation({
        message: `a question with an error is \`${status}\``,
        pointer: `${pointer}/status`,
      });
    }
  },
});
