import type { DoctorCheck } from "@assay/results";
import { arrivalOf } from "./arrival-of-stream.ts";
import type { Arrival } from "./arrival-of-stream.ts";
import { couldNotTell, fine, note, notAsked, problem } from "./findings.ts";
import { unbufferAdvice } from "./front-check.ts";
import { largeHeldBack } from "./large-responses.ts";
import type { LargeResponses } from "./large-responses.ts";
import { headerOf, isGzipAsked, quoted, answerClause, seenAs } from "./seen-answers.ts";
import type { SeenAnswers } from "./seen-answers.ts";
import type { ExchangeDraft } from "@assay/evidence";
import { hasFailed, isProxyTimeout, isLost } from "./failed-requests.ts";

const id = "buffering";

/** True if the answer to a search was not a stream. False if we stopped waiting. */
function isNoStream(exchange: ExchangeDraft): boolean {
  const kind = seenAs(exchange);
  return kind === "nothing" || kind === "unfinished" ? isLost(exchange) : kind !== "served" && kind !== "limited";
}

const secondsOf = ({ times }: ExchangeDraft): string =>
  `${((times.endedAtMicros - times.sentAtMicros) / 1_000_000).toFixed(1)} s`;

function adviceFor(exchange: ExchangeDraft): string {
  if (isProxyTimeout(exchange)) {
    return "the proxy waits for too short a time: raise its timeouts for the first byte and for the whole response (nginx: proxy_read_timeout; HAProxy: timeout server; load balancers: idle timeout) to 5 min; else look for servers behind it that are down";
  }
  return hasFailed(exchange)
    ? "look into the log of the proxy for servers behind it that are down or restart, and into that of the instance; a limit of requests may answer so as well (nginx: limit_req)"
    : "something in front decides by the words of a query or by how often one asks: have it let /.api/search/stream pass, whatever is searched for";
}

/** Reports the answers to the longer searches if they were not streams. */
function unansweredSamples({ samples }: SeenAnswers): DoctorCheck | undefined {
  const exchanges = samples.map(({ exchange }) => exchange);
  const [first, ...others] = exchanges.filter((exchange) => isNoStream(exchange));
  if (first !== undefined) {
    return problem(id, [
      `${others.length + 1} of ${exchanges.length} longer searches got no stream: ${answerClause(first)} after ${secondsOf(first)}`,
      adviceFor(first),
    ]);
  }
  const areLimited = exchanges.length > 0 && exchanges.every((exchange) => seenAs(exchange) === "limited");
  return areLimited
    ? couldNotTell(id, ["too many requests (status 429)", "try again later; see the line about limits"])
    : undefined;
}

/** The arrivals of the samples of one kind. */
export interface ArrivalFinding {
  readonly taken: number;
  readonly flowed: readonly Extract<Arrival, { kind: "flowed" }>[];
  readonly held: readonly Extract<Arrival, { kind: "burst" }>[];
  readonly lumpy: readonly Extract<Arrival, { kind: "lumpy" }>[];
  readonly maxClaimedMs: number;
  /** Number of samples that we stopped reading before their end. */
  readonly unfinished: number;
}

/** A single held-back sample may be a network incident, unless the delay is longer than this. */
const incidentMs = 1000;

/** Combines the arrivals of samples. */
export function shownBy(samples: SeenAnswers["samples"]): ArrivalFinding {
  const arrivals = samples.map(({ exchange, facts }) => arrivalOf(exchange, facts));
  return {
    taken: samples.length,
    flowed: arrivals.flatMap((arrival) => (arrival.kind === "flowed" ? [arrival] : [])),
    held: arrivals.flatMap((arrival) => (arrival.kind === "burst" ? [arrival] : [])),
    lumpy: arrivals.flatMap((arrival) => (arrival.kind === "lumpy" ? [arrival] : [])),
    unfinished: samples.filter(({ exchange: { end } }) => end.kind === "failed" && end.code === "total-timeout").length,
    maxClaimedMs: Math.max(0, ...arrivals.flatMap((arrival) => ("claimedMs" in arrival ? [arrival.claimedMs] : []))),
  };
}

const roundMs = (ms: number): string => (ms >= 10_000 ? `${(ms / 1000).toFixed(0)} s` : `${Math.round(ms)} ms`);

/** A clause about how streams were held back. */
export const heldSentence = ({ held, taken }: ArrivalFinding): string => {
  const worst = held.toSorted((one, other) => other.claimedMs - one.claimedMs)[0];
  const claimed = roundMs(worst?.claimedMs ?? 0);
  const arrived = roundMs(Math.max(1, worst?.arrivedMs ?? 0));
  return `${held.length} of ${taken}: by its own clock the target made the stream over ${claimed}, but it arrived within ${arrived}`;
};

