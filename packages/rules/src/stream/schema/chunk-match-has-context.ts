import { arrayMember, isRecord, member } from "@assay/reading";
import type { Match } from "../../engine/matches/match.ts";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";

const hasContext = (chunk: unknown): boolean => typeof member(chunk, "context") === "string";

/** Returns the finding for a chunk match without `context`, by where its text is. */
function describeViolation(chunk: unknown): Pick<FindingDraft, "message" | "code" | "argument"> {
  const message = "a chunk match has no string `context`";
  return member(chunk, "context") === undefined && typeof member(chunk, "content") === "string"
    ? { message: `${message}; its text is in \`content\``, code: "text-elsewhere", argument: "content" }
    : { message, code: "no-text" };
}

interface State {
  /**
   * Whether chunk matches under a different name must still be searched for. Checking one content match per stream is
   * enough.
   */
  isSearching: boolean;
  /** Codes of the violations that were reported for the current event. */
  readonly reportedCodes: Set<string | undefined>;
}

function judgeChunks(state: State, match: Match, report: Reporter): void {
  for (const [index, chunk] of arrayMember(match.value, "chunkMatches").entries()) {
    const violation = isRecord(chunk) && !hasContext(chunk) ? describeViolation(chunk) : undefined;
    if (violation !== undefined && !state.reportedCodes.has(violation.code)) {
      state.reportedCodes.add(violation.code);
      report.violation({ ...violation, ...match.position(`/chunkMatches/${index}`) });
    }
  }
}

/**
 * `context` is the only specified field of a chunk match. Reports at most one violation of each kind per event. Source:
 * search-stream, section 2.3.
 */
export const chunkMatchHasContext = defineStreamRule<State>({
  id: "stream/chunk-match-has-context",
  start: ({ exchange }) => ({ isSearching: requestsChunkMatches(exchange) === true, reportedCodes: new Set() }),
  on: {
    match(state, match, report) {
      if (match.index === 0 && state.reportedCodes.size > 0) {
        state.reportedCodes.clear();
      }
      // Most streams contain no chunk matches, and need only this check for each match.
      if ((!match.hasListedChunks && !state.isSearching) || match.type !== "content") {
        return;
      }
      if (!match.hasListedChunks) {
        // Chunk matches under a different name are recognized by their `context`, so they always have one.
        state.isSearching = false;
      }
      report.observation(match.chunkCount);
      if (match.hasListedChunks && !match.hasContexts) {
        judgeChunks(state, match, report);
      }
    },
  },
});
