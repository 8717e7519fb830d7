import { compared } from "./constancy.ts";
import type { Constancy } from "./constancy.ts";
import { memberOf, rememberable } from "./member.ts";
import type { Member } from "./member.ts";
import type { ShownOutcome } from "./observation.ts";
import type { TextHolder } from "./recent-texts.ts";
import type { Witness } from "./witness.ts";
import { newSubject, seeState } from "./subject.ts";
import type { Subject } from "./subject.ts";
import type { TimeSpread } from "./time-spread.ts";
import { newVersionBounds, seeVersion } from "./version-bounds.ts";
import type { VersionBounds } from "./version-bounds.ts";

/** What is kept of a question that is known by its id or, where it has none, by its position. */
export interface QuestionRow extends TextHolder {
  /** Digest of its id, or a negative number for a position. */
  readonly key: number;
  readonly isNamed: boolean;
  /** Smallest index it was shown at. */
  position: number;
  /** It was shown at different positions. */
  isMoved: boolean;
  subject: Subject | undefined;
  text: Constancy | undefined;
  /** The text it was last shown with. */
  asked: Member | undefined;
  /** Compared once the question is finished. The detail is the number of characters. */
  content: Constancy | undefined;
  created: TimeSpread | undefined;
  versions: VersionBounds | undefined;
  /** How often each gate was looked at, by number of the gate. */
  readonly looks: number[];
  /** First observation that broke each gate, by number of the gate. */
  readonly broken: (Witness | undefined)[];
}

/** Index of a question whose position no answer told. */
export const noPosition = Number.POSITIVE_INFINITY;

const newRow = (key: number, isNamed: boolean): QuestionRow => ({
  key,
  isNamed,
  position: noPosition,
  isMoved: false,
  subject: undefined,
  text: undefined,
  asked: undefined,
  content: undefined,
  created: undefined,
  versions: undefined,
  recentText: undefined,
  recentDigest: 0,
  looks: [],
  broken: [],
});

export const namedRow = (key: number): QuestionRow => newRow(key, true);
export const positionedRow = (key: number): QuestionRow => newRow(key, false);

export function seePosition(row: QuestionRow, position: number): void {
  if (position !== noPosition && position !== row.position) {
    row.isMoved ||= row.position !== noPosition;
    row.position = Math.min(row.position, position);
  }
}

export function seeText(row: QuestionRow, witness: Witness, { digest, text }: Member): void {
  row.text = compared(row.text, witness, { key: digest, detail: 0, text });
}

/** How much of an answer or error is looked at; findings quote less. */
const maxQuoted = 80;

interface SeenContent {
  readonly digest: number;
  readonly length: number;
  readonly state: string;
  readonly outcome: ShownOutcome | undefined;
}

export function seeContent(row: QuestionRow, witness: Witness, { digest, length, state, outcome }: SeenContent): void {
  const text = outcome === undefined ? state : `${state}, an ${outcome.kind} "${outcome.text.slice(0, maxQuoted)}"`;
  row.content = compared(row.content, witness, { key: digest, detail: length, text, kind: outcome?.kind });
}

/** Notes the status of a question that has its own, and the version it is of if the question says that itself. */
export function seeStatus(
  row: QuestionRow,
  witness: Witness,
  { state, hasVersion }: { readonly state: number | undefined; readonly hasVersion: boolean },
): void {
  if (hasVersion) {
    row.versions ??= newVersionBounds();
    seeVersion(row.versions, witness, state);
  }
  if (state !== undefined) {
    row.subject ??= newSubject();
    seeState(row.subject, state, witness);
  }
}

/** The text of a question, remembered for the next time. */
export function textMember(row: QuestionRow, text: string): Member {
  const member = memberOf(row.asked, text);
  row.asked = rememberable(member);
  return member;
}
