import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "@assay/client";
import type { BundleWriter, CredentialKind, ExchangeDraft, FooterInfo } from "@assay/evidence";
import { isConversationRuleId } from "@assay/contract";
import { seededRandom } from "@assay/reference-server";
import { conversationInterfaces, converse, fetchApiReference, openLedger } from "@assay/runner";
import type { ConversationLimits, ConverseEnd, ConverseListener, Ledger, Pace, Wait } from "@assay/runner";
import { linksOf } from "./api-address.ts";
import { readApiFile } from "./api-file.ts";
import type { RunTarget } from "./run-target.ts";

/** What the conversations of a run need. */
export interface ConversationPart {
  readonly client: Client;
  readonly target: Pick<RunTarget, "sharing">;
  readonly tokens: Readonly<Partial<Record<CredentialKind, string>>>;
  readonly mainCredential: CredentialKind;
  readonly rules: readonly string[];
  readonly limits: ConversationLimits;
  /** Id of the run; stands in each question. */
  readonly marker: string;
  readonly seed: number;
  /** A word of the searched code, for questions that can be answered. */
  readonly word: string;
  readonly folder: string;
  readonly cwd: string;
  /** File of the OpenAPI document [where the target serves it]. */
  readonly openapi?: string;
  /** How the document was fetched from an address that was named [not at all]. */
  readonly fetchedApi?: readonly ExchangeDraft[];
  readonly writer: BundleWriter;
  readonly redact: (text: string) => string;
  readonly nextId: () => string;
  readonly nowMicros: () => number;
  readonly isOverdue: () => boolean;
  /** Of the time for the whole run; less than nothing when it is over. */
  readonly leftMs: () => number;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly listener: ConverseListener;
}

/** Waits a little longer than asked: a timer may fire early, and a rate is not to be exceeded. */
export const runWait: Wait = (ms, signal) => wait(Math.ceil(ms) + 1, undefined, signal === undefined ? {} : { signal });

/** Whether any of the rules is about conversations. */
export const wantsConversations = (rules: readonly string[]): boolean => rules.some((id) => isConversationRuleId(id));

const questionsAbout = (word: string): readonly string[] => [
  `Where is ${word} used?`,
  `Which files mention ${word}, and what do they do with it?`,
  `How is ${word} tested?`,
];

const mostDocumentMs = 120_000;
const leastDocumentMs = 1000;

/** How long one fetch of an OpenAPI document may take: no more than is left of the run, and at least a second. */
export const documentMs = (leftMs: number): number =>
  Math.round(Math.min(mostDocumentMs, Math.max(leastDocumentMs, leftMs)));

/** Records the OpenAPI document: what was named as it is, else what the target's own reference answers. */
export async function recordApiDocument(part: ConversationPart): Promise<void> {
  const { client, openapi, fetchedApi, writer, nextId, signal, listener, cwd, nowMicros, pace, leftMs } = part;
  if (fetchedApi !== undefined) {
    for (const draft of fetchedApi) {
      await writer.writeExchange({ ...draft, id: nextId() });
    }
    return;
  }
  if (openapi !== undefined) {
    await writer.writeExchange(await readApiFile(openapi, { cwd, id: nextId(), atMicros: nowMicros() }));
    return;
  }
  if (part.isOverdue()) {
    return;
  }
  await fetchApiReference({
    describe: async ({ id, probe, ...request }) => {
      const describe = async (): Promise<ExchangeDraft> => {
        await pace.turn();
        return { ...(await client.describe({ ...request, totalTimeoutMs: documentMs(leftMs()) })), id, probe };
      };
      const draft = await describe();
      return pace.advice(draft) === "again" ? describe() : draft;
    },
    linksOf,
    writer,
    nextId,
    signal,
    listener,
  });
}

const needsLegacy = (rules: readonly string[], name: string): boolean =>
  rules.some((id) => id.startsWith(`${name}/`) || id.startsWith("migration/"));

/** What goes with a credential: some send the token of another one in another way. */
function tokenFor(
  credential: CredentialKind,
  tokens: ConversationPart["tokens"],
  mainToken: string | undefined,
): string | undefined {
  if (credential === "other-scheme") {
    return mainToken;
  }
  if (credential === "access-token-as-bearer") {
    return tokens["access-token"];
  }
  return tokens[credential === "invalid-oauth-token" ? "invalid-token" : credential];
}

function converseWith(part: ConversationPart, ledger: Ledger): Promise<ConverseEnd> {
  const { client, tokens, rules } = part;
  const mainToken = tokens[part.mainCredential];
  return converse({
    interfaces: new Set(conversationInterfaces.filter((name) => needsLegacy(rules, name))),
    send: async ({ id, probe, ...call }) => {
      const token = tokenFor(call.credential, tokens, mainToken);
      return { ...(await client.call({ ...call, ...(token === undefined ? {} : { token }) })), id, probe };
    },
    writer: part.writer,
    nextId: part.nextId,
    mainCredential: part.mainCredential,
    credentials: new Set(keysOf(tokens)),
    rules: new Set(rules),
    limits: part.limits,
    marker: part.marker,
    questions: questionsAbout(part.word),
    sharing: part.target.sharing,
    ledger,
    clock: { nowMicros: part.nowMicros },
    wait: runWait,
    rateLimit: part.pace.rateLimit,
    random: seededRandom(part.seed, "conversations"),
    isOverdue: part.isOverdue,
    leftMs: part.leftMs,
    signal: part.signal,
    listener: part.listener,
  });
}

const isCredential = (name: string): name is CredentialKind => name !== "none" && name !== "unknown";
const keysOf = (tokens: ConversationPart["tokens"]): readonly CredentialKind[] =>
  Object.keys(tokens).filter((name) => isCredential(name));

/** Asks, polls, lists, refuses and cleans up; returns how driving ended, with what is left on the target. */
export async function driveConversations(part: ConversationPart): Promise<FooterInfo & { readonly end: ConverseEnd }> {
  const ledger = await openLedger(part.folder, { redact: part.redact });
  try {
    const end = await converseWith(part, ledger);
    const { skipped, cleanUp } = end;
    const left = cleanUp.left.map(({ what, why }) => `${what}: ${why}`).join("; ");
    return {
      ...footerOf(end),
      ...(left === "" ? {} : { left }),
      ...(skipped.length === 0 ? {} : { unsent: skipped }),
      end,
    };
  } finally {
    await ledger.close();
  }
}

function footerOf({ stop }: ConverseEnd): FooterInfo {
  if (stop === undefined) {
    return { ended: "complete" };
  }
  if (stop.cause === "interrupted") {
    return { ended: "interrupted", reason: stop.reason };
  }
  return { ended: "stopped", cause: stop.cause === "deadline" ? "deadline" : "broken-searches", reason: stop.reason };
}
