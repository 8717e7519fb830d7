import type { Finding } from "@assay/contract";
import { curlLine, findJsonPointerSpan, visibleText } from "@assay/evidence";
import type { RecordedExchange, Span } from "@assay/evidence";
import type { Excerpt, ReportedFinding } from "@assay/results";
import { readSpans } from "./read-spans.ts";

const contextBytes = 48;
const maxMarkedBytes = 160;
/** Maximum length shown. It includes the end of the message, which contains the likely cause and advice. */
const maxMessageCharacters = 400;
const maxArgumentCharacters = 200;
/** A JSON pointer is not located in longer data. The finding then refers to the whole event. */
const maxSearchedBytes = 32 * 1024 * 1024;

/** Exchanges by id. */
export type ExchangeLookup = ReadonlyMap<string, RecordedExchange>;

/** Prepares findings for the report: escapes text, resolves pointers to byte ranges, and adds an excerpt and a curl command. */
export function toReportedFindings(findings: readonly Finding[], lookup: ExchangeLookup): readonly ReportedFinding[] {
  const reportedFindings: ReportedFinding[] = [...findings];
  for (const id of new Set(findings.map(({ exchange }) => exchange ?? ""))) {
    const indices = [...findings.keys()].filter((index) => (findings[index]?.exchange ?? "") === id);
    const group = indices.map((index) => reportedFindings[index]).filter((finding) => finding !== undefined);
    for (const [position, finding] of addExcerpts(group, lookup.get(id)).entries()) {
      reportedFindings[indices[position] ?? 0] = finding;
    }
  }
  // Escaping must be last, because an escaped pointer refers to a different member.
  return reportedFindings.map(escapeFinding);
}

const escapeFinding = (finding: ReportedFinding): ReportedFinding => ({
  ...finding,
  message: visibleText(finding.message, maxMessageCharacters),
  ...(finding.argument === undefined ? {} : { argument: visibleText(finding.argument, maxArgumentCharacters) }),
  ...(finding.pointer === undefined ? {} : { pointer: visibleText(finding.pointer, maxMessageCharacters) }),
});

function addExcerpts(
  findings: readonly ReportedFinding[],
  exchange: RecordedExchange | undefined,
): readonly ReportedFinding[] {
  if (exchange === undefined) {
    return findings;
  }
  const locatedFindings = findings.map((finding) => locateInBody(finding, exchange));
  const narrowedFindings = exchange.unreadable === undefined ? narrowFindings(locatedFindings, exchange) : findings;
  const spans = narrowedFindings.map(toSpan);
  const windows = exchange.unreadable === undefined ? readSpans(exchange, spans.map(computeWindow)) : [];
  // A recorded response without its request cannot be repeated.
  const curl = URL.canParse(exchange.record.request.url) ? { curl: curlLine(exchange.record) } : {};
  return narrowedFindings.map((finding, index) => {
    const span = spans[index];
    const bytes = windows[index];
    const isLocated = finding.offset !== undefined && span !== undefined && bytes !== undefined;
    return { ...finding, ...(isLocated ? { excerpt: createExcerpt(span, bytes) } : {}), ...curl };
  });
}

/** Resolves the pointer of a finding in a response that is not a stream. Its body is one JSON value. */
const locateInBody = (
  finding: ReportedFinding,
  { record: { interface: name, response } }: RecordedExchange,
): ReportedFinding =>
  name === "stream" || finding.pointer === undefined || response === undefined
    ? finding
    : { ...finding, offset: 0, length: response.body.bytes };

const toSpan = ({ offset = 0, length = 0 }: ReportedFinding): Span => ({ offset, length });

const computeWindow = ({ offset, length }: Span): Span => {
  const from = Math.max(0, offset - contextBytes);
  return { offset: from, length: offset - from + Math.min(length, maxMarkedBytes) + contextBytes };
};

function createExcerpt({ offset, length }: Span, window: Uint8Array): Excerpt {
  const { offset: from } = computeWindow({ offset, length });
  const markEnd = offset - from + Math.min(length, maxMarkedBytes);
  return {
    offset: from,
    before: visibleText(window.subarray(0, offset - from)),
    marked: `${visibleText(window.subarray(offset - from, markEnd))}${length > maxMarkedBytes ? "…" : ""}`,
    after: length > maxMarkedBytes ? "" : visibleText(window.subarray(markEnd)),
  };
}

const hasPointer = ({ pointer, offset, length = 0 }: ReportedFinding): boolean =>
  pointer !== undefined && offset !== undefined && length <= maxSearchedBytes;

/**
 * Narrows the range of each finding from an event's data to the value that its pointer refers to. An event may be large and have many
 * findings, so its data is read once, one event at a time.
 */
function narrowFindings(findings: readonly ReportedFinding[], exchange: RecordedExchange): readonly ReportedFinding[] {
  const narrowedFindings = [...findings];
  for (const event of new Set(findings.filter(hasPointer).map((finding) => finding.event))) {
    const eventFindings = [...findings.entries()].filter(
      ([, finding]) => finding.event === event && hasPointer(finding),
    );
    const [first] = eventFindings;
    const [data] = first === undefined ? [] : readSpans(exchange, [toSpan(first[1])]);
    for (const [index, finding] of eventFindings) {
      narrowedFindings[index] = data === undefined ? finding : narrowFinding(finding, data);
    }
  }
  return narrowedFindings;
}

function narrowFinding(finding: ReportedFinding, data: Uint8Array): ReportedFinding {
  const { offset, length } = findJsonPointerSpan(data, finding.pointer ?? "");
  return { ...finding, offset: (finding.offset ?? 0) + offset, length };
}
