import { inMs, versionOf } from "./finding-draft.ts";
import { questionWords } from "./report-draft.ts";
import type { Judging, StaleRead } from "./report-draft.ts";
import { inOrder, showing } from "./witness.ts";
import type { TimeSpread } from "./time-spread.ts";
import { timesApart } from "./time-spread.ts";
import { areOrdered, fallsOf } from "./version-bounds.ts";
import type { VersionBounds, VersionFall } from "./version-bounds.ts";

/** Of what a time is; nothing for the conversation. */
export interface TimePlace {
  readonly question?: number;
  readonly of?: string;
}

const ofWhat = ({ question, of = question === undefined ? undefined : questionWords(question) }: TimePlace): string =>
  of === undefined ? "" : ` of ${of}`;

const indexOf = ({ question }: TimePlace): TimePlace => (question === undefined ? {} : { question });

/** Judges whether a time of creation stayed the same. */
export function judgeSpread({ report, count }: Judging, spread: TimeSpread | undefined, place: TimePlace): void {
  if (spread === undefined) {
    return;
  }
  count("created-at-changed", spread.reads - 1);
  const apart = timesApart(spread);
  if (apart !== undefined) {
    const [first, second] = inOrder(...apart);
    const because = `the time of creation${ofWhat(place)} never changes`;
    report({ code: "created-at-changed", first, second, because, ...indexOf(place) });
  }
}

const spanOf = ({ first, second }: VersionFall): number => second.sentAtMicros - first.endedAtMicros;

const longest = (falls: readonly VersionFall[]): VersionFall | undefined =>
  falls.reduce<VersionFall | undefined>(
    (found, fall) => (found === undefined || spanOf(fall) > spanOf(found) ? fall : found),
    undefined,
  );

/** Whether all that an older version showed comes before what newer ones showed. */
const showsLess = ({ table }: Judging, { olderStates, newerStates }: VersionFall): boolean =>
  olderStates.length > 0 &&
  olderStates.every((older) => table.above(older).some((state) => newerStates.includes(state)));

/** Whether the read shows an older version as a whole: one that was shown before, or one with an earlier state. */
const isOlderVersion = (judging: Judging, fall: VersionFall): boolean =>
  fall.wasShownBefore || showsLess(judging, fall) || judging.staleExchanges.has(fall.second.exchange);

/**
 * Judges whether times of update fell. One that belongs to an older version makes a stale read; one that nobody saw before is
 * a time that went back. Each is reported once, with the longest span.
 */
export function judgeVersions(judging: Judging, versions: VersionBounds, place: TimePlace): void {
  const { report, stale, count, backExchanges } = judging;
  const pairs = areOrdered(versions) ? versions.reads - 1 : 0;
  count("updated-at-fell", pairs);
  count("stale-read", pairs);
  // Where the server itself went back, its time went with it.
  const falls = fallsOf(versions).filter(({ second }) => !backExchanges.has(second.exchange));
  const older = longest(falls.filter((fall) => isOlderVersion(judging, fall)));
  if (older !== undefined) {
    const of = `the time of update${ofWhat(place)} as`;
    stale({ ...worded(older), staleMicros: spanOf(older), of, isTime: true, ...indexOf(place) });
  }
  const fallen = longest(falls.filter((fall) => !isOlderVersion(judging, fall)));
  if (fallen !== undefined) {
    const because = `the time of update${ofWhat(place)} went back`;
    report({ code: "updated-at-fell", ...worded(fallen), because, ...indexOf(place) });
  }
}

const worded = ({ first, second }: VersionFall): Pick<VersionFall, "first" | "second"> => ({
  first: showing(first, versionOf(first)),
  second: showing(second, versionOf(second)),
});

/** Reports the oldest of all stale reads of a conversation. */
export function reportStale({ report }: Pick<Judging, "report">, stale: StaleRead): void {
  const { staleMicros } = stale;
  const because = `an older version, so reads are at least ${inMs(staleMicros)} stale`;
  report({ code: "stale-read", ...stale, because });
}
