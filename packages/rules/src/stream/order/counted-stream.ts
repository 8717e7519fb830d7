import type { StreamEvent } from "@assay/stream-grammar";
import { isInformational } from "../../engine/alert-level.ts";
import { member } from "@assay/reading";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext, StreamRule } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { skippedEntries, isCutReason } from "../../engine/skipped-entry.ts";

/** A number of the final progress. */
export interface FinalCount {
  readonly count: number;
  readonly event: StreamEvent;
}

/** What a stream tells of why its matches need not be all that was counted. */
export interface CountedStream {
  readonly context: StreamContext;
  /** Whether a `matches` came that is no array, so that nobody knows what was in it. */
  hasUnreadable: boolean;
  /** Whether an alert came that does not only inform, or an error. */
  hasProblem: boolean;
  /** Whether anything was skipped, and whether it was for a reason that tells of results that were cut off. */
  hasSkipped: boolean;
  isCut: boolean;
  /** The first final progress, if it counts. */
  final: FinalCount | undefined;
}

/** Whether all that is found is to be delivered. */
export function isUnlimited({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && query.getAll("display").every((value) => value === "-1");
}

/** A rule that holds a number of the final progress against the matches of the stream. */
export interface CountRule<Kept extends object> {
  readonly id: StreamRule["id"];
  readonly key: "matchCount" | "repositoriesCount";
  /** What is kept of the matches. */
  readonly start: () => Kept;
  readonly matches: (kept: Kept, event: StreamEvent) => void;
  /** What is kept of suggested filters [nothing]. */
  readonly filters?: (kept: Kept, event: StreamEvent) => void;
  /** Asked at `done`, once, if the final progress has the number. */
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

/** Reads what the final progress counts, and what may excuse that the matches are others. Source: search-stream, sections 2.2 and 7. */
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
