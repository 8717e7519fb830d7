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
import { isLoopbackUrl, lookAtCertificate, lookAtProxy, lookUpAddress } from "./look-at-target.ts";
import { locationOf } from "./seen-answers.ts";
import { streamFacts } from "./stream-facts.ts";

/** What a doctor works with. */
export interface DoctorDrive extends Pick<
  DoctorEvidence,
  "access" | "sharing" | "extraHeaders" | "query" | "clockStartedAtMs" | "sampleMs"
> {
  /** For short answers, which it does not wait long for. */
  readonly quick: Client;
  /** For samples of streams, which may take as long as `sampleMs`. */
  readonly patient: Client;
  /** The same over the version of HTTP that the others do not speak; absent for a target that is asked by http. */
  readonly other?: Client;
  /** By kind; that of `invalid-token` was never issued. */
  readonly tokens: Readonly<Partial<Record<CredentialKind, string>>>;
  /** Whether the query is somebody's wish, and no other may be tried. */
  readonly isQueryChosen: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Given to the target where it asks for one [none]. */
  readonly clientCertificate?: ClientCertificate;
  readonly nowMicros: () => number;
  /** When requests may be sent. */
  readonly pace: Pick<Pace, "turn" | "advice">;
  /** Searches on their way at the same time; what else is asked goes beside them where there may be several. */
  readonly searchesAtOnce: number;
  /** When everything has to be over, on the same clock. */
  readonly deadlineMicros: number;
  readonly signal: AbortSignal;
  /** Called with a few words before each stage. */
  readonly onStage?: (stage: string) => void;
}

/** What is sent at the same time at most. */
const mostParallel = 4;
/** For a short answer. */
const usualMs = 15_000;
/** For one after a request that got no response in time, as long as nothing was answered. */
const shortMs = 5000;
/** Least time that is left when another request is sent. */
const leastLeftMs = 500;
const doneEvent = new TextEncoder().encode("event: done\ndata: {}\n\n");
/** Searches whose target had less than this to tell are too quick to show anything. */
const quickMs = 300;

interface Session extends DoctorDrive {
  readonly exchanges: ExchangeDraft[];
  number: number;
  /** Whether something was left out because the time was up. */
  isCut: boolean;
}

/** Whether something was asked and nothing answered. */
const isSilent = ({ exchanges }: Session): boolean =>
  exchanges.length > 0 && exchanges.every(({ response }) => response === undefined);

/** How long a short answer is waited for. */
const shortAnswerMs = (session: Session): number => (isSilent(session) ? shortMs : usualMs);

const leftMs = ({ deadlineMicros, nowMicros }: DoctorDrive): number => (deadlineMicros - nowMicros()) / 1000;

/** Whether there is time for one more request; that there was none is remembered. */
function mayAsk(session: Session): boolean {
  session.isCut ||= leftMs(session) < leastLeftMs;
  return !session.signal.aborted && !session.isCut;
}

const tokenOf = ({ tokens }: DoctorDrive, credential: CredentialKind) => {
  const token = tokens[credential];
  return token === undefined ? {} : { token };
};

/** The credential of ordinary requests: an access token where one was given. */
const ordinaryCredential = (tokens: DoctorDrive["tokens"]): CredentialKind =>
  tokens["access-token"] !== undefined ? "access-token" : tokens["oauth-token"] !== undefined ? "oauth-token" : "none";

function keep(session: Session, probe: string, draft: SearchDraft | CallDraft): ExchangeDraft {
  session.number += 1;
  const exchange = { ...draft, id: String(session.number).padStart(4, "0"), probe };
  session.exchanges.push(exchange);
  // What a busy target asks to wait for is waited for before the next request; the same is not asked again.
  session.pace.advice(exchange);
  return exchange;
}

/** What one request may take, once its turn has come. */
async function turnMs(session: Session, mostMs: number): Promise<number> {
  await session.pace.turn();
  return Math.ceil(Math.max(1, Math.min(mostMs, leftMs(session))));
}

/** The query, stopped at its first match. */
const quickQuery = (query: string): string => `${query.replaceAll(/(?:^|\s)count:\S+/gu, " ").trim()} count:1`.trim();

/** How long we wait for the end of a stream after its `done`: long once, to see that it is left open. */
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

/** Tokens that are tried, and none, and one that nobody issued. Those of users without quota are for questions only. */
const triedKinds = ["access-token", "oauth-token", "other-token", "read-token", "unscoped-token"] as const;

type Task = () => Promise<unknown>;

/** What is asked for without a credential, and with each. */
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

/** Looks for the OpenAPI document as a run does, and keeps what came in memory. */
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
    // It asks once more at the end, when more time has passed.
    isRetried: false,
    signal: session.signal,
  });
};

/** Carries tasks out, a few at a time, until it is over. */
async function carryOut(session: Session, tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = tasks.values();
  const work = async (): Promise<void> => {
    for (const task of waiting) {
      if (mayAsk(session)) {
        await task();
      }
    }
  };
  const length = Math.min(mostParallel, session.searchesAtOnce);
  await Promise.all(Array.from({ length }, () => work()));
}

/** Asks as another user for an own conversation, by its read token: what is shown to him is what sharing is. */
async function askShared(session: Session): Promise<void> {
  const readToken = ownReadToken(session.exchanges, ordinaryCredential(session.tokens));
  if (readToken !== undefined && session.tokens["other-token"] !== undefined && mayAsk(session)) {
    const asked = legacyList([["filter_read_token", readToken]]);
    await call(session, doctorProbes.shared, { ...asked, credential: "other-token" });
  }
}

