import { defined } from "@assay/contract";
import type { CallDraft, Client, ClientCertificate, SearchDraft } from "@assay/client";
import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import { recordDraft } from "@assay/evidence";
import { currentDialect } from "../converse/current-dialect.ts";
import type { PlainCall } from "../converse/dialect.ts";
import { fetchApiReference } from "../converse/fetch-api-reference.ts";
import { legacyDialect, createLegacyList } from "../converse/legacy-dialect.ts";
import type { Pace } from "../drive/pace.ts";
import { classifyArrival } from "./classify-arrival.ts";
import { findOwnReadToken } from "./conversation-list.ts";
import type { CertificateResult, DoctorEvidence } from "./doctor-evidence.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { hasFailedForAnyCredential } from "./failed-requests.ts";
import { findLargeHeldBack } from "./large-responses.ts";
import { isLoopbackUrl, readCertificate, findProxy, resolveAddress } from "./probe-target.ts";
import { findRedirectLocation } from "./arranged-evidence.ts";
import { readStreamFacts } from "./stream-facts.ts";

/** Options of `runDoctorProbes`. */
export interface DoctorOptions extends Pick<
  DoctorEvidence,
  "access" | "sharing" | "extraHeaders" | "query" | "clockStartedAtMs" | "maxStreamMs"
> {
  /** Client with short timeouts, for short responses. */
  readonly shortTimeoutClient: Client;
  /** Client for stream samples, which may take up to `maxStreamMs`. */
  readonly longTimeoutClient: Client;
  /** Like `longTimeoutClient`, but over the HTTP version that the other clients do not use. Absent for http targets. */
  readonly otherClient?: Client;
  /** Tokens by kind. `invalid-token` was never issued. */
  readonly tokens: Readonly<Partial<Record<CredentialKind, string>>>;
  /** Whether the user chose the query. If so, other queries are not tried. */
  readonly isUserQuery: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sent if the target requests a client certificate. Default: none. */
  readonly clientCertificate?: ClientCertificate;
  readonly nowMicros: () => number;
  /** Limits the request rate. */
  readonly pace: Pick<Pace, "waitForTurn" | "adviceAfter">;
  /** Maximum number of concurrent searches. If it exceeds 1, other requests are sent concurrently too. */
  readonly maxConcurrentSearches: number;
  /** Time by which all requests must have ended, by the clock of `nowMicros`. */
  readonly deadlineMicros: number;
  readonly signal: AbortSignal;
  /** Called with a short description before each stage. */
  readonly onStage?: (stage: string) => void;
}

/** Maximum number of concurrent requests. */
const maxConcurrentRequests = 4;
/** Timeout of a short response. */
const usualTimeoutMs = 15_000;
/** Timeout of a short response while every request so far has timed out. */
const shortTimeoutMs = 5000;
/** Minimum remaining time for another request. */
const minRemainingMs = 500;
const doneEvent = new TextEncoder().encode("event: done\ndata: {}\n\n");
/** Searches with a shorter reported duration are too quick to be conclusive. */
const minConclusiveMs = 300;

interface Session extends DoctorOptions {
  readonly exchanges: ExchangeDraft[];
  exchangeCount: number;
  /** True if requests were skipped because time ran out. */
  ranOutOfTime: boolean;
}

/** Reports whether requests were sent and none received a response. */
const isUnanswered = ({ exchanges }: Session): boolean =>
  exchanges.length > 0 && exchanges.every(({ response }) => response === undefined);

/** Timeout of a short response. */
const selectAnswerTimeoutMs = (session: Session): number => (isUnanswered(session) ? shortTimeoutMs : usualTimeoutMs);

const computeRemainingMs = ({ deadlineMicros, nowMicros }: DoctorOptions): number =>
  (deadlineMicros - nowMicros()) / 1000;

/** Reports whether another request may be sent. Sets `ranOutOfTime` if there is no time for one. */
function hasTimeLeft(session: Session): boolean {
  session.ranOutOfTime ||= computeRemainingMs(session) < minRemainingMs;
  return !session.signal.aborted && !session.ranOutOfTime;
}

const selectToken = ({ tokens }: DoctorOptions, credential: CredentialKind) => {
  const token = tokens[credential];
  return token === undefined ? {} : { token };
};

/** Returns the credential of ordinary requests: an access token if given. */
const findMainCredential = (tokens: DoctorOptions["tokens"]): CredentialKind =>
  tokens["access-token"] !== undefined ? "access-token" : tokens["oauth-token"] !== undefined ? "oauth-token" : "none";

