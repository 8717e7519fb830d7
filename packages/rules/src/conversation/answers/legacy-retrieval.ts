import { legacyValidators } from "@assay/openapi";
import { reportMisfits } from "./report-misfits.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ReportFor } from "../engine/choices-once.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationView } from "../engine/conversation-view.ts";
import { eachConversation, reportObstacles } from "../engine/each-conversation.ts";
import { idMember } from "../engine/identifier.ts";
import { listView } from "../engine/list-view.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { hasEveryScope, userOf } from "../engine/users.ts";
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

/** Conversations that somebody created of whom it is known whether he is one of the two users, with each list that another user got. */
function* strangeEntries(evidence: ConversationEvidence): Generator<StrangeEntry> {
  const created = new Map(
    ownConversations(evidence)
      .filter((own) => own.interface === "legacy" && hasEveryScope(own.create.record.credential))
      .map((own) => [own.conversation, own] as const),
  );
  for (const call of evidence.calls) {
    const isListing = call.interface === "legacy" && call.operation === "list";
    for (const entry of (isListing && hasEveryScope(call.record.credential) ? listView(call)?.entries : undefined) ??
      []) {
      const own = created.get(entry.id ?? "");
      if (own !== undefined && own.user !== userOf(call.record.credential)) {
        yield { call, entry, own };
      }
    }
  }
}

interface StrangeEntry {
  readonly call: ConversationCall;
  readonly entry: ConversationView;
  readonly own: OwnConversation;
}

/** Who did not create a conversation is not told to be its owner; only lists show it to others, by its read token. */
function checkStrangers(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { call, entry } of strangeEntries(evidence)) {
    const isOwner = member(member(entry.json, "viewer"), "is_owner");
    if (typeof isOwner === "boolean") {
      const report = reportFor(call.record.id);
      report.observe();
      if (isOwner) {
        report.violation({
          message: "`is_owner` is true for a user who did not create the conversation",
          code: "taken-for-owner",
          pointer: `${entry.pointer}/viewer/is_owner`,
        });
      }
    }
  }
}

/** The user of a conversation is its owner, whoever reads it. Source: conversation-api, section 2.1. */
export const legacyUserIdIsTheOwner = defineConversationRule({
  id: "legacy/user-id-is-the-owner",
  check(evidence, reportFor) {
    for (const { call, entry, own } of strangeEntries(evidence)) {
      const owner = idMember(conversationView(own.create)?.json, "user_id");
      const shown = idMember(entry.json, "user_id");
      if (owner === undefined || shown === undefined) {
        continue;
      }
      const report = reportFor(call.record.id);
      report.observe();
      if (owner !== shown) {
        report.violation({
          message: "`user_id` is another one for a user who did not create the conversation",
          pointer: `${entry.pointer}/user_id`,
        });
      }
    }
  },
});

/** Who created a conversation is its owner, and nobody else. Only where it is known who asks. Source: conversation-api, section 2.1. */
export const legacyOwnerIsViewer = defineConversationRule({
  id: "legacy/owner-is-viewer",
  check(evidence, reportFor) {
    checkStrangers(evidence, reportFor);
    const { threads } = evidence;
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
            code: "not-taken-for-owner",
            pointer: `${view.pointer}/viewer/is_owner`,
          });
        }
      }
    }
  },
});
