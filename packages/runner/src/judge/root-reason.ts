import { refusableCredentials, visibleText } from "@assay/evidence";
import type { ExchangeEnd, RecordedExchange } from "@assay/evidence";
import type { IncompleteReason } from "@assay/results";
import { findAnswerGroup, quoteBody } from "./answer-group.ts";
import type { AnswerGroup } from "./answer-group.ts";
import { connectionAdvice } from "./connection-advice.ts";

/** Returns the origin of a request for display, or the URL as recorded if it is not a URL. */
export const describeOrigin = ({ record }: RecordedExchange): string =>
  visibleText(URL.canParse(record.request.url) ? new URL(record.request.url).origin : record.request.url, 200);
const describeStatus = ({ record }: RecordedExchange): string => String(record.response?.status ?? "no status");
const findHeader = ({ record }: RecordedExchange, headerName: string): string | undefined => {
  const value = record.response?.headers.find(([name]) => name.toLowerCase() === headerName)?.[1];
  return value === undefined ? undefined : visibleText(value, 200);
};

function explainRefusal(exchange: RecordedExchange): IncompleteReason {
  if (exchange.record.credential === "unknown") {
    const message = `${describeOrigin(exchange)} refused the recorded search (status ${describeStatus(exchange)})${quoteBody(exchange)}; record one that is answered`;
    return { code: "authentication-refused", message };
  }
  const hasToken = exchange.record.credential !== "none";
  const advice = hasToken
    ? "check the token in ASSAY_TOKEN (or SRC_ACCESS_TOKEN) and its scope user:all"
    : "give a token in ASSAY_TOKEN (or SRC_ACCESS_TOKEN)";
  const problem = hasToken ? "refused the token" : "wants a token and none was given";
  return {
    code: "authentication-refused",
    message: `${describeOrigin(exchange)} ${problem} (status ${describeStatus(exchange)})${quoteBody(exchange)}; ${advice}`,
  };
}

function explainWebPage(exchange: RecordedExchange): IncompleteReason {
  const type = findHeader(exchange, "content-type") ?? "a web page";
  const advice = "a proxy or a login page may have answered instead; check the address";
  return {
    code: "not-the-api",
    message: `${describeOrigin(exchange)} is not the API: it answered ${type} with status ${describeStatus(exchange)}; ${advice}`,
  };
}

function explainOtherContent(exchange: RecordedExchange): IncompleteReason {
  const type = findHeader(exchange, "content-type") ?? "something";
  const problem = `it answered ${type} with status ${describeStatus(exchange)}, and nothing in it looks like an event${quoteBody(exchange)}`;
  return {
    code: "not-the-api",
    message: `${describeOrigin(exchange)} is not the API: ${problem}; check the address and any proxy before it`,
  };
}

function explainRedirect(exchange: RecordedExchange): IncompleteReason {
  const location = findHeader(exchange, "location") ?? "another place";
  const message = `${describeOrigin(exchange)} redirects to ${location} (status ${describeStatus(exchange)}); redirects are not followed, give the address it leads to`;
  return { code: "not-the-api", message };
}

const requestNoun = ({ record }: RecordedExchange): string => (record.interface === "stream" ? "the search" : "a call");

/** Returns the path of the configured base URL, which precedes the path of the API. */
const findPathPrefix = ({ record }: RecordedExchange): string => {
  const path = URL.canParse(record.request.url) ? new URL(record.request.url).pathname : "";
  return /^(\/.+)\/\.?api\/(?:search|deepsearch)/u.exec(path)?.[1] ?? "";
};

function explainWrongStatus(exchange: RecordedExchange): IncompleteReason {
  const path = findPathPrefix(exchange);
  const pathToOmit = path === "" ? "/.api" : visibleText(path, 200);
  const message = `${describeOrigin(exchange)} answered ${requestNoun(exchange)} with status ${describeStatus(exchange)}${quoteBody(exchange)}; check that the address is the base of an instance, without ${pathToOmit}`;
  return { code: "not-the-api", message };
}

const isTls = (end: ExchangeEnd): boolean => end.kind === "failed" && end.code === "tls";

