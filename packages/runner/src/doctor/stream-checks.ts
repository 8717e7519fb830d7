import { Buffer } from "node:buffer";
import { isClosedEarly, visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { inconclusive, ok, note, notChecked, problem } from "./check-results.ts";
import { findHeader, quoteText } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";
import type { StreamFacts } from "./stream-facts.ts";

interface Stream {
  readonly exchange: ExchangeDraft;
  readonly facts: StreamFacts;
}

const formatSeconds = (micros: number): string => `${(micros / 1_000_000).toFixed(1)} s`;

/** A longer pause inside an event means that the stream was cut off. */
const maxPauseMicros = 5_000_000;

const cutOffCodes: ReadonlySet<string> = new Set(["reset", "truncated", "protocol"]);

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
  const duration = formatSeconds(times.endedAtMicros - times.sentAtMicros);
  if (end.kind === "failed" && cutOffCodes.has(end.code)) {
    return `cut off after ${duration} and ${facts.bytes} bytes`;
  }
  const silentMicros = times.endedAtMicros - (facts.lastByteAtMicros ?? times.endedAtMicros);
  if (
    end.kind === "failed" &&
    end.code === "total-timeout" &&
    !facts.endsWithCompleteEvent &&
    silentMicros >= maxPauseMicros
  ) {
    return `silent for ${formatSeconds(silentMicros)} inside an event, after ${facts.bytes} bytes`;
  }
  return end.kind === "complete" && !facts.hasDone ? `ended after ${duration} without \`done\`` : undefined;
}

/** Reports HTTP responses that contain all events but do not end correctly. */
function checkEndAfterDone(streams: readonly Stream[]): DoctorCheck | undefined {
  const id = "stream-end";
  const closedStreams = streams.filter((stream) => isClosedAfterDone(stream));
  if (closedStreams.length > 0) {
    return problem(id, [
      `${closedStreams.length} of ${streams.length} streams arrived completely, but the connection was closed after \`done\` without ${describeMissingEnd(closedStreams)}`,
      "make the server or its proxy end the response before it closes the connection: strict HTTP clients, such as curl and fetch, report an error although they received every result",
    ]);
  }
  const openStreams = streams.filter((stream) => isLeftOpen(stream));
  if (openStreams.some((stream) => measureOpenMicros(stream) >= minOpenMicros)) {
    return note(id, [
      `${openStreams.length} of ${streams.length} streams were left open after \`done\`, until we closed the connection`,
      "make the server or its proxy end the response after `done`: clients that read to its end hang",
    ]);
  }
  return undefined;
}

/** A response still open for this time after `done` is considered left open. A shorter time may be a slow end. */
const minOpenMicros = 1_000_000;

/** Reports whether we had to close the connection after `done` had arrived. */
const isLeftOpen = ({ exchange: { end }, facts }: Stream): boolean =>
  facts.hasDone && (end.kind === "complete" ? end.closedBy === "client" : end.code === "total-timeout");

const measureOpenMicros = ({ exchange: { times }, facts }: Stream): number =>
  times.endedAtMicros - (facts.doneAtMicros ?? times.endedAtMicros);

const isChunked = ({ exchange }: Stream): boolean =>
  /\bchunked\b/iu.test(findHeader(exchange, "transfer-encoding") ?? "");

const describeMissingEnd = (closedStreams: readonly Stream[]): string =>
  closedStreams.every((stream) => isChunked(stream))
    ? "the final chunk of the HTTP response"
    : "the end of the HTTP response";

/** Checks that streams end correctly. */
export function checkStreamEnd({ streams }: ArrangedEvidence): DoctorCheck {
  const id = "stream-end";
  if (streams.length === 0) {
    return notChecked(id);
  }
  const cutStreams = streams.filter((stream) => describeCut(stream) !== undefined);
  const descriptions = cutStreams.flatMap((stream) => describeCut(stream) ?? []);
  const [first] = descriptions;
  const title = cutStreams.map((stream) => findWebPage(stream)).find((page) => page !== undefined);
  if (title !== undefined) {
    return problem(id, [
      `${descriptions.length} of ${streams.length} streams did not reach their end: a gateway wrote a web page${formatTitle(title)} instead of the rest`,
      "check the gateway log for why it lost the connection to the instance; if it timed out (status 504), raise its timeouts",
    ]);
  }
  if (first !== undefined) {
    return problem(id, [
      `${descriptions.length} of ${streams.length} streams did not reach their end: ${first}`,
      "raise the timeouts for idle and whole responses in the proxy (nginx: proxy_read_timeout; load balancers: idle timeout) to 5 min, and check for restarts",
    ]);
  }
  const afterDone = checkEndAfterDone(streams);
  if (afterDone !== undefined) {
    return afterDone;
  }
  const unfinishedStreams = streams.filter(({ exchange: { end } }) => end.kind === "failed");
  const completeStreams = streams.filter(({ exchange: { end } }) => end.kind === "complete");
  const maxDurationMicros = Math.max(
    ...completeStreams.map(({ exchange: { times } }) => times.endedAtMicros - times.sentAtMicros),
  );
  return unfinishedStreams.length > 0
    ? inconclusive(id, [
        `${unfinishedStreams.length} of ${streams.length} streams had not ended when we stopped reading`,
        "set --patient and a larger --timeout, or choose a --query that takes less time",
      ])
    : ok(
        id,
        `none of ${completeStreams.length} streams was cut off; the longest took ${formatSeconds(maxDurationMicros)}, so longer timeouts were not tested`,
      );
}

