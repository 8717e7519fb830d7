import type { StreamEvent } from "@assay/stream-grammar";
import { isInformational } from "../../engine/alert-level.ts";
import { member } from "@assay/reading";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext, StreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { skippedEntries, isCutReason } from "../../engine/skipped-entry.ts";

/** A number in the final `progress` event. */
export interface FinalCount {
  readonly count: number;
  readonly event: StreamEvent;
}

/** The reasons in a stream why its matches may differ from the count. */
export interface CountedStream {
  readonly context: StreamContext;
  /** Whether a `matches` event was not an array, so that its content is unknown. */
  hasUnreadable: boolean;
  /** Whether there was an error, or an alert that is not only informational. */
  hasProblem: boolean;
  /** Whether there were skipped entries. */
  hasSkipped: boolean;
  /** Whether a skip reason means that results were cut off. */
  isCut: boolean;
  /** The first final `progress` event, if it contains the count. */
  final: FinalCount | undefined;
}

/** Reports whether all matches must be returned. */
export function isUnlimited({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && query.getAll("display").every((value) => value === "-1");
}

/** A rule that compares a number in the final `progress` event with the matches of the stream. */
export interface CountRule<Kept extends object> {
  readonly id: StreamRule["id"];
  readonly key: "matchCount" | "repositoriesCount";
  /** The tracked facts about the matches. */
  readonly start: () => Kept;
  readonly matches: (kept: Kept, event: StreamEvent) => void;
  /** Tracks suggested filters [not tracked]. */
  readonly filters?: (kept: Kept, event: StreamEvent) => void;
  /** Called once at `done`, if the final `progress` event contains the number. */
  readonly judge: (
    stream: CountedStream,
    judged: { readonly kept: Kept; readonly final: FinalCount },
    report: Reporter,
  ) => void;
}

function addProgress(stream: CountedStream, event: StreamEvent, key: string): void {
  const entries = skippedEntries(event.value);
  stream.hasSkipped ||= entries.length > 0;
  stream.isCut ||= entries.some((entry) => isCutReason(member(entry, "reason")));
  const count = member(event.value, key);
  if (stream.final === undefined && member(event.value, "done") === true && typeof count === "number") {
    stream.final = { count, event };
  }
}

const emptyStream = (context: StreamContext): CountedStream => ({
  context,
  hasUnreadable: false,
  hasProblem: false,
  hasSkipped: false,
  isCut: false,
  final: undefined,
});

/**
 * Defines a rule that reads the count of the final `progress` event, and the reasons why the matches may differ.
 * Source: search-stream, sections 2.2 and 7.
 */
export const defineCountRule = <Kept extends object>({
  id,
  key,
  start,
  matches,
  filters,
  judge,
}: CountRule<Kept>): StreamRule =>
  defineStreamRule<{ readonly stream: CountedStream; readonly kept: Kept }>({
    id,
    start: (context) => ({ stream: emptyStream(context), kept: start() }),
    on: {
      any({ stream }, { name }) {
        stream.hasProblem ||= name === "error";
      },
      alert({ stream }, { value }) {
        stream.hasProblem ||= !isInformational(value);
      },
      matches({ stream, kept }, event) {
        stream.hasUnreadable ||= !Array.isArray(event.value);
        matches(kept, event);
      },
      filters: ({ kept }, event) => filters?.(kept, event),
      progress: ({ stream }, event) => addProgress(stream, event, key),
      done({ stream, kept }, _, report) {
        const { final } = stream;
        if (final !== undefined) {
          judge(stream, { kept, final }, report);
          stream.final = undefined;
        }
      },
    },
  });
