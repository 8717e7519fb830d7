import { isServiceDown } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";
import { visibleText } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import type { AddressLook, DoctorEvidence, ProxyLook } from "./doctor-evidence.ts";
import { connectionAdvice } from "../judge/connection-advice.ts";
import { couldNotTell, fine, note, notAsked, problem } from "./findings.ts";
import { isLoopbackUrl } from "./probe-target.ts";
import { answerClause, headerOf, locationOf, quoted, seenAs } from "./seen-answers.ts";
import type { SeenAnswer, SeenAnswers } from "./seen-answers.ts";

const addressClause = (look: AddressLook): string =>
  look.kind === "addresses" ? ` (tried ${look.addresses.slice(0, 4).join(", ")})` : "";

const proxyClause = (proxy: ProxyLook | undefined): string =>
  proxy === undefined || proxy.isExempt
    ? ""
    : `; requests go through ${proxy.address} because of ${proxy.variable}, so check the proxy as well`;

/** Checks that a connection to the target is possible. */
export function checkReachable({ evidence, first }: SeenAnswers): DoctorCheck {
  const id = "reachable";
  if (first === undefined) {
    return notAsked(id);
  }
  const { end, response, times } = first;
  const tried = addressClause(evidence.addresses);
  const advice =
    end.kind === "failed" && end.code !== "tls" && response === undefined ? connectionAdvice(end) : undefined;
  if (end.kind === "failed" && advice !== undefined) {
    return problem(id, [`${end.message}${tried}`, `${advice}${proxyClause(evidence.proxy)}`]);
  }
  const { connectedAtMicros, sentAtMicros } = times;
  const took = connectedAtMicros === undefined ? "" : ` in ${Math.ceil((connectedAtMicros - sentAtMicros) / 1000)} ms`;
  return fine(id, `connected to ${visibleText(new URL(first.request.url).host, 100)}${took}${tried}`);
}

/** Checks for a proxy set by environment variables. */
export function checkProxy({ evidence: { proxy } }: SeenAnswers): DoctorCheck {
  const id = "proxy";
  if (proxy === undefined) {
    return fine(id, "none: no environment variable names a proxy for this address");
  }
  return proxy.isExempt
    ? fine(id, `none: ${proxy.variable} names ${proxy.address}, and NO_PROXY keeps this address out of it`)
    : note(id, [
        `${proxy.variable} sends all requests through ${proxy.address}`,
        "the following results may be due to this proxy: put the host into NO_PROXY to see the instance without it",
      ]);
}

/** Checks that tokens cannot be read in transit. */
export function checkEncryption({ evidence: { given, target } }: SeenAnswers): DoctorCheck {
  const id = "encryption";
  const url = new URL(target);
  if (url.protocol === "https:") {
    return fine(id, "https");
  }
  if (isLoopbackUrl(url)) {
    return fine(id, "http on this machine");
  }
  return note(id, [
    given.length === 0 ? "http: results can be read in transit" : "http: tokens can be read in transit",
    "use https:// instead; where TLS ends at a proxy in front, give the address of the proxy",
  ]);
}

/** Paths of login pages. */
const loginPath = /sign-?in|log-?in|oauth|saml|auth|sso/iu;

function redirectFinding(exchange: ExchangeDraft, location: URL, { target }: DoctorEvidence): DoctorCheck {
  const id = "redirects";
  const asked = new URL(exchange.request.url);
  const shown = visibleText(location.origin + location.pathname, 120);
  const kept = "the token stays here: no redirect is followed";
  if (location.protocol === "https:" && asked.protocol === "http:" && location.hostname === asked.hostname) {
    return problem(id, [`http is sent on to ${shown}; ${kept}`, "give the address with https://, in clients as well"]);
  }
  if (location.origin !== asked.origin) {
    return problem(id, [
      `sent to another host, ${shown}, as a proxy does that requires a sign-in; ${kept}`,
      "let requests with an Authorization header for /.api/ and /api/ pass, or give what the proxy requires by SRC_HEADERS",
    ]);
  }
  const prefix = new URL(target).pathname.replace(/\/+$/u, "");
  if (prefix !== "" && !location.pathname.startsWith(`${prefix}/`)) {
    return problem(id, [
      `sent to ${shown}, outside of the path ${quoted(prefix)} of the address`,
      "the path in front of the API gets lost: check how the proxy rewrites paths, and the external URL of the instance",
    ]);
  }
  return problem(id, [
    `sent to ${shown}${loginPath.test(location.pathname) ? ", a page to sign in" : ""}; ${kept}`,
    "clients of the API cannot sign in there: check the token, and that the address is the one of the instance itself",
  ]);
}

