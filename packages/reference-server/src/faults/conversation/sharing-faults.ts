import type { ApiOperation } from "../../conversation/api/api-call.ts";
import { isPayloadObject, type PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import { type Fault, oneEffectOf, oneOf, type Variants, violating } from "../fault.ts";
import { having } from "../spoiling.ts";
import {
  allOf,
  callsOf,
  editing,
  type InterfaceName,
  type JsonEdit,
  listing,
  ofAnother,
  paging,
  refusal,
  replacing,
  sharedReads,
} from "./call-effects.ts";
import { inEntries, wherever } from "./conversation-parts.ts";

const asShared: Variants<JsonEdit> = {
  whole: (entry) => ({ ...entry }),
  "text-alone": (entry) => ["id", "read_token", "share_url"].reduce(without, entry),
};

const oneToken = "11111111-0000-4000-8000-000000000000";

/** Every conversation has the same read token. */
const sharingToken = (json: PayloadObject): PayloadObject => {
  const { read_token: token, share_url: url } = json;
  return typeof token === "string" && typeof url === "string"
    ? { ...json, read_token: oneToken, share_url: url.replace(token, oneToken) }
    : json;
};

/** Opens an operation on a conversation to another user who names its id. */
const openToOthers = (name: InterfaceName, operation: ApiOperation): ConversationEffect => {
  const isStrange = allOf(callsOf(name, operation), ofAnother);
  return {
    layer: "conversation",
    // Names of other users mean nothing to whoever asks, so that his own is put in their place.
    request: (json, call) =>
      isStrange(call) && isPayloadObject(json) && call.conversation !== undefined
        ? { ...json, [operation === "follow-up" ? "parent" : "name"]: `users/~self/conversations/${call.conversation}` }
        : json,
    store: {
      visible: (isVisible, _conversation, { call, run }) => {
        if (isVisible || !isStrange(call)) {
          return isVisible;
        }
        run.applied();
        return true;
      },
    },
  };
};

const faultsOf = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/other-users-conversation-is-hidden`, `${name}-conversation-of-others-shown`)(
    "Another user who asks for a conversation by its id or name gets it.",
    openToOthers(name, "get"),
  ),
  violating(`${name}/other-user-may-not-write`, `${name}-conversation-of-others-changed`)(
    "Another user asks in a conversation, cancels or deletes it by its id or name.",
    oneOf({ "follow-up": "follow-up", cancel: "cancel", delete: "delete" } as const, (operation) =>
      openToOthers(name, operation),
    ),
  ),
];

/** Faults in who sees the conversations of whom. */
export const sharingFaults: readonly Fault[] = [
  violating("legacy/shared-conversation-is-readable", "legacy-shared-hidden")(
    "With sharing on, a list by the read token of another user lists nothing, or is refused.",
    oneEffectOf({
      "left-out": paging(sharedReads, () => ({ conversations: [] })),
      refused: replacing(sharedReads, () => refusal("legacy", 404, "There is no such conversation.")),
    }),
  ),
  violating("legacy/shared-conversation-is-readable", "legacy-shared-without-questions")(
    "Another user who lists a conversation by its read token sees none of its questions.",
    editing(sharedReads, inEntries(having("questions", []))),
  ),
  violating("legacy/unshared-conversation-is-hidden", "legacy-unshared-shown")(
    "With sharing off, a list by the read token of another user shows the conversation all the same.",
    oneOf(asShared, (edit) => ({
      ...editing(sharedReads, inEntries(edit)),
      ...listing(sharedReads, (query) => ({ ...query, shared: true })),
    })),
  ),
  violating("legacy/filter-read-token-filters", "legacy-read-token-of-all")(
    "All conversations show the same read token.",
    editing(callsOf("legacy"), wherever(sharingToken)),
  ),
  ...faultsOf("legacy"),
  ...faultsOf("current"),
];
