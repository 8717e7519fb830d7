import type { StreamEvent } from "@assay/stream-grammar";
import { findChunks } from "../../engine/chunk-matches.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataPlace } from "../../engine/event-place.ts";
import { isRecord, member } from "@assay/reading";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";

const hasContext = (chunk: unknown): boolean => typeof member(chunk, "context") === "string";

/** The finding for a chunk match without `context`, by where its text is. */
function describeViolation(chunk: unknown): Pick<FindingDraft, "message" | "code" | "argument"> {
  const message = "a chunk match has no string `context`";
  return member(chunk, "context") === undefined && typeof member(chunk, "content") === "string"
    ? { message: `${message}; its text is in \`content\``, code: "text-elsewhere", argument: "content" }
    : { message, code: "no-text" };
}

/** The result for the chunk matches of one event. */
interface Tally {
  chunks: number;
  /** The first chunk match of each kind without its text, with its position, by code. */
  readonly bare: Map<string | undefined, FindingDraft>;
}

function addBare({ bare }: Tally, chunk: unknown, pointer: string): void {
  const kind = describeViolation(chunk);
  if (!bare.has(kind.code)) {
    bare.set(kind.code, { ...kind, pointer });
  }
}

/** Uses an index loop for the same reason as `eachMatch`. */
function countListed(tally: Tally, chunks: readonly unknown[], matchIndex: number): void {
  for (let index = 0; index < chunks.length; index += 1) {
    const chunk = chunks[index];
    if (isRecord(chunk)) {
      tally.chunks += 1;
      if (!hasContext(chunk)) {
        addBare(tally, chunk, `/${matchIndex}/chunkMatches/${index}`);
      }
    }
  }
}

interface State {
  /**
   * Whether chunk matches under a different name must still be searched for. Checking one content match per stream is
   * enough.
   */
  isSearching: boolean;
}

function addMatches(state: State, event: StreamEvent, report: Reporter): void {
  const tally: Tally = { chunks: 0, bare: new Map() };
  eachMatch(event, (match, index) => {
    const chunks = member(match, "chunkMatches");
    const isListed = Array.isArray(chunks);
    // Most streams contain none, and need only this check for each match.
    if ((!isListed && !state.isSearching) || member(match, "type") !== "content") {
      return;
    }
    if (isListed) {
      countListed(tally, chunks, index);
    } else {
      // Under a different name they are recognized only by their `context`, so they always have one.
      state.isSearching = false;
      tally.chunks += findChunks(match).length;
    }
  });
  report.observation(tally.chunks);
  for (const { pointer, ...kind } of tally.bare.values()) {
    report.violation({ ...kind, ...dataPlace(event, pointer) });
  }
}

/**
 * `context` is the only specified field of a chunk match. Reports at most one violation of each kind per event. Source:
 * search-stream, section 2.3.
 */
export const chunkMatchHasContext = defineStreamRule<State>({
  id: "stream/chunk-match-has-context",
  start: ({ exchange }) => ({ isSearching: chunkMatchesAsked(exchange) === true }),
  on: { matches: addMatches },
});
