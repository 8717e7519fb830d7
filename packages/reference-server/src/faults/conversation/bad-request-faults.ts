import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import { type ApiCall, askedText } from "../../conversation/api/api-call.ts";
import type { PayloadObject } from "../../payload.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { isMeant, refusal } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";
import { rememberingOrigins, wasCreated } from "./seen-conversations.ts";

type Otherwise = (call: ApiCall) => ApiAnswer;

const nothing = (status: number): Otherwise => {
  return () => ({ status, headers: { "content-type": "application/json" }, text: "" });
};

const withStatus =
  (status: number): Otherwise =>
  (call) =>
    refusal(call.interface, status, "This cannot be done.");

const time = "2024-01-01T00:00:00Z";

const madeUpLegacy = (id: number): PayloadObject => ({
  id,
  questions: [],
  created_at: time,
  updated_at: time,
  user_id: 1,
  read_token: "00000000-0000-4000-8000-000000000000",
  share_url: "https://search.example/deepsearch/00000000-0000-4000-8000-000000000000",
  viewer: { is_owner: true },
  quota_usage: { total_quota: 0, quota_limit: -1, reset_time: time },
});

const madeUpCurrent = (id: number): PayloadObject => ({
  name: `users/~self/conversations/${id}`,
  state: { completed: {} },
  questions: [],
});

/** A conversation without questions that nobody created. */
const madeUp: Otherwise = ({ conversation = 0, interface: name }) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  json: name === "legacy" ? madeUpLegacy(conversation) : madeUpCurrent(conversation),
});

/** Only the legacy interface has a status for what is not there; anything but success refuses in the current one. */
const unknownVariants: Readonly<Record<InterfaceName, Variants<Otherwise>>> = {
  legacy: {
    "made-up": madeUp,
    empty: nothing(200),
    "status-400": withStatus(400),
    "status-410": withStatus(410),
    "status-500": withStatus(500),
  },
  current: { "made-up": madeUp, empty: nothing(200) },
};

const badRequestVariants: Readonly<Record<InterfaceName, Variants<Otherwise>>> = {
  legacy: { accepted: nothing(202), "status-422": withStatus(422), "status-500": withStatus(500) },
  current: { accepted: nothing(200) },
};

const hasNumber = (json: unknown): boolean => /:\d/.test(JSON.stringify(json) ?? "");

const badRequests: Variants<(call: ApiCall) => boolean> = {
  any: () => true,
  "no-question": ({ json }) => json !== undefined && !hasNumber(json),
  "no-text": ({ json }) => json !== undefined && hasNumber(json),
  "not-json": ({ json }) => json === undefined,
};

const messages: Variants<string> = { empty: "", digits: "400", braces: "{}", dots: "..." };

const faultsOf = (name: InterfaceName): readonly Fault[] => [
  violating(
    name === "legacy" ? "legacy/unknown-id-is-not-found" : "current/unknown-name-is-refused",
    `${name}-unknown-conversation-answered`,
  )(
    "Reads of conversations that nobody created are answered otherwise than with `not found`.",
    rememberingOrigins({
      layer: "conversation",
      apply: (answer, call, run) => {
        const isUnknown =
          answer.status === 404 && isMeant(call, { interface: name, operations: ["get"] }) && !wasCreated(call, run);
        const other = isUnknown ? variantOf(unknownVariants[name], run)?.(call) : undefined;
        if (other !== undefined) {
          run.applied();
        }
        return other ?? answer;
      },
    }),
    howParameter(unknownVariants[name]),
  ),
  violating(`${name}/bad-request-is-refused`, `${name}-bad-request-answered`)(
    "Creations without a question, or whose body is no JSON, are not refused as they should be.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        const isBad = answer.status === 400 && isMeant(call, { interface: name, operations: ["create"] });
        const what = variantOf(badRequests, { ...run, values: { how: run.values["what"] ?? "" } });
        if (!isBad || (askedText(call) !== "" && !hasNumber(call.json)) || what?.(call) !== true) {
          return answer;
        }
        run.applied();
        return variantOf(badRequestVariants[name], run)?.(call) ?? answer;
      },
    },
    {
      ...howParameter(badRequestVariants[name]),
      what: { title: "which of them", default: "any", choices: Object.keys(badRequests) },
    },
  ),
];

/** Faults in what is answered to calls that have to be refused. */
export const badRequestFaults: readonly Fault[] = [
  ...faultsOf("legacy"),
  violating("legacy/bad-request-is-refused", "legacy-silent-follow-up-accepted")(
    "Follow-ups that ask nothing are not refused as they should be.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        const isBad = answer.status === 400 && isMeant(call, { interface: "legacy", operations: ["follow-up"] });
        if (!isBad || askedText(call) !== "") {
          return answer;
        }
        run.applied();
        return variantOf(badRequestVariants.legacy, run)?.(call) ?? answer;
      },
    },
    howParameter(badRequestVariants.legacy),
  ),
  violating("legacy/unknown-id-is-not-found", "legacy-unknown-question-cancelled")(
    "Cancellations of questions that a conversation does not have are answered with success.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        if (
          answer.status !== 404 ||
          !isMeant(call, { interface: "legacy", operations: ["cancel"] }) ||
          call.credential !== "access"
        ) {
          return answer;
        }
        run.applied();
        return nothing(202)(call);
      },
    },
  ),
  violating("legacy/refusal-has-a-message", "legacy-refusal-without-message")(
    "Refusals of the legacy interface have no words in their body.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        if (call.interface !== "legacy" || answer.status < 400 || answer.status > 499) {
          return answer;
        }
        run.applied();
        return {
          status: answer.status,
          headers: answer.headers,
          text: variantOf(messages, run) ?? "",
        };
      },
    },
    howParameter(messages),
  ),
  ...faultsOf("current"),
];
