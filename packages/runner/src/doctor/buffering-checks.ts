import type { DoctorCheck } from "@assay/results";
import { classifyArrival } from "./classify-arrival.ts";
import type { Arrival } from "./classify-arrival.ts";
import { inconclusive, ok, note, notChecked, problem } from "./check-results.ts";
import { createUnbufferAdvice } from "./front-check.ts";
import { findLargeHeldBack } from "./large-responses.ts";
import type { LargeResponses } from "./large-responses.ts";
import { findHeader, acceptsGzip, quoteText, describeAnswer, classifyExchange } from "./arranged-evidence.ts";
import type { ArrangedEvidence } from "./arranged-evidence.ts";
import type { ExchangeDraft } from "@assay/evidence";
import { hasFailedForAnyCredential, mayBeProxyTimeout, isConnectionLost } from "./failed-requests.ts";

const bufferingId = "buffering";
const compressionId = "compression";

/** Reports whether the response to a search was not a stream. Returns false if we stopped waiting. */
function isWithoutStream(exchange: ExchangeDraft): boolean {
  const kind = classifyExchange(exchange);
  return kind === "no-response" || kind === "unfinished"
    ? isConnectionLost(exchange)
    : kind !== "served" && kind !== "limited";
}

const formatDuration = ({ times }: ExchangeDraft): string =>
  `${((times.endedAtMicros - times.sentAtMicros) / 1_000_000).toFixed(1)} s`;

function findAdvice(exchange: ExchangeDraft): string {
  if (mayBeProxyTimeout(exchange)) {
    return "the proxy times out too early: raise its timeouts for the first byte and for the whole response (nginx: proxy_read_timeout; HAProxy: timeout server; load balancers: idle timeout) to 5 min; otherwise check for upstream servers that are down";
  }
  return hasFailedForAnyCredential(exchange)
    ? "check the proxy log for upstream servers that are down or restarting, and the instance log; a rate limit may have the same effect (nginx: limit_req)"
    : "a proxy filters requests by query or frequency: exempt /.api/search/stream from it";
}

/** Reports longer searches whose responses were not streams. */
function reportUnansweredSamples({ samples }: ArrangedEvidence): DoctorCheck | undefined {
  const exchanges = samples.map(({ exchange }) => exchange);
  const [first, ...moreRefusals] = exchanges.filter((exchange) => isWithoutStream(exchange));
  if (first !== undefined) {
    return problem(bufferingId, [
      `${moreRefusals.length + 1} of ${exchanges.length} longer searches received no stream: ${describeAnswer(first)} after ${formatDuration(first)}`,
      findAdvice(first),
    ]);
  }
  const areLimited = exchanges.length > 0 && exchanges.every((exchange) => classifyExchange(exchange) === "limited");
  return areLimited
    ? inconclusive(bufferingId, ["too many requests (status 429)", "try again later; see the rate-limit check"])
    : undefined;
}

/** The arrivals of all samples of one kind. */
export interface ArrivalSummary {
  readonly sampleCount: number;
  readonly flows: readonly Extract<Arrival, { kind: "flowed" }>[];
  readonly bursts: readonly Extract<Arrival, { kind: "burst" }>[];
  readonly lumps: readonly Extract<Arrival, { kind: "lumpy" }>[];
  readonly maxReportedMs: number;
  /** Number of samples that we stopped reading early. */
  readonly unfinishedCount: number;
}

/** A single held-back sample may be a network incident, unless the delay is longer than this. */
const incidentMs = 1000;

/** Combines the arrivals of samples. */
export function summarizeArrivals(samples: ArrangedEvidence["samples"]): ArrivalSummary {
  const arrivals = samples.map(({ exchange, facts }) => classifyArrival(exchange, facts));
  return {
    sampleCount: samples.length,
    flows: arrivals.flatMap((arrival) => (arrival.kind === "flowed" ? [arrival] : [])),
    bursts: arrivals.flatMap((arrival) => (arrival.kind === "burst" ? [arrival] : [])),
    lumps: arrivals.flatMap((arrival) => (arrival.kind === "lumpy" ? [arrival] : [])),
    unfinishedCount: samples.filter(({ exchange: { end } }) => end.kind === "failed" && end.code === "total-timeout")
      .length,
    maxReportedMs: Math.max(0, ...arrivals.flatMap((arrival) => ("reportedMs" in arrival ? [arrival.reportedMs] : []))),
  };
}

