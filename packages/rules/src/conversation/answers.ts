import { minSecretLength } from "@assay/evidence";
import { legacyMachine, observedErrorKinds } from "@assay/contract";
import { member, stringMember, arrayMember } from "@assay/reading";
import { legacyValidators } from "@assay/openapi";
import { formatValue } from "../engine/format-value.ts";
import { reportSchemaErrors } from "./answers/report-schema-errors.ts";
import { eachConversation } from "./engine/each-conversation.ts";
import { eachQuestion } from "./engine/each-question.ts";
import { secretText } from "./engine/secret-text.ts";
import { defineCallRule } from "./engine/call-rule.ts";

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

/** The table of status codes has two success codes. Source: conversation-api, section 7. */
export const successStatusIsListed = defineCallRule({
  id: "legacy/success-status-is-listed",
  check({ calls }, reporter) {
    for (const call of calls) {
      const status = call.answer.kind === "success" && call.interface === "legacy" ? call.answer.status : undefined;
      if (status === 200 || status === 202) {
        reporter.passes(call);
      } else if (status !== undefined) {
        reporter.fails(
          call,
          `the success of ${call.operation} has the status ${status}, which the table does not list`,
        );
      }
      if (status === 202) {
        reporter.notes(call, "legacy/success-code", `${call.operation} was answered with 202`);
      }
    }
  },
});

/**
 * The conversation object itself; objects in it have separate rules. The members that a list shows are unspecified.
 * Source: conversation-api, section 2.1.
 */
export const legacyConversationFitsSchema = eachConversation({
  id: "legacy/conversation-fits-schema",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "list"],
  check({ json, pointer }, report, { operation }) {
    // A response to a creation without an id is not a conversation, which is another rule.
    if (operation !== "create" || member(json, "id") !== undefined) {
      const what = operation === "list" ? "a listed conversation" : "the conversation";
      const fitting = { what, value: json, pointer, mayLack: operation === "list" };
      reportSchemaErrors(legacyValidators().LegacyConversation, fitting, report);
    }
  },
});

/** The question object itself; objects in it have separate rules. Source: conversation-api, section 2.2. */
export const legacyQuestionFitsSchema = eachQuestion({
  id: "legacy/question-fits-schema",
  interface: "legacy",
  check({ question: { json, pointer } }, report) {
    reportSchemaErrors(legacyValidators().LegacyQuestion, { what: "a question", value: json, pointer }, report);
  },
});

const known: ReadonlySet<string> = new Set(observedErrorKinds);

/** Kinds of errors are an open set: a new one is noted and never fails. Source: conversation-api, section 7. */
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

/**
 * A path below the base address, with or without a leading slash: no scheme and no spaces. An empty path is not one.
 */
const isRelative = (url: string): boolean => /^(?![a-z][a-z\d+.-]*:)[^\s\\]+$/iu.test(url);

/**
 * The share URL is a URL, absolute or relative, and contains the read token, plain or escaped. Neither is quoted,
 * because both are secrets. A token without text grants nothing. Source: conversation-api, section 2.1.
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
      report.violation({ message: "`share_url` is not a URL", code: "no-url", pointer: `${pointer}/share_url` });
    } else if (!isIn(token === undefined ? undefined : secretText(token), url)) {
      report.violation({
        message: "`share_url` does not contain `read_token`",
        code: "token-not-in-url",
        pointer: `${pointer}/share_url`,
      });
    }
  },
});

/**
 * A share URL must work outside the instance. No requirement says that it is absolute. Source: conversation-api,
 * section 2.1.
 */
export const legacyShareUrlIsAbsolute = eachConversation({
  id: "legacy/share-url-is-absolute",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "cancel", "list"],
  check({ json, pointer }, report) {
    const url = stringMember(json, "share_url");
    // Text that is not a URL fails another rule.
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
 * Whether an address contains a token; true if either is missing. Also true for a token so short that evidence only
 * replaces it in its own member, and not in the address.
 */
const isIn = (token = "", url = ""): boolean =>
  token.length < minSecretLength ||
  url === "" ||
  readingsOf(url).some((reading) => reading.includes(token) || reading.includes(escaped(token)));

/** Readings of an address: unchanged, and unescaped if possible. */
function readingsOf(url: string): readonly string[] {
  const readable = url.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => unescaped(escapes));
  return [url, readable, readable.replaceAll("+", " ")];
}

function unescaped(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    // Not UTF-8: no reading.
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

/** The status is a listed value; that of a cancelled question is unspecified. Source: conversation-api, section 3.1. */
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
      // The final status is unspecified, so no status can be wrong.
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

/** The response to a creation or a follow-up shows the question in progress. Source: conversation-api, section 3.1. */
export const legacyCreatedInProgress = eachQuestion({
  id: "legacy/created-in-progress",
  interface: "legacy",
  check({ question: { status, pointer }, isNew }, report) {
    // An unlisted status fails another rule.
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

/** The response to a creation or a follow-up shows the turn of the user. Source: conversation-api, section 2.2. */
export const legacyNewQuestionHasTurns = eachQuestion({
  id: "legacy/new-question-has-turns",
  interface: "legacy",
  check({ question: { json, status, pointer }, isNew }, report) {
    // A question that has ended is not new; another rule checks that.
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

/**
 * There is no status for failure: a question with an error is completed. Source: conversation-api, sections 3.1 and
 * 7.
 */
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
