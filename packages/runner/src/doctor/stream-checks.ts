import { Buffer } from "node:buffer";
import { isClosedEarly, visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { couldNotTell, fine, note, notAsked, problem } from "./findings.ts";
import { headerOf, quoted } from "./seen-answers.ts";
import type { SeenAnswers } from "./seen-answers.ts";
import type { StreamFacts } from "./stream-facts.ts";

interface Stream {
  readonly exchange: ExchangeDraft;
  readonly facts: StreamFacts;
}

const secondsOf = (micros: number): string => `${(micros / 1_000_000).toFixed(1)} s`;

/** A longer pause inside an event means that something cut off the stream. */
const maxPauseMicros = 5_000_000;

const cutCodes: ReadonlySet<string> = new Set(["reset", "truncated", "protocol"]);

/** True if the connection was closed before the end of the HTTP response although every event had arrived. */
const isClosedAfterDone = ({ exchange, facts }: Stream): boolean => isClosedEarly(exchange.end) && facts.hasDone;

function cutSentence(stream: Stream): string | undefined {
  if (isClosedAfterDone(stream)) {
    return undefined;
  }
  const {
    exchange: { end, times },
    facts,
  } = stream;
  const lasted = secondsOf(times.endedAtMicros - times.sentAtMicros);
  if (end.kind === "failed" && cutCodes.has(end.code)) {
    return `cut off after ${lasted} and ${facts.bytes} bytes`;
  }
  const silent = times.endedAtMicros - (facts.lastByteAtMicros ?? times.endedAtMicros);
  if (end.kind === "failed" && end.code === "total-timeout" && !facts.endsWhole && silent >= maxPauseMicros) {
    return `silent for ${secondsOf(silent)} in the middle of an event, after ${facts.bytes} bytes`;
  }
  return end.kind === "complete" && !facts.hasDone ? `ended after ${lasted} without \`done\`` : undefined;
}

/** Reports wrong ends of HTTP responses that have all their events. */
function endAfterDone(streams: readonly Stream[]): DoctorCheck | undefined {
  const id = "stream-end";
  const closed = streams.filter((stream) => isClosedAfterDone(stream));
  if (closed.length > 0) {
    return problem(id, [
      `${closed.length} of ${streams.length} streams arrived completely, but the connection was closed after \`done\` without ${missingEnd(closed)}`,
      "let the server, or the proxy in front, end the response before it closes the connection: strict HTTP clients, such as curl and fetch, report an error although they got every result",
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

/** A response that is open for this long after `done` is left open rather than slow to end. */
const minOpenMicros = 1_000_000;

/** True if we had to close the connection although `done` had arrived. */
const isLeftOpen = ({ exchange: { end }, facts }: Stream): boolean =>
  facts.hasDone && (end.kind === "complete" ? end.closedBy === "client" : end.code === "total-timeout");

const openMicros = ({ exchange: { times }, facts }: Stream): number =>
  times.endedAtMicros - (facts.doneAtMicros ?? times.endedAtMicros);

const isChunked = ({ exchange }: Stream): boolean =>
  /\bchunked\b/iu.test(headerOf(exchange, "transfer-encoding") ?? "");

const missingEnd = (closed: readonly Stream[]): string =>
  closed.every((stream) => isChunked(stream)) ? "the final chunk of the HTTP response" : "the end of the HTTP response";

/** Checks that streams end correctly. */
export function checkStreamEnd({ streams }: SeenAnswers): DoctorCheck {
  const id = "stream-end";
  if (streams.length === 0) {
    return notAsked(id);
  }
  const isCut = streams.filter((stream) => cutSentence(stream) !== undefined);
  const cut = isCut.flatMap((stream) => cutSentence(stream) ?? []);
  const [first] = cut;
  const title = isCut.map((stream) => pageIn(stream)).find((page) => page !== undefined);
  if (title !== undefined) {
    return problem(id, [
      `${cut.length} of ${streams.length} streams did not reach their end: a gateway in front wrote a web page${named(title)} instead of the rest`,
      "find out in the log of the gateway why it lost the instance; if it timed out (status 504), raise its timeouts",
    ]);
  }
  if (first !== undefined) {
    return problem(id, [
      `${cut.length} of ${streams.length} streams did not reach their end: ${first}`,
      "raise the timeouts for idle and whole responses in the proxy (nginx: proxy_read_timeout; load balancers: idle timeout) to 5 min, and check for restarts",
    ]);
  }
  const afterDone = endAfterDone(streams);
  if (afterDone !== undefined) {
    return afterDone;
  }
  const late = streams.filter(({ exchange: { end } }) => end.kind === "failed");
  const whole = streams.filter(({ exchange: { end } }) => end.kind === "complete");
  const longest = Math.max(...whole.map(({ exchange: { times } }) => times.endedAtMicros - times.sentAtMicros));
  return late.length > 0
    ? couldNotTell(id, [
        `${late.length} of ${streams.length} streams had not ended when we stopped reading`,
        "give --patient and a larger --timeout, or a --query that takes less time",
      ])
    : fine(
        id,
        `none of ${whole.length} streams was cut off; the longest took ${secondsOf(longest)}, so longer timeouts were not tested`,
      );
}

/** The title of a web page in brackets, if any. */
const named = (title: string): string => (title === "" ? "" : ` (${quoted(title, 60)})`);

/** The start of a web page at the beginning of a line. No line of an event starts like this. */
const pageStart = /^[ \t]*<(?:!doctype html|html)\b/imu;

const pageTitle = /<(title|h1)\b[^>]*>\s*([^<]*?)\s*<\/\1>/iu;

/** Longer than the error page of any gateway. */
const maxPageLength = 8192;

const textOf = ({ response }: ExchangeDraft): string =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString("latin1");

/** The title of a web page inside a stream; empty without a title, undefined without a page. */
function pageIn({ exchange, facts }: Stream): string | undefined {
  if (facts.violations.length === 0) {
    return undefined;
  }
  const text = textOf(exchange);
  const at = text.search(pageStart);
  return at === -1 ? undefined : (pageTitle.exec(text.slice(at, at + maxPageLength))?.[2] ?? "");
}

/** Reports the web page that a gateway wrote into streams. */
function webPageCheck(streams: readonly Stream[]): DoctorCheck | undefined {
  const titles = streams.flatMap((stream) => pageIn(stream) ?? []);
  const title = titles.find((one) => one !== "") ?? "";
  return titles.length === 0
    ? undefined
    : problem("stream-format", [
        `${titles.length} of ${streams.length} streams have a web page${named(title)} among their events`,
        "a gateway in front wrote its error page into the stream: find out in its log why it lost the instance, and have it close the connection instead",
      ]);
}

const commentLine = /(?:^|\n):[^\n]*/u;

/** The first comment of a stream, for display. */
function commentOf(exchange: ExchangeDraft): string {
  return quoted((commentLine.exec(textOf(exchange))?.[0] ?? ":").trim(), 40);
}

/** Checks the format of streams. Proxies may insert comments to keep a connection alive. */
export function checkStreamFormat({ streams }: SeenAnswers): DoctorCheck {
  const id = "stream-format";
  if (streams.length === 0) {
    return notAsked(id);
  }
  const page = webPageCheck(streams);
  if (page !== undefined) {
    return page;
  }
  // A stream without its end has its own check.
  const odd = streams
    .map(({ exchange, facts }) => ({
      exchange,
      violations: facts.violations.filter(({ code }) => code !== "no-done" && code !== "unterminated-event"),
    }))
    .filter(({ violations }) => violations.length > 0);
  const commented = odd.find(({ violations }) => violations.some(({ code }) => code === "comment"));
  if (commented !== undefined) {
    return problem(id, [
      `${odd.length} of ${streams.length} streams have comment lines, such as ${commentOf(commented.exchange)}`,
      "turn keep-alive comments off in the proxy: strict clients, including the vendor's command line, stop at them",
    ]);
  }
  const [first] = odd.flatMap(({ violations }) => violations);
  return first === undefined
    ? fine(id, `none in ${streams.length} streams`)
    : problem(id, [
        `${odd.length} of ${streams.length} streams depart from the event format: ${first.title}`,
        "see with `assay run --rule 'stream/*'` which bytes, and what in front rewrites them",
      ]);
}

/** Checks the content type of streams. */
export function checkContentType({ streams }: SeenAnswers): DoctorCheck {
  const id = "content-type";
  if (streams.length === 0) {
    return notAsked(id);
  }
  const types = streams.map(({ exchange }) => headerOf(exchange, "content-type"));
  const other = types.find((type) => !/^\s*text\/event-stream\s*(?:;|$)/iu.test(type ?? ""));
  const isOther = types.some((type) => !/^\s*text\/event-stream\s*(?:;|$)/iu.test(type ?? ""));
  return isOther
    ? problem(id, [
        other === undefined ? "streams have no content type" : `streams have the content type ${quoted(other, 60)}`,
        "have the proxy leave text/event-stream alone: an EventSource refuses other types, and proxies hold them back",
      ])
    : fine(id, visibleText(types[0] ?? "", 60));
}

const isFromCache = ({ exchange }: Stream): boolean =>
  Number(headerOf(exchange, "age") ?? "0") > 0 || /\bhit\b/iu.test(headerOf(exchange, "x-cache") ?? "");

/** Checks that streams are not cached. */
export function checkCaching({ streams }: SeenAnswers): DoctorCheck {
  const id = "cache-control";
  if (streams.length === 0) {
    return notAsked(id);
  }
  if (streams.some((stream) => isFromCache(stream))) {
    return problem(id, [
      "a cache answered instead of the instance",
      "have the cache in front forward /.api/ and store nothing",
    ]);
  }
  const values = streams.map(({ exchange }) => headerOf(exchange, "cache-control"));
  const loose = values.findIndex((value) => !/no-cache|no-store|private|max-age=0/iu.test(value ?? ""));
  if (loose === -1) {
    return fine(id, visibleText(values[0] ?? "", 60));
  }
  const value = values[loose];
  return note(id, [
    value === undefined ? "streams have no Cache-Control" : `streams have Cache-Control: ${visibleText(value, 60)}`,
    "the service sends no-cache: find out which proxy removes it, otherwise a cache may store answers and show them to others",
  ]);
}
