import { malformedTokens } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationProbeId } from "@assay/contract";
import { legacyCancel, legacyDialect, legacyFollowUp, legacyFollowUpWithout } from "./legacy-dialect.ts";
import { type DriveContext, ask, callWithRetry, isDue, isInternalError } from "./drive-context.ts";
import { tryIntruders } from "./try-intruders.ts";
import { pollToEnd } from "./poll.ts";
import { addQuestion, createThread, isPaidFor, sendCreation } from "./write-question.ts";

/** Lists with credentials that must be refused or accepted. */
const listsAs: readonly (readonly [ConversationProbeId, CredentialKind])[] = [
  ["missing-token", "none"],
  ["invalid-token", "invalid-token"],
  ["invalid-token", "invalid-oauth-token"],
  ...malformedTokens.map((credential) => ["invalid-token", credential] as const),
  ["other-scheme", "other-scheme"],
  ["unscoped-token", "unscoped-token"],
  ["read-token", "read-token"],
];

const malformed: ReadonlySet<CredentialKind> = new Set(malformedTokens);

/** Credentials that need no token of their own. */
const alwaysAvailable: ReadonlySet<CredentialKind> = new Set([
  "none",
  "invalid-token",
  "invalid-oauth-token",
  ...malformedTokens,
]);

async function tryTokens(context: DriveContext): Promise<void> {
  const { credentials, mainCredential, dialect, unmade } = context;
  const hasAccessToken = mainCredential === "access-token" || credentials.has("access-token");
  const isMade = (kind: CredentialKind): boolean => !malformed.has(kind) || (hasAccessToken && !unmade.has(kind));
  for (const [probe, credential] of listsAs.filter(([, kind]) => isMade(kind))) {
    const isAvailable = credential === "other-scheme" ? mainCredential !== "none" : credentials.has(credential);
    const ungiven = [!alwaysAvailable.has(credential) && !isAvailable, `no ${credential} was given`] as const;
    if (isDue(context, probe, { ungiven })) {
      await callWithRetry(context, probe, { call: dialect.list(), credential });
    }
  }
}

/**
 * Sends the access token with the scheme of OAuth tokens if nothing could be created with its own scheme. If that is accepted, the token
 * is valid.
 */
async function tryBearer(context: DriveContext): Promise<void> {
  const { dialect, threads, mainCredential } = context;
  const isAtStake = dialect.interface === "legacy" && mainCredential === "access-token" && threads.length === 0;
  if (isAtStake && isDue(context, "bearer-token")) {
    await ask(context, "bearer-token", { call: dialect.list(), credential: "access-token-as-bearer" });
  }
}

/** Unusual values of `X-Requested-With`. The legacy interface requires a name and a version, the current one nothing. */
const clientHeaders = { legacy: [null, "assay"], current: ["assay 1"] } as const;

async function tryClientHeaders(context: DriveContext): Promise<void> {
  const { dialect, mainCredential } = context;
  if (isDue(context, "client-header", { ungiven: [mainCredential === "none", "no token was given"] })) {
    for (const clientHeader of clientHeaders[dialect.interface]) {
      await ask(context, "client-header", { call: { ...dialect.list(), clientHeader } });
    }
  }
}

/** Creations without a valid question. They are free, but a faulty target may create something. */
async function tryBadCreations(context: DriveContext): Promise<void> {
  const { budget, dialect, mainCredential: credential } = context;
  const ungiven = [credential === "none", "no token was given"] as const;
  const unless = [[budget.whyReadOnly !== undefined, budget.whyReadOnly ?? ""]] as const;
  for (const [probe, what] of [
    ["missing-question", "question"],
    ["question-no-text", "text"],
    ["not-json", "json"],
  ] as const) {
    if (isDue(context, probe, { ungiven, unless })) {
      const call = dialect.createWithout(what);
      const creation = await sendCreation(context, { probe, call, credential });
      if (creation !== undefined && isInternalError(creation.answer)) {
        await sendCreation(context, { probe, call, credential });
      }
    }
  }
  const thread = context.threads.find(({ isOurs, credential: owner }) => isOurs && owner === credential);
  if (
    thread !== undefined &&
    dialect.interface === "legacy" &&
    isDue(context, "missing-question", { ungiven, unless })
  ) {
    await callWithRetry(context, "missing-question", { call: legacyFollowUpWithout(thread.id) });
  }
}

