import { visibleText } from "@assay/evidence";
import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import { type AnswerKind, beginningOf, classifyAnswer, member } from "@assay/reading";
import { jsonOf } from "./conversation-list.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import type { DoctorEvidence } from "./doctor-evidence.ts";
import { streamFacts } from "./stream-facts.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** What an answer is to a doctor: a kind of the reader, or what decides whether an interface is there. */
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
  /** Broke off, or was waited for no longer, before the first event or before the end of a list. */
  | "unfinished"
  | "other-status"
  | "nothing";

/** The value of the first field of that name; undefined without any. */
export const headerOf = ({ response }: Pick<ExchangeDraft, "response">, name: string): string | undefined =>
  response?.headers.find(([other]) => other.toLowerCase() === name)?.[1];

/** Where an answer leads to, as an address; undefined where it leads nowhere, or to what is no address. */
export function locationOf(exchange: Pick<ExchangeDraft, "request" | "response">): URL | undefined {
  const location = headerOf(exchange, "location");
  const status = exchange.response?.status ?? 0;
  const isRedirect = status >= 300 && status < 400 && location !== undefined;
  return isRedirect && URL.canParse(location, exchange.request.url)
    ? new URL(location, exchange.request.url)
    : undefined;
}

/** What a kind of response is; `content`: a success that only its events or entries decide. */
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
  // A list without entries may leave out everything but the braces; an error says so.
  return Array.isArray(json) || (typeof json === "object" && json !== null && member(json, "error") === undefined);
};

function ofStream(exchange: ExchangeDraft): SeenAnswer {
  const { bytes, events } = streamFacts(exchange);
  if (events > 0) {
    return "served";
  }
  // What broke off early may have become anything.
  return exchange.end.kind === "failed" ? "unfinished" : bytes === 0 ? "empty" : "other-content";
}

const ofList = (exchange: ExchangeDraft): SeenAnswer =>
  exchange.end.kind === "failed" ? "unfinished" : isList(exchange) ? "served" : "other-content";

/** What an answer is. */
export function seenAs(exchange: ExchangeDraft): SeenAnswer {
  const { status, headers = [], chunks = [] } = exchange.response ?? {};
  const seen = seenByKind[classifyAnswer(status, headers, beginningOf(chunks))];
  return seen === "content" ? (exchange.interface === "stream" ? ofStream(exchange) : ofList(exchange)) : seen;
}

/** What was seen, asked for in the way in which checks ask. */
export interface SeenAnswers {
  readonly evidence: DoctorEvidence;
  /** The very first request, a search without a token. */
  readonly first: ExchangeDraft | undefined;
  search(credential: CredentialKind): ExchangeDraft | undefined;
  list(name: "legacy" | "current", credential: CredentialKind): ExchangeDraft | undefined;
  /** Searches and samples that were answered as streams, with what they hold. */
  readonly streams: readonly { readonly exchange: ExchangeDraft; readonly facts: StreamFacts }[];
  /** Samples of streams, in the order of sending. */
  readonly samples: readonly { readonly exchange: ExchangeDraft; readonly facts: StreamFacts }[];
  /** Samples over the other version of HTTP. */
  readonly otherSamples: SeenAnswers["samples"];
}

/** Whether a sample was asked for compressed. */
export const isGzipAsked = ({ request }: Pick<ExchangeDraft, "request">): boolean =>
  request.headers.some(([name, value]) => name === "accept-encoding" && value !== "identity");

const isOk = ({ response }: ExchangeDraft): boolean => response?.status === 200;

/** Looks through evidence once. */
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

/** Text of a target between quotation marks, safe to show. */
export const quoted = (text: string, maxLength = 80): string => `"${visibleText(text, maxLength)}"`;

const hasCode = ({ end }: ExchangeDraft): string => (end.kind === "failed" ? end.message : "it ended");

/** What came back, a clause: "status 404", "a web page (text/html) with status 200", "no answer: ...". */
export function answerClause(exchange: ExchangeDraft): string {
  const { response } = exchange;
  if (response === undefined) {
    return `no answer: ${hasCode(exchange)}`;
  }
  const type = headerOf(exchange, "content-type");
  const what: Partial<Readonly<Record<SeenAnswer, string>>> = {
    page: "a web page",
    "other-content": "something else than was asked for",
    empty: "an empty answer",
    unfinished: "a part of an answer",
    redirect: `a redirect to ${locationOf(exchange)?.origin ?? "nowhere"}`,
  };
  const named = what[seenAs(exchange)];
  const status = `status ${response.status}`;
  const shownType = type === undefined || locationOf(exchange) !== undefined ? "" : ` (${visibleText(type, 60)})`;
  return named === undefined ? status : `${named} with ${status}${shownType}`;
}
