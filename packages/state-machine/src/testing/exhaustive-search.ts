/** A read: its times and the number of its state. */
export interface ReadInterval {
  readonly sent: number;
  readonly ended: number;
  readonly state: number;
}

/**
 * Reports whether a point can be chosen in the interval of every read so that the states may follow each other in the order of the
 * points. Tries all orders, so use it for few reads only.
 */
export function canBeExplained(
  reads: readonly ReadInterval[],
  mayFollow: (from: number, to: number) => boolean,
): boolean {
  const used = new Set<ReadInterval>();
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

/** A follow-up that takes effect at some point of its interval. An optional one may never take effect. */
export interface FollowUpInterval {
  readonly sent: number;
  readonly ended: number;
}

/**
 * The same with follow-ups. Each lets the state go back to any state once, at some point of its interval. A follow-up that
 * is not needed does no harm: the server may finish again before anyone reads.
 */
export function canBeExplainedWith(
  reads: readonly ReadInterval[],
  followUps: readonly FollowUpInterval[],
  mayFollow: (from: number, to: number) => boolean,
): boolean {
  const usedReads = new Set<ReadInterval>();
  const usedFollowUps = new Set<FollowUpInterval>();
  const search = (at: number, state: number | undefined): boolean =>
    usedReads.size === reads.length || reads.some(tryRead(at, state)) || followUps.some(tryFollowUp(at));
  const tryRead =
    (at: number, state: number | undefined) =>
    (next: ReadInterval): boolean => {
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
    (next: FollowUpInterval): boolean => {
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
