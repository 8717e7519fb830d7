/** A read by its times and the number of its state. */
export interface PlainRead {
  readonly sent: number;
  readonly ended: number;
  readonly state: number;
}

/**
 * Whether a point can be chosen in the interval of every read so that the states, in the order of the points, are allowed to
 * follow each other. Tries all orders; for few reads only.
 */
export function canBeExplained(reads: readonly PlainRead[], mayFollow: (from: number, to: number) => boolean): boolean {
  const used = new Set<PlainRead>();
  const search = (at: number, state: number | undefined): boolean => {
    if (used.size === reads.length) {
      return true;
    }
    return reads.some((next) => {
      const point = Math.max(at, next.sent);
      const isNext = !used.has(next) && point <= next.ended && (state === undefined || mayFollow(state, next.state));
      if (!isNext) {
        return false;
      }
      used.add(next);
      const found = search(point, next.state);
      used.delete(next);
      return found;
    });
  };
  return search(Number.NEGATIVE_INFINITY, undefined);
}

/** A follow-up that takes effect at some point of its interval, or, if it is optional, perhaps never. */
export interface PlainFollowUp {
  readonly sent: number;
  readonly ended: number;
}

/**
 * The same where each follow-up once lets the state go back to anything, at some point of its interval. One that is not
 * needed does no harm: the server may finish again before anybody looks.
 */
export function canBeExplainedWith(
  reads: readonly PlainRead[],
  followUps: readonly PlainFollowUp[],
  mayFollow: (from: number, to: number) => boolean,
): boolean {
  const usedReads = new Set<PlainRead>();
  const usedFollowUps = new Set<PlainFollowUp>();
  const search = (at: number, state: number | undefined): boolean =>
    usedReads.size === reads.length || reads.some(tryRead(at, state)) || followUps.some(tryFollowUp(at));
  const tryRead =
    (at: number, state: number | undefined) =>
    (next: PlainRead): boolean => {
      const point = Math.max(at, next.sent);
      if (usedReads.has(next) || point > next.ended || (state !== undefined && !mayFollow(state, next.state))) {
        return false;
      }
      usedReads.add(next);
      const found = search(point, next.state);
      usedReads.delete(next);
      return found;
    };
  const tryFollowUp =
    (at: number) =>
    (next: PlainFollowUp): boolean => {
      const point = Math.max(at, next.sent);
      if (usedFollowUps.has(next) || point > next.ended) {
        return false;
      }
      usedFollowUps.add(next);
      const found = search(point, undefined);
      usedFollowUps.delete(next);
      return found;
    };
  return search(Number.NEGATIVE_INFINITY, undefined);
}
