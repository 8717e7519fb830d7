import type { ApiAnswer } from "../../service/conversation/api/api-answer.ts";
import { askedText } from "../../service/conversation/api/api-call.ts";
import type { PayloadObject } from "../../service/payload.ts";
import {
  defineDisruption,
  type Fault,
  defineLegalVariation,
  selectVariant,
  type Variants,
  defineViolation,
} from "../fault.ts";
import {
  passesAll,
  changeAnswer,
  selectCalls,
  type CallTest,
  emptyAnswer,
  emptyJson,
  everyCall,
  htmlPage,
  replaceStatus,
  type InterfaceName,
  interfaces,
  byMainUser,
  type AnswerCreator,
  refusal,
  refusals,
} from "./call-effects.ts";
import { countUp, findOrigin, trackingOrigins } from "./seen-conversations.ts";

const textType = { "content-type": "text/plain; charset=utf-8" };

const isRead: CallTest = ({ operation }) => operation === "get";

/** Breaks the responses to all calls, or to one operation. */
const createBrokenFault = (id: string, description: string, breakAnswer: (answer: ApiAnswer) => ApiAnswer): Fault =>
  defineDisruption(id)(
    description,
    selectVariant({ all: everyCall, get: isRead }, (calls) => changeAnswer(calls, breakAnswer), [
      "operation",
      "operation of the calls",
    ]),
  );

const time = "2024-01-01T00:00:00Z";

const emptyConversation = (name: InterfaceName, id: number): PayloadObject =>
  name === "legacy"
    ? {
        id,
        questions: [],
        created_at: time,
        updated_at: time,
        user_id: 1,
        read_token: "00000000-0000-4000-8000-000000000000",
        share_url: "https://search.example/deepsearch/00000000-0000-4000-8000-000000000000",
        viewer: { is_owner: true },
        quota_usage: { total_quota: 0, quota_limit: -1, reset_time: time },
      }
    : { name: `users/~self/conversations/${id}`, state: { completed: {} }, questions: [] };

/** An empty conversation that was never created. */
const inventedConversation: AnswerCreator = ({ conversationId = 0, interface: name }) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  json: emptyConversation(name, conversationId),
});

/**
 * Only the legacy interface documents a status for unknown conversations. In the current one any status other than 2xx is a refusal.
 */
const unknownAnswers: Readonly<Record<InterfaceName, Variants<AnswerCreator>>> = {
  legacy: { "made-up": inventedConversation, empty: () => emptyJson(200), ...refusals(400, 410, 500) },
  current: { "made-up": inventedConversation, empty: () => emptyJson(200) },
};

const badRequestAnswers: Readonly<Record<InterfaceName, Variants<AnswerCreator>>> = {
  legacy: { accepted: () => emptyJson(202), ...refusals(422, 500) },
  current: { accepted: () => emptyJson(200) },
};

const asksNothing: CallTest = (call) => askedText(call) === "";
const hasNumber: CallTest = ({ json }) => /:\d/u.test(JSON.stringify(json) ?? "");

/** Selects creations without a question, or with a number as the question. */
const badRequests: Variants<CallTest> = {
  any: (call) => asksNothing(call) || hasNumber(call),
  "no-question": (call) => call.json !== undefined && asksNothing(call) && !hasNumber(call),
  "no-text": hasNumber,
  "not-json": ({ json }) => json === undefined,
};

/** Selects cancellations with an id that may be a question of a different conversation. */
const isOfOtherConversation: CallTest = ({ questionId = 0 }) => questionId < 1_000_000;

const createFaults = (name: InterfaceName): readonly Fault[] => [
  defineViolation(
    name === "legacy" ? "legacy/unknown-id-is-not-found" : "current/unknown-name-is-refused",
    `${name}-unknown-conversation-answered`,
  )(
    "Reads of unknown conversations do not return `not found`.",
    selectVariant(unknownAnswers[name], (createAnswer) =>
      trackingOrigins(
        changeAnswer(selectCalls(name, "get"), (answer, { call, run }) =>
          answer.status === 404 && findOrigin(call.conversationId, run) === undefined ? createAnswer(call) : answer,
        ),
      ),
    ),
  ),
  defineViolation(`${name}/bad-request-is-refused`, `${name}-bad-request-answered`)(
    "Creations without a question, or whose body is not JSON, are not refused with the right status.",
    selectVariant(badRequestAnswers[name], (createAnswer) =>
      selectVariant(
        badRequests,
        (isBad) => replaceStatus(400, passesAll(selectCalls(name, "create"), isBad), createAnswer),
        ["what", "which of them"],
      ),
    ),
  ),
];

