import { minSecretLength } from "@assay/evidence";
import { legacyMachine, observedErrorKinds } from "@assay/contract";
import { member, stringMember, arrayMember } from "@assay/reading";
import { legacyValidators } from "@assay/openapi";
import { formatValue } from "../engine/format-value.ts";
import { reportMisfits } from "./answers/report-misfits.ts";
import { eachConversation } from "./engine/each-conversation.ts";
import { eachQuestion } from "./engine/each-question.ts";
import { secretText } from "./engine/secret-text.ts";
import { defineWitnessedRule } from "./engine/witness.ts";

export { createIsAccepted } from "./answers/create-is-accepted.ts";
export { getReturnsTheConversation } from "./answers/get-returns-the-conversation.ts";
export {
  legacyErrorFitsSchema,
  legacySourceFitsSchema,
  legacyStatsAreCounts,
  legacyTurnFitsSchema,
} from "./answers/legacy-parts-fit-schema.ts";
export {
  legacyCompletedQuestionIsFilled,
  legacyFollowupsNullWhileProcessing,
  legacyNoAnswerWhileProcessing,
  legacyStatsAreZeroWhileProcessing,
} from "./answers/legacy-field-gates.ts";
export {
  legacyOwnerIsViewer,
  legacyQuotaUsageOnRetrieval,
  legacyUserIdIsTheOwner,
  legacyViewerOnRetrieval,
} from "./answers/legacy-retrieval.ts";
export { legacyTimeIsInMilliseconds } from "./answers/legacy-time-is-in-milliseconds.ts";
export { legacyTimestampsAreUtc } from "./answers/legacy-timestamps-are-utc.ts";
export { currentAnswerIsUnchanged } from "./answers/current-answer-is-unchanged.ts";
export { currentConversationFitsSchema } from "./answers/current-conversation-fits-schema.ts";
export { currentCreatedInProgress } from "./answers/current-created-in-progress.ts";
export { currentCompletedHasAnAnswer } from "./answers/current-field-gates.ts";
export { currentExceededLimitHasItsError } from "./answers/exceeded-limit-has-its-error.ts";
export { currentNameIsAResourceName } from "./answers/current-name-is-a-resource-name.ts";
export { currentTimesAreUtc } from "./answers/current-times-are-utc.ts";
export {
  currentErrorCodeIsListed,
  currentErrorHasItsMembers,
  currentRetryTimeIsATimestamp,
  currentStateHasOneKey,
  currentStateIsListed,
} from "./answers/current-state.ts";

/** The table of status codes has two of success. Source: conversation-api, section 7. */
export const successStatusIsListed = defineWitnessedRule({
  id: "legacy/success-status-is-listed",
  check({ calls }, witness) {
    for (const call of calls) {
      const status = call.answer.kind === "success" && call.interface === "legacy" ? call.answer.status : undefined;
      if (status === 200 || status === 202) {
        witness.holds(call);
      } else if (status !== undefined) {
        witness.breaks(call, `the success of ${call.operation} was told with ${status}, which the table does not list`);
      }
      if (status === 202) {
        witness.notes(call, "legacy/success-code", `${call.operation} was answered with 202`);
      }
    }
  },
});

/**
 * The conversation object itself; what is in it has rules of its own. How much of it a list shows is left open. Source:
 * conversation-api, section 2.1.
 */
export const legacyConversationFitsSchema = eachConversation({
  id: "legacy/conversation-fits-schema",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "list"],
  check({ json, pointer }, report, { operation }) {
    // A creation that answers no id has not answered a conversation, which is a rule of its own.
    if (operation !== "create" || member(json, "id") !== undefined) {
      const what = operation === "list" ? "a listed conversation" : "the conversation";
      const fitting = { what, value: json, pointer, mayLack: operation === "list" };
      reportMisfits(legacyValidators().LegacyConversation, fitting, report);
    }
  },
});

/** The question object itself; what is in it has rules of its own. Source: conversation-api, section 2.2. */
export const legacyQuestionFitsSchema = eachQuestion({
  id: "legacy/question-fits-schema",
  interface: "legacy",
  check({ question: { json, pointer } }, report) {
    reportMisfits(legacyValidators().LegacyQuestion, { what: "a question", value: json, pointer }, report);
  },
});

const known: ReadonlySet<string> = new Set(observedErrorKinds);

/** Kinds of errors are an open set: a new one is told, and never fails. Source: conversation-api, section 7. */
export const legacyErrorKindIsKnown = eachQuestion({
  id: "legacy/error-kind-is-known",
  interface: "legacy",
  check({ question }, report) {
    const kind = stringMember(member(question.json, "error"), "kind");
    if (kind === undefined) {
      return;
    }
    report.observation();
    if (!known.has(kind)) {
      report.note({
        message: `new kind of error: \`${formatValue(kind)}\``,
        pointer: `${question.pointer}/error/kind`,
      });
    }
  },
});

const isAbsolute = (url: string): boolean => /^https?:\/\/[^\s/]/iu.test(url);

/** A path below the base address, with a slash before it or without: neither another scheme nor spaces. No path is none. */
const isRelative = (url: string): boolean => /^(?![a-z][a-z\d+.-]*:)[^\s\\]+$/iu.test(url);

/**
 * The share URL is one, absolute or relative, and the read token stands in it, as it is or escaped. Neither is quoted: both are
 * secrets. A token of no text grants nothing. Source: conversation-api, section 2.1.
 */
