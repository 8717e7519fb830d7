import { currentMachine, errorCodes } from "@assay/contract";
import { isRecord, member, stringMember, wireMember } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import { currentValidators } from "@assay/openapi";
import { reportSchemaErrors } from "./report-schema-errors.ts";
import { parseInstant } from "@assay/state-machine";
import { isDurationInSeconds, isTimestamp } from "./timestamp.ts";
import { defineConversationCheck, operationsReturningConversation } from "../engine/define-conversation-check.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { Reporter } from "../../engine/reporter.ts";

/** Returns the states in a conversation: its own, and the states of its questions. */
function statesIn({ json, pointer, questions }: ConversationView): readonly LocatedJson[] {
  return [{ json, pointer }, ...questions]
    .filter(({ json: holder }) => isRecord(holder) && Object.hasOwn(holder, "state"))
    .map(({ json: holder, pointer: base }) => ({ json: member(holder, "state"), pointer: `${base}/state` }));
}

/** Summaries need not contain a state, but a state in a summary must be valid. */
const operationsReturningStates = [...operationsReturningConversation, "list"] as const;

interface LocatedJson {
  readonly json: unknown;
  /** JSON pointer from the root of the response body. */
  readonly pointer: string;
}

/**
 * The state is an object with one member, whose value is an object. `current/conversation-fits-schema` reports a
 * missing state. Source: conversation-api, section 2.4.
 */
export const currentStateHasOneKey = defineConversationCheck({
  id: "current/state-has-one-key",
  interface: "current",
  operations: operationsReturningStates,
  check(view, report) {
    for (const { json, pointer } of statesIn(view)) {
      report.observation();
      const message = describeFormError(json);
      if (message !== undefined) {
        report.violation({ message, code: formErrorCode(json), pointer });
      }
    }
    if (view.questions.some(({ json }) => isRecord(json) && Object.hasOwn(json, "state"))) {
      report.note({ code: "current/place-of-state", message: "questions have a state", pointer: view.pointer });
    }
  },
});

/** Describes the error in the form of a state, or returns undefined if it is correct. */
function describeFormError(state: unknown): string | undefined {
  if (!isRecord(state)) {
    return Array.isArray(state) ? "the state is an array" : `the state is \`${formatValue(state)}\`, not an object`;
  }
  const keys = Object.keys(state);
  if (keys.length !== 1) {
    return `the state has ${keys.length} keys${keys.length === 0 ? "" : `: \`${formatValue(keys.join(", "))}\``}`;
  }
  return keys.every((key) => isRecord(state[key]))
    ? undefined
    : `\`${formatValue(keys[0])}\` of the state is not an object`;
}

/** Returns the code of the error in the form of a state. */
function formErrorCode(state: unknown): string {
  const keys = isRecord(state) ? Object.keys(state).length : undefined;
  return keys === undefined ? "no-object" : keys === 0 ? "no-key" : keys > 1 ? "more-keys" : "no-object-inside";
}

/** The key of the state is one of four. Source: conversation-api, section 3.2. */
export const currentStateIsListed = defineConversationCheck({
  id: "current/state-is-listed",
  interface: "current",
  operations: operationsReturningStates,
  check(view, report) {
    for (const { json, pointer } of statesIn(view)) {
      const [state, ...additionalStates] = isRecord(json) ? Object.keys(json) : [];
      // `current/state-has-one-key` reports a state that does not have exactly one key.
      if (state === undefined || additionalStates.length > 0) {
        continue;
      }
      report.observation();
      if (!currentMachine.states.includes(state)) {
        const holder = pointer === `${view.pointer}/state` ? "a conversation" : "a question";
        const message = `the state of ${holder} is \`${formatValue(state)}\``;
        report.violation({ message, code: "unlisted", argument: state, pointer });
      }
    }
  },
});

/** Returns the errors of a conversation and of its questions. */
export const errorsIn = (view: ConversationView): readonly LocatedJson[] =>
  statesIn(view).flatMap(({ json, pointer }) => {
    const error = member(json, "error");
    return isRecord(error) ? [{ json: error, pointer: `${pointer}/error` }] : [];
  });

/**
 * An error has a code, a message and a retry time. An answer is allowed next to it. Source: conversation-api, sections
 * 3.2 and 7.
 */
