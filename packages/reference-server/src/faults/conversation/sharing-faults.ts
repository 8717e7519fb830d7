import { userIds } from "../../access.ts";
import type { ApiCall, ApiOperation } from "../../conversation/api/api-call.ts";
import { isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { editAnswers, isMeant, refusal, replaceAnswers } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";
import { changeEntries } from "./list-entries.ts";

const isOther = ({ credential }: ApiCall): boolean => credential === "other";

const leftOutVariants: Variants<"list" | "answer"> = { "left-out": "list", refused: "answer" };

const withoutId = (entry: PayloadObject): PayloadObject => {
  const { id: _id, read_token: _token, share_url: _url, ...rest } = entry;
  return rest;
};

const shownVariants: Variants<(entry: PayloadObject) => PayloadObject> = {
  whole: (entry) => entry,
  "text-alone": withoutId,
};

const hasToken = (call: ApiCall): boolean =>
  isMeant(call, { interface: "legacy", operations: ["list"] }) && call.parameters.has("filter_read_token");

const oneToken = "11111111-0000-4000-8000-000000000000";

/** Every conversation has the same read token. */
const sharingToken = (json: PayloadObject): PayloadObject => {
  const { read_token: token, share_url: url } = json;
  return typeof token === "string" && typeof url === "string"
    ? { ...json, read_token: oneToken, share_url: url.replace(token, oneToken) }
    : json;
};

const sharingFaults: readonly Fault[] = [
  violating("legacy/shared-conversation-is-readable", "legacy-shared-hidden")(
    "With sharing on, a list by the read token of another user lists nothing, or is refused.",
    {
      ...replaceAnswers({ interface: "legacy", operations: ["list"] }, (_answer, { call, run }) =>
        hasToken(call) && isOther(call) && variantOf(leftOutVariants, run) === "answer"
          ? refusal("legacy", 404, "There is no such conversation.")
          : undefined,
      ),
      page: (page, call, run) => {
        if (!hasToken(call) || !isOther(call) || variantOf(leftOutVariants, run) !== "list") {
          return page;
        }
        run.applied();
        return { conversations: [] };
      },
    },
    howParameter(leftOutVariants),
  ),
  violating("legacy/unshared-conversation-is-hidden", "legacy-unshared-shown")(
    "With sharing off, a list by the read token of another user shows the conversation all the same.",
    {
      ...editAnswers({ interface: "legacy", operations: ["list"] }, (json, { call, run }) =>
        hasToken(call) && isOther(call)
          ? changeEntries(json, (entries) =>
              entries.map((entry) => (isPayloadObject(entry) ? variantOf(shownVariants, run)?.(entry) : entry)),
            )
          : json,
      ),
      list: (query, call) => (hasToken(call) && isOther(call) ? { ...query, shared: true } : query),
    },
    howParameter(shownVariants),
  ),
  violating("legacy/filter-read-token-filters", "legacy-read-token-of-all")(
    "All conversations show the same read token.",
    editAnswers({ interface: "legacy" }, (json, { call }) =>
      call.operation === "list"
        ? changeEntries(json, (entries) =>
            entries.map((entry) => (isPayloadObject(entry) ? sharingToken(entry) : entry)),
          )
        : sharingToken(json),
    ),
  ),
  violating("legacy/shared-conversation-is-readable", "legacy-shared-without-questions")(
    "Another user who lists a conversation by its read token sees none of its questions.",
    editAnswers({ interface: "legacy", operations: ["list"] }, (json, { call }) =>
      hasToken(call) && isOther(call)
        ? changeEntries(json, (entries) => entries.map((entry) => ({ ...Object(entry), questions: [] })))
        : json,
    ),
  ),
  violating("legacy/list-shows-own-only", "legacy-filter-id-opens")(
    "Lists with `filter_id` show another user the conversation of the main one.",
    {
      layer: "conversation",
      list: (query, call, run) => {
        if (!isMeant(call, { interface: "legacy", operations: ["list"] }) || !isOther(call) || query.id === undefined) {
          return query;
        }
        run.applied();
        return { ...query, viewerId: userIds.main };
      },
    },
  ),
];

const named = (call: ApiCall): string => `users/~self/conversations/${call.conversation}`;

/** Opens operations on a conversation to another user who names its id. */
const openToOthers = (
  name: InterfaceName,
  isOpen: (operation: ApiOperation, run: FaultRun) => boolean,
): ConversationEffect => {
  const isStrange = (call: ApiCall, run: FaultRun): boolean =>
    isMeant(call, { interface: name }) && isOther(call) && isOpen(call.operation, run);
  return {
    layer: "conversation",
    // Names of other users mean nothing to whoever asks, so that his own is put in their place.
    request: (json, call, run) =>
      isStrange(call, run) && isPayloadObject(json) && call.conversation !== undefined
        ? { ...json, [call.operation === "follow-up" ? "parent" : "name"]: named(call) }
        : json,
    store: {
      visible: (isVisible, _conversation, { call, run }) => {
        if (isVisible || !isStrange(call, run)) {
          return isVisible;
        }
        run.applied();
        return true;
      },
    },
  };
};

const writeChoices: Variants<ApiOperation> = { "follow-up": "follow-up", cancel: "cancel", delete: "delete" };

const otherWriterFault = (name: InterfaceName): Fault =>
  violating(`${name}/other-user-may-not-write`, `${name}-conversation-of-others-changed`)(
    "Another user asks in a conversation, cancels or deletes it by its id or name.",
    openToOthers(name, (operation, run) => operation === variantOf(writeChoices, run)),
    howParameter(writeChoices),
  );

const otherUserFault = (name: InterfaceName): Fault =>
  violating(`${name}/other-users-conversation-is-hidden`, `${name}-conversation-of-others-shown`)(
    "Another user who asks for a conversation by its id or name gets it.",
    openToOthers(name, (operation) => operation === "get"),
  );

/** Faults in who sees the conversations of whom. */
export const conversationSharingFaults: readonly Fault[] = [
  ...sharingFaults,
  otherUserFault("legacy"),
  otherUserFault("current"),
  otherWriterFault("legacy"),
  otherWriterFault("current"),
];
