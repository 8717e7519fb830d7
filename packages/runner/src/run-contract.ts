import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@assay/client";
import { defined, isConversationRuleId } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { credentialKinds } from "@assay/evidence";
import type { BundleWriter, CredentialKind, ExchangeDraft, FooterInfo } from "@assay/evidence";
import { createAuthorizationForms } from "./converse/authorization-forms.ts";
import { learnDescribed } from "./converse/learn-described.ts";
import type { ConverseListener, Wait } from "./converse/caller.ts";
import { converse } from "./converse/converse.ts";
import type { ConversationLimits } from "./converse/conversation-limits.ts";
import { conversationInterfaces } from "./converse/dialect.ts";
import { isAnswering } from "./converse/is-answering.ts";
import { fetchApiReference } from "./converse/fetch-api-reference.ts";
import { openLedger } from "./converse/ledger.ts";
import type { Clock } from "./converse/rate-limit.ts";
import { driveRun } from "./drive/drive-run.ts";
import type { DriveListener, DriveOptions, ReasonToStop, SendSearch } from "./drive/drive-run.ts";
import { createPatientClient } from "./drive/patient-client.ts";
import type { PatientClient } from "./drive/patient-client.ts";
import { createPace } from "./drive/pace.ts";
import type { Pace } from "./drive/pace.ts";
import { footerOf, footerOfBoth } from "./run-footer.ts";
import { probesFor } from "./plan/stream-probes.ts";
import type { ProbePlan } from "./plan/stream-probes.ts";

/** A target that is held to the contract: how it is reached, and who may ask. */
export interface ContractTarget {
  readonly client: Pick<Client, "search" | "call" | "describe">;
  /** Those that were given, by what they are. */
  readonly tokens: Readonly<Partial<Record<CredentialKind, string>>>;
  readonly sharing: "on" | "off" | "undeclared";
}

/** What of the contract is asked for, how fast, for how long, and where the evidence goes. */
export interface ContractOptions {
  /** The selected rules: what none of them needs is not sent. */
  readonly rules: readonly RuleId[];
  /** Should find something on the target. */
  readonly query: string;
  /** Asked in turn, without the mark of the run [about a word of the query]. */
  readonly questions?: readonly string[];
  readonly limits: ConversationLimits;
  /** Searches on their way at the same time; no more than the limits allow. */
  readonly parallel: number;
  /** Whether conversations may be held beside the searches: of another target nobody knows whether it then answers in time [no]. */
  readonly isBeside?: boolean;
  /** Id of the run; stands in each question, so that what was created can be told and removed. */
  readonly marker: string;
  readonly seed: number;
  /** From 0 to below 1; seeded, so that a run can be repeated. */
  readonly random: () => number;
  /** An existing folder for the ledger of what is created. */
  readonly folder: string;
  /** The OpenAPI document, as it was fetched or read [what the target's own reference answers]. */
  readonly apiDocument?: readonly ExchangeDraft[];
  readonly writer: BundleWriter;
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  /** Of the time for everything; less than nothing when it is over. */
  readonly leftMs: () => number;
  /** Whether nothing more is to begin [when no time is left]. */
  readonly isOverdue?: () => boolean;
  /** Aborted with the name of the signal when the user interrupts. */
  readonly signal: AbortSignal;
  /** Asked before more is sent, when nothing is on its way [never]. Conversations then come after the searches. */
  readonly reasonToStop?: ReasonToStop;
  readonly listener?: DriveListener & ConverseListener;
}

/** How searches are sent. */
export interface SearchSending extends Pick<DriveOptions, "onStream"> {
  /** What is sent [what the rules need]. */
  readonly plan?: ProbePlan;
  /** Put around the sending of each search [nothing]. */
  readonly onTurn?: (send: SendSearch) => SendSearch;
}