const hasTimedOut = ({ record: { end } }: RecordedExchange): boolean =>
  end.kind === "failed" && (end.code === "first-byte-timeout" || end.code === "total-timeout");

function explainUnreachable(exchange: RecordedExchange): IncompleteReason {
  const { end } = exchange.record;
  const failure = end.kind === "failed" ? visibleText(end.message, 300) : "no response came";
  if (hasTimedOut(exchange)) {
    const isSilent = end.kind === "failed" && end.code === "first-byte-timeout";
    const advice = isSilent
      ? "it accepts connections; check that the instance is well"
      : "check that the instance is well, or allow more time with --timeout";
    return { code: "transport", message: `${failure}; ${advice}` };
  }
  if (end.kind === "failed" && end.code === "aborted") {
    return { code: "unreachable", message: `${failure} before an answer came` };
  }
  const advice =
    connectionAdvice(end) ?? (isTls(end) ? `\`assay doctor --url ${describeOrigin(exchange)}\` shows more` : undefined);
  return { code: "unreachable", message: `${failure}; ${advice ?? "check the address, and that the instance is up"}` };
}

const explainOverload = (exchange: RecordedExchange): IncompleteReason => ({
  code: "transport",
  message: `${describeOrigin(exchange)} answered the search with status ${describeStatus(exchange)}${quoteBody(exchange)}; try again when it is well`,
});

const explanationsByGroup: Readonly<
  Record<Exclude<AnswerGroup, "stream">, (exchange: RecordedExchange) => IncompleteReason>
> = {
  "web-page": explainWebPage,
  "other-content": explainOtherContent,
  refusal: explainRefusal,
  redirect: explainRedirect,
  distress: explainOverload,
  status: explainWrongStatus,
  nothing: explainUnreachable,
};

/** Returns why no exchange returned a stream, or undefined if one did. */
export function findRootReason(exchanges: readonly RecordedExchange[]): IncompleteReason | undefined {
  // Responses to bad credentials are not evidence about the target.
  const evidence = exchanges.filter(
    ({ record }) => record.credential === "none" || !refusableCredentials.has(record.credential),
  );
  const kinds = evidence.map((exchange) => ({ exchange, kind: findAnswerGroup(exchange) }));
  const [first] = kinds;
  return first === undefined || first.kind === "stream" || kinds.some(({ kind }) => kind === "stream")
    ? undefined
    : explanationsByGroup[first.kind](first.exchange);
}

/** Classifies a response. For calls of the conversation API, `stream` means any response from the API itself. */
function classifyResponseSource(exchange: RecordedExchange): AnswerGroup {
  const kind = findAnswerGroup(exchange);
  if (exchange.record.interface === "stream") {
    return kind;
  }
  const isMissing = [404, 405].includes(exchange.record.response?.status ?? 0);
  return kind === "other-content" || (kind === "status" && !isMissing) ? "stream" : kind;
}

/** The number of responses that did not come from the API although others did, and the first such response. */
interface InterceptedAnswers {
  count: number;
  first: RecordedExchange | undefined;
}

const sentAt = (exchange: RecordedExchange | undefined): number =>
  exchange?.record.times.sentAtMicros ?? Number.POSITIVE_INFINITY;

const findEarlier = (first: RecordedExchange | undefined, second: RecordedExchange | undefined) =>
  sentAt(second) < sentAt(first) ? second : first;

/** Reports whether a response is not from the API: a login page, or a redirect to one. */
export const isNotFromApi = (kind: AnswerGroup): boolean => kind === "web-page" || kind === "redirect";

function explainInterceptions({ count, first }: InterceptedAnswers, answers: number): readonly IncompleteReason[] {
  if (first === undefined) {
    return [];
  }
  const { interface: name, response } = first.record;
  const location = findHeader(first, "location");
  const problem =
    findAnswerGroup(first) === "redirect" ? `redirected to ${location ?? "another place"}` : "answered with a web page";
  const countClause = `${count} of ${answers} ${name === "stream" ? "searches" : "calls"}`;
  const timeClause = `the first in second ${Math.floor(sentAt(first) / 1e6)} of the run`;
  return [
    {
      code: "not-the-api",
      message: `${describeOrigin(first)} was not always the API: ${countClause} were ${problem} (status ${response?.status}), ${timeClause}; a session may have ended, or a proxy or a login page may have answered instead`,
    },
  ];
}

