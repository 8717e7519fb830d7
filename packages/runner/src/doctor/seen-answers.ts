import { visibleText } from "@assay/evidence";
import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import { type AnswerKind, beginningOf, classifyAnswer, member } from "@assay/reading";
import { jsonOf } from "./conversation-list.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import type { DoctorEvidence } from "./doctor-evidence.ts";
import { streamFacts } from "./stream-facts.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** Classes of answers for the doctor: those of the reader, and those that show whether an interface exists. */
export type SeenAnswer =
  /** A stream with at least one event, or a list. */
  | "served"
  | "refused"
  | "proxy-refused"
  | "redirect"
  | "limited"
  | "missing"
  | "broken"
  | "page"
  | "other-content"
  | "empty"
  /** Cut off or timed out before the first event or before the end of a list. */
  | "unfinished"
  | "other-status"
  | "nothing";

/** The value of the first header with this name, if any. */
export const headerOf = ({ response }: Pick<ExchangeDraft, "response">, name: string): string | undefined =>
  response?.headers.find(([other]) => other.toLowerCase() === name)?.[1];

/** The address of a redirect; undefined without one or if it is invalid. */
export function locationOf(exchange: Pick<ExchangeDraft, "request" | "response">): URL | undefined {
  const location = headerOf(exchange, "location");
  const status = exchange.response?.status ?? 0;
  const isRedirect = status >= 300 && status < 400 && location !== undefined;
  return isRedirect && URL.canParse(location, exchange.request.url)
    ? new URL(location, exchange.request.url)
    : undefined;
}

/** The class of a kind of response; `content` is a success whose body decides. */
const seenByKind: Readonly<Record<AnswerKind, SeenAnswer | "content">> = {
  events: "content",
  json: "content",
  empty: "content",
  "other-content": "content",
  "web-page": "page",
  redirect: "redirect",
  unauthorized: "refused",
  "proxy-sign-in": "proxy-refused",
  missing: "missing",
  "not-implemented": "missing",
  "rate-limited": "limited",
  "gateway-error": "broken",
  unavailable: "broken",
  "server-error": "broken",
  "client-error": "other-status",
  interim: "other-status",
  nothing: "nothing",
};

const isList = (exchange: ExchangeDraft): boolean => {
  const json = jsonOf(exchange);
  // An empty list may be an empty object; an error has a member for it.
  return Array.isArray(json) || (typeof json === "object" && json !== null && member(json, "error") === undefined);
};

function ofStream(exchange: ExchangeDraft): SeenAnswer {
  const { bytes, events } = streamFacts(exchange);
  if (events > 0) {
    return "served";
  }
  // The content of an answer that was cut off early is unknown.
  return exchange.end.kind === "failed" ? "unfinished" : bytes === 0 ? "empty" : "other-content";
}

const ofList = (exchange: ExchangeDraft): SeenAnswer =>
  exchange.end.kind === "failed" ? "unfinished" : isList(exchange) ? "served" : "other-content";

/** Classifies an answer. */
export function seenAs(exchange: ExchangeDraft): SeenAnswer {
  const { status, headers = [], chunks = [] } = exchange.response ?? {};
  const seen = seenByKind[classifyAnswer(status, headers, beginningOf(chunks))];
  return seen === "content" ? (exchange.interface === "stream" ? ofStream(exchange) : ofList(exchange)) : seen;
}

/** The evidence, arranged for checks. */
export interface SeenAnswers {
  readonly evidence: DoctorEvidence;
  /** The first request: a search without a token. */
  readonly first: ExchangeDraft | undefined;
  search(credential: CredentialKind): ExchangeDraft | undefined;
  list(name: "legacy" | "current", credential: CredentialKind): ExchangeDraft | undefined;
  /** Searches and samples with streams as answers, and facts about the streams. */
  readonly streams: readonly { readonly exchange: ExchangeDraft; readonly facts: StreamFacts }[];
  /** Samples of streams, in the order of sending. */
  readonly samples: readonly { readonly exchange: ExchangeDraft; readonly facts: StreamFacts }[];
  /** Samples over the other HTTP version. */
  readonly otherSamples: SeenAnswers["samples"];
}

/** True if a sample accepted gzip. */
export const isGzipAsked = ({ request }: Pick<ExchangeDraft, "request">): boolean =>
  request.headers.some(([name, value]) => name === "accept-encoding" && value !== "identity");

const isOk = ({ response }: ExchangeDraft): boolean => response?.status === 200;

/** Arranges evidence for checks. */
export function seenAnswers(evidence: DoctorEvidence): SeenAnswers {
  const { exchanges } = evidence;
  const withFacts = exchanges
    .filter(({ interface: name }) => name === "stream")
    .map((exchange) => ({ exchange, facts: streamFacts(exchange) }));
  return {
    evidence,
    first: exchanges[0],
    search: (credential) =>
      exchanges.find((exchange) => exchange.probe === doctorProbes.search && exchange.credential === credential),
    list: (name, credential) =>
      exchanges.find(
        (exchange) =>
          exchange.probe === doctorProbes.list && exchange.interface === name && exchange.credential === credential,
      ),
    streams: withFacts.filter(({ exchange, facts }) => isOk(exchange) && facts.events > 0),
    otherSamples: withFacts.filter(({ exchange }) => exchange.probe === doctorProbes.otherSample),
    samples: withFacts.filter(({ exchange }) => exchange.probe === doctorProbes.sample),
  };
}

/** Text from a target in quotation marks, safe to show. */
export const quoted = (text: string, maxLength = 80): string => `"${visibleText(text, maxLength)}"`;

const hasCode = ({ end }: ExchangeDraft): string => (end.kind === "failed" ? end.message : "it ended");

/** A clause about an answer: "status 404", "a web page (text/html) with status 200", "no answer: ...". */
export function answerClause(exchange: ExchangeDraft): string {
  const { response } = exchange;
  if (response === undefined) {
    return `no answer: ${hasCode(exchange)}`;
  }
  const type = headerOf(exchange, "content-type");
  const what: Partial<Readonly<Record<SeenAnswer, string>>> = {
    page: "a web page",
    "other-content": "something other than requested",
    empty: "an empty answer",
    unfinished: "part of an answer",
    redirect: `a redirect to ${locationOf(exchange)?.origin ?? "nowhere"}`,
  };
  const named = what[seenAs(exchange)];
  const status = `status ${response.status}`;
  const shownType = type === undefined || locationOf(exchange) !== undefined ? "" : ` (${visibleText(type, 60)})`;
  return named === undefined ? status : `${named} with ${status}${shownType}`;
}