/** The parts of a run, for who sends them in another order or at other times. */
export interface ContractDriver {
  /** The credential of ordinary requests; `none` where nobody was given who may ask. */
  readonly mainCredential: CredentialKind;
  /** Sends the searches of a plan [what the rules need]. */
  searches(sending?: SearchSending): Promise<FooterInfo>;
  /** Whether anything answers: true unless the last requests got no response in time, and lists and the reference get none either. */
  isAnswering(): Promise<boolean>;
  /** Records the OpenAPI document. */
  apiDocument(): Promise<void>;
  /** Asks, polls, lists, refuses and cleans up, as rules need it [those of the run]; tells how that ended, with what is left on the target. */
  conversations(rules?: readonly string[]): Promise<FooterInfo>;
}

/** Waits a little longer than asked: a timer may fire early, and a rate is not to be exceeded. */
export const wait: Wait = (ms, signal) => sleep(Math.ceil(ms) + 1, undefined, signal === undefined ? {} : { signal });

/** The credential of ordinary requests. */
export const mainCredentialOf = ({ tokens }: Pick<ContractTarget, "tokens">): CredentialKind =>
  tokens["access-token"] !== undefined ? "access-token" : tokens["oauth-token"] !== undefined ? "oauth-token" : "none";

/** A token that looks like one and was never issued; the same for the same seed. */
export const invalidToken = (seed: number): string =>
  `sgp_${createHash("sha1").update(`never issued ${seed}`).digest("hex")}`;

/** Most time one search may take. */
const maxSearchMs = 120_000;
const mostDocumentMs = 120_000;
const leastMs = 1000;

/** How long one request may take: no more than is left of the run, and at least a second. */
const within = (mostMs: number, leftMs: number): number => Math.round(Math.min(mostMs, Math.max(leastMs, leftMs)));

/** How long one fetch of an OpenAPI document may take: no more than is left of the run, and at least a second. */
export const documentMs = (leftMs: number): number => within(mostDocumentMs, leftMs);

/** How the last event of a stream is written, after which a short time is enough to see whether more comes. */
const doneEvent = Buffer.from("event: done\ndata: {}\n\n");

/** Ids of calls stand behind those of searches. */
function idsAfterSearches(): () => string {
  let next = 10_000;
  return () => String((next += 1));
}

/** A word of the query that code may hold, else one that most code does. */
const wordOf = (query: string): string =>
  query.split(/\s+/u).find((part) => /^[\p{L}_][\p{L}\p{N}_]{2,40}$/u.test(part)) ?? "test";

/**
 * The questions that are asked in turn. The second one holds what is spoilt on the way by who escapes, unescapes, cuts, re-encodes
 * or tidies up texts.
 */
const questionsAbout = (word: string): readonly string[] => [
  `Where is ${word} used?`,
  `Which files mention "${word}", '${word}',  <b>${word}</b> or \\${word} & what do they do with it?\n\t- naïve: Größe, 日本語\n\t- 🔍 %20 &amp; {{${word}}}`,
  `How is ${word} tested?`,
];

/** Characters left of a shortened token: as many as programs show of a token, and as few as can still be redacted. */
const shortenedLength = 8;

/**
 * Credentials that cannot be made from the access token. The beginning of a token of fewer than 16 characters would be more than
 * half of it, or too short to be redacted.
 */
const unmadeFrom = ({ "access-token": token }: ContractTarget["tokens"]): ReadonlySet<CredentialKind> =>
  new Set(token !== undefined && token.length < 2 * shortenedLength ? ["shortened-token"] : []);

/** What is made of the access token; but for the scheme of the first one, none of it is a token. */
const madeFrom = (token: string | undefined): Readonly<Partial<Record<CredentialKind, string>>> =>
  token === undefined
    ? {}
    : {
        "access-token-as-bearer": token,
        "lengthened-token": `${token}0`,
        "empty-token": "",
        "shortened-token": token.slice(0, shortenedLength),
      };

/** What goes with a credential: some send the token of another one in another way. */
function tokenFor(
  credential: CredentialKind,
  tokens: ContractTarget["tokens"],
  mainToken: string | undefined,
): string | undefined {
  if (credential === "other-scheme") {
    return mainToken;
  }
  const made = madeFrom(tokens["access-token"])[credential];
  return made ?? tokens[credential === "invalid-oauth-token" ? "invalid-token" : credential];
}

