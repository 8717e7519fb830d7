import { legacyValidators } from "@assay/openapi";
import { member } from "../../engine/json-value.ts";
import { eachConversation } from "../engine/each-conversation.ts";
import { reportMisfits } from "./report-misfits.ts";

/** The conversation object itself; what is in it has rules of its own. Source: conversation-api, section 2.1. */
export const legacyConversationFitsSchema = eachConversation({
  id: "legacy/conversation-fits-schema",
  interface: "legacy",
  operations: ["create", "get", "follow-up"],
  check({ json, pointer }, report, { operation }) {
    // A creation that answers no id has not answered a conversation, which is a rule of its own.
    if (operation !== "create" || member(json, "id") !== undefined) {
      reportMisfits(legacyValidators().LegacyConversation, { what: "the conversation", value: json, pointer }, report);
    }
  },
});