const roundMs = (ms: number): string => (ms >= 10_000 ? `${(ms / 1000).toFixed(0)} s` : `${Math.round(ms)} ms`);

/** Describes how streams were held back, as a clause. */
export const describeHeldBack = ({ bursts, sampleCount }: ArrivalSummary): string => {
  const longestBurst = bursts.toSorted((a, b) => b.reportedMs - a.reportedMs)[0];
  const reportedTime = roundMs(longestBurst?.reportedMs ?? 0);
  const arrivalTime = roundMs(Math.max(1, longestBurst?.arrivalMs ?? 0));
  return `${bursts.length} of ${sampleCount}: by its own clock, the target created the stream over ${reportedTime}, but it arrived within ${arrivalTime}`;
};

const describeLumpy = ({ lumps, sampleCount }: ArrivalSummary): string =>
  `${lumps.length} of ${sampleCount} streams arrived in lumps: a part was up to ${roundMs(Math.max(...lumps.map(({ delayMs }) => delayMs)))} late by the target's own clock`;

const lumpyAdvice = (arranged: ArrangedEvidence): string =>
  `the target may have been busy; if the result is the same when it is not, ${createUnbufferAdvice(arranged)}`;

/** Minimum number of streams with only an early beginning. A busy target does not explain that many. */
const minLumpy = 3;

/** Reports whether only the beginning of each stream arrived early, and the rest was late by almost the whole duration. */
const isHeldAfterBeginning = ({ lumps, sampleCount }: ArrivalSummary): boolean =>
  lumps.length === sampleCount &&
  sampleCount >= minLumpy &&
  lumps.every(({ reportedMs, delayMs }) => delayMs * 10 >= reportedMs * 9);

/** Reports whether the held-back streams rule out a single network incident. */
export const isConclusive = ({ bursts }: ArrivalSummary): boolean =>
  bursts.length >= 2 || bursts.some(({ reportedMs }) => reportedMs >= incidentMs);

/** Describes how streams arrived, as a clause. */
export function describeFlow({ flows, sampleCount }: ArrivalSummary): string {
  const leadsMs = flows.flatMap(({ leadMs }) => leadMs ?? []);
  const arrivalTime = roundMs(Math.max(...flows.map(({ arrivalMs }) => arrivalMs)));
  const leadClause =
    leadsMs.length > 0
      ? `up to ${roundMs(Math.max(...leadsMs))} before its end`
      : `over ${arrivalTime}, and had not ended when we stopped reading`;
  return `${flows.length} of ${sampleCount} streams arrived while the search ran, ${leadClause}`;
}

/** Reports large streams that are held back although small ones are not. A single one may be a network incident. */
function reportLargeResponses(arranged: ArrangedEvidence, { heldBack, sampleCount }: LargeResponses): DoctorCheck {
  const maxDelayMs = Math.max(...heldBack.map(({ delayMs }) => delayMs));
  const maxReportedMs = Math.max(...heldBack.map(({ reportedMs }) => reportedMs));
  const sentence = `small ones arrive while the search runs, but ${heldBack.length} of ${sampleCount} large ones, created over up to ${roundMs(maxReportedMs)}, paused and were up to ${roundMs(maxDelayMs)} late by the target's own clock`;
  const advice = `${createUnbufferAdvice(arranged)}; if the result is the same without the proxy, the instance itself buffers them`;
  return heldBack.length >= 2 && heldBack.length === sampleCount
    ? problem(bufferingId, [`large responses are held back: ${sentence}`, advice])
    : note(bufferingId, [
        `large responses may be held back: ${sentence}`,
        `run doctor again; if the result is the same, ${advice}`,
      ]);
}

