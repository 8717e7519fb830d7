import { legacyValidators } from "@assay/openapi";
import { reportSchemaErrors } from "./report-schema-errors.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { idMember, member } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineConversationCheck, reportBlocked } from "../engine/define-conversation-check.ts";
import { listView } from "../engine/list-view.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { hasEveryScope, userOf } from "../engine/users.ts";
import type { Reporter } from "../../engine/reporter.ts";

const retrieved = { interface: "legacy", operations: ["get"] } as const;

/** A retrieved conversation states whether the viewer owns it. Source: conversation-api, section 2.1. */
export const legacyViewerOnRetrieval = defineConversationCheck({
  id: "legacy/viewer-on-retrieval",
  ...retrieved,
  check({ json, pointer }, report) {
    const value = member(json, "viewer");
    const label = value === undefined ? "`viewer`, which is missing," : "`viewer`";
    reportSchemaErrors(legacyValidators().LegacyViewer, { label, value, pointer: `${pointer}/viewer` }, report);
  },
});

/** A retrieved conversation contains the quota usage. Source: conversation-api, sections 2.1 and 8. */
export const legacyQuotaUsageOnRetrieval = defineConversationCheck({
  id: "legacy/quota-usage-on-retrieval",
  ...retrieved,
  check({ json, pointer }, report) {
    const value = member(json, "quota_usage");
    const label = value === undefined ? "`quota_usage`, which is missing," : "`quota_usage`";
    reportSchemaErrors(
      legacyValidators().LegacyQuotaUsage,
      { label, value, pointer: `${pointer}/quota_usage` },
      report,
    );
  },
});

/** Conversations created by one of the two known users, with each list that contains them. */
function* listedEntries(evidence: ConversationEvidence): Generator<ListedEntry> {
  const created = new Map(
    ownConversations(evidence)
      .filter(
        (ownConversation) =>
          ownConversation.interface === "legacy" && hasEveryScope(ownConversation.create.record.credential),
      )
      .map((ownConversation) => [ownConversation.id, ownConversation] as const),
  );
  for (const call of evidence.calls) {
    const isListing = call.interface === "legacy" && call.operation === "list";
    for (const entry of (isListing && hasEveryScope(call.record.credential) ? listView(call)?.entries : undefined) ??
      []) {
      const ownConversation = created.get(entry.id ?? "");
      if (ownConversation !== undefined) {
        yield { call, entry, ownConversation, isOwn: ownConversation.user === userOf(call.record.credential) };
      }
    }
  }
}

interface ListedEntry {
  readonly call: ConversationCall;
  readonly entry: ConversationView;
  readonly ownConversation: OwnConversation;
  /** Whether the list belongs to the creator of the conversation. */
  readonly isOwn: boolean;
}

/**
 * Checks `is_owner` in lists: true for the creator, false for others. Others see the conversation only in lists,
 * filtered by its read token.
 */
function checkListed(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { call, entry, isOwn } of listedEntries(evidence)) {
    checkOwner({ view: entry, isOwn }, reportFor(call.record.id));
  }
}

/** Checks `is_owner` of one conversation. */
function checkOwner(
  { view: { json, pointer }, isOwn }: { readonly view: ConversationView; readonly isOwn: boolean },
  report: Reporter,
): void {
  const isOwner = member(member(json, "viewer"), "is_owner");
  if (typeof isOwner !== "boolean") {
    return;
  }
  report.observation();
  if (isOwner !== isOwn) {
    report.violation({
      message: isOwn
        ? "`is_owner` is false for the user who created the conversation"
        : "`is_owner` is true for a user who did not create the conversation",
      code: isOwn ? "not-taken-for-owner" : "taken-for-owner",
      pointer: `${pointer}/viewer/is_owner`,
    });
  }
}

/** The `user_id` of a conversation is its owner, for every reader. Source: conversation-api, section 2.1. */
export const legacyUserIdIsTheOwner = defineConversationRule({
  id: "legacy/user-id-is-the-owner",
  check(evidence, reportFor) {
    for (const { call, entry, ownConversation, isOwn } of listedEntries(evidence)) {
      // Lists that contain conversations of other users fail the rules about lists.
      if (!isOwn) {
        const message = "`user_id` differs for a user who did not create the conversation";
        checkUser({ view: entry, create: ownConversation.create, message }, reportFor(call.record.id));
      }
    }
    for (const { create, calls } of evidence.threads("legacy")) {
      for (const call of calls.filter(({ operation }) => operation === "get" || operation === "follow-up")) {
        const view = conversationView(call);
        if (view !== undefined && create !== undefined && view.id === conversationView(create)?.id) {
          const message = "`user_id` differs from that in the response to the creation";
          checkUser({ view, create, message }, reportFor(call.record.id));
        }
      }
    }
  },
});

interface ShownUser {
  readonly view: ConversationView;
  readonly create: ConversationCall;
  /** The message to report if the user differs. */
  readonly message: string;
}

function checkUser({ view: { json, pointer }, create, message }: ShownUser, report: Reporter): void {
  const owner = idMember(conversationView(create)?.json, "user_id");
  const userId = idMember(json, "user_id");
  // A value that is not a number fails another rule.
  if (owner === undefined || userId === undefined || !/^-?\d+$/.test(userId)) {
    return;
  }
  report.observation();
  if (owner !== userId) {
    report.violation({ message, pointer: `${pointer}/user_id` });
  }
}

/**
 * The creator of a conversation is its owner, and other users are not. Checks only known users. Source:
 * conversation-api, section 2.1.
 */
export const legacyOwnerIsViewer = defineConversationRule({
  id: "legacy/owner-is-viewer",
  check(evidence, reportFor) {
    checkListed(evidence, reportFor);
    for (const { owner, calls } of evidence.threads("legacy")) {
      const ownerReads = calls.filter(({ operation, record }) => operation === "get" && record.credential === owner);
      reportBlocked(ownerReads, reportFor);
      for (const call of ownerReads) {
        const view = conversationView(call);
        if (view !== undefined) {
          checkOwner({ view, isOwn: true }, reportFor(call.record.id));
        }
      }
    }
  },
});
