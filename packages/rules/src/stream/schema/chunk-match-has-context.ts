import type { StreamEvent } from "@assay/stream-grammar";
import { chunksOf } from "../../engine/chunk-matches.ts";
import { eachMatch } from "../../engine/each-match.ts";
import { dataOf } from "../../engine/event-place.ts";
import { isRecord, member } from "@assay/reading";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";

const hasContext = (chunk: unknown): boolean => typeof member(chunk, "context") === "string";

/** What tells one without `context` apart from others: where its text is instead, if anywhere. */
function kindOf(chunk: unknown): Pick<FindingDraft, "message" | "code" | "argument"> {
  const message = "a chunk match has no string `context`";
  return member(chunk, "context") === undefined && typeof member(chunk, "content") === "string"
    ? { message: `${message}; its text is in \`content\``, code: "text-elsewhere", argument: "content" }
    : { message, code: "no-text" };
}

/** What the chunk matches of one event come to. */
interface Tally {
  chunks: number;
  /** The first one of each kind without its text, and where it is, by the code of the kind. */
  readonly bare: Map<string | undefined, FindingDraft>;
}

function takeBare({ bare }: Tally, chunk: unknown, pointer: string): void {
  const kind = kindOf(chunk);
  if (!bare.has(kind.code)) {
    bare.set(kind.code, { ...kind, pointer });
  }
}

/** Counts by hand, as `eachMatch` does and for the same reason. */
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
  /** Whether chunk matches under another name are still to be looked for: one content match of a stream tells. */
  isSought: boolean;
}

function addMatches(state: State, event: StreamEvent, report: Reporter): void {
  const tally: Tally = { chunks: 0, bare: new Map() };
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
  report.observation(tally.chunks);
  for (const { pointer, ...kind } of tally.bare.values()) {
    report.violation({ ...kind, ...dataOf(event, pointer) });
  }
}

/** The one field of a chunk match that the document names. At most one violation of a kind an event. Source: search-stream, section 2.3. */
export const chunkMatchHasContext = defineStreamRule<State>({
  id: "stream/chunk-match-has-context",
  start: ({ exchange }) => ({ isSought: chunkMatchesAsked(exchange) === true }),
  on: { matches: addMatches },
});
