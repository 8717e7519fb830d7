import { type AnswerKind, beginningOf, classifyAnswer, isMarkup } from "@assay/reading";
import { type RecordedExchange, visibleText } from "@assay/evidence";

/**
 * The class of an answer, for judging. With a success status: a `stream`, a `web-page` from a proxy or a login, or `other-content`
 * without events, such as a JSON error. Otherwise a `refusal`, a `redirect`, `distress`, another `status`, or `nothing`. An empty or
 * unreadable body counts as a stream.
 */
export type AnswerGroup =
  | "stream"
  | "web-page"
  | "other-content"
  | "refusal"
  | "redirect"
  | "distress"
  | "status"
  | "nothing";

const groups: Readonly<Record<AnswerKind, AnswerGroup>> = {
  events: "stream",
  empty: "stream",
  "web-page": "web-page",
  json: "other-content",
  "other-content": "other-content",
  unauthorized: "refusal",
  redirect: "redirect",
  "rate-limited": "distress",
  "not-implemented": "distress",
  "gateway-error": "distress",
  unavailable: "distress",
  "server-error": "distress",
  missing: "status",
  "proxy-sign-in": "status",
  "client-error": "status",
  interim: "status",
  nothing: "nothing",
};

/** Classifies a recorded response. */
export function answerGroup(exchange: RecordedExchange): AnswerGroup {
  const { response, end } = exchange.record;
  const group = groups[classifyAnswer(response?.status, response?.headers ?? [], beginning(exchange))];
  // The content of an answer that was cut off early is unknown.
  return group === "other-content" && end.kind === "failed" ? "stream" : group;
}

/** True for success answers that are not streams. */
export const isForeign = (group: AnswerGroup): boolean => group === "web-page" || group === "other-content";

const beginning = (exchange: RecordedExchange): string =>
  exchange.unreadable === undefined ? beginningOf(exchange.chunks()) : "";

const quotedCharacters = 160;

/**
 * The beginning of a body on one line, escaped, in quotation marks and after a colon. Empty without a body, and for markup, which does
 * not help a reader here.
 */
export function quotedBody(exchange: RecordedExchange): string {
  const text = beginning(exchange);
  const words = text.replaceAll(/\s+/gu, " ").trim();
  if (words === "" || isMarkup(text)) {
    return "";
  }
  return `: "${visibleText(words, quotedCharacters)}"`;
}
