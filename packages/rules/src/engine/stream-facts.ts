import { defined, eventNames } from "@assay/contract";
import { member } from "@assay/reading";
import { instantOf } from "@assay/state-machine";
import type { StreamEvent } from "@assay/stream-grammar";
import { isError } from "./alert-level.ts";

/** What one stream came to; small, whatever the size of the stream. */
export interface StreamFacts {
  readonly bytes: number;
  readonly events: number;
  /** Elements of all `matches` arrays. */
  readonly matches: number;
  /** Stamp of the first byte of the body. */
  readonly firstByteAtMicros?: number;
  /** Stamp of the first `matches` event that is not empty. */
  readonly firstMatchAtMicros?: number;
  /** Stamp of the event before it; absent where it is the first. */
  readonly beforeFirstMatchAtMicros?: number;
  /** The first progress behind such an event, up to the final one: at its time there were matches. */
  readonly progressWithMatches?: ProgressStamp;
  /** The first progress that counts matches, up to the final one: at its time some were found. */
  readonly progressWithCount?: ProgressStamp;
  /** The first progress with `done` true, if it tells its time. */
  readonly finalProgress?: ProgressStamp;
  /** The progress with the longest time, up to the final one. */
  readonly longestProgress?: ProgressStamp;
  /** The latest `repoLastFetched` of all matches. */
  readonly latestFetch?: SentInstant;
  /** Stamp of the first `done`. */
  readonly doneAtMicros?: number;
  /** Whether a progress with `done` true came. */
  readonly isFinished: boolean;
  /** Whether alerts or errors came, and nothing that only a search sends. */
  readonly isOnlyProblems: boolean;
  /** Whether an alert of the level `error` came. */
  readonly hasErrorAlert: boolean;
  /** Whether no event is missing: the body ended as HTTP says, or the server closed the connection after `done`. */
  readonly isEnded: boolean;
  /** Number of events by name; names that the specification does not list are counted together as `other`. */
  readonly eventCounts: Readonly<Record<string, number>>;
  /** The limit of the checker that ended the judging of this stream. */
  readonly limit?: string;
}

/** When a progress was made by the clock of the target, and when it arrived; only of those that tell their time. */
export interface ProgressStamp {
  /** As the target counts it: from the beginning of its search. */
  readonly durationMs: number;
  readonly atMicros: number;
}

/** A point in time as it was sent. */
export interface SentInstant {
  readonly text: string;
  /** Unix microseconds. */
  readonly micros: number;
}

interface Counter {
  readonly name: string;
  count: number;
}

/** What is known of a stream while it comes. Looking at an event has to cost little beside parsing it. */
export interface StreamTally {
  bytes: number;
  matches: number;
  firstByteAtMicros: number | undefined;
  firstMatchAtMicros: number | undefined;
  beforeFirstMatchAtMicros: number | undefined;
  progressWithMatches: ProgressStamp | undefined;
  progressWithCount: ProgressStamp | undefined;
  finalProgress: ProgressStamp | undefined;
  longestProgress: ProgressStamp | undefined;
  latestFetch: SentInstant | undefined;
  doneAtMicros: number | undefined;
  isFinished: boolean;
  hasErrorAlert: boolean;
  isEnded: boolean;
  limit: string | undefined;
  /** One for each name that is told apart. */
  readonly counters: ReadonlyMap<string, Counter>;
  /** For all other names. */
  readonly others: Counter;
}

const toldApart = [...eventNames, "error"];

/** The tally of a stream of which nothing has been seen. */
export const emptyTally = (): StreamTally => ({
  bytes: 0,
  matches: 0,
  firstByteAtMicros: undefined,
  firstMatchAtMicros: undefined,
  beforeFirstMatchAtMicros: undefined,
  progressWithMatches: undefined,
  progressWithCount: undefined,
  finalProgress: undefined,
  longestProgress: undefined,
  latestFetch: undefined,
  doneAtMicros: undefined,
  isFinished: false,
  hasErrorAlert: false,
  isEnded: false,
  limit: undefined,
  counters: new Map(toldApart.map((name) => [name, { name, count: 0 }])),
  others: { name: "other", count: 0 },
});

