import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, createRunClock } from "@assay/client";
import { defined, ruleIds } from "@assay/contract";
import type { ExchangeDraft } from "@assay/evidence";
import { recordDraft } from "@assay/evidence";
import type { SendCall, Wait } from "../caller.ts";
import { conversationLimits } from "../conversation-limits.ts";
import { type ConverseEnd, type ConverseOptions, converse } from "../converse.ts";
import { type Ledger, openLedger } from "../ledger.ts";
import {
  type ConversationServerOptions,
  type ServedCall,
  type StoredConversation,
  startConversationServer,
  testTokens,
} from "./conversation-server.ts";

/** Id of test runs. */
export const testRun = "20260102T030405Z-abc123";

/** The wait of a real run. */
export const realWait: Wait = (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal });

/** Waits only briefly, for tests that are not about waiting. */
export const shortWait: Wait = (ms, signal) => realWait(Math.min(ms, 25), signal);

/** A sender to a test server, with its tokens. */
export function senderTo(url: string, clock = createRunClock()): SendCall {
  const client = createClient({ baseUrl: url, clock, userAgent: "assay/0.0.1" });
  return async (call) => {
    const { id, probe, ...request } = call;
    const token = testTokens[call.credential];
    const draft = await client.call({ ...request, ...defined({ token }) });
    return { ...draft, id, probe };
  };
}

/** A folder for one test. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "assay-converse-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A finished run. */
export interface DrivenRun {
  readonly end: ConverseEnd;
  readonly drafts: readonly ExchangeDraft[];
  readonly ledger: Ledger;
}

const everyToken = [
  "other-token",
  "read-token",
  "write-token",
  "unscoped-token",
  "quota-token",
  "entitlement-token",
] as const;

/** Options of a run against a test server: every rule, every token, local limits. */
export async function optionsFor(
  url: string,
  folder: string,
  options: Partial<ConverseOptions> = {},
): Promise<ConverseOptions & { readonly drafts: ExchangeDraft[] }> {
  const clock = createRunClock();
  const drafts: ExchangeDraft[] = [];
  let id = 0;
  return {
    interfaces: new Set(["legacy", "current"]),
    send: senderTo(url, clock),
    writer: {
      writeExchange(draft) {
        drafts.push(draft);
        return Promise.resolve(recordDraft(draft).record);
      },
    },
    credentials: new Set(everyToken),
    mainCredential: "access-token",
    rules: new Set(ruleIds),
    limits: conversationLimits("local", { questionDeadlineMs: 300_000 }),
    marker: testRun,
    questions: ["Where is createServer used?", "What does parseQuery do?"],
    sharing: "on",
    ledger: await openLedger(folder),
    clock,
    wait: shortWait,
    random: () => 0.5,
    isOverdue: () => false,
    signal: new AbortController().signal,
    nextId: () => String((id += 1)).padStart(4, "0"),
    drafts,
    ...options,
  };
}

/** Runs against a test server and closes the ledger. */
export async function driveAgainst(url: string, options: Partial<ConverseOptions> = {}): Promise<DrivenRun> {
  await using folder = await temporaryFolder();
  const all = await optionsFor(url, folder.path, options);
  try {
    const end = await converse(all);
    return { end, drafts: all.drafts, ledger: all.ledger };
  } finally {
    await all.ledger.close();
  }
}

/** A run and the calls and conversations of its server. */
export interface RunOnce extends DrivenRun {
  readonly calls: readonly ServedCall[];
  /** Conversations that still exist. */
  readonly left: readonly StoredConversation[];
}

/** A run against a new server. Returns the remaining conversations, the calls and the records. */
export async function runOnce(
  options: Partial<ConverseOptions> = {},
  served: ConversationServerOptions = {},
): Promise<RunOnce> {
  await using server = await startConversationServer(served);
  const driven = await driveAgainst(server.url, options);
  return { ...driven, calls: [...server.calls], left: [...server.conversations.values()] };
}
