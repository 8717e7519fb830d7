import { defined } from "@assay/contract";
import { member, stringMember } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import type { ReportFor } from "../engine/choices-once.ts";
import type { Reporter } from "../../engine/reporter.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isFinishedCurrent, isFinishedLegacy, laterOf, linkedConversations } from "./linked-conversations.ts";
import type { ConversationRead } from "./linked-conversations.ts";

/** How a conversation ended, through both interfaces. */
export interface FinishedPair {
  readonly conversation: string;
  /** Whether the last question has an error in the legacy interface. */
  readonly hasError: boolean;
  /** The kind of that error, where it is text. */
  readonly kind?: string;
  /** The code of the error in the current interface, where it shows one. */
  readonly code?: string;
  /** The terminal state in the current interface. */
  readonly state: string;
  /** Whether a cancellation may be what ended it: then the specification says nothing about the two. */
  readonly isCancelled: boolean;
  /** What the legacy interface shows, in words. */
  readonly status: string;
  readonly report: Reporter;
}

/** The code of the error that a conversation shows, itself or in its last question. */
export const errorCodeOf = ({ json, questions }: ConversationView): string | undefined =>
  [json, questions.at(-1)?.json]
    .map((holder) => stringMember(member(member(holder, "state"), "error"), "code"))
    .find((code) => code !== undefined);

/** The last finished reads of each conversation that both interfaces show, with the same number of questions. */
export function finishedPairs(evidence: ConversationEvidence, reportFor: ReportFor): readonly FinishedPair[] {
  return linkedConversations(evidence).flatMap(({ conversation, legacy, current, isCancelled }) => {
    const [ours, theirs] = lastPair(legacy.filter(isFinishedLegacy), current.filter(isFinishedCurrent)) ?? [];
    const last = ours?.view.questions.at(-1);
    const state = theirs?.view.state;
    if (ours === undefined || theirs === undefined || last === undefined || state === undefined) {
      return [];
    }
    const kind = stringMember(member(last.json, "error"), "kind");
    const hasError = last.facts.has("error");
    const code = errorCodeOf(theirs.view);
    return [
      {
        conversation,
        hasError,
        ...defined({ kind, code }),
        state,
        isCancelled: isCancelled(ours) || isCancelled(theirs) || kind === "Cancelled",
        status: hasError ? "completed with an error" : "completed without an error",
        report: reportFor(laterOf(ours, theirs)),
      },
    ];
  });
}

/** The last two reads that show as many questions: one of the interfaces may not have been asked since the last one. */
function lastPair(
  legacy: readonly ConversationRead[],
  current: readonly ConversationRead[],
): readonly [ConversationRead, ConversationRead] | undefined {
  for (const ours of legacy.toReversed()) {
    const theirs = current.findLast(({ view }) => view.questions.length === ours.view.questions.length);
    if (theirs !== undefined) {
      return [ours, theirs];
    }
  }
  return undefined;
}
