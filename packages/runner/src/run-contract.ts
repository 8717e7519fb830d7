import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { closeKeptConnection } from "@assay/client";
import type { Client, KeptConnection } from "@assay/client";
import { defined, isConversationRuleId } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { credentialKinds } from "@assay/evidence";
import type { BundleWriter, CredentialKind, ExchangeDraft, FooterInfo } from "@assay/evidence";
import { createAuthorizationSchemes } from "./converse/authorization-schemes.ts";
import { recordDescribedMembers } from "./converse/record-described-members.ts";
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
import { toFooter, mergeFooters } from "./run-footer.ts";
import { isKept, planProbes } from "./plan/stream-probes.ts";
import type { ProbePlan } from "./plan/stream-probes.ts";

/** A target to test: its clients and credentials. */
export interface ContractTarget {
  readonly client: Pick<Client, "search" | "call" | "describe">;
  /** The configured tokens by kind. */
  readonly tokens: Readonly<Partial<Record<CredentialKind, string>>>;
  readonly sharing: "on" | "off" | "undeclared";
}

/** Options of a contract run. */
export interface ContractOptions {
  /** The selected rules. Requests that no rule needs are not sent. */
  readonly rules: readonly RuleId[];
  /** A query that should find matches on the target. */
  readonly query: string;
  /** Questions to ask in turn. The marker of the run is added. Default: questions about a word of the query. */
  readonly questions?: readonly string[];
  readonly limits: ConversationLimits;
  /** Number of concurrent searches. The limits also apply. */
  readonly parallel: number;
  /** Whether conversations may run concurrently with searches. Some targets then become too slow to respond in time. Default: false. */
  readonly hasConcurrentConversations?: boolean;
  /** Id of the run. Each question contains it, so that all conversations of the run can be recognised and deleted. */
  readonly marker: string;
  readonly seed: number;
  /** Returns numbers in [0, 1). Seeded, so that a run can be repeated. */
  readonly random: () => number;
  /** An existing folder for the ledger of created conversations. */
  readonly folder: string;
  /** Exchanges with the OpenAPI document. Default: fetched from the target's API reference. */
  readonly apiDocument?: readonly ExchangeDraft[];
  readonly writer: BundleWriter;
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  /** Returns the remaining time of the run, which is negative after its end. */
  readonly remainingMs: () => number;
  /** Reports whether no further request may start. By default, none may once the time is up. */
  readonly isOverdue?: () => boolean;
  /** Aborted with the name of the signal when the user interrupts. */
  readonly signal: AbortSignal;
  /** Called before further requests, when none is in flight. If set, conversations start after the searches have ended. */
  readonly reasonToStop?: ReasonToStop;
  /** Called when all searches are recorded and only conversations follow. */
  readonly onSearchesSent?: () => void;
  readonly listener?: DriveListener & ConverseListener;
}

/** Options of `ContractDriver.sendSearches`. */
export interface SearchOptions extends Pick<DriveOptions, "onStream"> {
  /** The probes to send. Default: those that the rules need. */
  readonly plan?: ProbePlan;
  /** Wraps the function that sends each search. By default, nothing is wrapped. */
  readonly wrapSend?: (send: SendSearch) => SendSearch;
}

/** The parts of a run, for callers that send them in a different order or at different times. */
export interface ContractDriver {
  /** The credential of ordinary requests, or `none` if there is no token. */
  readonly mainCredential: CredentialKind;
  /** Sends the searches of a plan. Default: those that the rules need. */
  sendSearches(options?: SearchOptions): Promise<FooterInfo>;
  /** Returns false if the last requests timed out and requests for lists and the API reference time out too. */
  isAnswering(): Promise<boolean>;
  /** Records the OpenAPI document. */
  recordApiDocument(): Promise<void>;
  /** Creates, polls, lists and deletes conversations, and tries refusals, as `rules` require. Default: those of the run. */
  holdConversations(rules?: readonly string[]): Promise<FooterInfo>;
}