interface Sample {
  readonly query: string;
  readonly encoding: "identity" | "gzip";
  /** Without it the stream is small, so that even a small buffer holds all of it back. */
  readonly isWhole?: boolean;
  /** [the patient one] */
  readonly over?: Client;
}

async function takeSample(session: Session, credential: CredentialKind, sample: Sample) {
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

/** The same words with many more results, when nobody chose the query: what takes longer shows more. */
const longerQuery = (query: string): string => `${query.replaceAll(/(?:^|\s)count:\S+/gu, " ").trim()} count:10000`;

/** Searches one after the other, so that none slows another: plain and compressed by turns, and the whole stream at last. */
async function takeSamples(session: Session, credential: CredentialKind, look: CertificateLook): Promise<void> {
  const first = await takeSample(session, credential, { query: session.query, encoding: "identity" });
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
    if (mayAsk(session)) {
      taken.push(await takeSample(session, credential, sample));
    }
  }
  // That a large stream is held back may be an accident, once.
  const isSuspect = largeHeldBack(taken.map((exchange) => ({ exchange, facts: streamFacts(exchange) }))) !== undefined;
  if (isSuspect && mayAsk(session)) {
    await takeSample(session, credential, { query, encoding: "identity", isWhole: true });
  }
  await takeOtherSamples(session, credential, { query, look });
}

/** As many as there are plain ones of the usual version. */
const otherSamples = 2;

/** Samples over the other version of HTTP, where a target may speak it. */
async function takeOtherSamples(
  session: Session,
  credential: CredentialKind,
  { query, look }: { readonly query: string; readonly look: CertificateLook },
): Promise<void> {
  const { other } = session;
  // Of what a proxy is in between of, nobody knows before it is asked.
  const mayOffer = look.kind === "certificate" ? look.protocol === "h2" : look.kind === "not-asked";
  if (other === undefined || !mayOffer) {
    return;
  }
  for (let taken = 0; taken < otherSamples && mayAsk(session); taken++) {
    const { response } = await takeSample(session, credential, { query, encoding: "identity", over: other });
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

/** Whether the first request has met anybody who may be sent a token: not when nothing answers, nor when https is wanted instead. */
function mayGoOn({ end, request, response }: ExchangeDraft): boolean {
  if (response === undefined) {
    return end.kind === "failed" && ["first-byte-timeout", "total-timeout", "reset"].includes(end.code);
  }
  const location = locationOf({ request, response });
  const asked = new URL(request.url);
  return !(location?.protocol === "https:" && asked.protocol === "http:" && !isLoopbackUrl(asked));
}

/**
 * Asks with each token and with none. Where the first search got no response and neither a list nor the reference gets one, no
 * token is sent and nobody waits for each request in turn: then it is false.
 */
async function askForAccess(session: Session): Promise<boolean> {
  const [anonymously, others] = accessTasks(session);
  if (!isSilent(session)) {
    await carryOut(session, [...others, ...anonymously]);
    return true;
  }
  await carryOut(session, anonymously);
  if (isSilent(session)) {
    return false;
  }
  await carryOut(session, others);
  return true;
}

async function ask(session: Session, looked: Promise<CertificateLook>): Promise<void> {
  session.onStage?.("is anybody there");
  const anonymous = await search(session, "none");
  if (!mayGoOn(anonymous) || !mayAsk(session)) {
    return;
  }
  session.onStage?.("who may do what");
  if (!(await askForAccess(session))) {
    return;
  }
  await askShared(session);
  const main = ordinaryCredential(session.tokens);
  const own = session.exchanges.find(({ credential, probe }) => probe === doctorProbes.search && credential === main);
  // A token that is refused where everybody may search is no reason not to look at the stream.
  const able = [own, anonymous].find((exchange) => isAnsweredByStream(exchange));
  if (able !== undefined && mayAsk(session)) {
    session.onStage?.("how the stream arrives");
    await takeSamples(session, able.credential, await looked);
  }
  // A document that fails for now tells of what fails now and then; one that always fails may just not be there.
  if (session.exchanges.some((exchange) => isReference(exchange) && hasFailed(exchange)) && mayAsk(session)) {
    await describeApi(session);
  }
}

const isReference = ({ probe }: ExchangeDraft): boolean => probe === doctorProbes.reference;

/**
 * Sends a small fixed set of requests that change nothing and ask no question: searches, lists of conversations and the OpenAPI
 * document, with each token that was given, one that nobody issued and none; then a few streams whose arrival is measured. The
 * first request goes without a token; when nothing answers it, or asks for https, no token is sent. Each wait has a deadline.
 * Fails with a `HarnessError` only where a request cannot be built.
 */
export async function driveDoctor(options: DoctorDrive): Promise<DoctorEvidence> {
  const session: Session = { ...options, exchanges: [], number: 0, isCut: false };
  const { baseUrl } = options.quick;
  const proxy = lookAtProxy(baseUrl, options.env);
  const isDirect = proxy === undefined || proxy.isExempt;
  const looked = lookAtCertificate(baseUrl, options, proxy);
  const [addresses, certificate] = await Promise.all([
    isDirect ? lookUpAddress(baseUrl) : ({ kind: "not-asked" } as const),
    looked,
    ask(session, looked),
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
