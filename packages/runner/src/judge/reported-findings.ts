import type { Finding } from "@assay/contract";
import { curlLine, jsonPointerSpan, visibleText } from "@assay/evidence";
import type { RecordedExchange, Span } from "@assay/evidence";
import type { Excerpt, ReportedFinding } from "@assay/results";
import { readSpans } from "./read-spans.ts";

const contextBytes = 48;
const markedBytes = 160;
/** The number shown. The likely cause and advice are at the end of a message. */
const messageCharacters = 400;
const argumentCharacters = 200;
/** In longer data a JSON pointer is not located; the finding then refers to the whole event. */
const searchedBytes = 32 * 1024 * 1024;

/** Exchanges by id. */
export type ExchangeLookup = ReadonlyMap<string, RecordedExchange>;

/** Findings for the report: escaped text, pointers resolved to byte ranges, an excerpt, and a command to repeat the request. */
export function reportedFindings(findings: readonly Finding[], lookup: ExchangeLookup): readonly ReportedFinding[] {
  const reported: ReportedFinding[] = [...findings];
  for (const id of new Set(findings.map(({ exchange }) => exchange ?? ""))) {
    const places = [...findings.keys()].filter((index) => (findings[index]?.exchange ?? "") === id);
    const group = places.map((index) => reported[index]).filter((finding) => finding !== undefined);
    for (const [position, finding] of withExcerpts(group, lookup.get(id)).entries()) {
      reported[places[position] ?? 0] = finding;
    }
  }
  // Last: an escaped pointer names another member.
  return reported.map(escaped);
}

const escaped = (finding: ReportedFinding): ReportedFinding => ({
  ...finding,
  message: visibleText(finding.message, messageCharacters),
  ...(finding.argument === undefined ? {} : { argument: visibleText(finding.argument, argumentCharacters) }),
  ...(finding.pointer === undefined ? {} : { pointer: visibleText(finding.pointer, messageCharacters) }),
});

function withExcerpts(
  findings: readonly ReportedFinding[],
  exchange: RecordedExchange | undefined,
): readonly ReportedFinding[] {
  if (exchange === undefined) {
    return findings;
  }
  const placed = findings.map((finding) => inBody(finding, exchange));
  const narrowed = exchange.unreadable === undefined ? narrow(placed, exchange) : findings;
  const spans = narrowed.map(placeOf);
  const windows = exchange.unreadable === undefined ? readSpans(exchange, spans.map(windowOf)) : [];
  // A recording without its request cannot be repeated.
  const curl = URL.canParse(exchange.record.request.url) ? { curl: curlLine(exchange.record) } : {};
  return narrowed.map((finding, index) => {
    const span = spans[index];
    const bytes = windows[index];
    const hasPlace = finding.offset !== undefined && span !== undefined && bytes !== undefined;
    return { ...finding, ...(hasPlace ? { excerpt: excerptOf(span, bytes) } : {}), ...curl };
  });
}

/** In an answer that is not a stream, a pointer refers to its body, which is one JSON value. */
const inBody = (
  finding: ReportedFinding,
  { record: { interface: name, response } }: RecordedExchange,
): ReportedFinding =>
  name === "stream" || finding.pointer === undefined || response === undefined
    ? finding
    : { ...finding, offset: 0, length: response.body.bytes };

const placeOf = ({ offset = 0, length = 0 }: ReportedFinding): Span => ({ offset, length });

const windowOf = ({ offset, length }: Span): Span => {
  const from = Math.max(0, offset - contextBytes);
  return { offset: from, length: offset - from + Math.min(length, markedBytes) + contextBytes };
};

function excerptOf({ offset, length }: Span, window: Uint8Array): Excerpt {
  const { offset: from } = windowOf({ offset, length });
  const markEnd = offset - from + Math.min(length, markedBytes);
  return {
    offset: from,
    before: visibleText(window.subarray(0, offset - from)),
    marked: `${visibleText(window.subarray(offset - from, markEnd))}${length > markedBytes ? "…" : ""}`,
    after: length > markedBytes ? "" : visibleText(window.subarray(markEnd)),
  };
}

const isPointed = ({ pointer, offset, length = 0 }: ReportedFinding): boolean =>
  pointer !== undefined && offset !== undefined && length <= searchedBytes;

/**
 * Narrows the range of a finding from an event's data to the value that its pointer names. The data of an event may be large and have
 * many findings, so it is read once, one event at a time.
 */
function narrow(findings: readonly ReportedFinding[], exchange: RecordedExchange): readonly ReportedFinding[] {
  const narrowed = [...findings];
  for (const event of new Set(findings.filter(isPointed).map((finding) => finding.event))) {
    const ofEvent = [...findings.entries()].filter(([, finding]) => finding.event === event && isPointed(finding));
    const [first] = ofEvent;
    const [data] = first === undefined ? [] : readSpans(exchange, [placeOf(first[1])]);
    for (const [index, finding] of ofEvent) {
      narrowed[index] = data === undefined ? finding : narrowOne(finding, data);
    }
  }
  return narrowed;
}

function narrowOne(finding: ReportedFinding, data: Uint8Array): ReportedFinding {
  const { offset, length } = jsonPointerSpan(data, finding.pointer ?? "");
  return { ...finding, offset: (finding.offset ?? 0) + offset, length };
}
