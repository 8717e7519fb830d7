import { refusableCredentials } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import { dataPosition } from "../../engine/event-position.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";
import { hasBrokenPattern } from "./broken-query-has-alert.ts";

/**
 * Which streams without an alert fail. `any`: every stream without a search. `empty`: only a stream that contains
 * nothing but `done`, because the search or its client is unknown and another event may report the problem. `none`: no
 * stream, because it is unspecified how the problem is reported.
 */
type Scope = "any" | "empty" | "none";

function determineScope({ credential, request }: StreamContext["exchange"]): Scope {
  const query = searchQuery({ request });
  const names = [...query.keys()];
  // The form of a refusal of this credential is unspecified. A stream without matches is one form.
  if (refusableCredentials.has(credential)) {
    return "none";
  }
  if (names.length === 0) {
    return "empty";
  }
  const isDocumented = names.every((name) => name === "q") || hasDocumentedParameters(query);
  if (!isDocumented || (query.get("q") ?? "").trim() === "") {
    return "none";
  }
  return credential === "unknown" ? "empty" : "any";
}

interface State {
  readonly context: StreamContext;
  readonly scope: Scope;
  /** Whether the query is invalid, so that an alert must report it. */
  readonly isInvalidQuery: boolean;
  hasAlert: boolean;
}

const isExcused = ({ scope, context }: State, done: StreamEvent): boolean =>
  scope === "none" || (scope === "empty" && done.index > 0) || context.gaps.hasLostEvent;

function judgeDone(state: State, event: StreamEvent, report: Reporter): void {
  const { isInvalidQuery, hasAlert, context } = state;
  const { hasSearchEvent } = context.progress;
  if (hasAlert) {
    report.observation(Number(!hasSearchEvent || isInvalidQuery));
  } else if ((!hasSearchEvent || (isInvalidQuery && context.gaps.hasErrorEvent)) && !isExcused(state, event)) {
    report.observation();
    const message = hasSearchEvent
      ? "an event `error` reports an invalid query, but no `alert` does"
      : "the stream ends without a search, and no `alert` gives the reason";
    report.violation({ message, ...dataPosition(event) });
  }
}

/**
 * An alert reports a problem with a search, even if the stream contains nothing else. Source: search-stream, section 7.
 */
export const problemHasAlert = defineStreamRule<State>({
  id: "stream/problem-has-alert",
  start: (context) => ({
    context,
    scope: determineScope(context.exchange),
    isInvalidQuery: hasBrokenPattern(context.exchange),
    hasAlert: false,
  }),
  on: {
    alert(state) {
      state.hasAlert = true;
    },
    done: judgeDone,
  },
});
