import { Buffer } from "node:buffer";
import { isClosedEarly, visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { inconclusive, fine, note, notChecked, problem } from "./check-results.ts";
import { findHeader, quoted } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";
import type { StreamFacts } from "./stream-facts.ts";

interface Stream {
  readonly exchange: ExchangeDraft;
  readonly facts: StreamFacts;
}

const formatSeconds = (micros: number): string => `${(micros / 1_000_000).toFixed(1)} s`;

/** A longer pause inside an event means that the stream was cut off. */
const maxPauseMicros = 5_000_000;

const cutCodes: ReadonlySet<string> = new Set(["reset", "truncated", "protocol"]);

/** Reports whether the connection was closed before the end of the HTTP response, but after every event had arrived. */
const isClosedAfterDone = ({ exchange, facts }: Stream): boolean => isClosedEarly(exchange.end) && facts.hasDone;

function describeCut(stream: Stream): string | undefined {
  if (isClosedAfterDone(stream)) {
    return undefined;
  }
  const {
    exchange: { end, times },
    facts,
  } = stream;
  const lasted = formatSeconds(times.endedAtMicros - times.sentAtMicros);
  if (end.kind === "failed" && cutCodes.has(end.code)) {
    return `cut off after ${lasted} and ${facts.bytes} bytes`;
  }
  const silent = times.endedAtMicros - (facts.lastByteAtMicros ?? times.endedAtMicros);
  if (end.kind === "failed" && end.code === "total-timeout" && !facts.endsWhole && silent >= maxPauseMicros) {
    return `silent for ${formatSeconds(silent)} inside an event, after ${facts.bytes} bytes`;
  }
  return end.kind === "complete" && !facts.hasDone ? `ended after ${lasted} without \`done\`` : undefined;
}

/** Reports HTTP responses that contain all events but do not end correctly. */
function endAfterDone(streams: readonly Stream[]): DoctorCheck | undefined {
  const id = "stream-end";
  const closed = streams.filter((stream) => isClosedAfterDone(stream));
  if (closed.length > 0) {
    return problem(id, [
      `${closed.length} of ${streams.length} streams arrived completely, but the connection was closed after \`done\` without ${missingEnd(closed)}`,
      "let the server, or the proxy in front, end the response before it closes the connection: strict HTTP clients, such as curl and fetch, report an error although they received every result",
    ]);
  }
  const open = streams.filter((stream) => isLeftOpen(stream));
  if (open.some((stream) => openMicros(stream) >= minOpenMicros)) {
    return note(id, [
      `${open.length} of ${streams.length} streams were left open after \`done\`, until we closed the connection`,
      "let the server, or the proxy in front, end the response after `done`: clients that read to its end hang",
    ]);
  }
  return undefined;
}

/** A response still open for this time after `done` is considered left open. A shorter time may be a slow end. */
const minOpenMicros = 1_000_000;

/** Reports whether we had to close the connection after `done` had arrived. */
const isLeftOpen = ({ exchange: { end }, facts }: Stream): boolean =>
  facts.hasDone && (end.kind === "complete" ? end.closedBy === "client" : end.code === "total-timeout");

const openMicros = ({ exchange: { times }, facts }: Stream): number =>
  times.endedAtMicros - (facts.doneAtMicros ?? times.endedAtMicros);

const isChunked = ({ exchange }: Stream): boolean =>
  /\bchunked\b/iu.test(findHeader(exchange, "transfer-encoding") ?? "");

const missingEnd = (closed: readonly Stream[]): string =>
  closed.every((stream) => isChunked(stream)) ? "the final chunk of the HTTP response" : "the end of the HTTP response";

/** Checks that streams end correctly. */
export function checkStreamEnd({ streams }: ArrangedEvidence): DoctorCheck {
  const id = "stream-end";
  if (streams.length === 0) {
    return notChecked(id);
  }
  const isCut = streams.filter((stream) => describeCut(stream) !== undefined);
  const descriptions = isCut.flatMap((stream) => describeCut(stream) ?? []);
  const [first] = descriptions;
  const title = isCut.map((stream) => findWebPage(stream)).find((page) => page !== undefined);
  if (title !== undefined) {
    return problem(id, [
      `${descriptions.length} of ${streams.length} streams did not reach their end: a gateway in front wrote a web page${formatTitle(title)} instead of the rest`,
      "check the gateway log for the reason why it lost the instance; if it timed out (status 504), raise its timeouts",
    ]);
  }
  if (first !== undefined) {
    return problem(id, [
      `${descriptions.length} of ${streams.length} streams did not reach their end: ${first}`,
      "raise the timeouts for idle and whole responses in the proxy (nginx: proxy_read_timeout; load balancers: idle timeout) to 5 min, and check for restarts",
    ]);
  }
  const afterDone = endAfterDone(streams);
  if (afterDone !== undefined) {
    return afterDone;
  }
  const late = streams.filter(({ exchange: { end } }) => end.kind === "failed");
  const completeStreams = streams.filter(({ exchange: { end } }) => end.kind === "complete");
  const longest = Math.max(
    ...completeStreams.map(({ exchange: { times } }) => times.endedAtMicros - times.sentAtMicros),
  );
  return late.length > 0
    ? inconclusive(id, [
        `${late.length} of ${streams.length} streams had not ended when we stopped reading`,
        "set --patient and a larger --timeout, or choose a --query that takes less time",
      ])
    : fine(
        id,
        `none of ${completeStreams.length} streams was cut off; the longest took ${formatSeconds(longest)}, so longer timeouts were not tested`,
      );
}

/** Formats the title of a web page in parentheses. Returns an empty string for an empty title. */
const formatTitle = (title: string): string => (title === "" ? "" : ` (${quoted(title, 60)})`);

/** Matches the start of a web page at the beginning of a line. Lines of events do not start like this. */
const pageStart = /^[ \t]*<(?:!doctype html|html)\b/imu;

const pageTitle = /<(title|h1)\b[^>]*>\s*([^<]*?)\s*<\/\1>/iu;

/** Longer than error pages of gateways. */
const maxPageLength = 8192;

const bodyText = ({ response }: ExchangeDraft): string =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString("latin1");

/** Finds a web page in a stream and returns its title, which may be empty. Returns undefined if there is no page. */
function findWebPage({ exchange, facts }: Stream): string | undefined {
  if (facts.violations.length === 0) {
    return undefined;
  }
  const text = bodyText(exchange);
  const at = text.search(pageStart);
  return at === -1 ? undefined : (pageTitle.exec(text.slice(at, at + maxPageLength))?.[2] ?? "");
}

/** Reports a web page that a gateway wrote into streams. */
function webPageCheck(streams: readonly Stream[]): DoctorCheck | undefined {
  const titles = streams.flatMap((stream) => findWebPage(stream) ?? []);
  const title = titles.find((text) => text !== "") ?? "";
  return titles.length === 0
    ? undefined
    : problem("stream-format", [
        `${titles.length} of ${streams.length} streams have a web page${formatTitle(title)} among their events`,
        "a gateway in front wrote its error page into the stream: check its log for the reason why it lost the instance, and have it close the connection instead",
      ]);
}

const commentLine = /(?:^|\n):[^\n]*/u;

/** Returns the first comment of a stream, quoted for display. */
function firstComment(exchange: ExchangeDraft): string {
  return quoted((commentLine.exec(bodyText(exchange))?.[0] ?? ":").trim(), 40);
}

/** Checks the format of streams. Proxies may insert comments to keep a connection alive. */
export function checkStreamFormat({ streams }: ArrangedEvidence): DoctorCheck {
  const id = "stream-format";
  if (streams.length === 0) {
    return notChecked(id);
  }
  const page = webPageCheck(streams);
  if (page !== undefined) {
    return page;
  }
  // Streams that are cut off have their own check.
  const odd = streams
    .map(({ exchange, facts }) => ({
      exchange,
      violations: facts.violations.filter(({ code }) => code !== "no-done" && code !== "unterminated-event"),
    }))
    .filter(({ violations }) => violations.length > 0);
  const commented = odd.find(({ violations }) => violations.some(({ code }) => code === "comment"));
  if (commented !== undefined) {
    return problem(id, [
      `${odd.length} of ${streams.length} streams have comment lines, such as ${firstComment(commented.exchange)}`,
      "turn keep-alive comments off in the proxy: strict clients, including the vendor's command line, fail on them",
    ]);
  }
  const [first] = odd.flatMap(({ violations }) => violations);
  return first === undefined
    ? fine(id, `none in ${streams.length} streams`)
    : problem(id, [
        `${odd.length} of ${streams.length} streams violate the event format: ${first.title}`,
        "run `assay run --rule 'stream/*'` to see the bytes, and find out what in front rewrites them",
      ]);
}

/** Checks the content type of streams. */
export function checkContentType({ streams }: ArrangedEvidence): DoctorCheck {
  const id = "content-type";
  if (streams.length === 0) {
    return notChecked(id);
  }
  const types = streams.map(({ exchange }) => findHeader(exchange, "content-type"));
  const wrongType = types.find((type) => !/^\s*text\/event-stream\s*(?:;|$)/iu.test(type ?? ""));
  const isOther = types.some((type) => !/^\s*text\/event-stream\s*(?:;|$)/iu.test(type ?? ""));
  return isOther
    ? problem(id, [
        wrongType === undefined
          ? "streams have no content type"
          : `streams have the content type ${quoted(wrongType, 60)}`,
        "have the proxy preserve text/event-stream: EventSource rejects other types, and proxies buffer them",
      ])
    : fine(id, visibleText(types[0] ?? "", 60));
}

const isFromCache = ({ exchange }: Stream): boolean =>
  Number(findHeader(exchange, "age") ?? "0") > 0 || /\bhit\b/iu.test(findHeader(exchange, "x-cache") ?? "");

/** Checks that streams are not cached. */
export function checkCaching({ streams }: ArrangedEvidence): DoctorCheck {
  const id = "cache-control";
  if (streams.length === 0) {
    return notChecked(id);
  }
  if (streams.some((stream) => isFromCache(stream))) {
    return problem(id, [
      "a cache responded instead of the instance",
      "have the cache in front forward /.api/ without storing responses",
    ]);
  }
  const values = streams.map(({ exchange }) => findHeader(exchange, "cache-control"));
  const loose = values.findIndex((value) => !/no-cache|no-store|private|max-age=0/iu.test(value ?? ""));
  if (loose === -1) {
    return fine(id, visibleText(values[0] ?? "", 60));
  }
  const value = values[loose];
  return note(id, [
    value === undefined ? "streams have no Cache-Control" : `streams have Cache-Control: ${visibleText(value, 60)}`,
    "the service sends no-cache: find out which proxy removes it, otherwise a cache may store responses and serve them to other users",
  ]);
}
