import { differingTimes } from "./constancy.ts";
import type { TimeRange } from "./constancy.ts";
import { formatMs, questionWords, versionOf } from "./judging.ts";
import type { Judging, StaleRead } from "./judging.ts";
import { areOrdered, versionRegressions } from "./version-bounds.ts";
import type { VersionBounds, VersionRegression } from "./version-bounds.ts";
import { inOrder, withValue } from "./witness.ts";

/** Owner of a time; empty for the conversation. */
export interface TimeOwner {
  readonly question?: number;
  readonly of?: string;
}

const ownerSuffix = ({
  question,
  of = question === undefined ? undefined : questionWords(question),
}: TimeOwner): string => (of === undefined ? "" : ` of ${of}`);

const indexOf = ({ question }: TimeOwner): TimeOwner => (question === undefined ? {} : { question });

/** Judges whether a creation time stayed the same. */
export function judgeCreationTime({ report, count }: Judging, addTime: TimeRange | undefined, place: TimeOwner): void {
  if (addTime === undefined) {
    return;
  }
  count("created-at-changed", addTime.reads - 1);
  const apart = differingTimes(addTime);
  if (apart !== undefined) {
    const [first, second] = inOrder(...apart);
    const because = `the time of creation${ownerSuffix(place)} never changes`;
    report({ code: "created-at-changed", first, second, because, ...indexOf(place) });
  }
}

const spanOf = ({ first, second }: VersionRegression): number => second.sentAtMicros - first.endedAtMicros;

const largestGap = (regressions: readonly VersionRegression[]): VersionRegression | undefined =>
  regressions.reduce<VersionRegression | undefined>(
    (found, regression) => (found === undefined || spanOf(regression) > spanOf(found) ? regression : found),
    undefined,
  );

/** True if every state of the older version precedes a state of a newer one. */
const showsEarlierStates = ({ table }: Judging, { olderStates, newerStates }: VersionRegression): boolean =>
  olderStates.length > 0 &&
  olderStates.every((older) => table.above(older).some((state) => newerStates.includes(state)));

/** True if the read shows a whole older version: one that was shown before, or one with an earlier state. */
const isOlderVersion = (judging: Judging, regression: VersionRegression): boolean =>
  regression.wasShownBefore ||
  showsEarlierStates(judging, regression) ||
  judging.staleExchanges.has(regression.second.exchange);

/**
 * Judges whether update times went back. An update time of an older version means a stale read; an update time that was
 * never shown before means that the time itself went back. Each is reported once, with the largest gap.
 */
export function judgeVersions(judging: Judging, versions: VersionBounds, place: TimeOwner): void {
  const { report, stale, count, backExchanges } = judging;
  const pairs = areOrdered(versions) ? versions.reads - 1 : 0;
  count("updated-at-fell", pairs);
  count("stale-read", pairs);
  // If the server itself went back, its update time went back with it.
  const regressions = versionRegressions(versions).filter(({ second }) => !backExchanges.has(second.exchange));
  const older = largestGap(regressions.filter((regression) => isOlderVersion(judging, regression)));
  if (older !== undefined) {
    const of = `the time of update${ownerSuffix(place)} as`;
    stale({ ...withVersionTexts(older), staleMicros: spanOf(older), of, isTime: true, ...indexOf(place) });
  }
  const fallen = largestGap(regressions.filter((regression) => !isOlderVersion(judging, regression)));
  if (fallen !== undefined) {
    const because = `the time of update${ownerSuffix(place)} went back`;
    report({ code: "updated-at-fell", ...withVersionTexts(fallen), because, ...indexOf(place) });
  }
}

const withVersionTexts = ({ first, second }: VersionRegression): Pick<VersionRegression, "first" | "second"> => ({
  first: withValue(first, versionOf(first)),
  second: withValue(second, versionOf(second)),
});

/** Reports the oldest stale read of a conversation. */
export function reportStale({ report }: Pick<Judging, "report">, stale: StaleRead): void {
  const { staleMicros } = stale;
  const because = `an older version: reads are at least ${formatMs(staleMicros)} stale`;
  report({ code: "stale-read", ...stale, because });
}
