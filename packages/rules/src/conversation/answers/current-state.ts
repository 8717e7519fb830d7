import { currentMachine, errorCodes } from "@assay/contract";
import { currentValidators } from "@assay/openapi";
import { reportMisfits } from "./report-misfits.ts";
import { isTimestamp } from "./timestamp.ts";
import { eachConversation } from "../engine/each-conversation.ts";
import { stringMember, wireMember } from "../engine/wire-member.ts";
import { isRecord, member, shownValue } from "../../engine/json-value.ts";

/** The state is an object with one member, which is an object. That there is a state has another rule. Source: conversation-api, section 2.4. */
export const currentStateHasOneKey = eachConversation({
  id: "current/state-has-one-key",
  interface: "current",
  check({ json, pointer }, report) {
    const state = member(json, "state");
    if (state === undefined) {
      return;
    }
    report.observe();
    const message = formOf(state);
    if (message !== undefined) {
      report.violation({ message, code: formCodeOf(state), pointer: `${pointer}/state` });
    }
  },
});

/** How a state departs from its form, or nothing. */
function formOf(state: unknown): string | undefined {
  if (!isRecord(state)) {
    return Array.isArray(state) ? "the state is an array" : `the state is \`${shownValue(state)}\`, not an object`;
  }
  const keys = Object.keys(state);
  if (keys.length !== 1) {
    return `the state has ${keys.length} keys${keys.length === 0 ? "" : `: \`${shownValue(keys.join(", "))}\``}`;
  }
  return keys.every((key) => isRecord(state[key])) ? undefined : `\`${shownValue(keys[0])}\` of the state is no object`;
}

/** What tells a departure from the form apart from others. */
function formCodeOf(state: unknown): string {
  const keys = isRecord(state) ? Object.keys(state).length : undefined;
  return keys === undefined ? "no-object" : keys === 0 ? "no-key" : keys > 1 ? "more-keys" : "no-object-inside";
}

/** The key of the state is one of four. Source: conversation-api, section 3.2. */
export const currentStateIsListed = eachConversation({
  id: "current/state-is-listed",
  interface: "current",
  check({ state, pointer }, report) {
    if (state === undefined) {
      return;
    }
    report.observe();
    if (!currentMachine.states.includes(state)) {
      report.violation({
        message: `the state of a conversation is \`${shownValue(state)}\``,
        code: "unlisted",
        argument: state,
        pointer: `${pointer}/state`,
      });
    }
  },
});

const errorIn = (json: unknown): unknown => member(member(json, "state"), "error");

/** An error says what it is, and when to try again. An answer besides is accepted. Source: conversation-api, sections 3.2 and 7. */
export const currentErrorHasItsMembers = eachConversation({
  id: "current/error-has-its-members",
  interface: "current",
  check({ json, pointer, questions }, report) {
    const error = errorIn(json);
    if (!isRecord(error)) {
      return;
    }
    const place = `${pointer}/state/error`;
    const what = "the error of a conversation";
    const not = ["/retryTime", "/retry_time"];
    reportMisfits(currentValidators().CurrentError, { what, value: error, pointer: place, not }, report);
    if ((wireMember(error, "retryTime")?.value ?? null) === null) {
      const message = `${what} has no \`retry_time\``;
      report.violation({ message, code: "required", argument: "/retry_time", pointer: place });
    }
    if (questions.at(-1)?.facts.has("answer") === true) {
      const message = "a failed conversation has an answer all the same";
      report.observation({ code: "current/error-with-answer", message, pointer: place });
    }
  },
});

const listedCodes: ReadonlySet<string> = new Set(errorCodes);

/** The code of an error is one of four. Source: conversation-api, section 7. */
export const currentErrorCodeIsListed = eachConversation({
  id: "current/error-code-is-listed",
  interface: "current",
  check({ json, pointer }, report) {
    const code = stringMember(errorIn(json), "code");
    if (code === undefined) {
      return;
    }
    report.observe();
    if (!listedCodes.has(code)) {
      report.violation({
        message: `the code of an error is \`${shownValue(code)}\``,
        code: "unlisted",
        argument: code,
        pointer: `${pointer}/state/error/code`,
      });
    }
  },
});

/** The time to retry is a timestamp in either spelling; that it is there is a rule of its own. Source: conversation-api, section 7. */
export const currentRetryTimeIsATimestamp = eachConversation({
  id: "current/retry-time-is-a-timestamp",
  interface: "current",
  check({ json, pointer }, report) {
    const error = errorIn(json);
    if (!isRecord(error)) {
      return;
    }
    const retry = wireMember(error, "retryTime");
    if (retry === undefined || retry.value === null) {
      return;
    }
    report.observe();
    if (typeof retry.value !== "string" || !isTimestamp(retry.value)) {
      report.violation({
        message: `\`${retry.key}\` is no timestamp: \`${shownValue(retry.value)}\``,
        pointer: `${pointer}/state/error/${retry.key}`,
      });
    }
  },
});
