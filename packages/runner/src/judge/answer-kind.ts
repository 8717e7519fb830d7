import { type RecordedExchange, visibleText } from "@assay/evidence";

/**
 * What came back, as far as judging goes: a `stream` to be judged; with a status of success a `web-page` that a proxy or a
 * login may have put in its place, or `other-content` in which nothing looks like an event, such as a JSON error; a
 * `refusal` (401, 403), a `redirect`, `distress` (429, 5xx), another `status`, or `nothing`. A body without any byte, or one
 * that cannot be read, counts as a stream: nothing speaks against it.
 */
export type AnswerKind =
  | "stream"
  | "web-page"
  | "other-content"
  | "refusal"
  | "redirect"
  | "distress"
  | "status"
  | "nothing";

/** A field of an event or a comment at the beginning of any line, however it is written. */
const fieldLine = /^\uFEFF?[ \t]*(?:event|data|id|retry)?[ \t]*:/imu;
const page = /^\uFEFF?\s*<(?:!doctype|html)\b/iu;
const markup = /^\uFEFF?\s*</u;
const sniffedBytes = 4096;

/** The kind of answer of an exchange. The value of `Content-Type` is left open by the document, so the bytes decide. */
export function answerKind(exchange: RecordedExchange): AnswerKind {
  const status = exchange.record.response?.status;
  if (status === undefined) {
    return "nothing";
  }
  if (status < 200 || status >= 300) {
    return statusKind(status);
  }
  const kind = contentKind(beginning(exchange));
  // What broke off early may have become anything.
  return kind === "other-content" && exchange.record.end.kind === "failed" ? "stream" : kind;
}

/** Whether an answer of this kind stands in the place of a stream. */
export const isForeign = (kind: AnswerKind): boolean => kind === "web-page" || kind === "other-content";

function contentKind(text: string): AnswerKind {
  // A script in a page may look like fields.
  if (!page.test(text) && (text === "" || fieldLine.test(text))) {
    return "stream";
  }
  return markup.test(text) ? "web-page" : "other-content";
}

function statusKind(status: number): AnswerKind {
  if (status === 401 || status === 403) {
    return "refusal";
  }
  if (status === 429 || status >= 500) {
    return "distress";
  }
  return status >= 300 && status < 400 ? "redirect" : "status";
}

const quotedCharacters = 160;

/**
 * What a body says in words, between quotation marks and behind a colon: its beginning on one line, visibly escaped. Empty
 * without a body, and for markup, in which nothing is said to a person who reads it here.
 */
export function quotedBody(exchange: RecordedExchange): string {
  const text = exchange.record.response === undefined ? "" : beginning(exchange);
  const words = text.replaceAll(/\s+/gu, " ").trim();
  if (words === "" || markup.test(text)) {
    return "";
  }
  return `: "${visibleText(words, quotedCharacters)}"`;
}

function beginning(exchange: RecordedExchange): string {
  if (exchange.unreadable !== undefined) {
    return "";
  }
  let text = "";
  for (const { bytes } of exchange.chunks()) {
    text += new TextDecoder().decode(bytes.subarray(0, sniffedBytes));
    if (text.length >= sniffedBytes) {
      break;
    }
  }
  return text;
}