const unfinishedText = [
  "no stream had ended when we stopped reading, and the parts received are inconclusive",
  "set --patient, or choose a --query that ends sooner but still takes a second or more",
] as const;

const describeInconclusive = (arrivals: ArrivalSummary, query: string): readonly [found: string, advice: string] =>
  arrivals.unfinishedCount === arrivals.sampleCount ? unfinishedText : describeTooQuick(arrivals, query);

const describeTooQuick = (arrivals: ArrivalSummary, query: string): readonly [found: string, advice: string] => [
  arrivals.maxReportedMs < 300
    ? `the searches were too fast to be conclusive (${roundMs(arrivals.maxReportedMs)} from their first progress to their last)`
    : "the arrival of the streams is inconclusive",
  `choose a --query that takes a second or more on this instance, such as a rare word with count:all (searched for: ${quoteText(query, 60)})`,
];

const reportNoAnswers = (arranged: ArrangedEvidence): DoctorCheck => {
  const isLate = arranged.samples.some(
    ({ exchange: { end, response } }) =>
      end.kind === "failed" && ["total-timeout", "first-byte-timeout"].includes(end.code) && response === undefined,
  );
  return isLate
    ? inconclusive(bufferingId, [
        `nothing arrived for ${roundMs(arranged.evidence.maxStreamMs)}, although a short search received a response`,
        `either the search found nothing in that time, or the whole response is held back: set --patient, and if all of it then arrives at the same time, ${createUnbufferAdvice(arranged)}`,
      ])
    : notChecked(bufferingId);
};

/** Checks that results arrive, and that they arrive while the search runs by the target's own clock. Source: search-stream, section 1. */
export function checkBuffering(arranged: ArrangedEvidence): DoctorCheck {
  const check = reportArrivals(arranged);
  return check.status === "problem" ? check : (reportUnansweredSamples(arranged) ?? check);
}

function reportArrivals(arranged: ArrangedEvidence): DoctorCheck {
  const plainSamples = arranged.samples.filter(({ exchange }) => !acceptsGzip(exchange));
  const largeResponses = findLargeHeldBack(plainSamples);
  if (largeResponses !== undefined) {
    return reportLargeResponses(arranged, largeResponses);
  }
  const arrivals = summarizeArrivals(plainSamples.filter(({ facts }) => facts.events > 0));
  if (arrivals.sampleCount === 0) {
    return reportNoAnswers(arranged);
  }
  if (arrivals.bursts.length > 0 && arrivals.flows.length > 0) {
    return note(bufferingId, [
      `some are held back (${describeHeldBack(arrivals)}) and some are not`,
      `run doctor again; if the result is the same, one of several routes to the instance buffers responses: ${createUnbufferAdvice(arranged)}`,
    ]);
  }
  if (arrivals.bursts.length > 0 && isConclusive(arrivals)) {
    return problem(bufferingId, [`held back: ${describeHeldBack(arrivals)}`, createUnbufferAdvice(arranged)]);
  }
  return arrivals.bursts.length === 0
    ? reportNotHeldBack(arranged, arrivals)
    : inconclusive(bufferingId, describeInconclusive(arrivals, arranged.evidence.query));
}

/** Reports the arrivals if no stream was held back until its end. */
function reportNotHeldBack(arranged: ArrangedEvidence, arrivals: ArrivalSummary): DoctorCheck {
  if (arrivals.flows.length > 0) {
    return ok(bufferingId, describeFlow(arrivals));
  }
  if (isHeldAfterBeginning(arrivals)) {
    return problem(bufferingId, [
      `held back after their beginning: ${describeLumpy(arrivals)}`,
      createUnbufferAdvice(arranged),
    ]);
  }
  return arrivals.lumps.length > 0
    ? note(bufferingId, [describeLumpy(arrivals), lumpyAdvice(arranged)])
    : inconclusive(bufferingId, describeInconclusive(arrivals, arranged.evidence.query));
}

