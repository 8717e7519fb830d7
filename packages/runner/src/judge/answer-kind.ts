import type { RecordedExchange } from "@assay/evidence";

/**
 * What came back, as far as judging goes: a `stream` to be judged, a `web-page` that a proxy or a login may have put in its
 * place, a `refusal` (401, 403), a `redirect`, `distress` (429, 5xx), another `status`, or `nothing`.
 */
export type AnswerKind = "stream" | "web-page" | "refusal" | "redirect" | "distress" | "status" | "nothing";

const htmlStart = /^\uFEFF?\s*(?:<!doctype|<html|<head|<body|<\?xml)/iu;
const sniffedBytes = 512;

/** The kind of answer of an exchange. The value of `Content-Type` is left open by the document, so the bytes decide. */
export function answerKind(exchange: RecordedExchange): AnswerKind {
  const status = exchange.record.response?.status;
  if (status === undefined) {
    return "nothing";
  }
  if (status >= 200 && status < 300) {
    return htmlStart.test(beginning(exchange)) ? "web-page" : "stream";
  }
  return statusKind(status);
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