/** Requests an unknown conversation and cursor, and cancels an unknown question of an existing conversation. */
async function tryUnknown(context: DriveContext): Promise<void> {
  const { dialect, mainCredential, threads } = context;
  await callWithRetry(context, "unknown-id", { call: dialect.get(dialect.unknownId) });
  await callWithRetry(context, "unknown-id", { call: dialect.list({ cursor: "no-such-cursor" }) });
  const thread = threads.find(({ isOurs, credential }) => isOurs && credential === mainCredential);
  if (thread !== undefined && dialect.interface === "legacy") {
    await callWithRetry(context, "unknown-id", { call: legacyCancel(thread.id, dialect.unknownId) });
  }
}

/** Uses a read-only token to read a conversation of the main user and to try a creation. */
async function tryReadToken(context: DriveContext): Promise<void> {
  const { credentials, dialect, nextQuestion, threads, mainCredential } = context;
  const credential = "read-token";
  const ungiven = [!credentials.has(credential), `no ${credential} was given`] as const;
  const thread = threads.find(({ isOurs, credential: owner }) => isOurs && owner === mainCredential);
  if (thread !== undefined && isDue(context, "read-token", { ungiven })) {
    await ask(context, "read-token", { call: dialect.get(thread.id), credential });
  }
  if (isDue(context, "read-token-write", { ungiven }) && isPaidFor(context, "read-token-write")) {
    await sendCreation(context, { probe: "read-token-write", call: dialect.create(nextQuestion()), credential });
  }
}

/** A probe and a limited token that may still create and continue conversations. */
const ownedBy = {
  legacy: ["unscoped-token", "unscoped-token"],
  current: ["write-token", "write-token"],
} as const;

/** Creates, reads and continues a conversation with a limited token. It is deleted at the end like all others. */
async function tryOwnConversation(context: DriveContext): Promise<void> {
  const { credentials, dialect, nextQuestion } = context;
  const [probe, credential] = ownedBy[dialect.interface];
  if (!isDue(context, probe, { ungiven: [!credentials.has(credential), `no ${credential} was given`] })) {
    return;
  }
  const { thread } = await createThread(context, probe, { question: nextQuestion(), credential });
  if (thread !== undefined) {
    const end = await pollToEnd(context, { probe, thread, sessions: [`${dialect.interface}-${credential}`] });
    await (end === "finished" && thread.isOurs ? addQuestion(context, thread, probe) : undefined);
  }
}

/**
 * Sends a follow-up question whose body names another conversation than its path. Both belong to the run if there are two, so no foreign
 * conversation changes, whichever of the two ids a target uses.
 */
async function tryMismatch(context: DriveContext): Promise<void> {
  const probe = "follow-up-mismatch";
  const [thread, otherThread] = context.threads.filter(
    ({ isOurs, credential }) => isOurs && credential === context.mainCredential,
  );
  const unless = [[thread === undefined, "there is no conversation of the run to ask in"]] as const;
  if (isDue(context, probe, { unless }) && thread !== undefined && isPaidFor(context, probe)) {
    const bodyId = otherThread?.id ?? legacyDialect.unknownId;
    await ask(context, probe, { call: legacyFollowUp(thread.id, bodyId, context.nextQuestion()) });
  }
}

/** Sends requests that must be refused, and requests that must not be refused for an unrelated reason. */
export async function tryRefusals(context: DriveContext): Promise<void> {
  const { mainCredential } = context;
  await tryTokens(context);
  await tryBearer(context);
  await tryClientHeaders(context);
  if (isDue(context, "unknown-id", { ungiven: [mainCredential === "none", "no token was given"] })) {
    await tryUnknown(context);
  }
  await tryBadCreations(context);
  await tryReadToken(context);
  await tryOwnConversation(context);
  await tryMismatch(context);
  await tryIntruders(context);
}
