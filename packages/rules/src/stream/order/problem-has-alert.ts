import type { CredentialKind } from "@assay/evidence";
import type { StreamEvent } from "@assay/stream-grammar";
import { dataOf } from "../../engine/event-place.ts";
import { member } from "../../engine/json-value.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { StreamContext } from "../../engine/rule.ts";
import { hasDocumentedParameters, searchQuery } from "../../engine/search-query.ts";

/** How a search with such a credential is refused is left open; a stream without matches is one way. */
const mayBeRefused: ReadonlySet<CredentialKind> = new Set(["none", "invalid-token", "unscoped-token"]);

/**
 * What must not be a problem without an alert: `any` stream that searched nothing; only a `silent` one, in which nothing but
 * `done` came, where what was asked, or by whom, is unknown and another event may say that it was not as it should; or
 * `nothing`, where how a target tells of the problem is left open.
 */
type Judged = "any" | "silent" | "nothing";

function judgedOf({ credential, request }: StreamContext["exchange"]): Judged {
  const query = searchQuery({ request });
  const names = [...query.keys()];
  if (mayBeRefused.has(credential)) {
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

const asExpression = /(?:^|\s)patternType:regexp(?=\s|$)/iu;

/**
 * Whether a query asks for an opening parenthesis alone as a regular expression, which it is not. Who takes it for a text finds it in any code, so a search that
 * finds nothing did not understand it.
 */
function isBrokenExpression({ request }: StreamContext["exchange"]): boolean {
  const q = searchQuery({ request }).get("q") ?? "";
  return asExpression.test(q) && q.replace(asExpression, "").trim() === "(";
}

interface State {
  readonly context: StreamContext;
  readonly judged: Judged;
  /** Whether the query cannot be understood, so that a search that found nothing was none. */
  readonly isBroken: boolean;
  /** Whether something was found, or skipped. */
  hasFound: boolean;
  isSearch: boolean;
  hasAlert: boolean;
}

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

function takeSearch(state: State, { value }: StreamEvent): void {
  state.isSearch = true;
  // What cannot be read may have told of it.
  const counted = member(value, "matchCount");
  state.hasFound ||= hasEntries(value) || hasEntries(member(value, "skipped"));
  state.hasFound ||= !Array.isArray(value) && counted !== 0;
}

function takeDone(state: State, event: StreamEvent, report: Reporter): void {
  const { context, judged, isBroken, hasFound, isSearch, hasAlert } = state;
  const isExcused = judged === "nothing" || (judged === "silent" && event.index > 0) || context.damage.hasLostEvent;
  const wasNone = !isSearch || (isBroken && !hasFound && judged === "any");
  if (!wasNone || (!hasAlert && isExcused)) {
    return;
  }
  report.observe();
  if (!hasAlert) {
    const message = isSearch
      ? "a regular expression that is broken finds nothing, and no `alert` says why"
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
    isBroken: isBrokenExpression(context.exchange),
    hasFound: false,
    isSearch: false,
    hasAlert: false,
  }),
  on: {
    matches: takeSearch,
    filters: takeSearch,
    progress: takeSearch,
    alert(state) {
      state.hasAlert = true;
    },
    done: takeDone,
  },
});