function recordExchange(session: Session, probe: string, draft: SearchDraft | CallDraft): ExchangeDraft {
  session.exchangeCount += 1;
  const exchange = { ...draft, id: String(session.exchangeCount).padStart(4, "0"), probe };
  session.exchanges.push(exchange);
  // A wait requested by a busy target applies to the next request. The refused request is not retried.
  session.pace.adviceAfter(exchange);
  return exchange;
}

/** Waits until a request may be sent and returns its timeout in milliseconds. */
async function waitForTurn(session: Session, maxMs: number): Promise<number> {
  await session.pace.waitForTurn();
  return Math.ceil(Math.max(1, Math.min(maxMs, computeRemainingMs(session))));
}

/** Limits a query to its first match. */
const limitToFirstMatch = (query: string): string =>
  `${query.replaceAll(/(?:^|\s)count:\S+/gu, " ").trim()} count:1`.trim();

/** Returns the time to wait for the end of a stream after `done`. It is long for one stream, to detect a response that is left open. */
const selectLingerMs = ({ exchanges }: Session): number =>
  exchanges.some(({ end }) => end.kind === "complete" && end.closedBy === "client") ? 500 : 2000;

async function sendSearch(session: Session, credential: CredentialKind): Promise<ExchangeDraft> {
  const totalTimeoutMs = await waitForTurn(session, selectAnswerTimeoutMs(session));
  const draft = await session.shortTimeoutClient.search({
    parameters: { q: limitToFirstMatch(session.query) },
    credential,
    ...selectToken(session, credential),
    lingerAfter: doneEvent,
    lingerMs: selectLingerMs(session),
    totalTimeoutMs,
    signal: session.signal,
  });
  return recordExchange(session, doctorProbes.search, draft);
}

async function sendCall(session: Session, probe: string, request: PlainCall & { readonly credential: CredentialKind }) {
  const totalTimeoutMs = await waitForTurn(session, selectAnswerTimeoutMs(session));
  const draft = await session.shortTimeoutClient.call({
    ...request,
    ...selectToken(session, request.credential),
    totalTimeoutMs,
    signal: session.signal,
  });
  return recordExchange(session, probe, draft);
}

/** Kinds of tokens to try. Tokens of users without quota are only used for questions. */
const testedCredentials = ["access-token", "oauth-token", "other-token", "read-token", "unscoped-token"] as const;

type Task = () => Promise<unknown>;

/** Creates the requests without a credential and with each credential. */
function createAccessTasks(session: Session): readonly [anonymously: readonly Task[], others: readonly Task[]] {
  const kinds = testedCredentials.filter((kind) => session.tokens[kind] !== undefined);
  const mainCredential = findMainCredential(session.tokens);
  const mainCredentials = mainCredential === "none" ? [] : [mainCredential];
  const credentials = [...mainCredentials, ...kinds.filter((kind) => kind !== mainCredential)];
  const createListTasks = (credential: CredentialKind): readonly Task[] => [
    () => sendCall(session, doctorProbes.list, { ...legacyDialect.list({ size: 5 }), credential }),
    () => sendCall(session, doctorProbes.list, { ...currentDialect.list({ size: 5 }), credential }),
  ];
  const searches = [...credentials, "invalid-token" as const].map(
    (credential) => () => sendSearch(session, credential),
  );
  return [
    [...createListTasks("none"), () => fetchReference(session)],
    [...searches, ...credentials.flatMap((credential) => createListTasks(credential))],
  ];
}

/** Fetches the OpenAPI document in the same way as a run, but keeps the exchanges in memory. */
const fetchReference = async (session: Session): Promise<void> => {
  await fetchApiReference({
    describe: async ({ id, probe, ...request }) => ({
      ...(await session.shortTimeoutClient.describe({
        ...request,
        totalTimeoutMs: await waitForTurn(session, isUnanswered(session) ? shortTimeoutMs : Number.POSITIVE_INFINITY),
      })),
      id,
      probe,
    }),
    writer: {
      writeExchange: (draft) =>
        Promise.resolve(recordDraft(recordExchange(session, doctorProbes.reference, draft)).record),
    },
    nextId: () => "",
    // Doctor fetches the document again at the end.
    shouldRetry: false,
    signal: session.signal,
  });
};

