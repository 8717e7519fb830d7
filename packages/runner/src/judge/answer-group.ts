import { type AnswerKind, beginningOf, classifyAnswer, isMarkup } from "@assay/reading";
import { type RecordedExchange, visibleText } from "@assay/evidence";

/**
 * What came back, as far as judging goes: a `stream` to be judged; with a status of success a `web-page` of a proxy or a login, or
 * `other-content` in which nothing looks like an event, such as a JSON error; a `refusal`, a `redirect`, `distress`, another
 * `status`, or `nothing`. A body without any byte, or one that cannot be read, counts as a stream: nothing contradicts that.
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

/** What a recorded response is. */
export function answerGroup(exchange: RecordedExchange): AnswerGroup {
  const { response, end } = exchange.record;
  const group = groups[classifyAnswer(response?.status, response?.headers ?? [], beginning(exchange))];
  // What broke off early may have become anything.
  return group === "other-content" && end.kind === "failed" ? "stream" : group;
}

/** Whether an answer of this group came instead of a stream. */
export const isForeign = (group: AnswerGroup): boolean => group === "web-page" || group === "other-content";

const beginning = (exchange: RecordedExchange): string =>
  exchange.unreadable === undefined ? beginningOf(exchange.chunks()) : "";

const quotedCharacters = 160;

/**
 * What a body says in words, between quotation marks and behind a colon: its beginning on one line, visibly escaped. Empty
 * without a body, and for markup, in which nothing is said to a person who reads it here.
 */
export function quotedBody(exchange: RecordedExchange): string {
  const text = beginning(exchange);
  const words = text.replaceAll(/\s+/gu, " ").trim();
  if (words === "" || isMarkup(text)) {
    return "";
  }
  return `: "${visibleText(words, quotedCharacters)}"`;
}