/** Checks for redirects. */
export function checkRedirects(seen: SeenAnswers): DoctorCheck {
  const id = "redirects";
  const { evidence } = seen;
  const main = seen.search(evidence.mainCredential) ?? seen.first;
  const asked = [main, seen.list("legacy", evidence.mainCredential), seen.list("current", evidence.mainCredential)];
  const found = asked.flatMap((exchange) => {
    const location = exchange === undefined ? undefined : locationOf(exchange);
    return exchange === undefined || location === undefined ? [] : [redirectFinding(exchange, location, evidence)];
  });
  const [worst] = found;
  if (worst !== undefined) {
    return worst;
  }
  if (main?.response === undefined) {
    return notAsked(id);
  }
  const anonymous = seen.first === undefined ? undefined : locationOf(seen.first);
  return anonymous === undefined
    ? fine(id, "none")
    : note(id, [
        `none with the token; without one, to ${visibleText(anonymous.origin + anonymous.pathname, 120)}`,
        "a client that forgets its token gets a page instead of status 401: let refusals of /.api/ through as they are",
      ]);
}

/** Answers whose pages do not indicate a login. */
const withoutLogin: ReadonlySet<SeenAnswer> = new Set(["broken", "limited", "redirect", "served"]);

/** True if a page is returned instead of the API, except pages about failures and bad requests. */
const isPage = (exchange: ExchangeDraft): boolean =>
  seenAs(exchange) === "page" ||
  (!withoutLogin.has(seenAs(exchange)) &&
    exchange.response?.status !== 400 &&
    /text\/html/iu.test(headerOf(exchange, "content-type") ?? ""));

/** Checks that the API answers, and not a page from a proxy. */
export function checkApi(seen: SeenAnswers): DoctorCheck {
  const id = "is-the-api";
  const { mainCredential } = seen.evidence;
  const main = seen.search(mainCredential) ?? seen.first;
  const lists = [seen.list("legacy", mainCredential), seen.list("current", mainCredential)];
  const asked = [main, ...lists].flatMap((exchange) => (exchange?.response === undefined ? [] : [exchange]));
  const page = asked.find((exchange) => isPage(exchange));
  const { end } = main ?? {};
  if (end?.kind === "failed" && end.code === "protocol") {
    return problem(id, [
      end.message,
      "check the port: something other than a web server listens there, or it accepts only TLS",
    ]);
  }
  if (page !== undefined) {
    const basic = headerOf(page, "www-authenticate");
    return problem(id, [
      clauseWithPath(page),
      basic === undefined
        ? "a proxy answers instead of the API: let /.api/ and /api/ pass without its login, or give what it requires by SRC_HEADERS"
        : `a proxy requires its own credentials (${quoted(basic, 40)}): give them by SRC_HEADERS, or exempt /.api/ and /api/`,
    ]);
  }
  return withoutPage(asked);
}

function withoutPage(asked: readonly ExchangeDraft[]): DoctorCheck {
  const id = "is-the-api";
  const kinds = asked.map((exchange) => seenAs(exchange));
  const strange = asked.find((exchange) => ["other-content", "empty"].includes(seenAs(exchange)));
  if (strange !== undefined) {
    return problem(id, [clauseWithPath(strange), "check that the address is that of the instance"]);
  }
  if (kinds.includes("served")) {
    return fine(id, "responses have the form of the API");
  }
  if (kinds.includes("refused")) {
    return fine(id, "refusals have the form of the API");
  }
  if (kinds.length > 0 && kinds.every((kind) => kind === "missing")) {
    return problem(id, [
      "none of the paths of the API exists",
      "check the address, with its path: it is the one at which the web interface is, without anything after it",
    ]);
  }
  const refusal = asked.find(({ response }) => response?.status === 400);
  const broken = asked.find((exchange) => seenAs(exchange) === "broken");
  return refusal === undefined ? ofBroken(broken) : ofBadRequest(refusal);
}

const clauseWithPath = (exchange: ExchangeDraft): string =>
  `${answerClause(exchange)} comes from ${visibleText(new URL(exchange.request.url).pathname, 60)}`;

/** Status 400 for a valid request: the API was not reached. */
const ofBadRequest = (exchange: ExchangeDraft): DoctorCheck =>
  problem("is-the-api", [
    clauseWithPath(exchange),
    new URL(exchange.request.url).protocol === "http:"
      ? "the port may accept only https: use https://; otherwise find out in the log of the proxy why it rejects the request"
      : "the proxy may require a client certificate, or another one: give it by --client-cert and --client-key, or exempt /.api/ and /api/; otherwise find out in its log why it rejects the request",
  ]);

function ofBroken(exchange: ExchangeDraft | undefined): DoctorCheck {
  const id = "is-the-api";
  if (exchange === undefined) {
    return notAsked(id);
  }
  return isServiceDown(exchange.response?.status)
    ? problem(id, [
        clauseWithPath(exchange),
        "the proxy answers, but nothing behind it does: check that the instance runs, and the log of the proxy",
      ])
    : couldNotTell(id, [clauseWithPath(exchange), "see the lines about what is served"]);
}
