import { eventNames } from "@assay/contract";
import type { StreamEvent } from "@assay/stream-grammar";
import { member } from "./json-value.ts";

/** What one stream came to; small, whatever the size of the stream. */
export interface StreamFacts {
  readonly bytes: number;
  readonly events: number;
  /** Elements of all `matches` arrays. */
  readonly matches: number;
  /** Stamp of the first `matches` event that is not empty. */
  readonly firstMatchAtMicros?: number;
  /** Whether a progress with `done` true came. */
  readonly isFinished: boolean;
  /** Whether alerts or errors came, and nothing that only a search sends. */
  readonly isOnlyProblems: boolean;
  /** Whether the body ended as HTTP says it should. */
  readonly isEnded: boolean;
  /** Number of events by name; names that the document does not list are counted together as `other`. */
  readonly eventCounts: Readonly<Record<string, number>>;
  /** The limit of the checker that ended the judging of this stream. */
  readonly limit?: string;
}

interface Counter {
  readonly name: string;
  count: number;
}

/** What is known of a stream while it comes. Looking at an event has to cost little beside parsing it. */
export interface StreamTally {
  bytes: number;
  matches: number;
  firstMatchAtMicros: number | undefined;
  isFinished: boolean;
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
  firstMatchAtMicros: undefined,
  isFinished: false,
  isEnded: false,
  limit: undefined,
  counters: new Map(toldApart.map((name) => [name, { name, count: 0 }])),
  others: { name: "other", count: 0 },
});

/** Takes one event into account. */
export function countEvent(tally: StreamTally, { name, value, atMicros }: StreamEvent): void {
  const counter = tally.counters.get(name) ?? tally.others;
  counter.count += 1;
  if (name === "matches" && Array.isArray(value) && value.length > 0) {
    tally.firstMatchAtMicros ??= atMicros;
    tally.matches += value.length;
  } else if (name === "progress") {
    tally.isFinished ||= member(value, "done") === true;
  }
}

/** What the stream has come to so far. */
export function factsOf(tally: StreamTally): StreamFacts {
  const { bytes, matches, firstMatchAtMicros, isFinished, isEnded, limit, counters, others } = tally;
  const eventCounts: Readonly<Record<string, number>> = Object.fromEntries(
    [...counters.values(), others].map(({ name, count }) => [name, count]),
  );
  const events = Object.values(eventCounts).reduce((sum, count) => sum + count, 0);
  return {
    bytes,
    events,
    matches,
    ...(firstMatchAtMicros === undefined ? {} : { firstMatchAtMicros }),
    isFinished,
    isOnlyProblems: isOnlyProblems(eventCounts),
    isEnded,
    eventCounts,
    ...(limit === undefined ? {} : { limit }),
  };
}

function isOnlyProblems(eventCounts: StreamFacts["eventCounts"]): boolean {
  const { alert = 0, error = 0, matches = 0, filters = 0, progress = 0 } = eventCounts;
  return alert + error > 0 && matches + filters + progress === 0;
}