/** Runs tasks, a few at a time, until time runs out. */
async function runTasks(session: Session, tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const pendingTasks = tasks.values();
  const runPending = async (): Promise<void> => {
    for (const task of pendingTasks) {
      if (hasTimeLeft(session)) {
        await task();
      }
    }
  };
  const length = Math.min(maxConcurrentRequests, session.maxConcurrentSearches);
  await Promise.all(Array.from({ length }, () => runPending()));
}

/** Lists one of the main user's conversations as another user, with its read token, to determine whether it is shared. */
async function requestShared(session: Session): Promise<void> {
  const readToken = findOwnReadToken(session.exchanges, findMainCredential(session.tokens));
  if (readToken !== undefined && session.tokens["other-token"] !== undefined && hasTimeLeft(session)) {
    const request = createLegacyList([["filter_read_token", readToken]]);
    await sendCall(session, doctorProbes.shared, { ...request, credential: "other-token" });
  }
}

interface Sample {
  readonly query: string;
  readonly encoding: "identity" | "gzip";
  /** Requests the whole stream. Otherwise the stream is small enough to fit into a small buffer. */
  readonly isFullStream?: boolean;
  /** Client to use. Default: the one with long timeouts. */
  readonly client?: Client;
}

async function sampleStream(session: Session, credential: CredentialKind, sample: Sample) {
  const { encoding, isFullStream, query, client = session.longTimeoutClient } = sample;
  const totalTimeoutMs = await waitForTurn(session, session.maxStreamMs);
  const draft = await client.search({
    parameters: { q: query, ...(isFullStream === true ? {} : { display: "1" }) },
    credential,
    ...selectToken(session, credential),
    headers: [["accept-encoding", encoding]],
    lingerAfter: doneEvent,
    lingerMs: selectLingerMs(session),
    totalTimeoutMs,
    signal: session.signal,
  });
  return recordExchange(
    session,
    client === session.longTimeoutClient ? doctorProbes.sample : doctorProbes.otherSample,
    draft,
  );
}

/** Requests many more results for a default query, because longer searches are more conclusive. */
const extendQuery = (query: string): string => `${query.replaceAll(/(?:^|\s)count:\S+/gu, " ").trim()} count:10000`;

/** Sends searches in sequence so that they do not slow each other down: alternately plain and compressed, then whole streams. */
async function sampleStreams(
  session: Session,
  credential: CredentialKind,
  certificate: CertificateResult,
): Promise<void> {
  const first = await sampleStream(session, credential, { query: session.query, encoding: "identity" });
  const arrival = classifyArrival(first, readStreamFacts(first));
  const isQuick = arrival.kind === "too-quick" && arrival.reportedMs < minConclusiveMs;
  const query = isQuick && !session.isUserQuery ? extendQuery(session.query) : session.query;
  const moreSamples: readonly Sample[] = [
    { query, encoding: "gzip" },
    { query, encoding: "identity" },
    { query, encoding: "gzip" },
    { query, encoding: "identity", isFullStream: true },
  ];
  const exchanges = [first];
  for (const sample of moreSamples) {
    if (hasTimeLeft(session)) {
      exchanges.push(await sampleStream(session, credential, sample));
    }
  }
  // A single large stream that is held back may be a network incident.
  const isSuspect =
    findLargeHeldBack(exchanges.map((exchange) => ({ exchange, facts: readStreamFacts(exchange) }))) !== undefined;
  if (isSuspect && hasTimeLeft(session)) {
    await sampleStream(session, credential, { query, encoding: "identity", isFullStream: true });
  }
  await sampleOtherVersion(session, credential, { query, certificate });
}

/** Equal to the number of plain samples over the usual version. */
const otherSampleCount = 2;

/** Takes samples over the other HTTP version if the target may support it. */
async function sampleOtherVersion(
  session: Session,
  credential: CredentialKind,
  { query, certificate }: { readonly query: string; readonly certificate: CertificateResult },
): Promise<void> {
  const { otherClient } = session;
  // If requests go through a proxy, only a request can show which versions the target supports.
  const mayOfferOtherVersion =
    certificate.kind === "certificate" ? certificate.protocol === "h2" : certificate.kind === "not-checked";
  if (otherClient === undefined || !mayOfferOtherVersion) {
    return;
  }
  for (let count = 0; count < otherSampleCount && hasTimeLeft(session); count++) {
    const { response } = await sampleStream(session, credential, { query, encoding: "identity", client: otherClient });
    if (response === undefined) {
      return;
    }
  }
}

