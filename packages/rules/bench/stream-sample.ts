import { defined } from "@assay/contract";
import { matchSource } from "./match-source.ts";
import type { MatchSource } from "./match-source.ts";
import { seededRandom } from "./seeded-random.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { streamProfiles } from "./stream-profiles.ts";
import type { ProfileName, StreamProfile } from "./stream-profiles.ts";

export interface SampleOptions {
  readonly profile: ProfileName;
  /** The stream is at least this long; it ends with the event that gets there, a last progress and `done`. */
  readonly minBytes: number;
  readonly seed: number;
}

/** A whole stream that keeps every rule. */
export interface StreamSample {
  readonly bytes: Buffer;
  readonly events: number;
  /** Elements of all `matches` arrays. */
  readonly matches: number;
  readonly largestEventBytes: number;
}

/** An event as it goes over the wire. */
export function eventText(name: string, data: unknown, escapesMarkup = false): string {
  const json = JSON.stringify(data);
  const written = escapesMarkup ? json.replace(/[<>&]/gu, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`) : json;
  return `event: ${name}\ndata: ${written}\n\n`;
}

/** A judge that is given a whole stream at once takes it for one of no time, and warns where the search claims more than a second. */
const maxDurationMs = 1000;

/** The data of a progress event, `turn` milliseconds after the first; `repositoriesCount` belongs to the last one. */
export const progress = (matchCount: number, turn: number, repositoriesCount?: number): object => ({
  done: repositoriesCount !== undefined,
  ...defined({ repositoriesCount }),
  matchCount,
  durationMs: Math.min(turn, maxDurationMs),
  skipped: turn % 50 === 0 && turn > 0 ? [limitHit] : [],
});

const limitHit = {
  reason: "shard-match-limit",
  title: "result limit hit",
  message: "Not all results have been returned due to hitting a match limit.",
  severity: "info",
  suggested: { title: "increase limit", queryExpression: "count:1000" },
};

interface Drawing {
  readonly profile: StreamProfile;
  readonly source: MatchSource;
  readonly random: SeededRandom;
}

/** The same filters in every event, so that a stream can repeat its events. */
const filtersInEvent = 13;

/** The events of a search that goes on for ever: results, with a progress now and then and filters more rarely. */
export function* searchEvents(name: ProfileName, seed: number): Generator<SearchEvent, never> {
  const profile = streamProfiles[name];
  const drawing: Drawing = { profile, source: matchSource(profile, seed), random: seededRandom(seed + 1) };
  const { source } = drawing;
  const write = (event: string, data: unknown): string => eventText(event, data, profile.escapesMarkup);
  let matches = 0;
  for (let turn = 1; ; turn += 1) {
    const count = matchesIn(drawing, turn);
    matches += count;
    yield { text: write("matches", source.matches(count)), matches, turn };
    if (turn % 5 === 0) {
      yield { text: write("progress", progress(matches, turn)), matches, turn };
    }
    if (turn % 20 === 0) {
      yield { text: write("filters", source.filters(filtersInEvent, matches)), matches, turn };
    }
  }
}

/** An event, how many matches have gone out with it, and how many `matches` events. */
export interface SearchEvent {
  readonly text: string;
  readonly matches: number;
  readonly turn: number;
}

function matchesIn({ profile, random }: Drawing, turn: number): number {
  const [from, to] = profile.matchesPerEvent;
  const isBig = profile.bigEventMatches !== undefined && turn % 40 === 0;
  return isBig ? profile.bigEventMatches : random.integer(from, to);
}

/** Makes one stream of a profile. */
export function streamSample({ profile, minBytes, seed }: SampleOptions): StreamSample {
  const parts = [Buffer.from(eventText("progress", progress(0, 0)))];
  let bytes = parts[0]?.length ?? 0;
  let largestEventBytes = bytes;
  let last = { matches: 0, turn: 0 };
  for (const event of searchEvents(profile, seed)) {
    const part = Buffer.from(event.text);
    parts.push(part);
    bytes += part.length;
    largestEventBytes = Math.max(largestEventBytes, part.length);
    last = event;
    if (bytes >= minBytes) {
      break;
    }
  }
  parts.push(Buffer.from(eventText("progress", progress(last.matches, last.turn, repositoriesIn(parts)))));
  parts.push(Buffer.from(eventText("done", {})));
  return { bytes: Buffer.concat(parts), events: parts.length, matches: last.matches, largestEventBytes };
}

/** Repositories that the matches of these events are of. */
export const repositoriesIn = (parts: readonly Buffer[]): number =>
  new Set(parts.flatMap((part) => part.toString().match(/"repository":"[^"]*"/gu) ?? [])).size;

/** Cuts bytes into views of 32 to 96 KB, as a network might; equal seeds cut alike. */
export function randomCuts(bytes: Buffer, seed: number): readonly Buffer[] {
  const random = seededRandom(seed);
  const cuts: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + random.integer(32 * 1024, 96 * 1024);
    cuts.push(bytes.subarray(start, end));
    start = end;
  }
  return cuts;
}
