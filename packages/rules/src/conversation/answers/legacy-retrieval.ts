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
import { findCreatedConversations } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { hasEveryScope, userOf } from "../engine/users.ts";
import type { Reporter } from "../../engine/reporter.ts";

const retrieval = { interface: "legacy", operations: ["get"] } as const;

/** A retrieved conversation states whether the viewer owns it. Source: conversation-api, section 2.1. */
export const legacyViewerOnRetrieval = defineConversationCheck({
  id: "legacy/viewer-on-retrieval",
  ...retrieval,
  check({ json, pointer }, report) {
    const value = member(json, "viewer");
    const label = value === undefined ? "`viewer`, which is missing," : "`viewer`";
    reportSchemaErrors(legacyValidators().LegacyViewer, { label, value, pointer: `${pointer}/viewer` }, report);
  },
});

/** A retrieved conversation contains the quota usage. Source: conversation-api, sections 2.1 and 8. */
export const legacyQuotaUsageOnRetrieval = defineConversationCheck({
  id: "legacy/quota-usage-on-retrieval",
  ...retrieval,
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

/** Yields every list entry of a conversation that one of the two known users created. */
function* findCreatedEntries(evidence: ConversationEvidence): Generator<ListedEntry> {
  const createdById = new Map(
    findCreatedConversations(evidence)
      .filter(
        (conversation) => conversation.interface === "legacy" && hasEveryScope(conversation.create.record.credential),
      )
      .map((conversation) => [conversation.id, conversation] as const),
  );
  for (const call of evidence.calls) {
    const isList = call.interface === "legacy" && call.operation === "list";
    for (const entry of (isList && hasEveryScope(call.record.credential) ? listView(call)?.entries : undefined) ?? []) {
      const conversation = createdById.get(entry.id ?? "");
      if (conversation !== undefined) {
        yield { call, entry, conversation, isViewerCreator: conversation.user === userOf(call.record.credential) };
      }
    }
  }
}

interface ListedEntry {
  readonly call: ConversationCall;
  readonly entry: ConversationView;
  readonly conversation: CreatedConversation;
  /** Whether the user of the list created the conversation. */
  readonly isViewerCreator: boolean;
}

/**
 * Checks `is_owner` in lists: true for the creator, false for others. Others see the conversation only in lists,
 * filtered by its read token.
 */
function checkListEntries(evidence: ConversationEvidence, reportFor: ReportFor): void {
  for (const { call, entry, isViewerCreator } of findCreatedEntries(evidence)) {
    checkIsOwner({ view: entry, isViewerCreator }, reportFor(call.record.id));
  }
}

/** Checks `is_owner` of one conversation. */
function checkIsOwner(
  { view: { json, pointer }, isViewerCreator }: { readonly view: ConversationView; readonly isViewerCreator: boolean },
  report: Reporter,
): void {
  const isOwner = member(member(json, "viewer"), "is_owner");
  if (typeof isOwner !== "boolean") {
    return;
  }
  report.observation();
  if (isOwner !== isViewerCreator) {
    report.violation({
      message: isViewerCreator
        ? "`is_owner` is false for the user who created the conversation"
        : "`is_owner` is true for a user who did not create the conversation",
      code: isViewerCreator ? "not-taken-for-owner" : "taken-for-owner",
      pointer: `${pointer}/viewer/is_owner`,
    });
  }
}

/** The `user_id` of a conversation is its owner, for every reader. Source: conversation-api, section 2.1. */
export const legacyUserIdIsTheOwner = defineConversationRule({
  id: "legacy/user-id-is-the-owner",
  check(evidence, reportFor) {
    for (const { call, entry, conversation, isViewerCreator } of findCreatedEntries(evidence)) {
      // The rules about lists report conversations of other users.
      if (!isViewerCreator) {
        const message = "`user_id` differs for a user who did not create the conversation";
        checkUserId({ view: entry, create: conversation.create, message }, reportFor(call.record.id));
      }
    }
    for (const { create, calls } of evidence.conversationsOf("legacy")) {
      for (const call of calls.filter(({ operation }) => operation === "get" || operation === "follow-up")) {
        const view = conversationView(call);
        if (view !== undefined && create !== undefined && view.id === conversationView(create)?.id) {
          const message = "`user_id` differs from that in the response to the creation";
          checkUserId({ view, create, message }, reportFor(call.record.id));
        }
      }
    }
  },
});

interface UserIdToCheck {
  readonly view: ConversationView;
  readonly create: ConversationCall;
  /** The message to report if the user differs. */
  readonly message: string;
}

function checkUserId({ view: { json, pointer }, create, message }: UserIdToCheck, report: Reporter): void {
  const ownerId = idMember(conversationView(create)?.json, "user_id");
  const userId = idMember(json, "user_id");
  // `legacy/conversation-fits-schema` reports a value that is not a number.
  if (ownerId === undefined || userId === undefined || !/^-?\d+$/.test(userId)) {
    return;
  }
  report.observation();
  if (ownerId !== userId) {
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
    checkListEntries(evidence, reportFor);
    for (const { owner, calls } of evidence.conversationsOf("legacy")) {
      const ownerReads = calls.filter(({ operation, record }) => operation === "get" && record.credential === owner);
      reportBlocked(ownerReads, reportFor);
      for (const call of ownerReads) {
        const view = conversationView(call);
        if (view !== undefined) {
          checkIsOwner({ view, isViewerCreator: true }, reportFor(call.record.id));
        }
      }
    }
  },
});
