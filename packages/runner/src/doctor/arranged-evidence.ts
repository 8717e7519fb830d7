import { visibleText } from "@assay/evidence";
import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import { type AnswerKind, bodyBeginning, classifyAnswer, member } from "@assay/reading";
import { parseJsonBody } from "./conversation-list.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import type { DoctorEvidence } from "./doctor-evidence.ts";
import { readStreamFacts } from "./stream-facts.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** Classes of responses. Some of them show whether an interface exists. */
export type AnswerClass =
  /** A stream with at least one event, or a list of conversations. */
  | "served"
  | "refused"
  | "proxy-refused"
  | "redirect"
  | "limited"
  | "missing"
  | "broken"
  | "web-page"
  | "other-content"
  | "empty"
  /** Cut off or timed out before the first event or before the end of a list. */
  | "unfinished"
  | "other-status"
  | "no-response";

/** Returns the value of the first header named `name`. */
export const findHeader = ({ response }: Pick<ExchangeDraft, "response">, name: string): string | undefined =>
  response?.headers.find(([headerName]) => headerName.toLowerCase() === name)?.[1];

/** Returns the target of a redirect, or undefined if there is none or it is invalid. */
export function findRedirectLocation(exchange: Pick<ExchangeDraft, "request" | "response">): URL | undefined {
  const location = findHeader(exchange, "location");
  const status = exchange.response?.status ?? 0;
  const isRedirect = status >= 300 && status < 400 && location !== undefined;
  return isRedirect && URL.canParse(location, exchange.request.url)
    ? new URL(location, exchange.request.url)
    : undefined;
}

/** Maps response kinds to classes. `content` is a success that is classified by its body. */
const classByKind: Readonly<Record<AnswerKind, AnswerClass | "content">> = {
  events: "content",
  json: "content",
  empty: "content",
  "other-content": "content",
  "web-page": "web-page",
  redirect: "redirect",
  unauthorized: "refused",
  "proxy-auth": "proxy-refused",
  "not-found": "missing",
  "not-implemented": "missing",
  "rate-limited": "limited",
  "gateway-error": "broken",
  unavailable: "broken",
  "server-error": "broken",
  "client-error": "other-status",
  informational: "other-status",
  "no-response": "no-response",
};

const isList = (exchange: ExchangeDraft): boolean => {
  const json = parseJsonBody(exchange);
  // An empty list may be sent as an empty object. An error response has the member `error`.
  return Array.isArray(json) || (typeof json === "object" && json !== null && member(json, "error") === undefined);
};

function classifyStream(exchange: ExchangeDraft): AnswerClass {
  const { bytes, events } = readStreamFacts(exchange);
  if (events > 0) {
    return "served";
  }
  // The content of a response that was cut off early is unknown.
  return exchange.end.kind === "failed" ? "unfinished" : bytes === 0 ? "empty" : "other-content";
}

const classifyList = (exchange: ExchangeDraft): AnswerClass =>
  exchange.end.kind === "failed" ? "unfinished" : isList(exchange) ? "served" : "other-content";

/** Classifies a response. */
export function classifyExchange(exchange: ExchangeDraft): AnswerClass {
  const { status, headers = [], chunks = [] } = exchange.response ?? {};
  const answerClass = classByKind[classifyAnswer(status, headers, bodyBeginning(chunks))];
  return answerClass === "content"
    ? exchange.interface === "stream"
      ? classifyStream(exchange)
      : classifyList(exchange)
    : answerClass;
}

/** The evidence, arranged for checks. */
export interface ArrangedEvidence {
  readonly evidence: DoctorEvidence;
  /** The first request: a search without a token. */
  readonly firstExchange: ExchangeDraft | undefined;
  findSearch(credential: CredentialKind): ExchangeDraft | undefined;
  findList(name: "legacy" | "current", credential: CredentialKind): ExchangeDraft | undefined;
  /** Searches and samples whose responses are streams, with facts about the streams. */
  readonly streams: readonly { readonly exchange: ExchangeDraft; readonly facts: StreamFacts }[];
  /** Samples of streams, in sending order. */
  readonly samples: readonly { readonly exchange: ExchangeDraft; readonly facts: StreamFacts }[];
  /** Samples over the other HTTP version. */
  readonly otherSamples: ArrangedEvidence["samples"];
}

/** Reports whether the request accepted gzip. */
export const acceptsGzip = ({ request }: Pick<ExchangeDraft, "request">): boolean =>
  request.headers.some(([name, value]) => name === "accept-encoding" && value !== "identity");

const isOk = ({ response }: ExchangeDraft): boolean => response?.status === 200;

/** Arranges evidence for checks. */
export function arrangeEvidence(evidence: DoctorEvidence): ArrangedEvidence {
  const { exchanges } = evidence;
  const streamsWithFacts = exchanges
    .filter(({ interface: name }) => name === "stream")
    .map((exchange) => ({ exchange, facts: readStreamFacts(exchange) }));
  return {
    evidence,
    firstExchange: exchanges[0],
    findSearch: (credential) =>
      exchanges.find((exchange) => exchange.probe === doctorProbes.search && exchange.credential === credential),
    findList: (name, credential) =>
      exchanges.find(
        (exchange) =>
          exchange.probe === doctorProbes.list && exchange.interface === name && exchange.credential === credential,
      ),
    streams: streamsWithFacts.filter(({ exchange, facts }) => isOk(exchange) && facts.events > 0),
    otherSamples: streamsWithFacts.filter(({ exchange }) => exchange.probe === doctorProbes.otherSample),
    samples: streamsWithFacts.filter(({ exchange }) => exchange.probe === doctorProbes.sample),
  };
}

/** Quotes text from a target and makes it safe to display. */
export const quoteText = (text: string, maxLength = 80): string => `"${visibleText(text, maxLength)}"`;

const describeEnd = ({ end }: ExchangeDraft): string => (end.kind === "failed" ? end.message : "it ended");

/** Describes a response as a clause, such as "status 404", "a web page with status 200 (text/html)" or "no response: ...". */
export function describeAnswer(exchange: ExchangeDraft): string {
  const { response } = exchange;
  if (response === undefined) {
    return `no response: ${describeEnd(exchange)}`;
  }
  const type = findHeader(exchange, "content-type");
  const descriptions: Partial<Readonly<Record<AnswerClass, string>>> = {
    "web-page": "a web page",
    "other-content": "something other than requested",
    empty: "an empty response",
    unfinished: "part of a response",
    redirect: `a redirect to ${findRedirectLocation(exchange)?.origin ?? "an unknown location"}`,
  };
  const description = descriptions[classifyExchange(exchange)];
  const status = `status ${response.status}`;
  const typeClause =
    type === undefined || findRedirectLocation(exchange) !== undefined ? "" : ` (${visibleText(type, 60)})`;
  return description === undefined ? status : `${description} with ${status}${typeClause}`;
}