/** Formats the title of a web page in parentheses. Returns an empty string for an empty title. */
const formatTitle = (title: string): string => (title === "" ? "" : ` (${quoteText(title, 60)})`);

/** Matches the start of a web page at the beginning of a line. Lines of events do not start like this. */
const pageStart = /^[ \t]*<(?:!doctype html|html)\b/imu;

const pageTitle = /<(title|h1)\b[^>]*>\s*([^<]*?)\s*<\/\1>/iu;

/** Longer than error pages of gateways. */
const maxPageLength = 8192;

const readBodyText = ({ response }: ExchangeDraft): string =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString("latin1");

/** Finds a web page in a stream and returns its title, which may be empty. Returns undefined if there is no page. */
function findWebPage({ exchange, facts }: Stream): string | undefined {
  if (facts.violations.length === 0) {
    return undefined;
  }
  const text = readBodyText(exchange);
  const start = text.search(pageStart);
  return start === -1 ? undefined : (pageTitle.exec(text.slice(start, start + maxPageLength))?.[2] ?? "");
}

/** Reports a web page that a gateway wrote into streams. */
function checkWebPage(streams: readonly Stream[]): DoctorCheck | undefined {
  const titles = streams.flatMap((stream) => findWebPage(stream) ?? []);
  const title = titles.find((text) => text !== "") ?? "";
  return titles.length === 0
    ? undefined
    : problem("stream-format", [
        `${titles.length} of ${streams.length} streams have a web page${formatTitle(title)} among their events`,
        "a gateway wrote its error page into the stream: check its log for why it lost the connection to the instance, and have it close the connection instead",
      ]);
}

const commentLine = /(?:^|\n):[^\n]*/u;

/** Returns the first comment of a stream, quoted for display. */
function findFirstComment(exchange: ExchangeDraft): string {
  return quoteText((commentLine.exec(readBodyText(exchange))?.[0] ?? ":").trim(), 40);
}

/** Checks the format of streams. Proxies may insert comments to keep a connection alive. */
export function checkStreamFormat({ streams }: ArrangedEvidence): DoctorCheck {
  const id = "stream-format";
  if (streams.length === 0) {
    return notChecked(id);
  }
  const page = checkWebPage(streams);
  if (page !== undefined) {
    return page;
  }
  // Streams that are cut off have their own check.
  const invalidStreams = streams
    .map(({ exchange, facts }) => ({
      exchange,
      violations: facts.violations.filter(({ code }) => code !== "no-done" && code !== "unterminated-event"),
    }))
    .filter(({ violations }) => violations.length > 0);
  const commentedStream = invalidStreams.find(({ violations }) => violations.some(({ code }) => code === "comment"));
  if (commentedStream !== undefined) {
    return problem(id, [
      `${invalidStreams.length} of ${streams.length} streams have comment lines, such as ${findFirstComment(commentedStream.exchange)}`,
      "turn keep-alive comments off in the proxy: strict clients, including the vendor's command line, fail on them",
    ]);
  }
  const [first] = invalidStreams.flatMap(({ violations }) => violations);
  return first === undefined
    ? ok(id, `none in ${streams.length} streams`)
    : problem(id, [
        `${invalidStreams.length} of ${streams.length} streams violate the event format: ${first.title}`,
        "run `assay run --rule 'stream/*'` to see the bytes, and find out which proxy rewrites them",
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
  const hasWrongType = types.some((type) => !/^\s*text\/event-stream\s*(?:;|$)/iu.test(type ?? ""));
  return hasWrongType
    ? problem(id, [
        wrongType === undefined
          ? "streams have no content type"
          : `streams have the content type ${quoteText(wrongType, 60)}`,
        "have the proxy preserve text/event-stream: EventSource rejects other types, and proxies buffer them",
      ])
    : ok(id, visibleText(types[0] ?? "", 60));
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
      "have the cache forward /.api/ without storing responses",
    ]);
  }
  const values = streams.map(({ exchange }) => findHeader(exchange, "cache-control"));
  const cacheableIndex = values.findIndex((value) => !/no-cache|no-store|private|max-age=0/iu.test(value ?? ""));
  if (cacheableIndex === -1) {
    return ok(id, visibleText(values[0] ?? "", 60));
  }
  const value = values[cacheableIndex];
  return note(id, [
    value === undefined ? "streams have no Cache-Control" : `streams have Cache-Control: ${visibleText(value, 60)}`,
    "the service sends no-cache: find out which proxy removes it, otherwise a cache may store responses and serve them to other users",
  ]);
}