export const legacyShareUrlHoldsReadToken = eachConversation({
  id: "legacy/share-url-holds-read-token",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "cancel", "list"],
  check({ json, pointer }, report) {
    const token = stringMember(json, "read_token");
    const url = stringMember(json, "share_url");
    if (token !== undefined || url !== undefined) {
      report.observation();
    }
    if (token === "") {
      report.violation({ message: "`read_token` is empty", code: "no-token", pointer: `${pointer}/read_token` });
    }
    if (url !== undefined && !isAbsolute(url) && !isRelative(url)) {
      report.violation({ message: "`share_url` is no URL", code: "no-url", pointer: `${pointer}/share_url` });
    } else if (!isIn(token === undefined ? undefined : secretText(token), url)) {
      report.violation({
        message: "`share_url` does not hold `read_token`",
        code: "token-not-in-url",
        pointer: `${pointer}/share_url`,
      });
    }
  },
});

/** A URL for sharing works outside the instance. No requirement says that it is absolute. Source: conversation-api, section 2.1. */
export const legacyShareUrlIsAbsolute = eachConversation({
  id: "legacy/share-url-is-absolute",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "cancel", "list"],
  check({ json, pointer }, report) {
    const url = stringMember(json, "share_url");
    // What is no URL at all has another rule.
    if (url === undefined || !(isAbsolute(url) || isRelative(url))) {
      return;
    }
    report.observation();
    if (!isAbsolute(url)) {
      report.violation({ message: "`share_url` is relative", pointer: `${pointer}/share_url` });
    }
  },
});

/**
 * Whether an address holds a token; where either is not there, nothing can be said against it. Nor where the token is so short
 * that evidence replaces it only where it is named, and not in the address.
 */
const isIn = (token = "", url = ""): boolean =>
  token.length < minSecretLength ||
  url === "" ||
  readingsOf(url).some((reading) => reading.includes(token) || reading.includes(escaped(token)));

/** What an address may say: as it stands, and with what is escaped in it read, where that can be read. */
function readingsOf(url: string): readonly string[] {
  const readable = url.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => unescaped(escapes));
  return [url, readable, readable.replaceAll("+", " ")];
}

function unescaped(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    // Bytes that are no UTF-8 say nothing.
    return escapes;
  }
}

function escaped(token: string): string {
  try {
    return encodeURIComponent(token);
  } catch {
    // Half of a surrogate pair cannot be escaped.
    return token;
  }
}

/** The listed values; which one a cancelled question has is not shown. Source: conversation-api, section 3.1. */
export const legacyStatusIsListed = eachQuestion({
  id: "legacy/status-is-listed",
  interface: "legacy",
  check({ question: { status, pointer }, isCancelled }, report) {
    if (status === undefined) {
      return;
    }
    const place = { pointer: `${pointer}/status` };
    if (status === "pending") {
      report.note({
        code: "legacy/pending-status",
        message: "a question is `pending`",
        ...place,
      });
    }
    if (isCancelled) {
      // What it may become is not documented: whatever it is shown as, nothing could be wrong.
      if (status !== legacyMachine.initial) {
        const message = `the status of a cancelled question is \`${formatValue(status)}\``;
        report.note({ code: "legacy/status-after-cancel", message, ...place });
      }
      return;
    }
    report.observation();
    if (!legacyMachine.states.includes(status)) {
      const message = `the status of a question is \`${formatValue(status)}\``;
      report.violation({ message, code: "unlisted", argument: status, ...place });
    }
  },
});

/** The answer to a creation or a follow-up shows the question at work. Source: conversation-api, section 3.1. */
export const legacyCreatedInProgress = eachQuestion({
  id: "legacy/created-in-progress",
  interface: "legacy",
  check({ question: { status, pointer }, isNew }, report) {
    // A status that is not listed is a rule of its own.
    if (!isNew || status === undefined || !legacyMachine.states.includes(status)) {
      return;
    }
    const place = { pointer: `${pointer}/status` };
    report.observation();
    if (status !== legacyMachine.initial) {
      const message = `a new question is \`${status}\`, not \`${legacyMachine.initial}\``;
      report.violation({ message, code: "begins-as", argument: status, ...place });
    }
  },
});

/** The answer to a creation or a follow-up shows the turn of the user. Source: conversation-api, section 2.2. */
export const legacyNewQuestionHasTurns = eachQuestion({
  id: "legacy/new-question-has-turns",
  interface: "legacy",
  check({ question: { json, status, pointer }, isNew }, report) {
    // One that has ended is not new any more, which is for another rule to say.
    if (!isNew || status === "completed") {
      return;
    }
    report.observation();
    if (!arrayMember(json, "turns").some((turn) => stringMember(turn, "role") === "user")) {
      report.violation({
        message: "a new question has no turn of the user",
        pointer: `${pointer}/turns`,
      });
    }
  },
});

/** There is no status of failure: a question with an error is completed. Source: conversation-api, sections 3.1 and 7. */
export const legacyFailedQuestionIsCompleted = eachQuestion({
  id: "legacy/failed-question-is-completed",
  interface: "legacy",
  check({ question: { status, facts, pointer }, isCancelled }, report) {
    // A status that is not listed is a rule of its own; what a cancellation leads to is not shown.
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
