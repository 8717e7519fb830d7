import { isServiceDown } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";
import { visibleText } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import type { AddressResult, DoctorEvidence, ProxySetting } from "./doctor-evidence.ts";
import { connectionAdvice } from "../judge/connection-advice.ts";
import { inconclusive, ok, note, notChecked, problem } from "./check-results.ts";
import { isLoopbackUrl } from "./probe-target.ts";
import { describeAnswer, findHeader, findRedirectLocation, quoteText, classifyExchange } from "./arranged-evidence.ts";
import type { AnswerClass, ArrangedEvidence } from "./arranged-evidence.ts";

const addressClause = (result: AddressResult): string =>
  result.kind === "addresses" ? ` (tried ${result.addresses.slice(0, 4).join(", ")})` : "";

const proxyClause = (proxy: ProxySetting | undefined): string =>
  proxy === undefined || proxy.isExempt
    ? ""
    : `; requests go through ${proxy.address} because of ${proxy.variable}, so check the proxy too`;

/** Checks that a connection to the target is possible. */
export function checkReachable({ evidence, firstExchange }: ArrangedEvidence): DoctorCheck {
  const id = "reachable";
  if (firstExchange === undefined) {
    return notChecked(id);
  }
  const { end, response, times } = firstExchange;
  const addressesClause = addressClause(evidence.addresses);
  const advice =
    end.kind === "failed" && end.code !== "tls" && response === undefined ? connectionAdvice(end) : undefined;
  if (end.kind === "failed" && advice !== undefined) {
    return problem(id, [`${end.message}${addressesClause}`, `${advice}${proxyClause(evidence.proxy)}`]);
  }
  const { connectedAtMicros, sentAtMicros } = times;
  const durationClause =
    connectedAtMicros === undefined ? "" : ` in ${Math.ceil((connectedAtMicros - sentAtMicros) / 1000)} ms`;
  return ok(
    id,
    `connected to ${visibleText(new URL(firstExchange.request.url).host, 100)}${durationClause}${addressesClause}`,
  );
}

/** Checks for a proxy set by environment variables. */
export function checkProxy({ evidence: { proxy } }: ArrangedEvidence): DoctorCheck {
  const id = "proxy";
  if (proxy === undefined) {
    return ok(id, "none: no environment variable sets a proxy for this address");
  }
  return proxy.isExempt
    ? ok(id, `none: ${proxy.variable} names ${proxy.address}, but NO_PROXY exempts this address`)
    : note(id, [
        `${proxy.variable} sends all requests through ${proxy.address}`,
        "this proxy may affect the results below: add the host to NO_PROXY to test the instance without it",
      ]);
}

/** Checks that tokens cannot be read in transit. */
export function checkEncryption({ evidence: { configuredCredentials, target } }: ArrangedEvidence): DoctorCheck {
  const id = "encryption";
  const url = new URL(target);
  if (url.protocol === "https:") {
    return ok(id, "https");
  }
  if (isLoopbackUrl(url)) {
    return ok(id, "http on this machine");
  }
  return note(id, [
    configuredCredentials.length === 0 ? "http: results can be read in transit" : "http: tokens can be read in transit",
    "use https:// instead; if a proxy terminates TLS, use the proxy's address",
  ]);
}

/** Paths of login pages. */
const loginPath = /sign-?in|log-?in|oauth|saml|auth|sso/iu;

function reportRedirect(exchange: ExchangeDraft, location: URL, { target }: DoctorEvidence): DoctorCheck {
  const id = "redirects";
  const url = new URL(exchange.request.url);
  const locationText = visibleText(location.origin + location.pathname, 120);
  const tokenClause = "Assay did not follow the redirect or send it the token";
  if (location.protocol === "https:" && url.protocol === "http:" && location.hostname === url.hostname) {
    return problem(id, [
      `http redirects to ${locationText}; ${tokenClause}`,
      "use the https:// address here and in your clients",
    ]);
  }
  if (location.origin !== url.origin) {
    return problem(id, [
      `redirects to another host (${locationText}), probably because a proxy requires sign-in; ${tokenClause}`,
      "allow requests to /.api/ and /api/ that have an Authorization header, or set the headers that the proxy requires in SRC_HEADERS",
    ]);
  }
  const prefix = new URL(target).pathname.replace(/\/+$/u, "");
  if (prefix !== "" && !location.pathname.startsWith(`${prefix}/`)) {
    return problem(id, [
      `redirects to ${locationText}, outside the base path ${quoteText(prefix)}`,
      "the redirect drops the base path: check the proxy's rewrite rules and the instance's external URL",
    ]);
  }
  return problem(id, [
    `redirects to ${locationText}${loginPath.test(location.pathname) ? ", a sign-in page" : ""}; ${tokenClause}`,
    "API clients cannot sign in there: check the token, and make sure the URL points to the instance itself",
  ]);
}