/** Waits at least `ms`. Timers may fire early, which would exceed the request rate, so it adds a millisecond. */
export const wait: Wait = (ms, signal) => sleep(Math.ceil(ms) + 1, undefined, signal === undefined ? {} : { signal });

/** Returns the credential of ordinary requests. */
export const selectMainCredential = ({ tokens }: Pick<ContractTarget, "tokens">): CredentialKind =>
  tokens["access-token"] !== undefined ? "access-token" : tokens["oauth-token"] !== undefined ? "oauth-token" : "none";

/** Returns a well-formed token that was never issued. The same seed yields the same token. */
export const createInvalidToken = (seed: number): string =>
  `sgp_${createHash("sha1").update(`never issued ${seed}`).digest("hex")}`;

const maxSearchTimeoutMs = 120_000;
const maxDocumentTimeoutMs = 120_000;
const minTimeoutMs = 1000;

/** Limits the timeout of a request to the remaining time of the run, but to no less than a second. */
const limitTimeout = (maxMs: number, remainingMs: number): number =>
  Math.round(Math.min(maxMs, Math.max(minTimeoutMs, remainingMs)));

/** Returns the timeout for fetching an OpenAPI document: at most the remaining time of the run, but at least a second. */
export const documentTimeoutMs = (remainingMs: number): number => limitTimeout(maxDocumentTimeoutMs, remainingMs);

/** The last event of a stream. The client only waits briefly for data after it. */
const doneEvent = Buffer.from("event: done\ndata: {}\n\n");

/** Creates ids for calls, which sort after those of searches. */
function createCallIds(): () => string {
  let sequence = 10_000;
  return () => String((sequence += 1));
}

/** Returns a word of the query that may occur in code, or else a word that occurs in most code. */
const chooseWord = (query: string): string =>
  query.split(/\s+/u).find((word) => /^[\p{L}_][\p{L}\p{N}_]{2,40}$/u.test(word)) ?? "test";

/**
 * Returns the questions to ask in turn. The second one contains characters that are corrupted by faulty escaping, unescaping, truncation,
 * encoding or sanitizing of text.
 */
const questionsAbout = (word: string): readonly string[] => [
  `Where is ${word} used?`,
  `Which files mention "${word}", '${word}',  <b>${word}</b> or \\${word} & what do they do with it?\n\t- naïve: Größe, 日本語, cafe\u0301\n\t- 🔍 %20 &amp; {{${word}}}`,
  `How is ${word} tested?`,
];

/** Length of a shortened token: the number of characters of a token that programs commonly show, and the minimum that can be redacted. */
const shortenedTokenLength = 8;

/**
 * Returns the credentials that cannot be derived from the access token. If a token has fewer than 16 characters, a shortened token would
 * reveal more than half of it, or be too short to be redacted.
 */
const findUnavailableCredentials = ({ "access-token": token }: ContractTarget["tokens"]): ReadonlySet<CredentialKind> =>
  new Set(token !== undefined && token.length < 2 * shortenedTokenLength ? ["shortened-token"] : []);

/** Derives credentials from the access token. All are invalid except the first, which is sent with a different scheme. */
const deriveCredentials = (token: string | undefined): Readonly<Partial<Record<CredentialKind, string>>> =>
  token === undefined
    ? {}
    : {
        "access-token-as-bearer": token,
        "lengthened-token": `${token}0`,
        "empty-token": "",
        "shortened-token": token.slice(0, shortenedTokenLength),
      };

/** Returns the token of a credential. Some kinds send the token of a different kind in a different way. */
function selectToken(
  credential: CredentialKind,
  tokens: ContractTarget["tokens"],
  mainToken: string | undefined,
): string | undefined {
  if (credential === "other-scheme") {
    return mainToken;
  }
  const derivedToken = deriveCredentials(tokens["access-token"])[credential];
  return derivedToken ?? tokens[credential === "invalid-oauth-token" ? "invalid-token" : credential];
}

const needsInterface = (rules: readonly string[], name: string): boolean =>
  rules.some((id) => id.startsWith(`${name}/`) || id.startsWith("migration/"));

