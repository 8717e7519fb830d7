import { defined } from "@assay/contract";
import type { CallDraft, Client, ClientCertificate, SearchDraft } from "@assay/client";
import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import { recordDraft } from "@assay/evidence";
import { currentDialect } from "../converse/current-dialect.ts";
import type { PlainCall } from "../converse/dialect.ts";
import { fetchApiReference } from "../converse/fetch-api-reference.ts";
import { legacyDialect, legacyList } from "../converse/legacy-dialect.ts";
import type { Pace } from "../drive/pace.ts";
import { arrivalOf } from "./arrival-of-stream.ts";
import { ownReadToken } from "./conversation-list.ts";
import type { CertificateLook, DoctorEvidence } from "./doctor-evidence.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { hasFailed } from "./failed-requests.ts";
import { largeHeldBack } from "./large-responses.ts";
import { isLoopbackUrl, readCertificate, proxyFor, resolveAddress } from "./probe-target.ts";
import { locationOf } from "./seen-answers.ts";
import { streamFacts } from "./stream-facts.ts";

/** Options of the doctor. */
export interface DoctorDrive extends Pick<
  DoctorEvidence,
  "access" | "sharing" | "extraHeaders" | "query" | "clockStartedAtMs" | "sampleMs"
> {
  /** For short answers, with short timeouts. */
  readonly quick: Client;
  /** For samples of streams, which may take as long as `sampleMs`. */
  readonly patient: Client;
  /** The same over the HTTP version that the others do not use; absent for http targets. */
  readonly other?: Client;
  /** By kind; `invalid-token` is one that was never issued. */
  readonly tokens: Readonly<Partial<Record<CredentialKind, string>>>;
  /** Whether the user chose the query, so that no other may be tried. */
  readonly isQueryChosen: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sent if the target requests one [none]. */
  readonly clientCertificate?: ClientCertificate;
  readonly nowMicros: () => number;
  /** Limits the request rate. */
  readonly pace: Pick<Pace, "turn" | "advice">;
  /** Concurrent searches. If there may be several, other requests are concurrent too. */
  readonly searchesAtOnce: number;
  /** When everything must have ended, on the same clock. */
  readonly deadlineMicros: number;
  readonly signal: AbortSignal;
  /** Called with a few words before each stage. */
  readonly onStage?: (stage: string) => void;
}

/** Maximum number of concurrent requests. */
const maxParallel = 4;
/** Timeout of a short answer. */
const usualMs = 15_000;
/** Timeout of a short answer while nothing has been answered yet and a request has timed out. */
const shortMs = 5000;
/** Minimum remaining time for another request. */
const minLeftMs = 500;
const doneEvent = new TextEncoder().encode("event: done\ndata: {}\n\n");
/** Searches with a shorter claimed time are too quick to show anything. */
const quickMs = 300;

interface Session extends DoctorDrive {
  readonly exchanges: ExchangeDraft[];
  number: number;
  /** True if requests were skipped because the time was up. */
  isCut: boolean;
}

/** True if requests were sent and none was answered. */
const isSilent = ({ exchanges }: Session): boolean =>
  exchanges.length > 0 && exchanges.every(({ response }) => response === undefined);

/** Timeout of a short answer. */
const shortAnswerMs = (session: Session): number => (isSilent(session) ? shortMs : usualMs);

const leftMs = ({ deadlineMicros, nowMicros }: DoctorDrive): number => (deadlineMicros - nowMicros()) / 1000;

/** True if there is time for another request. Records if there is not. */
function hasTimeLeft(session: Session): boolean {
  session.isCut ||= leftMs(session) < minLeftMs;
  return !session.signal.aborted && !session.isCut;
}

const tokenOf = ({ tokens }: DoctorDrive, credential: CredentialKind) => {
  const token = tokens[credential];
  return token === undefined ? {} : { token };
};

/** The credential of ordinary requests: an access token if given. */
const ordinaryCredential = (tokens: DoctorDrive["tokens"]): CredentialKind =>
  tokens["access-token"] !== undefined ? "access-token" : tokens["oauth-token"] !== undefined ? "oauth-token" : "none";

