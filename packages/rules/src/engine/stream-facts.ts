import { defined, eventNames } from "@assay/contract";
import { member } from "@assay/reading";
import { parseInstant } from "@assay/state-machine";
import type { StreamEvent } from "@assay/stream-grammar";
import { isError } from "./alert-level.ts";
import type { Match } from "./matches/match.ts";
import { countMatches } from "./matches/read-matches.ts";

/** Facts about one stream. Small for a stream of any size. */
export interface StreamFacts {
  readonly bytes: number;
  readonly events: number;
  /** Number of elements in all `matches` arrays. */
  readonly matches: number;
  /** Arrival time of the first byte of the body. */
  readonly firstByteAtMicros?: number;
  /** Arrival time of the first non-empty `matches` event. */
  readonly firstMatchAtMicros?: number;
  /** Arrival time of the event before the first matches. Absent if they are the first event. */
  readonly beforeFirstMatchAtMicros?: number;
  /** The first `progress` event after the first matches, up to the final one. */
  readonly progressWithMatches?: ProgressStamp;
  /** The first `progress` event that counts matches, up to the final one. */
  readonly progressWithCount?: ProgressStamp;
  /** The first `progress` event with `done` true, if it has a duration. */
  readonly finalProgress?: ProgressStamp;
  /** The `progress` event with the maximum duration, up to the final one. */
  readonly longestProgress?: ProgressStamp;
  /** The latest `repoLastFetched` of all matches. */
  readonly latestFetch?: SentInstant;
  /** Arrival time of the first `done`. */
  readonly doneAtMicros?: number;
  /** Whether there was a `progress` event with `done` true. */
  readonly isFinished: boolean;
  /** Whether the stream contained alerts or errors, and no event that only a search sends. */
  readonly hasOnlyProblems: boolean;
  /** Whether there was an alert of level `error`. */
  readonly hasErrorAlert: boolean;
  /** Whether no event is missing: the body ended as HTTP requires, or the server closed the connection after `done`. */
  readonly isComplete: boolean;
  /** Number of events by name. Unlisted names are counted together as `other`. */
  readonly eventCounts: Readonly<Record<string, number>>;
  /** The limit of the checker at which judging of this stream stopped. */
  readonly limit?: string;
}

/** The time of a `progress` event on the target's clock, and its arrival time. Only for events with a duration. */
export interface ProgressStamp {
  /** As reported by the target, from the start of its search. */
  readonly durationMs: number;
  readonly atMicros: number;
}

/** A time as sent. */
export interface SentInstant {
  readonly text: string;
  /** Unix microseconds. */
  readonly micros: number;
}

interface Counter {
  readonly name: string;
  count: number;
}

/** Facts about a stream while it arrives. Counting an event must be cheap compared with parsing it. */
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
  isComplete: boolean;
  limit: string | undefined;
  /** Counters of the names that are counted separately. */
  readonly counters: ReadonlyMap<string, Counter>;
  /** The counter of all other names. */
  readonly otherCounter: Counter;
}

const countedNames = [...eventNames, "error"];

/** Returns the tally before the first byte. */
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
  isComplete: false,
  limit: undefined,
  counters: new Map(countedNames.map((name) => [name, { name, count: 0 }])),
  otherCounter: { name: "other", count: 0 },
});

/** Counts one event. */
export function countEvent(tally: StreamTally, event: StreamEvent): void {
  const { name, value, atMicros } = event;
  const counter = tally.counters.get(name) ?? tally.otherCounter;
  counter.count += 1;
  if (name === "matches") {
    const count = countMatches(event) ?? 0;
    tally.matches += count;
    tally.firstMatchAtMicros ??= count > 0 ? atMicros : undefined;
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

/** Counts one match. Keeps the latest `repoLastFetched`. Equal texts are parsed once. */
export function countMatch(tally: StreamTally, match: Match): void {
  const text = match.hasKnownFetchTime ? undefined : match.repoLastFetched;
  if (text === undefined) {
    return;
  }
  const { micros } = parseInstant(text);
  if (micros > (tally.latestFetch?.micros ?? -Infinity)) {
    tally.latestFetch = { text, micros };
  }
}

function countProgress(tally: StreamTally, { value, atMicros }: StreamEvent): void {
  if (tally.isFinished) {
    return;
  }
  const durationMs = member(value, "durationMs");
  // Numbers too large for JavaScript are parsed as infinite.
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

/** Returns the facts so far. */
export function toStreamFacts(tally: StreamTally): StreamFacts {
  const { bytes, matches, firstByteAtMicros, firstMatchAtMicros, beforeFirstMatchAtMicros, finalProgress } = tally;
  const {
    longestProgress,
    progressWithMatches,
    progressWithCount,
    latestFetch,
    doneAtMicros,
    isFinished,
    hasErrorAlert,
    isComplete,
    limit,
    counters,
    otherCounter,
  } = tally;
  const eventCounts: Readonly<Record<string, number>> = Object.fromEntries(
    [...counters.values(), otherCounter].map(({ name, count }) => [name, count]),
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
    hasOnlyProblems: hasOnlyProblems(eventCounts),
    hasErrorAlert,
    isComplete,
    eventCounts,
    ...defined({ limit }),
  };
}

function hasOnlyProblems(eventCounts: StreamFacts["eventCounts"]): boolean {
  const { alert = 0, error = 0, matches = 0, filters = 0, progress = 0 } = eventCounts;
  return alert + error > 0 && matches + filters + progress === 0;
}
