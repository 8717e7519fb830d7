import { defined } from "@assay/contract";
import { member, stringMember } from "@assay/reading";
import type { ConversationView } from "@assay/reading";
import type { ReportFor } from "../engine/dedupe-notes.ts";
import type { Reporter } from "../../engine/reporter.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isFinishedCurrent, isFinishedLegacy, idOfLater, findLinkedConversations } from "./linked-conversations.ts";
import type { ConversationRead } from "./linked-conversations.ts";

/** The end of a conversation in both interfaces. */
export interface FinishedPair {
  readonly legacyId: string;
  /** Whether the last question has an error in the legacy interface. */
  readonly hasLegacyError: boolean;
  /** The kind of that error, if it is a string. */
  readonly legacyErrorKind?: string;
  /** The error code in the current interface, if any. */
  readonly currentErrorCode?: string;
  /** The terminal state in the current interface. */
  readonly currentState: string;
  /** Whether a cancellation may have ended it. The relation of the two states is unspecified then. */
  readonly isCancelled: boolean;
  /** A description of the legacy state. */
  readonly legacyStatus: string;
  readonly report: Reporter;
}

/** Returns the error code of a conversation or its last question. */
export const findErrorCode = ({ json, questions }: ConversationView): string | undefined =>
  [json, questions.at(-1)?.json]
    .map((holder) => stringMember(member(member(holder, "state"), "error"), "code"))
    .find((code) => code !== undefined);

/** Returns the last finished reads of each conversation in both interfaces that have the same number of questions. */
export function findFinishedPairs(evidence: ConversationEvidence, reportFor: ReportFor): readonly FinishedPair[] {
  return findLinkedConversations(evidence).flatMap(({ legacyId, legacyReads, currentReads, isCancelled }) => {
    const [legacyRead, currentRead] =
      findLastPair(legacyReads.filter(isFinishedLegacy), currentReads.filter(isFinishedCurrent)) ?? [];
    const lastQuestion = legacyRead?.view.questions.at(-1);
    const currentState = currentRead?.view.state;
    if (
      legacyRead === undefined ||
      currentRead === undefined ||
      lastQuestion === undefined ||
      currentState === undefined
    ) {
      return [];
    }
    const legacyErrorKind = stringMember(member(lastQuestion.json, "error"), "kind");
    const hasLegacyError = lastQuestion.facts.has("error");
    const currentErrorCode = findErrorCode(currentRead.view);
    return [
      {
        legacyId,
        hasLegacyError,
        ...defined({ legacyErrorKind, currentErrorCode }),
        currentState,
        isCancelled: isCancelled(legacyRead) || isCancelled(currentRead) || legacyErrorKind === "Cancelled",
        legacyStatus: hasLegacyError ? "completed with an error" : "completed without an error",
        report: reportFor(idOfLater(legacyRead, currentRead)),
      },
    ];
  });
}

/**
 * Returns the last two reads with the same number of questions. One interface may not have been read since the last
 * question.
 */
function findLastPair(
  legacyReads: readonly ConversationRead[],
  currentReads: readonly ConversationRead[],
): readonly [ConversationRead, ConversationRead] | undefined {
  for (const legacyRead of legacyReads.toReversed()) {
    const currentRead = currentReads.findLast(({ view }) => view.questions.length === legacyRead.view.questions.length);
    if (currentRead !== undefined) {
      return [legacyRead, currentRead];
    }
  }
  return undefined;
}