function keep(session: Session, probe: string, draft: SearchDraft | CallDraft): ExchangeDraft {
  session.number += 1;
  const exchange = { ...draft, id: String(session.number).padStart(4, "0"), probe };
  session.exchanges.push(exchange);
  // A wait that a busy target asks for applies to the next request. The refused one is not retried.
  session.pace.advice(exchange);
  return exchange;
}

/** Waits for the turn of a request and returns its timeout. */
async function turnMs(session: Session, maxMs: number): Promise<number> {
  await session.pace.turn();
  return Math.ceil(Math.max(1, Math.min(maxMs, leftMs(session))));
}

/** The query, limited to its first match. */
const quickQuery = (query: string): string => `${query.replaceAll(/(?:^|\s)count:\S+/gu, " ").trim()} count:1`.trim();

/** How long to wait for the end of a stream after its `done`: long once, to see whether it is left open. */
const lingerMs = ({ exchanges }: Session): number =>
  exchanges.some(({ end }) => end.kind === "complete" && end.closedBy === "client") ? 500 : 2000;

async function search(session: Session, credential: CredentialKind): Promise<ExchangeDraft> {
  const totalTimeoutMs = await turnMs(session, shortAnswerMs(session));
  const draft = await session.quick.search({
    parameters: { q: quickQuery(session.query) },
    credential,
    ...tokenOf(session, credential),
    lingerAfter: doneEvent,
    lingerMs: lingerMs(session),
    totalTimeoutMs,
    signal: session.signal,
  });
  return keep(session, doctorProbes.search, draft);
}

async function call(session: Session, probe: string, asked: PlainCall & { readonly credential: CredentialKind }) {
  const totalTimeoutMs = await turnMs(session, shortAnswerMs(session));
  const draft = await session.quick.call({
    ...asked,
    ...tokenOf(session, asked.credential),
    totalTimeoutMs,
    signal: session.signal,
  });
  return keep(session, probe, draft);
}

/** Tokens to try. Those of users without quota are only for questions. */
const triedKinds = ["access-token", "oauth-token", "other-token", "read-token", "unscoped-token"] as const;

type Task = () => Promise<unknown>;

/** Requests without a credential, and with each of them. */
function accessTasks(session: Session): readonly [anonymously: readonly Task[], others: readonly Task[]] {
  const kinds = triedKinds.filter((kind) => session.tokens[kind] !== undefined);
  const main = ordinaryCredential(session.tokens);
  const first = main === "none" ? [] : [main];
  const given = [...first, ...kinds.filter((kind) => kind !== main)];
  const lists = (credential: CredentialKind): readonly Task[] => [
    () => call(session, doctorProbes.list, { ...legacyDialect.list({ size: 5 }), credential }),
    () => call(session, doctorProbes.list, { ...currentDialect.list({ size: 5 }), credential }),
  ];
  const searches = [...given, "invalid-token" as const].map((credential) => () => search(session, credential));
  return [
    [...lists("none"), () => describeApi(session)],
    [...searches, ...given.flatMap((credential) => lists(credential))],
  ];
}

/** Fetches the OpenAPI document like a run does, and keeps the exchanges in memory. */
const describeApi = async (session: Session): Promise<void> => {
  await fetchApiReference({
    describe: async ({ id, probe, ...request }) => ({
      ...(await session.quick.describe({
        ...request,
        totalTimeoutMs: await turnMs(session, isSilent(session) ? shortMs : Number.POSITIVE_INFINITY),
      })),
      id,
      probe,
    }),
    writer: {
      writeExchange: (draft) => Promise.resolve(recordDraft(keep(session, doctorProbes.reference, draft)).record),
    },
    nextId: () => "",
    // The doctor fetches it again at the end, after more time.
    isRetried: false,
    signal: session.signal,
  });
};