const hasReturnedStream = (exchange: ExchangeDraft | undefined): boolean =>
  exchange?.response !== undefined &&
  exchange.response.status >= 200 &&
  exchange.response.status < 300 &&
  readStreamFacts(exchange).events > 0;

/** Reports whether tokens may be sent after the first request: it received a response that is not a redirect to https. */
function maySendTokens({ end, request, response }: ExchangeDraft): boolean {
  if (response === undefined) {
    return end.kind === "failed" && ["first-byte-timeout", "total-timeout", "reset"].includes(end.code);
  }
  const location = findRedirectLocation({ request, response });
  const url = new URL(request.url);
  return !(location?.protocol === "https:" && url.protocol === "http:" && !isLoopbackUrl(url));
}

/**
 * Sends requests with each token and without one. Returns false if the first search, a list and the API reference all received no
 * response. In that case it sends no token and does not wait for further timeouts.
 */
async function requestAccess(session: Session): Promise<boolean> {
  const [anonymousTasks, otherTasks] = createAccessTasks(session);
  if (!isUnanswered(session)) {
    await runTasks(session, [...otherTasks, ...anonymousTasks]);
    return true;
  }
  await runTasks(session, anonymousTasks);
  if (isUnanswered(session)) {
    return false;
  }
  await runTasks(session, otherTasks);
  return true;
}

async function sendRequests(session: Session, handshake: Promise<CertificateResult>): Promise<void> {
  session.onStage?.("is the target there");
  const anonymousSearch = await sendSearch(session, "none");
  if (!maySendTokens(anonymousSearch) || !hasTimeLeft(session)) {
    return;
  }
  session.onStage?.("who may do what");
  if (!(await requestAccess(session))) {
    return;
  }
  await requestShared(session);
  const mainCredential = findMainCredential(session.tokens);
  const mainSearch = session.exchanges.find(
    ({ credential, probe }) => probe === doctorProbes.search && credential === mainCredential,
  );
  // If anonymous search is allowed, streams can be checked even if the token is refused.
  const streamSearch = [mainSearch, anonymousSearch].find((exchange) => hasReturnedStream(exchange));
  if (streamSearch !== undefined && hasTimeLeft(session)) {
    session.onStage?.("how the stream arrives");
    await sampleStreams(session, streamSearch.credential, await handshake);
  }
  // A second fetch distinguishes intermittent failures from a document that does not exist.
  if (
    session.exchanges.some((exchange) => isReference(exchange) && hasFailedForAnyCredential(exchange)) &&
    hasTimeLeft(session)
  ) {
    await fetchReference(session);
  }
}

const isReference = ({ probe }: ExchangeDraft): boolean => probe === doctorProbes.reference;

/**
 * Sends a small, fixed set of read-only requests that ask no questions: searches, conversation lists and the OpenAPI document, with each
 * configured token, an invalid token and no token. Then it measures the arrival of a few streams. The first request has no token. If that
 * request receives no response or a redirect to https, no token is sent. Every wait has a deadline. Throws a `HarnessError` only if a
 * request cannot be built.
 */
export async function runDoctorProbes(options: DoctorOptions): Promise<DoctorEvidence> {
  const session: Session = { ...options, exchanges: [], exchangeCount: 0, ranOutOfTime: false };
  const { baseUrl } = options.shortTimeoutClient;
  const proxy = findProxy(baseUrl, options.env);
  const isDirect = proxy === undefined || proxy.isExempt;
  const handshake = readCertificate(baseUrl, options, proxy);
  const [addresses, certificate] = await Promise.all([
    isDirect ? resolveAddress(baseUrl) : ({ kind: "not-checked" } as const),
    handshake,
    sendRequests(session, handshake),
  ]);
  const { access, clockStartedAtMs, extraHeaders, query, maxStreamMs, sharing } = options;
  return {
    target: baseUrl.href.replace(/\/+$/u, ""),
    access,
    sharing,
    configuredCredentials: testedCredentials.filter((kind) => options.tokens[kind] !== undefined),
    mainCredential: findMainCredential(options.tokens),
    extraHeaders,
    query,
    clockStartedAtMs,
    maxStreamMs,
    ...defined({ proxy }),
    addresses,
    certificate,
    exchanges: session.exchanges,
    ...(options.signal.aborted ? { stopped: "interrupted" } : session.ranOutOfTime ? { stopped: "deadline" } : {}),
  };
}
