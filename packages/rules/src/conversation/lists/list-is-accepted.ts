import { bodyForm } from "../engine/body-form.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isMissing, judgeRefusal } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { isWhole, listCalls, listPage, pageSize } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { isDueInList, ownDuring } from "./own-facts.ts";
import { currentRequestNames } from "@assay/contract";
import { isRecord } from "@assay/reading";

/**
 * Who asks for the conversations of `users/~self` gets a list with those it created. In which form is not documented, so
 * that one which is not recognised is no violation. Source: conversation-api, sections 2.4 and 4.2.
 */
export const listIsAccepted = defineWitnessedRule({
  id: "current/list-is-accepted",
  check(evidence, witness) {
    for (const call of listCalls(evidence, "current").filter(asksForSelf)) {
      judgeList(evidence, witness, call);
    }
  },
});

/** Larger pages may be refused: how large one may be is not documented. */
const maxCertainPageSize = 100;

/** Whether a list asks for the conversations of `users/~self`. */
export const asksForSelf = (call: ConversationCall): boolean => call.asked.parameters.get("parent") === "users/~self";

function judgeList(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  if (isMissing(call)) {
    witness.lacks(call);
  }
  if (isPlain(call)) {
    judgeRefusal(evidence, witness, { call, what: "a list of `users/~self`" });
  }
  const page = listPage(call);
  const missing = page === undefined ? undefined : missingFrom(evidence, page);
  if (missing !== undefined) {
    witness.breaks(call, `the list of \`users/~self\` lacks ${missing}, which the same user created`);
  } else if (page !== undefined) {
    witness.holds(call);
    const { envelope } = page.view;
    witness.notes(
      call,
      "current/list-body",
      `the list is ${envelope === undefined ? "empty or the array itself" : `in \`${envelope}\``}`,
    );
  } else if (call.answer.kind === "success") {
    witness.notes(call, "current/list-body", `no list is recognised: the answer holds ${bodyForm(call)}`);
  }
}

const plainMembers: ReadonlySet<string> = new Set(["parent", ...currentRequestNames.size]);

/** Whether a current list asks for a parent and a page of moderate size, and for nothing that is not documented. */
export const isPlain = (call: ConversationCall): boolean =>
  isRecord(call.asked.json) &&
  Object.keys(call.asked.json).every((name) => plainMembers.has(name)) &&
  (pageSize(call) ?? 1) <= maxCertainPageSize;

function missingFrom(evidence: ConversationEvidence, page: ListPage): string | undefined {
  if (!isPlain(page.call) || !isWhole(page) || !mayDoEverything(page.call.record.credential)) {
    return undefined;
  }
  return ownDuring(evidence, page.call).find(
    (own) => !page.ids.includes(own.conversation) && isDueInList(own, page.call),
  )?.conversation;
}