/** Runs tasks, a few at a time, while there is time. */
async function runTasks(session: Session, tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = tasks.values();
  const work = async (): Promise<void> => {
    for (const task of waiting) {
      if (hasTimeLeft(session)) {
        await task();
      }
    }
  };
  const length = Math.min(maxParallel, session.searchesAtOnce);
  await Promise.all(Array.from({ length }, () => work()));
}

/** Requests a conversation of the main user as another user by its read token, to see whether it is shared. */
async function requestShared(session: Session): Promise<void> {
  const readToken = ownReadToken(session.exchanges, ordinaryCredential(session.tokens));
  if (readToken !== undefined && session.tokens["other-token"] !== undefined && hasTimeLeft(session)) {
    const asked = legacyList([["filter_read_token", readToken]]);
    await call(session, doctorProbes.shared, { ...asked, credential: "other-token" });
  }
}

interface Sample {
  readonly query: string;
  readonly encoding: "identity" | "gzip";
  /** Requests the whole stream. Otherwise the stream is so small that even a small buffer holds all of it back. */
  readonly isWhole?: boolean;
  /** [the patient one] */
  readonly over?: Client;
}

async function sampleStream(session: Session, credential: CredentialKind, sample: Sample) {
  const { encoding, isWhole, query, over = session.patient } = sample;
  const totalTimeoutMs = await turnMs(session, session.sampleMs);
  const draft = await over.search({
    parameters: { q: query, ...(isWhole === true ? {} : { display: "1" }) },
    credential,
    ...tokenOf(session, credential),
    headers: [["accept-encoding", encoding]],
    lingerAfter: doneEvent,
    lingerMs: lingerMs(session),
    totalTimeoutMs,
    signal: session.signal,
  });
  return keep(session, over === session.patient ? doctorProbes.sample : doctorProbes.otherSample, draft);
}

/** The same words with many more results, for a query that the user did not choose: longer searches show more. */
const longerQuery = (query: string): string => `${query.replaceAll(/(?:^|\s)count:\S+/gu, " ").trim()} count:10000`;

/** Sends searches in sequence, so that they do not slow each other: plain and compressed in turn, then whole streams. */
async function sampleStreams(session: Session, credential: CredentialKind, look: CertificateLook): Promise<void> {
  const first = await sampleStream(session, credential, { query: session.query, encoding: "identity" });
  const arrival = arrivalOf(first, streamFacts(first));
  const isQuick = arrival.kind === "too-quick" && arrival.claimedMs < quickMs;
  const query = isQuick && !session.isQueryChosen ? longerQuery(session.query) : session.query;
  const others: readonly Sample[] = [
    { query, encoding: "gzip" },
    { query, encoding: "identity" },
    { query, encoding: "gzip" },
    { query, encoding: "identity", isWhole: true },
  ];
  const taken = [first];
  for (const sample of others) {
    if (hasTimeLeft(session)) {
      taken.push(await sampleStream(session, credential, sample));
    }
  }
  // A single large stream that is held back may be an incident.
  const isSuspect = largeHeldBack(taken.map((exchange) => ({ exchange, facts: streamFacts(exchange) }))) !== undefined;
  if (isSuspect && hasTimeLeft(session)) {
    await sampleStream(session, credential, { query, encoding: "identity", isWhole: true });
  }
  await sampleOtherVersion(session, credential, { query, look });
}

/** As many as there are plain samples over the usual version. */
const otherSamples = 2;

/** Samples over the other HTTP version, if the target may support it. */
async function sampleOtherVersion(
  session: Session,
  credential: CredentialKind,
  { query, look }: { readonly query: string; readonly look: CertificateLook },
): Promise<void> {
  const { other } = session;
  // Behind a proxy only a request can show which versions are supported.
  const mayOffer = look.kind === "certificate" ? look.protocol === "h2" : look.kind === "not-asked";
  if (other === undefined || !mayOffer) {
    return;
  }
  for (let taken = 0; taken < otherSamples && hasTimeLeft(session); taken++) {
    const { response } = await sampleStream(session, credential, { query, encoding: "identity", over: other });
    if (response === undefined) {
      return;
    }
  }
}