/** Takes one event into account. */
export function countEvent(tally: StreamTally, event: StreamEvent): void {
  const { name, value, atMicros } = event;
  const counter = tally.counters.get(name) ?? tally.others;
  counter.count += 1;
  if (name === "matches" && Array.isArray(value) && value.length > 0) {
    tally.firstMatchAtMicros ??= atMicros;
    tally.matches += value.length;
    takeFetches(tally, value);
  } else if (name === "progress") {
    countProgress(tally, event);
  } else if (name === "alert") {
    tally.hasErrorAlert ||= isError(value);
  } else if (name === "done") {
    tally.doneAtMicros ??= atMicros;
  }
  if (tally.firstMatchAtMicros === undefined) {
    tally.beforeFirstMatchAtMicros = atMicros;
  }
}

/** Keeps the latest `repoLastFetched` of the matches. Most matches in a row have the same one. */
function takeFetches(tally: StreamTally, matches: readonly unknown[]): void {
  let known: unknown;
  for (const match of matches) {
    const text = member(match, "repoLastFetched");
    if (typeof text === "string" && text !== known) {
      known = text;
      const { micros } = instantOf(text);
      if (micros > (tally.latestFetch?.micros ?? -Infinity)) {
        tally.latestFetch = { text, micros };
      }
    }
  }
}

function countProgress(tally: StreamTally, { value, atMicros }: StreamEvent): void {
  if (tally.isFinished) {
    return;
  }
  const durationMs = member(value, "durationMs");
  // A number too large for JavaScript is read as infinite.
  const stamp = Number.isFinite(durationMs) ? { durationMs: Number(durationMs), atMicros } : undefined;
  if (stamp !== undefined && stamp.durationMs >= (tally.longestProgress?.durationMs ?? 0)) {
    tally.longestProgress = stamp;
  }
  if (tally.firstMatchAtMicros !== undefined) {
    tally.progressWithMatches ??= stamp;
  }
  if (Number(member(value, "matchCount")) > 0) {
    tally.progressWithCount ??= stamp;
  }
  if (member(value, "done") === true) {
    tally.isFinished = true;
    tally.finalProgress = stamp;
  }
}

/** What the stream has come to so far. */
export function factsOf(tally: StreamTally): StreamFacts {
  const { bytes, matches, firstByteAtMicros, firstMatchAtMicros, beforeFirstMatchAtMicros, finalProgress } = tally;
  const {
    longestProgress,
    progressWithMatches,
    progressWithCount,
    latestFetch,
    doneAtMicros,
    isFinished,
    hasErrorAlert,
    isEnded,
    limit,
    counters,
    others,
  } = tally;
  const eventCounts: Readonly<Record<string, number>> = Object.fromEntries(
    [...counters.values(), others].map(({ name, count }) => [name, count]),
  );
  const events = Object.values(eventCounts).reduce((sum, count) => sum + count, 0);
  return {
    bytes,
    events,
    matches,
    ...defined({
      firstByteAtMicros,
      firstMatchAtMicros,
      beforeFirstMatchAtMicros,
      progressWithMatches,
      progressWithCount,
      finalProgress,
      longestProgress,
      latestFetch,
      doneAtMicros,
    }),
    isFinished,
    isOnlyProblems: isOnlyProblems(eventCounts),
    hasErrorAlert,
    isEnded,
    eventCounts,
    ...defined({ limit }),
  };
}

function isOnlyProblems(eventCounts: StreamFacts["eventCounts"]): boolean {
  const { alert = 0, error = 0, matches = 0, filters = 0, progress = 0 } = eventCounts;
  return alert + error > 0 && matches + filters + progress === 0;
}
