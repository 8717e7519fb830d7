import type { StreamEvent } from "@assay/stream-grammar";
import { chunksOf } from "../../engine/chunk-matches.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { isRecord, member } from "@assay/reading";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";

const hasContext = (chunk: unknown): boolean => typeof member(chunk, "context") === "string";

/** Code of a chunk match without `context`: the place of its text, if any. */
function kindOf(chunk: unknown): Pick<FindingDraft, "message" | "code" | "argument"> {
  const message = "a chunk match has no string `context`";
  return member(chunk, "context") === undefined && typeof member(chunk, "content") === "string"
    ? { message: `${message}; its text is in \`content\``, code: "text-elsewhere", argument: "content" }
    : { message, code: "no-text" };
}

/** The result for the chunk matches of one event. */
interface Tally {
  chunks: number;
  /** The first one of each kind without its text, with its position, by code. */
  readonly bare: Map<string | undefined, FindingDraft>;
}

function takeBare({ bare }: Tally, chunk: unknown, pointer: string): void {
  const kind = kindOf(chunk);
  if (!bare.has(kind.code)) {
    bare.set(kind.code, { ...kind, pointer });
  }
}

/** An index loop, for the same reason as in `eachMatch`. */
function takeUsual(tally: Tally, chunks: readonly unknown[], matchIndex: number): void {
  for (let index = 0; index < chunks.length; index += 1) {
    const chunk = chunks[index];
    if (isRecord(chunk)) {
      tally.chunks += 1;
      if (!hasContext(chunk)) {
        takeBare(tally, chunk, `/${matchIndex}/chunkMatches/${index}`);
      }
    }
  }
}

interface State {
  /** Whether chunk matches under another name must still be searched: one content match of a stream is enough. */
  isSought: boolean;
}

function addMatches(state: State, event: StreamEvent, report: Reporter): void {
  const tally: Tally = { chunks: 0, bare: new Map() };
  eachMatch(event, (match, index) => {
    const usual = member(match, "chunkMatches");
    const isUsual = Array.isArray(usual);
    // Most streams have none, and need only this for a match.
    if ((!isUsual && !state.isSought) || member(match, "type") !== "content") {
      return;
    }
    if (isUsual) {
      takeUsual(tally, usual, index);
    } else {
      // Under another name they are only recognised by their `context`, so they always have one.
      state.isSought = false;
      tally.chunks += chunksOf(match).length;
    }
  });
  report.observation(tally.chunks);
  for (const { pointer, ...kind } of tally.bare.values()) {
    report.violation({ ...kind, ...dataOf(event, pointer) });
  }
}

/**
 * The only specified field of a chunk match. At most one violation of a kind per event. Source: search-stream,
 * section 2.3.
 */
export const chunkMatchHasContext = defineStreamRule<State>({
  id: "stream/chunk-match-has-context",
  start: ({ exchange }) => ({ isSought: chunkMatchesAsked(exchange) === true }),
  on: { matches: addMatches },
});