const readContentEncoding = ({ exchange }: ArrangedEvidence["samples"][number]): string | undefined => {
  const value = findHeader(exchange, "content-encoding")?.trim();
  return value === undefined || value === "" || value.toLowerCase() === "identity" ? undefined : value;
};

/** Reports compression that cannot be decoded or was not requested. */
function reportUnrequestedCompression(arranged: ArrangedEvidence): DoctorCheck | undefined {
  const streams = arranged.evidence.exchanges.filter(({ interface: name }) => name === "stream");
  const brokenStream = streams.find(({ end }) => end.kind === "failed" && end.code === "decompression");
  if (brokenStream?.end.kind === "failed") {
    return problem(compressionId, [
      brokenStream.end.message,
      "turn compression off for text/event-stream in the proxy",
    ]);
  }
  const limitedStream = streams.find(({ end }) => end.kind === "failed" && end.code === "decompression-limit");
  if (limitedStream?.end.kind === "failed") {
    return inconclusive(compressionId, [limitedStream.end.message, "choose a --query with smaller results"]);
  }
  const compressedSample = arranged.samples.find(
    (sample) => !acceptsGzip(sample.exchange) && readContentEncoding(sample) !== undefined,
  );
  return compressedSample === undefined
    ? undefined
    : problem(compressionId, [
        `${quoteText(readContentEncoding(compressedSample) ?? "", 20)} although the client did not request compression`,
        "have the proxy respect Accept-Encoding, or turn compression off for text/event-stream: some clients read garbage",
      ]);
}

/** Checks that compressed streams arrive while the search runs. */
export function checkCompression(arranged: ArrangedEvidence): DoctorCheck {
  const check = reportUnrequestedCompression(arranged);
  if (check !== undefined) {
    return check;
  }
  const gzipSamples = arranged.samples.filter((sample) => acceptsGzip(sample.exchange) && sample.facts.events > 0);
  const compressedSamples = gzipSamples.filter((sample) => readContentEncoding(sample) !== undefined);
  const [first] = compressedSamples;
  if (gzipSamples.length === 0) {
    return notChecked(compressionId);
  }
  return first === undefined
    ? ok(compressionId, "none, even if the client accepts gzip")
    : reportCompressed(arranged, summarizeArrivals(compressedSamples), quoteText(readContentEncoding(first) ?? "", 20));
}

/** Checks that compressed data is flushed. */
function reportCompressed(arranged: ArrangedEvidence, arrivals: ArrivalSummary, encoding: string): DoctorCheck {
  const advice = `turn compression off for text/event-stream, or have it flushed after each event; ${createUnbufferAdvice(arranged)}`;
  if (
    arrivals.bursts.length > 0 &&
    summarizeArrivals(arranged.samples.filter(({ exchange }) => !acceptsGzip(exchange))).bursts.length > 0
  ) {
    return inconclusive(compressionId, [
      `${encoding} when requested, and streams are held back with and without it`,
      "fix that first, then run doctor again",
    ]);
  }
  if (arrivals.bursts.length > 0 && arrivals.flows.length === 0 && isConclusive(arrivals)) {
    return problem(compressionId, [`${encoding} holds the stream back: ${describeHeldBack(arrivals)}`, advice]);
  }
  if (arrivals.bursts.length > 0) {
    return note(compressionId, [
      `${encoding} may hold the stream back: ${describeHeldBack(arrivals)}`,
      `run doctor again; if the result is the same, ${advice}`,
    ]);
  }
  if (arrivals.flows.length > 0) {
    return ok(compressionId, `${encoding}, flushed: ${describeFlow(arrivals)}`);
  }
  return arrivals.lumps.length > 0
    ? note(compressionId, [`${encoding}: ${describeLumpy(arrivals)}`, lumpyAdvice(arranged)])
    : reportTooQuick(encoding, describeInconclusive(arrivals, arranged.evidence.query));
}

const reportTooQuick = (encoding: string, [found, advice]: readonly [string, string]): DoctorCheck =>
  inconclusive(compressionId, [`${encoding} when requested; ${found}`, advice]);