const lumpySentence = ({ lumpy, taken }: ArrivalFinding): string =>
  `${lumpy.length} of ${taken} streams arrived in lumps: a part was up to ${roundMs(Math.max(...lumpy.map(({ heldMs }) => heldMs)))} late by the target's own clock`;

const lumpyAdvice = (seen: SeenAnswers): string =>
  `the target may have been busy; if it stays so when it is not, ${unbufferAdvice(seen)}`;

/** This many streams with only an early beginning cannot be due to a busy target. */
const minLumpy = 3;

/** True if only the beginning of each stream arrived before its end: a part was late by almost the whole time. */
const isHeldAfterBeginning = ({ lumpy, taken }: ArrivalFinding): boolean =>
  lumpy.length === taken && taken >= minLumpy && lumpy.every(({ claimedMs, heldMs }) => heldMs * 10 >= claimedMs * 9);

/** True if the held-back streams cannot be an incident. */
export const isCertain = ({ held }: ArrivalFinding): boolean =>
  held.length >= 2 || held.some(({ claimedMs }) => claimedMs >= incidentMs);

/** A clause about how streams arrived. */
export function flowSentence({ flowed, taken }: ArrivalFinding): string {
  const ahead = flowed.flatMap(({ aheadMs }) => aheadMs ?? []);
  const seenFor = roundMs(Math.max(...flowed.map(({ arrivedMs }) => arrivedMs)));
  const far =
    ahead.length > 0
      ? `up to ${roundMs(Math.max(...ahead))} before its end`
      : `over ${seenFor}, and had not ended when we stopped reading`;
  return `${flowed.length} of ${taken} streams arrived while the search ran, ${far}`;
}

/** Reports large streams that are held back although small ones flow. A single one may be an incident. */
function ofLarge(seen: SeenAnswers, { held, taken }: LargeResponses): DoctorCheck {
  const id = "buffering";
  const lateMs = Math.max(...held.map(({ heldMs }) => heldMs));
  const madeMs = Math.max(...held.map(({ claimedMs }) => claimedMs));
  const sentence = `small ones arrive while the search runs, but ${held.length} of ${taken} large ones, made over up to ${roundMs(madeMs)}, paused and were up to ${roundMs(lateMs)} late by the target's own clock`;
  const advice = `${unbufferAdvice(seen)}; if it is the same without the proxy, the instance itself collects them`;
  return held.length >= 2 && held.length === taken
    ? problem(id, [`large responses are held back: ${sentence}`, advice])
    : note(id, [`large responses may be held back: ${sentence}`, `ask again; if it stays so, ${advice}`]);
}

const unfinishedWords = [
  "no stream had ended when we stopped reading, and the parts received prove nothing",
  "give --patient, or a --query that ends sooner and still takes a second or more",
] as const;

const tooQuick = (shown: ArrivalFinding, query: string): readonly [found: string, advice: string] =>
  shown.unfinished === shown.taken ? unfinishedWords : quickWords(shown, query);

const quickWords = (shown: ArrivalFinding, query: string): readonly [found: string, advice: string] => [
  shown.maxClaimedMs < 300
    ? `the searches were too fast to tell (${roundMs(shown.maxClaimedMs)} from their first progress to their last)`
    : "how the streams arrived proves nothing either way",
  `give a --query that takes a second or more on this instance, such as a rare word with count:all (searched for: ${quoted(query, 60)})`,
];

const noneAnswered = (seen: SeenAnswers): DoctorCheck => {
  const isLate = seen.samples.some(
    ({ exchange: { end, response } }) =>
      end.kind === "failed" && ["total-timeout", "first-byte-timeout"].includes(end.code) && response === undefined,
  );
  return isLate
    ? couldNotTell("buffering", [
        `nothing arrived for ${roundMs(seen.evidence.sampleMs)}, although a short search is answered`,
        `either the search finds nothing for that long, or all of it is held back: give --patient, and if it then arrives at once, ${unbufferAdvice(seen)}`,
      ])
    : notAsked("buffering");
};

/** Checks that results arrive at all, and while the search runs, by the target's own clock. Source: search-stream, section 1. */
export function checkBuffering(seen: SeenAnswers): DoctorCheck {
  const found = ofArrivals(seen);
  return found.status === "problem" ? found : (unansweredSamples(seen) ?? found);
}

function ofArrivals(seen: SeenAnswers): DoctorCheck {
  const id = "buffering";
  const plain = seen.samples.filter(({ exchange }) => !isGzipAsked(exchange));
  const large = largeHeldBack(plain);
  if (large !== undefined) {
    return ofLarge(seen, large);
  }
  const shown = shownBy(plain.filter(({ facts }) => facts.events > 0));
  if (shown.taken === 0) {
    return noneAnswered(seen);
  }
  if (shown.held.length > 0 && shown.flowed.length > 0) {
    return note(id, [
      `some are held back (${heldSentence(shown)}) and some are not`,
      `ask again; if it stays so, one of several ways to the instance holds back: ${unbufferAdvice(seen)}`,
    ]);
  }
  if (shown.held.length > 0 && isCertain(shown)) {
    return problem(id, [`held back: ${heldSentence(shown)}`, unbufferAdvice(seen)]);
  }
  return shown.held.length === 0 ? ofNotHeld(seen, shown) : couldNotTell(id, tooQuick(shown, seen.evidence.query));
}

