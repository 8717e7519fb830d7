import { subjectOf } from "./conversation-row.ts";
import type { ConversationRow } from "./conversation-row.ts";

import type { Instant } from "./instant.ts";
import type { Snapshot } from "./observation.ts";
import { seeLength } from "./question-list.ts";
import type { TextHolder } from "./recent-texts.ts";
import type { Session } from "./session.ts";
import { recordQuestions } from "./record-questions.ts";
import type { Witness } from "./witness.ts";
import type { StateTable } from "./state-table.ts";
import { seeState } from "./subject.ts";
import { spread } from "./time-spread.ts";
import { seeVersion } from "./version-bounds.ts";
import type { Asked } from "./write-log.ts";

/** What a checker has for all conversations. */
export interface Watch {
  readonly table: StateTable;
  readonly instants: (text: string | undefined) => Instant;
  readonly sessions: (name: string) => Session;
  readonly digestOf: (holder: TextHolder, text: string) => number;
}

/** One answer about a conversation. */
export interface Showing {
  readonly row: ConversationRow;
  readonly witness: Witness;
  readonly snapshot: Snapshot;
  readonly state: number | undefined;
  /** The questions in it are not all there are. */
  readonly isPartial: boolean;
  /** The question that the write asked. */
  readonly asked: Asked | undefined;
}

/** Takes in all that an answer shows. Linear in the number of questions, of which at most 1024 are looked at. */
export function recordSnapshot(watch: Watch, shown: Showing): void {
  const { row, witness, snapshot, state, isPartial } = shown;
  seeVersion(row.versions, witness, state);
  const { createdAt } = snapshot;
  row.created = spread(row.created, witness, { text: createdAt, instant: watch.instants(createdAt) });
  if (snapshot.questions !== undefined && !isPartial) {
    seeLength(row.list, snapshot.questions.length, witness);
  }
  seeConversationState(watch, shown);
  recordQuestions(watch, shown);
}

/** A conversation has at least one question, so an answer that shows none does not tell the epoch. */
function seeConversationState({ table }: Watch, { row, witness, snapshot, state, isPartial }: Showing): void {
  if (state === undefined) {
    return;
  }
  const count = isPartial ? 0 : (snapshot.questions?.length ?? 0);
  if (!table.machine.reopens) {
    seeState(subjectOf(row.subjects, 0), state, witness);
  } else if (count > 0) {
    seeState(subjectOf(row.subjects, count), state, witness);
  } else {
    row.uncounted.push({ state, witness });
  }
}
