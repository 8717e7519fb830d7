import { legacyValidators } from "@assay/openapi";
import { reportMisfits } from "./report-misfits.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { eachConversation, reportObstacles } from "../engine/each-conversation.ts";
import { member } from "../../engine/json-value.ts";

const retrieved = { interface: "legacy", operations: ["get"] } as const;

/** A retrieved conversation says whether the viewer owns it. Source: conversation-api, section 2.1. */
export const legacyViewerOnRetrieval = eachConversation({
  id: "legacy/viewer-on-retrieval",
  ...retrieved,
  check({ json, pointer }, report) {
    const value = member(json, "viewer");
    const what = value === undefined ? "`viewer`, which is not there," : "`viewer`";
    reportMisfits(legacyValidators().LegacyViewer, { what, value, pointer: `${pointer}/viewer` }, report);
  },
});

/** A retrieved conversation tells how much of the quota is used. Source: conversation-api, sections 2.1 and 8. */
export const legacyQuotaUsageOnRetrieval = eachConversation({
  id: "legacy/quota-usage-on-retrieval",
  ...retrieved,
  check({ json, pointer }, report) {
    const value = member(json, "quota_usage");
    const what = value === undefined ? "`quota_usage`, which is not there," : "`quota_usage`";
    reportMisfits(legacyValidators().LegacyQuotaUsage, { what, value, pointer: `${pointer}/quota_usage` }, report);
  },
});

/** Who created a conversation is its owner. Only where the credential of both is known to be the same. */
export const legacyOwnerIsViewer = defineConversationRule({
  id: "legacy/owner-is-viewer",
  check({ threads }, reportFor) {
    for (const { owner, calls } of threads("legacy")) {
      const own = calls.filter(({ operation, record }) => operation === "get" && record.credential === owner);
      reportObstacles(own, reportFor);
      for (const call of own) {
        const view = conversationView(call);
        const isOwner = member(member(view?.json, "viewer"), "is_owner");
        if (view === undefined || typeof isOwner !== "boolean") {
          continue;
        }
        const report = reportFor(call.record.id);
        report.observe();
        if (!isOwner) {
          report.violation({
            message: "`is_owner` is false for the user who created the conversation",
            pointer: `${view.pointer}/viewer/is_owner`,
          });
        }
      }
    }
  },
});