const isAsked = (rules: readonly string[], name: string): boolean =>
  rules.some((id) => id.startsWith(`${name}/`) || id.startsWith("migration/"));

/** What the parts of one run share. */
interface Driving {
  readonly target: ContractTarget;
  readonly client: PatientClient;
  readonly options: ContractOptions;
  readonly pace: Pace;
  readonly mainCredential: CredentialKind;
  readonly tokens: ContractTarget["tokens"];
  readonly nextId: () => string;
  readonly isOverdue: () => boolean;
  /** Members of requests that the served OpenAPI document describes, by `<interface>/<operation>`; filled when it comes. */
  readonly described: Map<string, readonly string[]>;
  /** Empty where nobody is told. */
  readonly telling: Pick<ContractOptions, "listener">;
}

const searchSender =
  ({ client, options: { leftMs, signal }, tokens }: Driving): SendSearch =>
  async ({ id, probe, credential }) => {
    const token = tokenFor(credential, tokens, undefined);
    const draft = await client.search({
      parameters: Object.entries(probe.parameters),
      credential,
      ...defined({ token }),
      // A target that keeps the connection open has said all it has to say.
      lingerAfter: doneEvent,
      totalTimeoutMs: within(maxSearchMs, leftMs()),
      signal,
    });
    return { ...draft, id, probe: probe.id };
  };

function sendSearches(
  driving: Driving,
  sending: Pick<DriveOptions, "plan" | "send" | "onStream">,
): Promise<FooterInfo> {
  const { target, options, pace, mainCredential, isOverdue, telling } = driving;
  const { limits, writer, signal, parallel, redact, reasonToStop } = options;
  return driveRun({
    ...defined({ reasonToStop }),
    ...sending,
    holdsSecret: (text) => redact(text) !== text,
    mainCredential,
    credentials: new Set(credentialKinds.filter((kind) => target.tokens[kind] !== undefined)),
    unmade: unmadeFrom(target.tokens),
    parallel: Math.min(parallel, limits.searchesAtOnce),
    pace,
    writer,
    isOverdue,
    signal,
    ...telling,
  });
}

async function recordApiDocument(driving: Driving): Promise<void> {
  const { client, options, pace, nextId, isOverdue, telling, described } = driving;
  const { apiDocument, writer, signal, leftMs } = options;
  for (const draft of apiDocument ?? []) {
    learnDescribed(described, draft);
    await writer.writeExchange({ ...draft, id: nextId() });
  }
  if (apiDocument !== undefined || isOverdue()) {
    return;
  }
  await fetchApiReference({
    describe: async ({ id, probe, ...request }) => {
      const describe = async (): Promise<ExchangeDraft> => {
        await pace.turn();
        const draft = await client.describe({ ...request, totalTimeoutMs: documentMs(leftMs()) });
        return { ...draft, id, probe };
      };
      const first = await describe();
      const draft = pace.advice(first) === "again" ? await describe() : first;
      learnDescribed(described, draft);
      return draft;
    },
    writer,
    nextId,
    signal,
    ...telling,
  });
}

