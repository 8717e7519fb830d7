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

/** How long a stream may fall silent inside of an event before somebody must have cut it off. */
const silenceMicros = 5_000_000;

const cutCodes: ReadonlySet<string> = new Set(["reset", "truncated", "protocol"]);

/** Whether the connection was closed before the end of the HTTP response, although every event had arrived. */
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
  if (end.kind === "failed" && end.code === "total-timeout" && !facts.endsWhole && silent >= silenceMicros) {
    return `silent for ${secondsOf(silent)} in the middle of an event, after ${facts.bytes} bytes`;
  }
  return end.kind === "complete" && !facts.hasDone ? `ended after ${lasted} without \`done\`` : undefined;
}

/** What is wrong with the ends of HTTP responses that have all their events. */
function endAfterDone(streams: readonly Stream[]): DoctorCheck | undefined {
  const id = "stream-end";
  const closed = streams.filter((stream) => isClosedAfterDone(stream));
  if (closed.length > 0) {
    return problem(id, [
      `${closed.length} of ${streams.length} streams arrived whole, but the connection was closed after \`done\` without ${missingEnd(closed)}`,
      "let the server, or the proxy in front, end the response before it closes the connection: strict HTTP clients, such as curl and fetch, report an error although they got every result",
    ]);
  }
  const open = streams.filter((stream) => isLeftOpen(stream));
  if (open.some((stream) => openMicros(stream) >= leastOpenMicros)) {
    return note(id, [
      `${open.length} of ${streams.length} streams were left open after \`done\`, until we closed the connection`,
      "let the server, or the proxy in front, end the response after `done`: clients that read to its end hang",
    ]);
  }
  return undefined;
}

/** A response that is open this long after `done` is left open, and not slow to end. */
const leastOpenMicros = 1_000_000;

/** Whether we had to close the connection, although \`done\` had arrived. */
const isLeftOpen = ({ exchange: { end }, facts }: Stream): boolean =>
  facts.hasDone && (end.kind === "complete" ? end.closedBy === "client" : end.code === "total-timeout");

const openMicros = ({ exchange: { times }, facts }: Stream): number =>
  times.endedAtMicros - (facts.doneAtMicros ?? times.endedAtMicros);

const isChunked = ({ exchange }: Stream): boolean =>
  /\bchunked\b/iu.test(headerOf(exchange, "transfer-encoding") ?? "");

const missingEnd = (closed: readonly Stream[]): string =>
  closed.every((stream) => isChunked(stream)) ? "the final chunk of the HTTP response" : "the end of the HTTP response";

/** Whether streams come to their end. */
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
      `${cut.length} of ${streams.length} streams did not come to their end: a gateway in front wrote a web page${named(title)} instead of the rest`,
      "look in the log of the gateway why it lost the instance; if it waited too long (status 504), raise its timeouts",
    ]);
  }
  if (first !== undefined) {
    return problem(id, [
      `${cut.length} of ${streams.length} streams did not come to their end: ${first}`,
      "raise the timeouts for idle and whole responses in the proxy (nginx: proxy_read_timeout; load balancers: idle timeout) to 5 min, and look for restarts",
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

/** The title of a web page, to be put after its name. */
const named = (title: string): string => (title === "" ? "" : ` (${quoted(title, 60)})`);

/** The beginning of a web page on a line of its own: no line of an event begins like this. */
const pageStart = /^[ \t]*<(?:!doctype html|html)\b/imu;

const pageTitle = /<(title|h1)\b[^>]*>\s*([^<]*?)\s*<\/\1>/iu;

/** Longer than the error page of any gateway. */
const maxPageLength = 8192;

const textOf = ({ response }: ExchangeDraft): string =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString("latin1");

/** A web page inside a stream, by its title; empty where it has none, undefined where there is no page. */
function pageIn({ exchange, facts }: Stream): string | undefined {
  if (facts.violations.length === 0) {
    return undefined;
  }
  const text = textOf(exchange);
  const at = text.search(pageStart);
  return at === -1 ? undefined : (pageTitle.exec(text.slice(at, at + maxPageLength))?.[2] ?? "");
}

/** Names the web page that a gateway wrote into streams. */
function webPageCheck(streams: readonly Stream[]): DoctorCheck | undefined {
  const titles = streams.flatMap((stream) => pageIn(stream) ?? []);
  const title = titles.find((one) => one !== "") ?? "";
  return titles.length === 0
    ? undefined
    : problem("stream-format", [
        `${titles.length} of ${streams.length} streams have a web page${named(title)} among their events`,
        "a gateway in front wrote its error page into the stream: look in its log why it lost the instance, and have it close the connection instead",
      ]);
}

const commentLine = /(?:^|\n):[^\n]*/u;

/** The first comment of a stream, to be shown. */
function commentOf(exchange: ExchangeDraft): string {
  return quoted((commentLine.exec(textOf(exchange))?.[0] ?? ":").trim(), 40);
}

/** Whether there is anything in a stream that its format does not have, as proxies put in to keep a connection alive. */
export function checkStreamFormat({ streams }: SeenAnswers): DoctorCheck {
  const id = "stream-format";
  if (streams.length === 0) {
    return notAsked(id);
  }
  const page = webPageCheck(streams);
  if (page !== undefined) {
    return page;
  }
  // A stream without its end has a line of its own.
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
      "turn keep-alive comments off in the proxy: strict clients, the vendor's command line among them, stop at them",
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

/** Whether streams say what they are. */
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
        other === undefined ? "streams come without a content type" : `streams come as ${quoted(other, 60)}`,
        "have the proxy leave text/event-stream alone: an EventSource refuses other types, and proxies hold them back",
      ])
    : fine(id, visibleText(types[0] ?? "", 60));
}

const isFromCache = ({ exchange }: Stream): boolean =>
  Number(headerOf(exchange, "age") ?? "0") > 0 || /\bhit\b/iu.test(headerOf(exchange, "x-cache") ?? "");

/** Whether caches let streams alone. */
export function checkCaching({ streams }: SeenAnswers): DoctorCheck {
  const id = "cache-control";
  if (streams.length === 0) {
    return notAsked(id);
  }
  if (streams.some((stream) => isFromCache(stream))) {
    return problem(id, [
      "a cache answered instead of the instance",
      "have the cache in front pass /.api/ on and keep nothing of it",
    ]);
  }
  const values = streams.map(({ exchange }) => headerOf(exchange, "cache-control"));
  const loose = values.findIndex((value) => !/no-cache|no-store|private|max-age=0/iu.test(value ?? ""));
  if (loose === -1) {
    return fine(id, visibleText(values[0] ?? "", 60));
  }
  const value = values[loose];
  return note(id, [
    value === undefined
      ? "streams come without Cache-Control"
      : `streams come with Cache-Control: ${visibleText(value, 60)}`,
    "the service sends no-cache: find out what in front takes it away, or a cache may keep answers and show them to others",
  ]);
}