/**
 * Determines, one response at a time, whether the API responds to the searches or calls of a load. It does not if there are responses but
 * none is a stream. A redirect or wrong status is conclusive only without refusals and overload responses, which come from the API.
 */
export class ApiWatch {
  #hasStream = false;
  #mayBeWrongAddress = true;
  #foreignExchange: RecordedExchange | undefined;
  #misdirectedExchange: RecordedExchange | undefined;
  #answerCount = 0;
  #hasTimedOut = false;
  #unansweredExchange: RecordedExchange | undefined;
  readonly #intercepted: InterceptedAnswers = { count: 0, first: undefined };

  /**
   * Adds an exchange. All exchanges of a watch must be searches, or all must be calls. Returns true if the response is not from the API.
   * Keeps the first such exchange, because its bytes are needed for the reason.
   */
  add(exchange: RecordedExchange): boolean {
    const kind = classifyResponseSource(exchange);
    this.#answerCount += kind === "nothing" ? 0 : 1;
    const isIntercepted = isNotFromApi(kind);
    if (isIntercepted) {
      this.#intercepted.count += 1;
      this.#intercepted.first = findEarlier(this.#intercepted.first, exchange);
    }
    this.#update(kind, exchange);
    return isIntercepted;
  }

  /** Adds an exchange from outside the load. It shows whether the target is the API, but is not counted. */
  observe(exchange: RecordedExchange): void {
    this.#update(classifyResponseSource(exchange), exchange);
  }

  #update(kind: AnswerGroup, exchange: RecordedExchange): void {
    if (this.#hasStream) {
      return;
    }
    switch (kind) {
      case "stream":
        this.#hasStream = true;
        break;
      case "web-page":
      case "other-content":
        this.#foreignExchange ??= exchange;
        break;
      case "redirect":
      case "status":
        this.#misdirectedExchange ??= exchange;
        break;
      case "refusal":
      case "distress":
        this.#mayBeWrongAddress = false;
        break;
      case "nothing":
        this.#recordUnanswered(exchange);
    }
  }

  #recordUnanswered(exchange: RecordedExchange): void {
    this.#unansweredExchange ??= exchange;
    this.#hasTimedOut ||= hasTimedOut(exchange);
  }

  /** Merges another watch. */
  merge(watch: ApiWatch): void {
    this.#hasStream ||= watch.#hasStream;
    this.#mayBeWrongAddress &&= watch.#mayBeWrongAddress;
    this.#foreignExchange ??= watch.#foreignExchange;
    this.#misdirectedExchange ??= watch.#misdirectedExchange;
    this.#answerCount += watch.#answerCount;
    this.#intercepted.count += watch.#intercepted.count;
    this.#intercepted.first = findEarlier(this.#intercepted.first, watch.#intercepted.first);
  }

  /** Returns why no response is from the API. Returns undefined if one is, or if there was no response. */
  findReason(): IncompleteReason | undefined {
    const conclusiveExchange =
      this.#foreignExchange ?? (this.#mayBeWrongAddress ? this.#misdirectedExchange : undefined);
    return this.#hasStream || conclusiveExchange === undefined ? undefined : findRootReason([conclusiveExchange]);
  }

  /** Returns why there was no response. Returns undefined after timeouts, because a load may cause them. */
  findUnreachableReason(): IncompleteReason | undefined {
    return this.#answerCount > 0 || this.#hasTimedOut || this.#unansweredExchange === undefined
      ? undefined
      : findRootReason([this.#unansweredExchange]);
  }

  /** Returns a reason with the number of responses that were not from the API although others were, or undefined if all were. */
  findPartialReason(): IncompleteReason | undefined {
    return this.#hasStream ? explainInterceptions(this.#intercepted, this.#answerCount)[0] : undefined;
  }
}