/** State shared by the parts of one run. */
interface DriverContext {
  readonly target: ContractTarget;
  readonly client: PatientClient;
  readonly options: ContractOptions;
  readonly pace: Pace;
  readonly mainCredential: CredentialKind;
  readonly tokens: ContractTarget["tokens"];
  readonly nextId: () => string;
  readonly isOverdue: () => boolean;
  /** Request members in the served OpenAPI document, by `<interface>/<operation>`. Filled when the document arrives. */
  readonly describedMembers: Map<string, readonly string[]>;
  /** Empty without a listener. */
  readonly listenerOption: Pick<ContractOptions, "listener">;
}

const searchSender =
  ({ client, options: { remainingMs, signal }, tokens }: DriverContext, keptConnection: KeptConnection): SendSearch =>
  async ({ id, probe, credential }) => {
    const token = selectToken(credential, tokens, undefined);
    const draft = await client.search({
      ...(isKept(probe) ? { connection: keptConnection } : {}),
      parameters: Object.entries(probe.parameters),
      credential,
      ...defined({ token }),
      // Some targets keep the connection open after the last event.
      lingerAfter: doneEvent,
      totalTimeoutMs: limitTimeout(maxSearchTimeoutMs, remainingMs()),
      signal,
    });
    return { ...draft, id, probe: probe.id };
  };

function sendSearches(
  context: DriverContext,
  driveOptions: Pick<DriveOptions, "plan" | "send" | "onStream">,
): Promise<FooterInfo> {
  const { target, options, pace, mainCredential, isOverdue, listenerOption } = context;
  const { limits, writer, signal, parallel, redact, reasonToStop } = options;
  return driveRun({
    ...defined({ reasonToStop }),
    ...driveOptions,
    containsSecret: (text) => redact(text) !== text,
    mainCredential,
    credentials: new Set(credentialKinds.filter((kind) => target.tokens[kind] !== undefined)),
    unavailableCredentials: findUnavailableCredentials(target.tokens),
    parallel: Math.min(parallel, limits.maxConcurrentSearches),
    pace,
    writer,
    isOverdue,
    signal,
    ...listenerOption,
  });
}

async function recordApiDocument(context: DriverContext): Promise<void> {
  const { client, options, pace, nextId, isOverdue, listenerOption, describedMembers } = context;
  const { apiDocument, writer, signal, remainingMs } = options;
  for (const draft of apiDocument ?? []) {
    recordDescribedMembers(describedMembers, draft);
    await writer.writeExchange({ ...draft, id: nextId() });
  }
  if (apiDocument !== undefined || isOverdue()) {
    return;
  }
  await fetchApiReference({
    describe: async ({ id, probe, ...request }) => {
      const describe = async (): Promise<ExchangeDraft> => {
        await pace.waitForTurn();
        const draft = await client.describe({ ...request, totalTimeoutMs: documentTimeoutMs(remainingMs()) });
        return { ...draft, id, probe };
      };
      const first = await describe();
      const draft = pace.adviceAfter(first) === "retry" ? await describe() : first;
      recordDescribedMembers(describedMembers, draft);
      return draft;
    },
    writer,
    nextId,
    signal,
    ...listenerOption,
  });
}

async function holdConversations(context: DriverContext, rules: readonly string[]): Promise<FooterInfo> {
  const { target, client, options, pace, mainCredential, tokens, nextId, isOverdue } = context;
  const { folder, redact, query, listener, writer, limits, marker, clock, random, remainingMs, signal, reasonToStop } =
    options;
  const ledger = await openLedger(folder, { redact });
  try {
    const end = await converse({
      ...defined({ reasonToStop }),
      interfaces: new Set(conversationInterfaces.filter((name) => needsInterface(rules, name))),
      send: async ({ id, probe, ...call }) => {
        const token = selectToken(call.credential, tokens, tokens[mainCredential]);
        return { ...(await client.call({ ...call, ...defined({ token }) })), id, probe };
      },
      credentials: new Set(credentialKinds.filter((kind) => tokens[kind] !== undefined)),
      unavailableCredentials: findUnavailableCredentials(target.tokens),
      rules: new Set(rules),
      requestNames: { describedMembers: context.describedMembers },
      authorizationSchemes: createAuthorizationSchemes(),
      questions: options.questions ?? questionsAbout(chooseWord(query)),
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
      remainingMs,
      signal,
    });
    return toFooter(end);
  } finally {
    await ledger.close();
  }
}

