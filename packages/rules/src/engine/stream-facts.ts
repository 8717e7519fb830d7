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
  /** Whether events came and all of them are alerts, errors or `done`. */
  readonly isOnlyProblems: boolean;
  /** Whether the body ended as HTTP says it should. */
  readonly isEnded: boolean;
  /** Number of events by name; names that the document does not list are counted together as `other`. */
  readonly eventCounts: Readonly<Record<string, number>>;
  /** The limit of the checker that ended the judging of this stream. */
  readonly limit?: string;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Facts of a stream of which nothing has been seen. */
export const noFacts = (): StreamFactsDraft => ({
  bytes: 0,
  events: 0,
  matches: 0,
  isFinished: false,
  isOnlyProblems: false,
  isEnded: false,
  eventCounts: { matches: 0, progress: 0, filters: 0, alert: 0, done: 0, error: 0, other: 0 },
});

export type StreamFactsDraft = Writable<Omit<StreamFacts, "eventCounts">> & {
  readonly eventCounts: Record<string, number>;
};

/** Takes one event into account. */
export function countEvent(facts: StreamFactsDraft, event: StreamEvent): void {
  const { eventCounts } = facts;
  const key = Object.hasOwn(eventCounts, event.name) ? event.name : "other";
  eventCounts[key] = (eventCounts[key] ?? 0) + 1;
  facts.events += 1;
  readers[key]?.(facts, event);
  facts.isOnlyProblems = isOnlyProblems(facts);
}

const readers: Readonly<Record<string, (facts: StreamFactsDraft, event: StreamEvent) => void>> = {
  matches(facts, { value, atMicros }) {
    if (Array.isArray(value) && value.length > 0) {
      facts.firstMatchAtMicros ??= atMicros;
      facts.matches += value.length;
    }
  },
  progress(facts, { value }) {
    facts.isFinished ||= member(value, "done") === true;
  },
};

function isOnlyProblems({ eventCounts, events }: StreamFactsDraft): boolean {
  const { alert = 0, error = 0, done = 0 } = eventCounts;
  return alert + error > 0 && alert + error + done === events;
}