async function holdConversations(driving: Driving, rules: readonly string[]): Promise<FooterInfo> {
  const { target, client, options, pace, mainCredential, tokens, nextId, isOverdue } = driving;
  const { folder, redact, query, listener, writer, limits, marker, clock, random, leftMs, signal, reasonToStop } =
    options;
  const ledger = await openLedger(folder, { redact });
  try {
    const end = await converse({
      ...defined({ reasonToStop }),
      interfaces: new Set(conversationInterfaces.filter((name) => isAsked(rules, name))),
      send: async ({ id, probe, ...call }) => {
        const token = tokenFor(call.credential, tokens, tokens[mainCredential]);
        return { ...(await client.call({ ...call, ...defined({ token }) })), id, probe };
      },
      credentials: new Set(credentialKinds.filter((kind) => tokens[kind] !== undefined)),
      unmade: unmadeFrom(target.tokens),
      rules: new Set(rules),
      requestNames: { described: driving.described },
      authorizationForms: createAuthorizationForms(),
      questions: options.questions ?? questionsAbout(wordOf(query)),
      sharing: target.sharing,
      rateLimit: pace.rateLimit,
      listener: listener ?? {},
      ledger,
      writer,
      nextId,
      mainCredential,
      limits,
      marker,
      clock,
      wait,
      random,
      isOverdue,
      leftMs,
      signal,
    });
    return footerOf(end);
  } finally {
    await ledger.close();
  }
}

/** Makes the parts of a run ready; sends nothing yet. */
export function contractDriver(target: ContractTarget, options: ContractOptions): ContractDriver {
  const { rules, query, limits, signal, leftMs, clock, seed, listener } = options;
  // Each exchange that is under way listens to it, and Node would warn of the eleventh.
  setMaxListeners(0, signal);
  const driving: Driving = {
    target,
    client: createPatientClient(target.client),
    options,
    pace: createPace({ limits, clock, wait, signal, leftMs }),
    mainCredential: mainCredentialOf(target),
    tokens: { ...target.tokens, "invalid-token": invalidToken(seed) },
    nextId: idsAfterSearches(),
    isOverdue: options.isOverdue ?? ((): boolean => leftMs() < 0),
    described: new Map(),
    telling: listener === undefined ? {} : { listener },
  };
  return {
    mainCredential: driving.mainCredential,
    searches: ({ plan = probesFor(rules, query), onTurn = (send: SendSearch) => send, onStream } = {}) =>
      sendSearches(driving, { plan, send: onTurn(searchSender(driving)), ...defined({ onStream }) }),
    isAnswering: () =>
      isAnswering(driving.client, {
        interfaces: conversationInterfaces.filter((name) => isAsked(rules, name)),
        credential: driving.mainCredential,
        token: tokenFor(driving.mainCredential, driving.tokens, undefined),
        pace: driving.pace,
        signal,
      }),
    apiDocument: () => recordApiDocument(driving),
    conversations: (needed = rules) => holdConversations(driving, needed),
  };
}

const answersNothing = {
  ended: "stopped",
  cause: "broken-searches",
  reason: "the target accepts requests and answers none, so nothing more was sent",
} as const satisfies FooterInfo;

/**
 * Sends everything: the searches, and the conversations unless the searches ended the run; after them, or beside them once the plain search
 * was answered, where that is wanted and several searches may be on their way. Judges nothing.
 */
export async function runContract(target: ContractTarget, options: ContractOptions): Promise<FooterInfo> {
  const { rules, parallel, reasonToStop } = options;
  const isBeside = options.isBeside === true && reasonToStop === undefined;
  const driver = contractDriver(target, options);
  const isHeld = rules.some((id) => isConversationRuleId(id)) && driver.mainCredential !== "none";
  const hold = async (): Promise<FooterInfo> => {
    await driver.apiDocument();
    return driver.conversations();
  };
  let beside: Promise<FooterInfo> | undefined;
  const searching = driver.searches({
    onStream: () => {
      beside = isBeside && isHeld && parallel > 1 ? hold() : undefined;
      // Waited for below, once the searches have ended as well.
      beside?.catch(() => undefined);
    },
  });
  // What was created is removed whatever became of the searches.
  await searching.catch(() => beside);
  const streams = await searching;
  if (beside !== undefined) {
    return footerOfBoth(streams, await beside);
  }
  if (!isHeld || streams.ended !== "complete") {
    return streams;
  }
  const reason = await reasonToStop?.("questions");
  if (reason !== undefined) {
    return { ...streams, ended: "stopped", cause: "bail", reason };
  }
  return (await driver.isAnswering()) ? footerOfBoth(streams, await hold()) : { ...streams, ...answersNothing };
}