/** Reports streams of which none was held back until its end. */
function ofNotHeld(seen: SeenAnswers, shown: ArrivalFinding): DoctorCheck {
  const id = "buffering";
  if (shown.flowed.length > 0) {
    return fine(id, flowSentence(shown));
  }
  if (isHeldAfterBeginning(shown)) {
    return problem(id, [`held back after their beginning: ${lumpySentence(shown)}`, unbufferAdvice(seen)]);
  }
  return shown.lumpy.length > 0
    ? note(id, [lumpySentence(shown), lumpyAdvice(seen)])
    : couldNotTell(id, tooQuick(shown, seen.evidence.query));
}

const encodingOf = ({ exchange }: SeenAnswers["samples"][number]): string | undefined => {
  const value = headerOf(exchange, "content-encoding")?.trim();
  return value === undefined || value === "" || value.toLowerCase() === "identity" ? undefined : value;
};

/** Reports compression that cannot be decoded or was not requested. */
function unaskedFinding(seen: SeenAnswers): DoctorCheck | undefined {
  const streams = seen.evidence.exchanges.filter(({ interface: name }) => name === "stream");
  const broken = streams.find(({ end }) => end.kind === "failed" && end.code === "decompression");
  if (broken?.end.kind === "failed") {
    return problem("compression", [broken.end.message, "turn compression off for text/event-stream in the proxy"]);
  }
  const limited = streams.find(({ end }) => end.kind === "failed" && end.code === "decompression-limit");
  if (limited?.end.kind === "failed") {
    return couldNotTell("compression", [limited.end.message, "give a --query whose results are smaller"]);
  }
  const unasked = seen.samples.find((sample) => !isGzipAsked(sample.exchange) && encodingOf(sample) !== undefined);
  return unasked === undefined
    ? undefined
    : problem("compression", [
        `${quoted(encodingOf(unasked) ?? "", 20)} although the client asked for none`,
        "have the proxy respect Accept-Encoding, or turn compression off for text/event-stream: some clients read garbage",
      ]);
}

/** Checks that compressed streams arrive while they are made. */
export function checkCompression(seen: SeenAnswers): DoctorCheck {
  const id = "compression";
  const unasked = unaskedFinding(seen);
  if (unasked !== undefined) {
    return unasked;
  }
  const asked = seen.samples.filter((sample) => isGzipAsked(sample.exchange) && sample.facts.events > 0);
  const compressed = asked.filter((sample) => encodingOf(sample) !== undefined);
  const [first] = compressed;
  if (asked.length === 0) {
    return notAsked(id);
  }
  return first === undefined
    ? fine(id, "none, also where the client reads gzip")
    : ofCompressed(seen, shownBy(compressed), quoted(encodingOf(first) ?? "", 20));
}

/** Checks that compressed data is flushed. */
function ofCompressed(seen: SeenAnswers, shown: ArrivalFinding, encoding: string): DoctorCheck {
  const id = "compression";
  const advice = `turn compression off for text/event-stream, or have it flushed after each event; ${unbufferAdvice(seen)}`;
  if (shown.held.length > 0 && shownBy(seen.samples.filter(({ exchange }) => !isGzipAsked(exchange))).held.length > 0) {
    return couldNotTell(id, [
      `${encoding} when asked for, and streams are held back with and without it`,
      "fix that first, then ask again",
    ]);
  }
  if (shown.held.length > 0 && shown.flowed.length === 0 && isCertain(shown)) {
    return problem(id, [`${encoding} holds the stream back: ${heldSentence(shown)}`, advice]);
  }
  if (shown.held.length > 0) {
    return note(id, [
      `${encoding} may hold the stream back: ${heldSentence(shown)}`,
      `ask again; if it stays so, ${advice}`,
    ]);
  }
  if (shown.flowed.length > 0) {
    return fine(id, `${encoding}, flushed: ${flowSentence(shown)}`);
  }
  return shown.lumpy.length > 0
    ? note(id, [`${encoding}: ${lumpySentence(shown)}`, lumpyAdvice(seen)])
    : ofQuick(encoding, tooQuick(shown, seen.evidence.query));
}

const ofQuick = (encoding: string, [found, advice]: readonly [string, string]): DoctorCheck =>
  couldNotTell("compression", [`${encoding} when asked for; ${found}`, advice]);