/** Prepares the parts of a run. Does not send anything. */
export function createContractDriver(target: ContractTarget, options: ContractOptions): ContractDriver {
  const { rules, query, limits, signal, remainingMs, clock, seed, listener } = options;
  // Each exchange in flight adds a listener, and Node.js warns at the eleventh.
  setMaxListeners(0, signal);
  const context: DriverContext = {
    target,
    client: createPatientClient(target.client),
    options,
    pace: createPace({ limits, clock, wait, signal, remainingMs }),
    mainCredential: selectMainCredential(target),
    tokens: { ...target.tokens, "invalid-token": createInvalidToken(seed) },
    nextId: createCallIds(),
    isOverdue: options.isOverdue ?? ((): boolean => remainingMs() < 0),
    describedMembers: new Map(),
    listenerOption: listener === undefined ? {} : { listener },
  };
  return {
    mainCredential: context.mainCredential,
    async sendSearches({ plan = planProbes(rules, query), wrapSend = (send: SendSearch) => send, onStream } = {}) {
      const connection: KeptConnection = {};
      const send = wrapSend(searchSender(context, connection));
      return sendSearches(context, { plan, send, ...defined({ onStream }) }).finally(() =>
        closeKeptConnection(connection),
      );
    },
    isAnswering: () =>
      isAnswering(context.client, {
        interfaces: conversationInterfaces.filter((name) => needsInterface(rules, name)),
        credential: context.mainCredential,
        token: selectToken(context.mainCredential, context.tokens, undefined),
        pace: context.pace,
        signal,
      }),
    recordApiDocument: () => recordApiDocument(context),
    holdConversations: (neededRules = rules) => holdConversations(context, neededRules),
  };
}

const noAnswersEnd = {
  ended: "stopped",
  cause: "broken-searches",
  reason: "the target accepts requests but answers none, so nothing more was sent",
} as const satisfies FooterInfo;

/**
 * Sends the searches, then holds the conversations unless the searches ended the run. With `hasConcurrentConversations` and several parallel searches,
 * conversations start as soon as the plain search is answered. Does not judge anything.
 */
export async function runContract(target: ContractTarget, options: ContractOptions): Promise<FooterInfo> {
  const { rules, parallel, reasonToStop } = options;
  const mayOverlap = options.hasConcurrentConversations === true && reasonToStop === undefined;
  const driver = createContractDriver(target, options);
  const needsConversations = rules.some((id) => isConversationRuleId(id)) && driver.mainCredential !== "none";
  const startConversations = async (): Promise<FooterInfo> => {
    await driver.recordApiDocument();
    return driver.holdConversations();
  };
  let conversations: Promise<FooterInfo> | undefined;
  const searchPromise = driver.sendSearches({
    onStream: () => {
      conversations = mayOverlap && needsConversations && parallel > 1 ? startConversations() : undefined;
      // The promise is awaited below, after the searches.
      conversations?.catch(() => undefined);
    },
  });
  // Created conversations are deleted even if the searches fail.
  await searchPromise.catch(() => conversations);
  const searchFooter = await searchPromise;
  if (conversations !== undefined) {
    options.onSearchesSent?.();
    return mergeFooters(searchFooter, await conversations);
  }
  if (!needsConversations || searchFooter.ended !== "complete") {
    return searchFooter;
  }
  const reason = await reasonToStop?.("questions");
  if (reason !== undefined) {
    return { ...searchFooter, ended: "stopped", cause: "bail", reason };
  }
  if (!(await driver.isAnswering())) {
    return { ...searchFooter, ...noAnswersEnd };
  }
  options.onSearchesSent?.();
  return mergeFooters(searchFooter, await startConversations());
}
