import { newKeptRows } from "./kept-rows.ts";
import type { KeptRows } from "./kept-rows.ts";
import { newQuestionList } from "./question-list.ts";
import type { QuestionList } from "./question-list.ts";
import type { QuestionRow } from "./question-row.ts";
import type { Witness } from "./witness.ts";
import { newSubject } from "./subject.ts";
import type { Subject } from "./subject.ts";
import type { TimeSpread } from "./time-spread.ts";
import { newVersionBounds } from "./version-bounds.ts";
import type { VersionBounds } from "./version-bounds.ts";
import { newWriteLog } from "./write-log.ts";
import type { WriteLog } from "./write-log.ts";

/** Where a state was shown without saying of which epoch. */
export interface UncountedState {
  readonly state: number;
  readonly witness: Witness;
}

/** All that is kept of a conversation. */
export interface ConversationRow {
  readonly conversation: string;
  /** Of a machine whose subject is the conversation: what each epoch showed, by its number of questions. */
  readonly subjects: Map<number, Subject>;
  /**
   * Reads of a machine that reopens which do not tell how many questions there are. They wait for the follow-ups, any of
   * which may be observed later, so here alone memory grows with the number of reads.
   */
  readonly uncounted: UncountedState[];
  readonly questions: KeptRows<QuestionRow>;
  readonly list: QuestionList;
  readonly versions: VersionBounds;
  readonly writes: WriteLog;
  created: TimeSpread | undefined;
}

export const newConversationRow = (conversation: string): ConversationRow => ({
  conversation,
  subjects: new Map(),
  uncounted: [],
  questions: newKeptRows(),
  list: newQuestionList(),
  versions: newVersionBounds(),
  writes: newWriteLog(),
  created: undefined,
});

/** The subject of an epoch, made if it is new. */
export function subjectOf(subjects: Map<number, Subject>, epoch: number): Subject {
  let subject = subjects.get(epoch);
  if (subject === undefined) {
    subject = newSubject();
    subjects.set(epoch, subject);
  }
  return subject;
}
