import { userIds } from "../../service/access.ts";
import type { AccessProblem, ApiAccess } from "../../service/conversation/api/api-access.ts";
import type { ApiAnswer } from "../../service/conversation/api/api-answer.ts";
import type { ApiOperation } from "../../service/conversation/api/api-call.ts";
import { isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import {
  type Fault,
  defineLegalVariation,
  selectEffect,
  selectVariant,
  type Variants,
  defineViolation,
} from "../fault.ts";
import { withMember } from "../json-mutation.ts";
import {
  changeAccess,
  passesAll,
  changeAnswer,
  withCredential,
  selectCalls,
  type CallTest,
  editJson,
  emptyAnswer,
  type InterfaceName,
  interfaces,
  isSuccess,
  type JsonEdit,
  changeListQuery,
  namedVariants,
  byOtherUser,
  byMainUser,
  changePage,
  refusal,
  replaceAnswer,
  sharedLists,
  unpagedLists,
} from "./call-effects.ts";
import { inEntries, inConversations } from "./conversation-parts.ts";

const sharedEntries: Variants<JsonEdit> = {
  whole: (entry) => ({ ...entry }),
  "text-alone": (entry) => ["id", "read_token", "share_url"].reduce(without, entry),
};

const sharedToken = "11111111-0000-4000-8000-000000000000";

/** Sets the same read token in every conversation. */
const withSharedToken = (json: PayloadObject): PayloadObject => {
  const { read_token: token, share_url: url } = json;
  return typeof token === "string" && typeof url === "string"
    ? { ...json, read_token: sharedToken, share_url: url.replace(token, sharedToken) }
    : json;
};

/** Allows another user to perform an operation on a conversation by its id. */
const openToOthers = (name: InterfaceName, operation: ApiOperation): ConversationEffect => {
  const isByOtherUser = passesAll(selectCalls(name, operation), byOtherUser);
  return {
    layer: "conversation",
    // The caller does not know resource names of other users, so the request uses the caller's own.
    request: (json, call) =>
      isByOtherUser(call) && isPayloadObject(json) && call.conversationId !== undefined
        ? {
            ...json,
            [operation === "follow-up" ? "parent" : "name"]: `users/~self/conversations/${call.conversationId}`,
          }
        : json,
    store: {
      isVisible: (isVisible, _conversation, { call, run }) => {
        if (isVisible || !isByOtherUser(call)) {
          return isVisible;
        }
        run.recordChange();
        return true;
      },
    },
  };
};

const createOtherUserFaults = (name: InterfaceName): readonly Fault[] => [
  defineViolation(`${name}/other-users-conversation-is-hidden`, `${name}-conversation-of-others-shown`)(
    "Another user can read a conversation by its id or name.",
    openToOthers(name, "get"),
  ),
  defineViolation(`${name}/other-user-may-not-write`, `${name}-conversation-of-others-changed`)(
    "Another user can ask in a conversation, cancel it or delete it by its id or name.",
    selectVariant(namedVariants("follow-up", "cancel", "delete"), (operation) => openToOthers(name, operation)),
  ),
];

/** Serves a creation by another user as if the user in its parent had sent it. */
const creationForParent = changeAccess(passesAll(selectCalls("current", "create"), byOtherUser), (access, { call }) => {
  const parent = isPayloadObject(call.json) ? call.json["parent"] : undefined;
  const id = typeof parent === "string" ? /^users\/(\d+)$/u.exec(parent)?.[1] : undefined;
  return id === undefined || !access.allowed ? access : { allowed: true, caller: { userId: Number(id) } };
});

/** Selects calls of all operations, or of one. */
const anyOrOne = (...operations: readonly ApiOperation[]): Variants<CallTest> => ({
  any: () => true,
  ...Object.fromEntries(operations.map((name) => [name, ({ operation }) => operation === name] as const)),
});

/** Accepts calls that would be refused because of `problem`. */
const admitDespite = (isSelected: CallTest, problem: AccessProblem): ConversationEffect =>
  changeAccess(isSelected, (access, { call }) =>
    access.allowed || access.problem !== problem
      ? access
      : { allowed: true, caller: { userId: call.userId ?? userIds.main } },
  );

/** Accepts such calls for one operation, or for all. */
const admitToOperation = (isSelected: CallTest, problem: AccessProblem) =>
  selectVariant(
    anyOrOne("create", "get", "list", "follow-up", "cancel", "delete"),
    (isOpen) => admitDespite(passesAll(isSelected, isOpen), problem),
    ["operation", "which operation to allow"],
  );

const tokenRefusals = {
  "status-403": { allowed: false, problem: "missing-scope", message: "This token may not do that." },
  "status-401": { allowed: false, problem: "invalid-token", message: "This token is not good enough." },
} as const satisfies Variants<ApiAccess>;

/** Refuses valid calls of one operation, or of all. */
const refuseOperation = (accessRefusal: ApiAccess, isSelected: CallTest, ...operations: readonly ApiOperation[]) =>
  selectVariant(
    anyOrOne(...operations),
    (isClosed) => changeAccess(passesAll(isSelected, isClosed), (access) => (access.allowed ? accessRefusal : access)),
    ["operation", "from which operation"],
  );

/** Refuses valid calls with 401 or 403 although other calls with the same token succeed. */
const refuseToken = (isSelected: CallTest, ...operations: readonly ApiOperation[]) =>
  selectVariant(tokenRefusals, (accessRefusal) => refuseOperation(accessRefusal, isSelected, ...operations));

/** Refuses valid calls with 403. If every call failed with 401, the token might be invalid. */
const forbid = (isSelected: CallTest, ...operations: readonly ApiOperation[]) =>
  refuseOperation(tokenRefusals["status-403"], isSelected, ...operations);

const refuseWithStatus = (status: number): ApiAnswer =>
  refusal("legacy", status, "This is only for people who are known here.");

const otherRefusals: Variants<ApiAnswer> = {
  "status-403": refuseWithStatus(403),
  "status-400": refuseWithStatus(400),
  "status-500": refuseWithStatus(500),
  redirect: emptyAnswer(302, { location: "/sign-in" }),
};

/** Refuses with a status that is not in the specification's table. */
const refuseWithOtherStatus = (...tests: readonly CallTest[]) =>
  selectVariant(otherRefusals, (refusedAnswer) =>
    changeAnswer(passesAll(selectCalls("legacy"), ...tests), (answer) => (isSuccess(answer) ? answer : refusedAnswer)),
  );

const usesBearer: CallTest = ({ headers }) => /^bearer /iu.test(headers.authorization ?? "");

const createTokenFaults = (name: InterfaceName): readonly Fault[] => [
  defineViolation(`${name}/missing-token-is-refused`, `${name}-anonymous-accepted`)(
    "Calls without a token are accepted as if they came from the main user.",
    admitToOperation(selectCalls(name), "no-token"),
  ),
  defineViolation(`${name}/invalid-token-is-refused`, `${name}-any-token-accepted`)(
    "A token that was never issued is accepted as one of the main user.",
    admitToOperation(selectCalls(name), "invalid-token"),
  ),
  defineViolation(`${name}/invalid-token-is-refused`, `${name}-any-oauth-token-accepted`)(
    "A token that was never issued is accepted as one of the main user under the scheme `Bearer`.",
    admitDespite(passesAll(selectCalls(name), usesBearer), "invalid-token"),
  ),
];

const hasNoClientHeader: CallTest = ({ headers }) => headers["x-requested-with"] === undefined;
const hasClientHeader: CallTest = (call) => !hasNoClientHeader(call);

/** Faults in access to the conversation API and to the conversations of other users. */
export const accessFaults: readonly Fault[] = [
  ...interfaces.flatMap(createTokenFaults),
  defineViolation("legacy/missing-token-is-refused", "legacy-anonymous-refused-otherwise")(
    "Calls without a token are refused with a status other than 401.",
    refuseWithOtherStatus(withCredential("none")),
  ),
  defineViolation("legacy/missing-token-is-refused", "legacy-anonymous-conversation-refused-otherwise")(
    "Calls without a token that name a conversation are refused with a status other than 401 or 404.",
    refuseWithOtherStatus(withCredential("none"), ({ conversationId }) => conversationId !== undefined),
  ),
  defineViolation("legacy/invalid-token-is-refused", "legacy-any-token-refused-otherwise")(
    "Calls with a token that was never issued are refused with a status other than 401.",
    refuseWithOtherStatus(withCredential("invalid")),
  ),
  defineLegalVariation("legacy-any-scheme-accepted")(
    "A token is accepted under an unknown scheme.",
    admitDespite(passesAll(selectCalls("legacy"), withCredential("other-scheme")), "other-scheme"),
  ),
  defineViolation("legacy/access-token-is-accepted", "legacy-bearer-only")(
    "Access tokens are refused under the scheme `token` and accepted under the scheme `Bearer`.",
    changeAccess(selectCalls("legacy"), (access, { call, run: { memory } }) => {
      const [scheme = "", token] = (call.headers.authorization ?? "").split(" ");
      // With a different scheme the owner of a token is unknown, so the token is stored here.
      if (byMainUser(call)) {
        memory.set("access token", token);
      }
      if (token === undefined) {
        return access;
      }
      return scheme.toLowerCase() === "bearer" && token === memory.get("access token")
        ? { allowed: true, caller: { userId: userIds.main } }
        : { allowed: false, problem: "invalid-token", message: "Only tokens in the scheme Bearer are accepted." };
    }),
  ),
  defineViolation("legacy/any-access-token-is-accepted", "legacy-token-turned-away")(
    "Access tokens without the usual scopes are refused.",
    selectVariant(
      { noScope: withCredential("noScope"), read: withCredential("read") },
      (isSelected) => forbid(passesAll(selectCalls("legacy"), isSelected), "create", "get", "follow-up", "delete"),
      ["token", "which token"],
    ),
  ),
  defineLegalVariation("legacy-client-header-optional")(
    "Calls without `X-Requested-With` are accepted.",
    admitDespite(passesAll(selectCalls("legacy"), hasNoClientHeader), "client-header"),
  ),
  defineLegalVariation("legacy-client-header-shapeless")(
    "Calls with an `X-Requested-With` that is not a name and a version are accepted.",
    admitDespite(passesAll(selectCalls("legacy"), hasClientHeader), "client-header"),
  ),
  defineViolation("current/needs-no-x-requested-with", "current-client-header-demanded")(
    "Lists of the current interface without paging are refused unless they have `X-Requested-With`.",
    replaceAnswer(passesAll(unpagedLists, byMainUser, hasNoClientHeader), () =>
      refusal("current", 400, "The header X-Requested-With is missing."),
    ),
  ),
  defineViolation("current/scope-is-required", "current-scope-ignored")(
    "A token without a scope of the external API has full access.",
    admitToOperation(passesAll(selectCalls("current"), withCredential("noScope")), "missing-scope"),
  ),
  defineViolation("current/write-scope-may-write", "current-write-token-turned-away")(
    "A token that has only the scope for writing is refused for everything, or for one operation.",
    forbid(passesAll(selectCalls("current"), withCredential("write")), "follow-up", "delete"),
  ),
  defineViolation("current/read-scope-may-not-write", "current-read-token-writes")(
    "A token that has only the scope for reading may create conversations.",
    admitDespite(passesAll(selectCalls("current", "create"), withCredential("read")), "missing-scope"),
  ),
  defineViolation("current/read-scope-may-read", "current-read-token-refused")(
    "A token that has only the scope for reading is refused for lists and reads.",
    refuseToken(passesAll(selectCalls("current", "get", "list"), withCredential("read")), "get"),
  ),
  defineViolation("legacy/shared-conversation-is-readable", "legacy-shared-hidden")(
    "With sharing on, a list filtered by the read token of another user is empty, or is refused.",
    selectEffect({
      "left-out": changePage(sharedLists, () => ({ conversations: [] })),
      refused: replaceAnswer(sharedLists, () => refusal("legacy", 404, "There is no such conversation.")),
    }),
  ),
  defineViolation("legacy/shared-conversation-is-readable", "legacy-shared-without-questions")(
    "Another user who lists a conversation by its read token sees none of its questions.",
    editJson(sharedLists, inEntries(withMember("questions", []))),
  ),
  defineViolation("legacy/unshared-conversation-is-hidden", "legacy-unshared-shown")(
    "With sharing off, a list filtered by the read token of another user still contains the conversation.",
    selectVariant(sharedEntries, (edit) => ({
      ...editJson(sharedLists, inEntries(edit)),
      ...changeListQuery(sharedLists, (query) => ({ ...query, sharing: true })),
    })),
  ),
  defineViolation("legacy/filter-read-token-filters", "legacy-read-token-of-all")(
    "All conversations show the same read token.",
    editJson(selectCalls("legacy"), inConversations(withSharedToken)),
  ),
  ...interfaces.flatMap(createOtherUserFaults),
  defineViolation("current/other-user-may-not-write", "current-conversation-created-for-others")(
    "Another user can create a conversation for the user in `parent`.",
    creationForParent,
  ),
];
