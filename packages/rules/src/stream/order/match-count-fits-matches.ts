import type { CredentialKind } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import { isOnlyInforming } from "../../engine/alert-level.ts";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "../../engine/json-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { searchQuery } from "../../engine/search-query.ts";
import { skippedEntries } from "../../engine/skipped-entry.ts";

/** Who may be refused may get a stream without matches, whatever it counts. */
const mayBeRefused: ReadonlySet<CredentialKind> = new Set(["none", "invalid-token", "unscoped-token", "unknown"]);

/** Whether the one who asked is to get what is found: what `display` does to that has rules of its own. */
function isToBeDelivered({ exchange }: StreamContext): boolean {
  const query = searchQuery(exchange);
  return query.has("q") && !query.has("display") && !mayBeRefused.has(exchange.credential);
}

interface Counted {
  readonly context: StreamContext;
  /** Whether a result came that could be read. */
  hasMatches: boolean;
  /** Whether something tells why counted matches did not come, or may be matches that cannot be read. */
  isExcused: boolean;
  /** The first final progress, if it counts. */
  final: { readonly count: number; readonly event: StreamEvent } | undefined;
}

function takeProgress(state: Counted, event: StreamEvent): void {
  state.isExcused ||= skippedEntries(event.value).length > 0;
  const count = member(event.value, "matchCount");
  if (state.final === undefined && member(event.value, "done") === true && typeof count === "number") {
    state.final = { count, event };
  }
}

function takeDone(state: Counted, _: StreamEvent, report: Reporter): void {
  const { context, final, hasMatches, isExcused } = state;
  if (final === undefined) {
    return;
  }
  const place = dataOf(final.event, "/matchCount");
  state.final = undefined;
  if (hasMatches) {
    report.observe();
    if (final.count <= 0) {
      report.violation({
        message: `matches came, and the final progress counts ${final.count}`,
        code: "counts-none",
        ...place,
      });
    }
  } else if (final.count > 0 && !isExcused && !context.damage.hasLostEvent && isToBeDelivered(context)) {
    const message = `the final progress counts ${final.count} matches, and none came in \`matches\``;
    report.violation({ message, code: "none-came", ...place });
  }
}

/**
 * Whatever is counted, where matches came it is more than none; and what is counted comes in `matches`, unless it was not asked
 * for or something tells why not. Source: search-stream, sections 1, 2.2 and 6.
 */
export const matchCountFitsMatches = defineStreamRule<Counted>({
  id: "stream/match-count-fits-matches",
  start: (context) => ({ context, hasMatches: false, isExcused: false, final: undefined }),
  on: {
    matches(state, { value }) {
      state.hasMatches ||= Array.isArray(value) && value.length > 0;
      state.isExcused ||= !Array.isArray(value);
    },
    progress: takeProgress,
    alert(state, { value }) {
      state.isExcused ||= !isOnlyInforming(value);
    },
    any(state, { name }) {
      state.isExcused ||= name === "error";
    },
    done: takeDone,
  },
});
