import type { Witness } from "./witness.ts";

/** A question as it was asked. */
export interface Asked {
  readonly digest: number;
  readonly words: string;
}

/** A write that changed something or may have. */
export interface LoggedWrite {
  readonly witness: Witness;
  readonly isAccepted: boolean;
  readonly asked: Asked | undefined;
}

export interface WriteLog {
  create: LoggedWrite | undefined;
  readonly followUps: LoggedWrite[];
  readonly cancels: LoggedWrite[];
  /** The conversation may have been deleted since then. */
  deletedMicros: number | undefined;
}

export const newWriteLog = (): WriteLog => ({
  create: undefined,
  followUps: [],
  cancels: [],
  deletedMicros: undefined,
});

const sentFirst = (a: LoggedWrite, b: LoggedWrite): number =>
  a.witness.sentAtMicros - b.witness.sentAtMicros ||
  a.witness.endedAtMicros - b.witness.endedAtMicros ||
  (a.witness.exchange < b.witness.exchange ? -1 : 1);

const isSame = ({ witness: { exchange, sentAtMicros } }: LoggedWrite, other: LoggedWrite | undefined): boolean =>
  other?.witness.exchange === exchange && other.witness.sentAtMicros === sentAtMicros;

/** Position of observations between follow-ups. Each follow-up starts an epoch at some instant of its interval. */
export interface Epochs {
  /** Number of follow-ups answered before the observation was sent; undefined if it overlaps one. */
  readonly before: (witness: Witness) => number | undefined;
  /** Number of accepted follow-ups; undefined if one is uncertain. */
  readonly accepted: number | undefined;
  /** Follow-ups in order, if all were accepted and each was answered before the next was sent. */
  readonly sequence: readonly LoggedWrite[] | undefined;
}

/** Orders the follow-ups. A lookup takes logarithmic time. */
export function epochsOf({ followUps }: WriteLog): Epochs {
  // A follow-up that was observed twice happened once.
  const notes = [...followUps].sort(sentFirst).filter((note, index, all) => !isSame(note, all[index - 1]));
  let latest = Number.NEGATIVE_INFINITY;
  const latestEnds = notes.map(({ witness }) => (latest = Math.max(latest, witness.endedAtMicros)));
  const inTurn = notes.every(
    ({ isAccepted, witness }, index) => isAccepted && (latestEnds[index - 1] ?? -Infinity) < witness.sentAtMicros,
  );
  return {
    accepted: notes.every(({ isAccepted }) => isAccepted) ? notes.length : undefined,
    before: ({ sentAtMicros, endedAtMicros }) => {
      const count = countSent(notes, endedAtMicros);
      return (latestEnds[count - 1] ?? Number.NEGATIVE_INFINITY) < sentAtMicros ? count : undefined;
    },
    sequence: inTurn ? notes : undefined,
  };
}

/** Number of writes sent up to a time. */
function countSent(notes: readonly LoggedWrite[], atMicros: number): number {
  let from = 0;
  let to = notes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((notes[middle]?.witness.sentAtMicros ?? 0) <= atMicros) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

/** True if a write may have taken effect between two observations. */
export const mayLieBetween = (writes: readonly LoggedWrite[], a: Witness, b: Witness): boolean => {
  const from = Math.min(a.sentAtMicros, b.sentAtMicros);
  const to = Math.max(a.endedAtMicros, b.endedAtMicros);
  return writes.some(({ witness }) => witness.sentAtMicros <= to && witness.endedAtMicros >= from);
};