const serverError: AnswerCreator = ({ interface: name }) => refusal(name, 500, "Something went wrong.");

/** Refusals of the current interface by reason, with their status on this server. */
const currentRefusals: Variants<readonly [status: number, isSelected: CallTest]> = {
  unknown: [404, passesAll(isRead, byMainUser)],
  "no-token": [401, () => true],
  "asks-nothing": [400, ({ operation }) => operation === "create"],
};

const serverErrorFaults: readonly Fault[] = [
  ...interfaces.map((name) =>
    defineViolation(`${name}/refusal-is-no-server-error`, `${name}-late-cancellation-fails`)(
      "Cancellations of questions that have ended return status 500.",
      replaceStatus(400, passesAll(selectCalls(name, "cancel"), byMainUser), serverError),
    ),
  ),
  ...interfaces.map((name) =>
    defineViolation(`${name}/refusal-is-no-server-error`, `${name}-unknown-cursor-fails`)(
      "Lists with an unissued cursor return status 500.",
      replaceStatus(400, selectCalls(name, "list"), serverError),
    ),
  ),
  defineViolation("current/refusal-is-no-server-error", "current-refusal-fails")(
    "Calls of the current interface that must be refused return status 500.",
    selectVariant(currentRefusals, ([status, isSelected]) =>
      replaceStatus(status, passesAll(selectCalls("current"), isSelected), serverError),
    ),
  ),
];

/** Faults in refusals, and responses that are missing or do not come from the service. */
export const refusalFaults: readonly Fault[] = [
  ...interfaces.flatMap(createFaults),
  ...serverErrorFaults,
  defineViolation("legacy/bad-request-is-refused", "legacy-silent-follow-up-accepted")(
    "Follow-ups without a question are not refused with the right status.",
    selectVariant(badRequestAnswers.legacy, (createAnswer) =>
      replaceStatus(400, passesAll(selectCalls("legacy", "follow-up"), asksNothing), createAnswer),
    ),
  ),
  defineViolation("legacy/unknown-id-is-not-found", "legacy-unknown-question-cancelled")(
    "Cancellations of questions that a conversation does not have succeed.",
    selectVariant({ any: () => true, "of-another": isOfOtherConversation }, (isSelected: CallTest) =>
      replaceStatus(404, passesAll(selectCalls("legacy", "cancel"), byMainUser, isSelected), () => emptyJson(202)),
    ),
  ),
  defineViolation("legacy/refusal-has-a-message", "legacy-refusal-without-message")(
    "Refusals of the legacy interface have no message in their body.",
    selectVariant({ empty: "", digits: "400", braces: "{}", dots: "..." }, (text) =>
      changeAnswer(selectCalls("legacy"), (answer) =>
        answer.status < 400 || answer.status > 499 ? answer : { status: answer.status, headers: answer.headers, text },
      ),
    ),
  ),
  createBrokenFault("conversation-status-500", "Calls of the conversation API return status 500 and no body.", () =>
    emptyAnswer(500, textType),
  ),
  createBrokenFault(
    "conversation-rate-limited",
    "Calls of the conversation API return status 429 and `Retry-After: 1`.",
    () => emptyAnswer(429, { ...textType, "retry-after": "1" }),
  ),
  createBrokenFault(
    "conversation-html-200",
    "Calls of the conversation API return an HTML page and status 200.",
    () => htmlPage,
  ),
  createBrokenFault(
    "conversation-reset",
    "Calls of the conversation API are reset before any byte of the response.",
    (answer) => ({ ...answer, connection: "reset" }),
  ),
  createBrokenFault(
    "conversation-truncated",
    "The connection is closed after half of the announced body.",
    (answer) => ({
      ...answer,
      connection: "cut",
    }),
  ),
  defineDisruption("conversation-silence")(
    "Calls of the conversation API are accepted, but nothing is sent; the connection stays open.",
    changeAnswer(everyCall, (answer) => ({ ...answer, connection: "silence" })),
  ),
  defineLegalVariation("conversation-rate-limited-once")(
    "The third read returns status 429 and `Retry-After: 0`.",
    changeAnswer(isRead, (answer, { run }) =>
      countUp(run, "reads") === 3 ? emptyAnswer(429, { ...textType, "retry-after": "0" }) : answer,
    ),
  ),
];
