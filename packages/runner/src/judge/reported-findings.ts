import type { Finding } from "@assay/contract";
import { curlLine, jsonPointerSpan, visibleText } from "@assay/evidence";
import type { RecordedExchange, Span } from "@assay/evidence";
import type { Excerpt, ReportedFinding } from "@assay/results";
import { readSpans } from "./read-spans.ts";

const contextBytes = 48;
const markedBytes = 160;
/** Maximum length shown. It includes the end of the message, which contains the likely cause and advice. */
const messageCharacters = 400;
const argumentCharacters = 200;
/** A JSON pointer is not located in longer data. The finding then refers to the whole event. */
const searchedBytes = 32 * 1024 * 1024;

/** Exchanges by id. */
export type ExchangeLookup = ReadonlyMap<string, RecordedExchange>;

/** Prepares findings for the report: escapes text, resolves pointers to byte ranges, and adds an excerpt and a curl command. */
export function reportedFindings(findings: readonly Finding[], lookup: ExchangeLookup): readonly ReportedFinding[] {
  const reported: ReportedFinding[] = [...findings];
  for (const id of new Set(findings.map(({ exchange }) => exchange ?? ""))) {
    const places = [...findings.keys()].filter((index) => (findings[index]?.exchange ?? "") === id);
    const group = places.map((index) => reported[index]).filter((finding) => finding !== undefined);
    for (const [position, finding] of withExcerpts(group, lookup.get(id)).entries()) {
      reported[places[position] ?? 0] = finding;
    }
  }
  // Escaping must be last, because an escaped pointer refers to a different member.
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
  const spans = narrowed.map(findingSpan);
  const windows = exchange.unreadable === undefined ? readSpans(exchange, spans.map(excerptWindow)) : [];
  // A recorded response without its request cannot be repeated.
  const curl = URL.canParse(exchange.record.request.url) ? { curl: curlLine(exchange.record) } : {};
  return narrowed.map((finding, index) => {
    const span = spans[index];
    const bytes = windows[index];
    const hasPlace = finding.offset !== undefined && span !== undefined && bytes !== undefined;
    return { ...finding, ...(hasPlace ? { excerpt: createExcerpt(span, bytes) } : {}), ...curl };
  });
}

/** Resolves the pointer of a finding in a response that is not a stream. Its body is one JSON value. */
const inBody = (
  finding: ReportedFinding,
  { record: { interface: name, response } }: RecordedExchange,
): ReportedFinding =>
  name === "stream" || finding.pointer === undefined || response === undefined
    ? finding
    : { ...finding, offset: 0, length: response.body.bytes };

const findingSpan = ({ offset = 0, length = 0 }: ReportedFinding): Span => ({ offset, length });

const excerptWindow = ({ offset, length }: Span): Span => {
  const from = Math.max(0, offset - contextBytes);
  return { offset: from, length: offset - from + Math.min(length, markedBytes) + contextBytes };
};

function createExcerpt({ offset, length }: Span, window: Uint8Array): Excerpt {
  const { offset: from } = excerptWindow({ offset, length });
  const markEnd = offset - from + Math.min(length, markedBytes);
  return {
    offset: from,
    before: visibleText(window.subarray(0, offset - from)),
    marked: `${visibleText(window.subarray(offset - from, markEnd))}${length > markedBytes ? "…" : ""}`,
    after: length > markedBytes ? "" : visibleText(window.subarray(markEnd)),
  };
}

const hasPointer = ({ pointer, offset, length = 0 }: ReportedFinding): boolean =>
  pointer !== undefined && offset !== undefined && length <= searchedBytes;

/**
 * Narrows the range of each finding from an event's data to the value that its pointer refers to. An event may be large and have many
 * findings, so its data is read once, one event at a time.
 */
function narrow(findings: readonly ReportedFinding[], exchange: RecordedExchange): readonly ReportedFinding[] {
  const narrowed = [...findings];
  for (const event of new Set(findings.filter(hasPointer).map((finding) => finding.event))) {
    const ofEvent = [...findings.entries()].filter(([, finding]) => finding.event === event && hasPointer(finding));
    const [first] = ofEvent;
    const [data] = first === undefined ? [] : readSpans(exchange, [findingSpan(first[1])]);
    for (const [index, finding] of ofEvent) {
      narrowed[index] = data === undefined ? finding : narrowFinding(finding, data);
    }
  }
  return narrowed;
}

function narrowFinding(finding: ReportedFinding, data: Uint8Array): ReportedFinding {
  const { offset, length } = jsonPointerSpan(data, finding.pointer ?? "");
  return { ...finding, offset: (finding.offset ?? 0) + offset, length };
}
