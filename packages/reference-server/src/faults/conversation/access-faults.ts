import { userIds } from "../../access.ts";
import type { ApiCredential } from "../../access.ts";
import type { ApiAccess, AccessProblem } from "../../conversation/api/api-access.ts";
import type { ApiCall, ApiOperation } from "../../conversation/api/api-call.ts";
import { isPayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import { type Fault, type FaultParameter, type Variants, howParameter, legal, variantOf, violating } from "../fault.ts";
import { isSuccess, refusal, replaceAnswers } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";

type CallTest = (call: ApiCall) => boolean;

const anyOperation = "any";

/** Which operations are open to whom they should be closed. */
const operationParameter = {
  operation: {
    title: "which operation is open",
    default: anyOperation,
    choices: [anyOperation, "create", "get", "list", "follow-up", "cancel", "delete"],
  },
} as const;

const isOpen = ({ operation }: ApiCall, { values }: FaultRun): boolean =>
  [undefined, anyOperation, operation].includes(
    values["operation"] === undefined ? undefined : String(values["operation"]),
  );

/** Lets calls in that were to be refused for a reason. */
const letIn = (name: InterfaceName, problem: AccessProblem, isLetIn: CallTest = () => true): ConversationEffect => ({
  layer: "conversation",
  admit: (access, call, run) => {
    if (
      access.allowed ||
      access.problem !== problem ||
      call.interface !== name ||
      !isLetIn(call) ||
      !isOpen(call, run)
    ) {
      return access;
    }
    run.applied();
    return { allowed: true, caller: { userId: call.userId ?? userIds.main } };
  },
});

const turnAways: Variants<ApiAccess> = {
  "status-403": { allowed: false, problem: "missing-scope", message: "This token may not do that." },
  "status-401": { allowed: false, problem: "invalid-token", message: "This token is not good enough." },
};

/** From which operations a token is turned away: any, or one alone. */
const closedParameter = (...operations: readonly ApiOperation[]): Readonly<Record<string, FaultParameter>> => ({
  operation: { title: "from which operation", default: anyOperation, choices: [anyOperation, ...operations] },
});

/** Turns good calls away. */
const turnAway = (
  name: InterfaceName,
  isTurnedAway: (call: ApiCall, token: string) => boolean,
): ConversationEffect => ({
  layer: "conversation",
  admit: (access, call, run) => {
    const other = variantOf(turnAways, run);
    const isHit = isOpen(call, run) && isTurnedAway(call, String(run.values["token"]));
    if (!access.allowed || call.interface !== name || !isHit) {
      return access;
    }
    run.applied();
    return other ?? access;
  },
});

/** Refuses with other words than the table of status codes has for it. */
const refusedOtherwise = (
  credential: ApiCredential,
  statuses: Variants<number>,
  isHit: CallTest = () => true,
): ConversationEffect => ({
  layer: "conversation",
  apply: (answer, call, run) => {
    if (isSuccess(answer) || call.interface !== "legacy" || call.credential !== credential || !isHit(call)) {
      return answer;
    }
    run.applied();
    return refusal("legacy", variantOf(statuses, run) ?? 403, "This is only for people who are known here.");
  },
});

const notUnauthorized: Variants<number> = { "status-403": 403, "status-400": 400 };

const reads: ReadonlySet<ApiOperation> = new Set<ApiOperation>(["get", "list"]);

const tokenFaults = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/missing-token-is-refused`, `${name}-anonymous-accepted`)(
    "Calls without a token are answered as if they came from the main user.",
    letIn(name, "no-token"),
    operationParameter,
  ),
  violating(`${name}/invalid-token-is-refused`, `${name}-any-token-accepted`)(
    "A token that was never issued is taken for one of the main user.",
    letIn(name, "invalid-token"),
    operationParameter,
  ),
  violating(`${name}/invalid-token-is-refused`, `${name}-any-oauth-token-accepted`)(
    "A token that was never issued is taken for one of the main user after the word Bearer.",
    letIn(name, "invalid-token", ({ headers }) => /^bearer /iu.test(headers.authorization ?? "")),
  ),
];

const legacyTokenFaults: readonly Fault[] = [
  violating("legacy/missing-token-is-refused", "legacy-anonymous-refused-otherwise")(
    "Calls without a token are refused with another status than 401.",
    refusedOtherwise("none", notUnauthorized),
    howParameter(notUnauthorized),
  ),
  violating("legacy/missing-token-is-refused", "legacy-anonymous-conversation-refused-otherwise")(
    "Calls that name a conversation are refused with another status than 401 or 404 without a token.",
    refusedOtherwise("none", notUnauthorized, ({ conversation }) => conversation !== undefined),
    howParameter(notUnauthorized),
  ),
  violating("legacy/invalid-token-is-refused", "legacy-any-token-refused-otherwise")(
    "Calls with a token that was never issued are refused with another status than 401.",
    refusedOtherwise("invalid", notUnauthorized),
    howParameter(notUnauthorized),
  ),
  legal("legacy-any-scheme-accepted")(
    "A token is taken under a scheme that nobody knows.",
    letIn("legacy", "other-scheme", ({ credential }) => credential === "other-scheme"),
  ),
  violating("legacy/access-token-is-accepted", "legacy-bearer-only")(
    "Access tokens are turned away in the scheme `token` and accepted in the scheme `Bearer`.",
    {
      layer: "conversation",
      admit: (access, call, run) => {
        const [scheme = "", token] = (call.headers.authorization ?? "").split(" ");
        if (call.interface !== "legacy" || token === undefined) {
          return access;
        }
        // In a scheme that is not its own, whose a token is is not known elsewhere.
        if (call.credential === "access") {
          run.memory.set("access token", token);
        }
        run.applied();
        return scheme.toLowerCase() === "bearer" && token === run.memory.get("access token")
          ? { allowed: true, caller: { userId: userIds.main } }
          : { allowed: false, problem: "invalid-token", message: "Only tokens in the scheme Bearer are accepted." };
      },
    },
  ),
  violating("legacy/any-access-token-is-accepted", "legacy-token-turned-away")(
    "Access tokens without the usual scopes are turned away.",
    turnAway("legacy", ({ credential }, token) => credential === token),
    {
      token: { title: "which token", default: "noScope", choices: ["noScope", "read"] },
      ...closedParameter("create", "get", "follow-up", "delete"),
      ...howParameter(turnAways),
    },
  ),
  legal("legacy-client-header-optional")(
    "Calls without `X-Requested-With` are answered.",
    letIn("legacy", "client-header", ({ headers }) => headers["x-requested-with"] === undefined),
  ),
  legal("legacy-client-header-shapeless")(
    "Calls with an `X-Requested-With` that is no name and version are answered.",
    letIn("legacy", "client-header", ({ headers }) => headers["x-requested-with"] !== undefined),
  ),
];

const isPlainList = ({ headers, json }: ApiCall): boolean =>
  headers["x-requested-with"] === undefined &&
  !(isPayloadObject(json) && Object.keys(json).some((name) => name !== "parent"));

const scopeFaults: readonly Fault[] = [
  violating("current/scope-is-required", "current-scope-ignored")(
    "A token without a scope of the external API may do everything.",
    letIn("current", "missing-scope", ({ credential }) => credential === "noScope"),
    operationParameter,
  ),
  violating("current/write-scope-may-write", "current-write-token-turned-away")(
    "A token that has only the scope for writing is turned away from everything, or from one operation.",
    turnAway("current", ({ credential }) => credential === "write"),
    { ...howParameter(turnAways), ...closedParameter("follow-up", "delete") },
  ),
  violating("current/read-scope-may-not-write", "current-read-token-writes")(
    "A token that has only the scope for reading may create conversations.",
    letIn("current", "missing-scope", ({ credential, operation }) => credential === "read" && operation === "create"),
  ),
  violating("current/read-scope-may-read", "current-read-token-refused")(
    "A token that has only the scope for reading is turned away when it lists or reads.",
    turnAway("current", ({ credential, operation }) => credential === "read" && reads.has(operation)),
    { ...howParameter(turnAways), ...closedParameter("get") },
  ),
  violating("current/needs-no-x-requested-with", "current-client-header-demanded")(
    "Lists of the current interface without paging are refused unless they have `X-Requested-With`.",
    replaceAnswers({ interface: "current", operations: ["list"] }, (_answer, { call }) =>
      call.credential === "access" && isPlainList(call)
        ? refusal("current", 400, "The header X-Requested-With is missing.")
        : undefined,
    ),
  ),
];

/** Faults in who may call. */
export const conversationAccessFaults: readonly Fault[] = [
  ...tokenFaults("legacy"),
  ...legacyTokenFaults,
  ...tokenFaults("current"),
  ...scopeFaults,
];