const isAnsweredByStream = (exchange: ExchangeDraft | undefined): boolean =>
  exchange?.response !== undefined &&
  exchange.response.status >= 200 &&
  exchange.response.status < 300 &&
  streamFacts(exchange).events > 0;

/** True if tokens may be sent after the first request: something answered, and did not redirect to https. */
function maySendTokens({ end, request, response }: ExchangeDraft): boolean {
  if (response === undefined) {
    return end.kind === "failed" && ["first-byte-timeout", "total-timeout", "reset"].includes(end.code);
  }
  const location = locationOf({ request, response });
  const asked = new URL(request.url);
  return !(location?.protocol === "https:" && asked.protocol === "http:" && !isLoopbackUrl(asked));
}

/**
 * Sends requests with each token and without one. Returns false if the first search, a list and the API reference all got no response:
 * then no token is sent, and no time is spent on further timeouts.
 */
async function requestAccess(session: Session): Promise<boolean> {
  const [anonymously, others] = accessTasks(session);
  if (!isSilent(session)) {
    await runTasks(session, [...others, ...anonymously]);
    return true;
  }
  await runTasks(session, anonymously);
  if (isSilent(session)) {
    return false;
  }
  await runTasks(session, others);
  return true;
}

async function ask(session: Session, handshake: Promise<CertificateLook>): Promise<void> {
  session.onStage?.("is the target there");
  const anonymous = await search(session, "none");
  if (!maySendTokens(anonymous) || !hasTimeLeft(session)) {
    return;
  }
  session.onStage?.("who may do what");
  if (!(await requestAccess(session))) {
    return;
  }
  await requestShared(session);
  const main = ordinaryCredential(session.tokens);
  const own = session.exchanges.find(({ credential, probe }) => probe === doctorProbes.search && credential === main);
  // If anonymous search is allowed, a refused token does not prevent stream checks.
  const able = [own, anonymous].find((exchange) => isAnsweredByStream(exchange));
  if (able !== undefined && hasTimeLeft(session)) {
    session.onStage?.("how the stream arrives");
    await sampleStreams(session, able.credential, await handshake);
  }
  // A document that fails once shows intermittent failures; one that always fails may not exist.
  if (session.exchanges.some((exchange) => isReference(exchange) && hasFailed(exchange)) && hasTimeLeft(session)) {
    await describeApi(session);
  }
}

const isReference = ({ probe }: ExchangeDraft): boolean => probe === doctorProbes.reference;

/**
 * Sends a small fixed set of requests that change nothing and ask no question: searches, lists of conversations and the OpenAPI
 * document, with each given token, an invalid one and none. Then it measures the arrival of a few streams. The first request has no
 * token; if it gets no answer or a redirect to https, no token is sent. Each wait has a deadline. Fails with a `HarnessError` only if a
 * request cannot be built.
 */
export async function driveDoctor(options: DoctorDrive): Promise<DoctorEvidence> {
  const session: Session = { ...options, exchanges: [], number: 0, isCut: false };
  const { baseUrl } = options.quick;
  const proxy = proxyFor(baseUrl, options.env);
  const isDirect = proxy === undefined || proxy.isExempt;
  const handshake = readCertificate(baseUrl, options, proxy);
  const [addresses, certificate] = await Promise.all([
    isDirect ? resolveAddress(baseUrl) : ({ kind: "not-asked" } as const),
    handshake,
    ask(session, handshake),
  ]);
  const { access, clockStartedAtMs, extraHeaders, query, sampleMs, sharing } = options;
  return {
    target: baseUrl.href.replace(/\/+$/u, ""),
    access,
    sharing,
    given: triedKinds.filter((kind) => options.tokens[kind] !== undefined),
    mainCredential: ordinaryCredential(options.tokens),
    extraHeaders,
    query,
    clockStartedAtMs,
    sampleMs,
    ...defined({ proxy }),
    addresses,
    certificate,
    exchanges: session.exchanges,
    ...(options.signal.aborted ? { stopped: "interrupted" } : session.isCut ? { stopped: "deadline" } : {}),
  };
}
