import { refusableCredentials } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import { dataOf } from "../../engine/event-place.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";
import { asksForBroken } from "./broken-query-has-alert.ts";

/**
 * Which streams without an alert fail: `any` stream that searched nothing; only an `empty` one with nothing but
 * `done`, if the search or its sender is unknown and another event may report the problem; or `none`, if the report
 * of the problem is unspecified.
 */
type Judged = "any" | "empty" | "none";

function judgedOf({ credential, request }: StreamContext["exchange"]): Judged {
  const query = searchQuery({ request });
  const names = [...query.keys()];
  // The refusal of such a credential is unspecified; a stream without matches is one form.
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
  readonly judged: Judged;
  /** Whether the query is invalid, so that an alert must report it. */
  readonly isBroken: boolean;
  isSearch: boolean;
  hasAlert: boolean;
  /** Whether another event reported a problem. */
  hasError: boolean;
}

const takeSearch = (state: State): void => {
  state.isSearch = true;
};

const isExcused = ({ judged, context }: State, done: StreamEvent): boolean =>
  judged === "none" || (judged === "empty" && done.index > 0) || context.damage.hasLostEvent;

function takeDone(state: State, event: StreamEvent, report: Reporter): void {
  const { isBroken, isSearch, hasAlert, hasError } = state;
  if (hasAlert) {
    report.observation(Number(!isSearch || isBroken));
  } else if ((!isSearch || (isBroken && hasError)) && !isExcused(state, event)) {
    report.observation();
    const message = isSearch
      ? "an event `error` reports an invalid query, but no `alert` does"
      : "the stream ends without a search, and no `alert` says why";
    report.violation({ message, ...dataOf(event) });
  }
}

/** An alert reports a problem with a search, also if the stream has nothing else. Source: search-stream, section 7. */
export const problemHasAlert = defineStreamRule<State>({
  id: "stream/problem-has-alert",
  start: (context) => ({
    context,
    judged: judgedOf(context.exchange),
    isBroken: asksForBroken(context.exchange),
    isSearch: false,
    hasAlert: false,
    hasError: false,
  }),
  on: {
    matches: takeSearch,
    filters: takeSearch,
    progress: takeSearch,
    alert(state) {
      state.hasAlert = true;
    },
    any(state, { name }) {
      state.hasError ||= name === "error";
    },
    done: takeDone,
  },
});