/** Checks for redirects. */
export function checkRedirects(arranged: ArrangedEvidence): DoctorCheck {
  const id = "redirects";
  const { evidence } = arranged;
  const mainSearch = arranged.findSearch(evidence.mainCredential) ?? arranged.firstExchange;
  const exchanges = [
    mainSearch,
    arranged.findList("legacy", evidence.mainCredential),
    arranged.findList("current", evidence.mainCredential),
  ];
  const redirects = exchanges.flatMap((exchange) => {
    const location = exchange === undefined ? undefined : findRedirectLocation(exchange);
    return exchange === undefined || location === undefined ? [] : [reportRedirect(exchange, location, evidence)];
  });
  const [firstRedirect] = redirects;
  if (firstRedirect !== undefined) {
    return firstRedirect;
  }
  if (mainSearch?.response === undefined) {
    return notChecked(id);
  }
  const anonymousLocation =
    arranged.firstExchange === undefined ? undefined : findRedirectLocation(arranged.firstExchange);
  return anonymousLocation === undefined
    ? ok(id, "none")
    : note(id, [
        `none with the token; without a token, redirects to ${visibleText(anonymousLocation.origin + anonymousLocation.pathname, 120)}`,
        "a client without a token receives a page instead of status 401: configure the proxy to pass through 401 and 403 responses from /.api/",
      ]);
}

/** Response classes that are not login pages, even if the body is HTML. */
const classesFromApi: ReadonlySet<AnswerClass> = new Set(["broken", "limited", "redirect", "served"]);

/** Reports whether the response is a web page instead of an API response. Error pages with status 400, 429 or 5xx do not count. */
const isWebPage = (exchange: ExchangeDraft): boolean =>
  classifyExchange(exchange) === "web-page" ||
  (!classesFromApi.has(classifyExchange(exchange)) &&
    exchange.response?.status !== 400 &&
    /text\/html/iu.test(findHeader(exchange, "content-type") ?? ""));

/** Checks that responses come from the API and are not pages from a proxy. */
export function checkApi(arranged: ArrangedEvidence): DoctorCheck {
  const id = "is-the-api";
  const { mainCredential } = arranged.evidence;
  const mainSearch = arranged.findSearch(mainCredential) ?? arranged.firstExchange;
  const lists = [arranged.findList("legacy", mainCredential), arranged.findList("current", mainCredential)];
  const answeredExchanges = [mainSearch, ...lists].flatMap((exchange) =>
    exchange?.response === undefined ? [] : [exchange],
  );
  const page = answeredExchanges.find((exchange) => isWebPage(exchange));
  const { end } = mainSearch ?? {};
  if (end?.kind === "failed" && end.code === "protocol") {
    return problem(id, [
      end.message,
      "check the port: something other than a web server listens there, or it accepts only TLS",
    ]);
  }
  if (page !== undefined) {
    const challenge = findHeader(page, "www-authenticate");
    return problem(id, [
      clauseWithPath(page),
      challenge === undefined
        ? "a proxy responds instead of the API: exempt /.api/ and /api/ from its login, or set the headers that it requires in SRC_HEADERS"
        : `a proxy requires its own credentials (${quoteText(challenge, 40)}): set them in SRC_HEADERS, or exempt /.api/ and /api/`,
    ]);
  }
  return reportApiResponses(answeredExchanges);
}

function reportApiResponses(exchanges: readonly ExchangeDraft[]): DoctorCheck {
  const id = "is-the-api";
  const classes = exchanges.map((exchange) => classifyExchange(exchange));
  const unexpectedExchange = exchanges.find((exchange) =>
    ["other-content", "empty"].includes(classifyExchange(exchange)),
  );
  if (unexpectedExchange !== undefined) {
    return problem(id, [clauseWithPath(unexpectedExchange), "make sure the URL points to the instance itself"]);
  }
  if (classes.includes("served")) {
    return ok(id, "the API responds");
  }
  if (classes.includes("refused")) {
    return ok(id, "the API responds, but refuses the requests");
  }
  if (classes.length > 0 && classes.every((answerClass) => answerClass === "missing")) {
    return problem(id, [
      "no API path exists at this address",
      "check the address and its path: use the base URL of the web interface",
    ]);
  }
  const badRequest = exchanges.find(({ response }) => response?.status === 400);
  const brokenExchange = exchanges.find((exchange) => classifyExchange(exchange) === "broken");
  return badRequest === undefined ? reportBroken(brokenExchange) : reportBadRequest(badRequest);
}

const clauseWithPath = (exchange: ExchangeDraft): string =>
  `${visibleText(new URL(exchange.request.url).pathname, 60)} returned ${describeAnswer(exchange)}`;

/** Reports status 400 for a valid request, which means that the request did not reach the API. */
const reportBadRequest = (exchange: ExchangeDraft): DoctorCheck =>
  problem("is-the-api", [
    clauseWithPath(exchange),
    new URL(exchange.request.url).protocol === "http:"
      ? "the port may accept only https: use https://; otherwise check the proxy log for the reason"
      : "the proxy may require a client certificate: pass the right one with --client-cert and --client-key, or exempt /.api/ and /api/; if that does not help, check the proxy log",
  ]);

function reportBroken(exchange: ExchangeDraft | undefined): DoctorCheck {
  const id = "is-the-api";
  if (exchange === undefined) {
    return notChecked(id);
  }
  return isServiceDown(exchange.response?.status)
    ? problem(id, [
        clauseWithPath(exchange),
        "the proxy responds, but the instance behind it does not: check that the instance is running, and check the proxy log",
      ])
    : inconclusive(id, [clauseWithPath(exchange), "see the interface checks"]);
}
