import { askedText } from "../../conversation/api/api-call.ts";
import type { PayloadObject } from "../../payload.ts";
import { type Fault, oneOf, type Variants, violating } from "../fault.ts";
import { allOf, answering, type CallTest, callsOf, type InterfaceName, ofTheUser } from "./call-effects.ts";
import { emptyJson, insteadOf, type OtherAnswer, refusing } from "./refusal-variants.ts";
import { originOf, rememberingOrigins } from "./seen-conversations.ts";

const time = "2024-01-01T00:00:00Z";

const madeUpConversation = (name: InterfaceName, id: number): PayloadObject =>
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

/** A conversation without questions that nobody created. */
const madeUp: OtherAnswer = ({ conversation = 0, interface: name }) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  json: madeUpConversation(name, conversation),
});

/** Only the legacy interface has a status for what is not there; anything but success refuses in the current one. */
const unknownAnswers: Readonly<Record<InterfaceName, Variants<OtherAnswer>>> = {
  legacy: {
    "made-up": madeUp,
    empty: () => emptyJson(200),
    "status-400": refusing(400),
    "status-410": refusing(410),
    "status-500": refusing(500),
  },
  current: { "made-up": madeUp, empty: () => emptyJson(200) },
};

const badRequestAnswers: Readonly<Record<InterfaceName, Variants<OtherAnswer>>> = {
  legacy: { accepted: () => emptyJson(202), "status-422": refusing(422), "status-500": refusing(500) },
  current: { accepted: () => emptyJson(200) },
};

const asksNothing: CallTest = (call) => askedText(call) === "";
const hasNumber: CallTest = ({ json }) => /:\d/u.test(JSON.stringify(json) ?? "");

/** Creations that ask nothing, or whose question is a number. */
const badRequests: Variants<CallTest> = {
  any: (call) => asksNothing(call) || hasNumber(call),
  "no-question": (call) => call.json !== undefined && asksNothing(call) && !hasNumber(call),
  "no-text": hasNumber,
  "not-json": ({ json }) => json === undefined,
};

const faultsOf = (name: InterfaceName): readonly Fault[] => [
  violating(
    name === "legacy" ? "legacy/unknown-id-is-not-found" : "current/unknown-name-is-refused",
    `${name}-unknown-conversation-answered`,
  )(
    "Reads of conversations that nobody created are answered otherwise than with `not found`.",
    oneOf(unknownAnswers[name], (other) =>
      rememberingOrigins(
        answering(callsOf(name, "get"), (answer, { call, run }) =>
          answer.status === 404 && originOf(call.conversation, run) === undefined ? other(call) : answer,
        ),
      ),
    ),
  ),
  violating(`${name}/bad-request-is-refused`, `${name}-bad-request-answered`)(
    "Creations without a question, or whose body is no JSON, are not refused as they should be.",
    oneOf(badRequestAnswers[name], (other) =>
      oneOf(badRequests, (isBad) => insteadOf(400, allOf(callsOf(name, "create"), isBad), other), [
        "what",
        "which of them",
      ]),
    ),
  ),
];

/** Faults in what is answered to calls that have to be refused. */
export const badRequestFaults: readonly Fault[] = [
  ...faultsOf("legacy"),
  ...faultsOf("current"),
  violating("legacy/bad-request-is-refused", "legacy-silent-follow-up-accepted")(
    "Follow-ups that ask nothing are not refused as they should be.",
    oneOf(badRequestAnswers.legacy, (other) =>
      insteadOf(400, allOf(callsOf("legacy", "follow-up"), asksNothing), other),
    ),
  ),
  violating("legacy/unknown-id-is-not-found", "legacy-unknown-question-cancelled")(
    "Cancellations of questions that a conversation does not have are answered with success.",
    insteadOf(404, allOf(callsOf("legacy", "cancel"), ofTheUser), () => emptyJson(202)),
  ),
  violating("legacy/refusal-has-a-message", "legacy-refusal-without-message")(
    "Refusals of the legacy interface have no words in their body.",
    oneOf({ empty: "", digits: "400", braces: "{}", dots: "..." }, (text) =>
      answering(callsOf("legacy"), (answer) =>
        answer.status < 400 || answer.status > 499 ? answer : { status: answer.status, headers: answer.headers, text },
      ),
    ),
  ),
];
