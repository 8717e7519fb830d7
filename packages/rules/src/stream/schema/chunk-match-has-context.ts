import type { StreamEvent } from "@assay/stream-grammar";
import { chunksOf } from "../../engine/chunk-matches.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { isRecord, member } from "../../engine/json-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";

const hasContext = (chunk: unknown): boolean => typeof member(chunk, "context") === "string";

function messageFor(chunk: unknown): string {
  const other = typeof member(chunk, "content") === "string" ? "; its text is in `content`" : "";
  return `a chunk match has no string \`context\`${other}`;
}

/** What the chunk matches of one event come to. */
interface Tally {
  chunks: number;
  /** The first one without its text, and where it is. */
  bare: { readonly chunk: unknown; readonly pointer: string } | undefined;
}

/** Counts by hand, as `eachMatch` does and for the same reason. */
function takeUsual(tally: Tally, chunks: readonly unknown[], matchIndex: number): void {
  for (let index = 0; index < chunks.length; index += 1) {
    const chunk = chunks[index];
    if (isRecord(chunk)) {
      tally.chunks += 1;
      if (!hasContext(chunk)) {
        tally.bare ??= { chunk, pointer: `/${matchIndex}/chunkMatches/${index}` };
      }
    }
  }
}

interface State {
  /** Whether chunk matches under another name are still to be looked for: one content match of a stream tells. */
  isSought: boolean;
}

function takeMatches(state: State, event: StreamEvent, report: Reporter): void {
  const tally: Tally = { chunks: 0, bare: undefined };
  eachMatch(event, (match, index) => {
    const usual = member(match, "chunkMatches");
    const isUsual = Array.isArray(usual);
    // In most streams there are none, and this is all that is done for a match.
    if ((!isUsual && !state.isSought) || member(match, "type") !== "content") {
      return;
    }
    if (isUsual) {
      takeUsual(tally, usual, index);
    } else {
      // Under another name they are known by nothing but their `context`, so there is nothing to find fault with.
      state.isSought = false;
      tally.chunks += chunksOf(match).length;
    }
  });
  report.observe(tally.chunks);
  if (tally.bare !== undefined) {
    report.violation({ message: messageFor(tally.bare.chunk), ...dataOf(event, tally.bare.pointer) });
  }
}

/** The one field of a chunk match that the document names. At most one violation an event. Source: search-stream, section 2.3. */
export const chunkMatchHasContext = defineStreamRule<State>({
  id: "stream/chunk-match-has-context",
  start: ({ exchange }) => ({ isSought: chunkMatchesAsked(exchange) === true }),
  on: { matches: takeMatches },
});
