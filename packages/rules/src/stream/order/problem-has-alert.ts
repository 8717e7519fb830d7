import { refusableCredentials } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import { dataOf } from "../../engine/event-place.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";
import { asksForBroken } from "./broken-query-has-alert.ts";

/**
 * What must not be a problem without an alert: `any` stream that searched nothing; only a `silent` one, in which nothing but
 * `done` came, where what was asked, or by whom, is unknown and another event may say that it was not as it should; or
 * `nothing`, where how a target tells of the problem is left open.
 */
type Judged = "any" | "silent" | "nothing";

function judgedOf({ credential, request }: StreamContext["exchange"]): Judged {
  const query = searchQuery({ request });
  const names = [...query.keys()];
  // How a search with such a credential is refused is left open; a stream without matches is one way.
  if (refusableCredentials.has(credential)) {
    return "nothing";
  }
  if (names.length === 0) {
    return "silent";
  }
  const isDocumented = names.every((name) => name === "q") || hasDocumentedParameters(query);
  if (!isDocumented || (query.get("q") ?? "").trim() === "") {
    return "nothing";
  }
  return credential === "unknown" ? "silent" : "any";
}

interface State {
  readonly context: StreamContext;
  readonly judged: Judged;
  /** Whether the query cannot be understood, so that an alert tells of it, whatever else came. */
  readonly isBroken: boolean;
  isSearch: boolean;
  hasAlert: boolean;
  /** Whether something else than an alert told of a problem. */
  hasError: boolean;
}

const takeSearch = (state: State): void => {
  state.isSearch = true;
};

const isExcused = ({ judged, context }: State, done: StreamEvent): boolean =>
  judged === "nothing" || (judged === "silent" && done.index > 0) || context.damage.hasLostEvent;

function takeDone(state: State, event: StreamEvent, report: Reporter): void {
  const { isBroken, isSearch, hasAlert, hasError } = state;
  if (hasAlert) {
    report.observation(Number(!isSearch || isBroken));
  } else if ((!isSearch || (isBroken && hasError)) && !isExcused(state, event)) {
    report.observation();
    const message = isSearch
      ? "an event `error` tells that the query cannot be understood, and no `alert` does"
      : "the stream ends without a search, and no `alert` says why";
    report.violation({ message, ...dataOf(event) });
  }
}

/** A problem with a search is told in an alert, also where the stream holds nothing else. Source: search-stream, section 7. */
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
