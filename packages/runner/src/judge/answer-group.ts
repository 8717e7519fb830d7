import { type AnswerKind, bodyBeginning, classifyAnswer, isMarkup } from "@assay/reading";
import { type RecordedExchange, visibleText } from "@assay/evidence";

/**
 * The class of a response, for judging. Successful responses are a `stream`, a `web-page` from a proxy or login, or `other-content`
 * without events, such as a JSON error. All others are a `refusal`, a `redirect`, `distress`, a different `status`, or `nothing`. An
 * empty or unreadable body is classified as a stream.
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
  "not-found": "status",
  "proxy-auth": "status",
  "client-error": "status",
  informational: "status",
  "no-response": "nothing",
};

/** Classifies a recorded response. */
export function findAnswerGroup(exchange: RecordedExchange): AnswerGroup {
  const { response, end } = exchange.record;
  const group = groups[classifyAnswer(response?.status, response?.headers ?? [], readBeginning(exchange))];
  // The content of a response that was cut off early is unknown.
  return group === "other-content" && end.kind === "failed" ? "stream" : group;
}

/** Reports whether a successful response is not a stream. */
export const isSuccessWithoutStream = (group: AnswerGroup): boolean =>
  group === "web-page" || group === "other-content";

const readBeginning = (exchange: RecordedExchange): string =>
  exchange.unreadable === undefined ? bodyBeginning(exchange.chunks()) : "";

const maxQuotedCharacters = 160;

/**
 * Returns a colon and the quoted, escaped beginning of a body on one line. Returns an empty string if there is no body or if it is
 * markup, which is of no use in a message.
 */
export function quoteBody(exchange: RecordedExchange): string {
  const text = readBeginning(exchange);
  const singleLine = text.replaceAll(/\s+/gu, " ").trim();
  if (singleLine === "" || isMarkup(text)) {
    return "";
  }
  return `: "${visibleText(singleLine, maxQuotedCharacters)}"`;
}