export const currentErrorHasItsMembers = defineConversationCheck({
  id: "current/error-has-its-members",
  interface: "current",
  check(view, report) {
    const label = "the error of a conversation";
    const ignoredPointers = ["/retryTime", "/retry_time"];
    for (const { json: value, pointer } of errorsIn(view)) {
      reportSchemaErrors(currentValidators().CurrentError, { label, value, pointer, ignoredPointers }, report);
      if ((wireMember(value, "retryTime")?.value ?? null) === null) {
        const message = `${label} has no \`retry_time\``;
        report.violation({ message, code: "required", argument: "/retry_time", pointer });
      }
    }
    if (view.state === "error" && view.questions.at(-1)?.facts.has("answer") === true) {
      const message = "a failed conversation has an answer";
      report.note({ code: "current/error-with-answer", message, pointer: view.pointer });
    }
  },
});

const listedCodes: ReadonlySet<string> = new Set(errorCodes);

/** The code of an error is one of four. Source: conversation-api, section 7. */
export const currentErrorCodeIsListed = defineConversationCheck({
  id: "current/error-code-is-listed",
  interface: "current",
  operations: operationsReturningStates,
  check(view, report) {
    for (const { json, pointer } of errorsIn(view)) {
      const code = stringMember(json, "code");
      if (code === undefined) {
        continue;
      }
      report.observation();
      if (!listedCodes.has(code)) {
        const message = `the code of an error is \`${formatValue(code)}\``;
        report.violation({ message, code: "unlisted", argument: code, pointer: `${pointer}/code` });
      }
    }
  },
});

/**
 * The retry time is a timestamp in either spelling. `current/error-has-its-members` reports a missing one. It may be a
 * date and time or Unix time, because the specification calls an integer a timestamp elsewhere. A time before 2000 can
 * only be a duration. 0 means that no wait is needed. Source: conversation-api, sections 2.2 and 7.
 */
export const currentRetryTimeIsATimestamp = defineConversationCheck({
  id: "current/retry-time-is-a-timestamp",
  interface: "current",
  check(view, report) {
    for (const error of errorsIn(view)) {
      checkRetryTime(error, report);
    }
  },
});

function checkRetryTime({ json, pointer }: LocatedJson, report: Reporter): void {
  const retryTime = wireMember(json, "retryTime");
  if (retryTime === undefined || retryTime.value === null) {
    return;
  }
  const position = { pointer: `${pointer}/${retryTime.key}` };
  report.observation();
  if (isDuration(retryTime.value)) {
    const problem = `\`${retryTime.key}\` is a duration, or a time decades ago, not a retry time`;
    report.violation({ message: `${problem}: \`${formatValue(retryTime.value)}\``, ...position });
  } else if (isUnixTime(retryTime.value)) {
    report.note({ code: "current/form-of-retry-time", message: "a retry time is an integer", ...position });
  } else if (isSecondsAndNanos(retryTime.value)) {
    report.note({
      code: "current/form-of-retry-time",
      message: "a retry time is seconds and nanoseconds",
      ...position,
    });
  } else if (typeof retryTime.value !== "string" || !isTimestamp(retryTime.value)) {
    report.violation({
      message: `\`${retryTime.key}\` is not a timestamp: \`${formatValue(retryTime.value)}\``,
      ...position,
    });
  }
}

/**
 * Reports whether a value is Unix time in any unit. 0 means that no wait is needed. Protocol buffers write long
 * integers as strings in JSON.
 */
const isUnixTime = (value: unknown): boolean =>
  (Number.isSafeInteger(value) && Number(value) >= 0) || (typeof value === "string" && /^\d{1,19}$/u.test(value));

/** Reports whether a value is a protocol buffers timestamp with seconds and nanoseconds. */
const isSecondsAndNanos = (value: unknown): boolean =>
  isUnixTime(member(value, "seconds")) && isUnixTime(member(value, "nanos") ?? 0);

/** Reports whether a value in any of these forms is between 1970 and 2000, which means a duration. */
const isDuration = (value: unknown): boolean =>
  isUnixTime(value)
    ? isDurationInSeconds(Number(value))
    : isSecondsAndNanos(value)
      ? isDurationInSeconds(Number(member(value, "seconds")))
      : typeof value === "string" && isDurationInSeconds(parseInstant(value).micros / 1_000_000);
