import type { StreamEvent } from "@assay/stream-grammar";
import { findChunks } from "../../engine/chunk-matches.ts";
import { forEachMatch } from "../../engine/for-each-match.ts";
import { dataPosition } from "../../engine/event-position.ts";
import { isRecord, member } from "@assay/reading";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";

const hasContext = (chunk: unknown): boolean => typeof member(chunk, "context") === "string";

/** The finding for a chunk match without `context`, by where its text is. */
function describeViolation(chunk: unknown): Pick<FindingDraft, "message" | "code" | "argument"> {
  const message = "a chunk match has no string `context`";
  return member(chunk, "context") === undefined && typeof member(chunk, "content") === "string"
    ? { message: `${message}; its text is in \`content\``, code: "text-elsewhere", argument: "content" }
    : { message, code: "no-text" };
}

/** The result for the chunk matches of one event. */
interface ChunkTally {
  chunkCount: number;
  /** The first chunk match of each kind without its text, with its position, by code. */
  readonly violations: Map<string | undefined, FindingDraft>;
}

function addViolation({ violations }: ChunkTally, chunk: unknown, pointer: string): void {
  const violation = describeViolation(chunk);
  if (!violations.has(violation.code)) {
    violations.set(violation.code, { ...violation, pointer });
  }
}

/** Uses an index loop for the same reason as `eachMatch`. */
function countChunks(tally: ChunkTally, chunks: readonly unknown[], matchIndex: number): void {
  for (let index = 0; index < chunks.length; index += 1) {
    const chunk = chunks[index];
    if (isRecord(chunk)) {
      tally.chunkCount += 1;
      if (!hasContext(chunk)) {
        addViolation(tally, chunk, `/${matchIndex}/chunkMatches/${index}`);
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
  const tally: ChunkTally = { chunkCount: 0, violations: new Map() };
  forEachMatch(event, (match, index) => {
    const chunks = member(match, "chunkMatches");
    const isListed = Array.isArray(chunks);
    // Most streams contain none, and need only this check for each match.
    if ((!isListed && !state.isSearching) || member(match, "type") !== "content") {
      return;
    }
    if (isListed) {
      countChunks(tally, chunks, index);
    } else {
      // Under a different name they are recognized only by their `context`, so they always have one.
      state.isSearching = false;
      tally.chunkCount += findChunks(match).length;
    }
  });
  report.observation(tally.chunkCount);
  for (const { pointer, ...violation } of tally.violations.values()) {
    report.violation({ ...violation, ...dataPosition(event, pointer) });
  }
}

/**
 * `context` is the only specified field of a chunk match. Reports at most one violation of each kind per event. Source:
 * search-stream, section 2.3.
 */
export const chunkMatchHasContext = defineStreamRule<State>({
  id: "stream/chunk-match-has-context",
  start: ({ exchange }) => ({ isSearching: requestsChunkMatches(exchange) === true }),
  on: { matches: addMatches },
});
