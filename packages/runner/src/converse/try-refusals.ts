import { malformedTokens } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationProbeId } from "@assay/contract";
import { legacyCancel, legacyDialect, legacyFollowUp, legacyFollowUpWithout } from "./legacy-dialect.ts";
import { type DriveContext, ask, askTwice, isDue, isInternalError } from "./drive-context.ts";
import { tryIntruders } from "./try-intruders.ts";
import { pollToEnd } from "./poll.ts";
import { addQuestion, createThread, isPaidFor, sendCreation } from "./write-question.ts";

/** Lists that have to be refused, or not, for who asks. */
const listsAs: readonly (readonly [ConversationProbeId, CredentialKind])[] = [
  ["missing-token", "none"],
  ["invalid-token", "invalid-token"],
  ["invalid-token", "invalid-oauth-token"],
  ...malformedTokens.map((credential) => ["invalid-token", credential] as const),
  ["other-scheme", "other-scheme"],
  ["unscoped-token", "unscoped-token"],
  ["read-token", "read-token"],
];

const near: ReadonlySet<CredentialKind> = new Set(malformedTokens);

/** Those that need no token of their own. */
const alwaysThere: ReadonlySet<CredentialKind> = new Set([
  "none",
  "invalid-token",
  "invalid-oauth-token",
  ...malformedTokens,
]);

async function tryTokens(context: DriveContext): Promise<void> {
  const { credentials, mainCredential, dialect, unmade } = context;
  const hasAccessToken = mainCredential === "access-token" || credentials.has("access-token");
  const isMade = (kind: CredentialKind): boolean => !near.has(kind) || (hasAccessToken && !unmade.has(kind));
  for (const [probe, credential] of listsAs.filter(([, kind]) => isMade(kind))) {
    const isThere = credential === "other-scheme" ? mainCredential !== "none" : credentials.has(credential);
    const ungiven = [!alwaysThere.has(credential) && !isThere, `no ${credential} was given`] as const;
    if (isDue(context, probe, { ungiven })) {
      await askTwice(context, probe, { call: dialect.list(), credential });
    }
  }
}

/**
 * The access token in the scheme of OAuth tokens, where nothing could be created with it in its own: if it is accepted there,
 * it is a good token.
 */
async function tryBearer(context: DriveContext): Promise<void> {
  const { dialect, threads, mainCredential } = context;
  const isAtStake = dialect.interface === "legacy" && mainCredential === "access-token" && threads.length === 0;
  if (isAtStake && isDue(context, "bearer-token")) {
    await ask(context, "bearer-token", { call: dialect.list(), credential: "access-token-as-bearer" });
  }
}

/** The values of `X-Requested-With` besides the usual one: the legacy interface demands a name and a version, the current nothing. */
const clientHeaders = { legacy: [null, "assay"], current: ["assay 1"] } as const;

async function tryClientHeaders(context: DriveContext): Promise<void> {
  const { dialect, mainCredential } = context;
  if (isDue(context, "client-header", { ungiven: [mainCredential === "none", "no token was given"] })) {
    for (const clientHeader of clientHeaders[dialect.interface]) {
      await ask(context, "client-header", { call: { ...dialect.list(), clientHeader } });
    }
  }
}

/** Creations that ask nothing. They cost nothing, but could create something all the same. */
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
      const sent = await sendCreation(context, { probe, call, credential });
      if (sent !== undefined && isInternalError(sent.answer)) {
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
    await askTwice(context, "missing-question", { call: legacyFollowUpWithout(thread.id) });
  }
}

/** A conversation and a cursor that do not exist, and in a conversation that does a question that does not. */
async function tryUnknown(context: DriveContext): Promise<void> {
  const { dialect, mainCredential, threads } = context;
  await askTwice(context, "unknown-id", { call: dialect.get(dialect.unknownId) });
  await askTwice(context, "unknown-id", { call: dialect.list({ cursor: "no-such-cursor" }) });
  const thread = threads.find(({ isOurs, credential }) => isOurs && credential === mainCredential);
  if (thread !== undefined && dialect.interface === "legacy") {
    await askTwice(context, "unknown-id", { call: legacyCancel(thread.id, dialect.unknownId) });
  }
}

/** A creation with a token that may only read, and the conversation of the main user read with it. */
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

/** A token that may not do everything, and may create conversations and go on in them all the same. */
const ownedBy = {
  legacy: ["unscoped-token", "unscoped-token"],
  current: ["write-token", "write-token"],
} as const;

/** A conversation of a token that may not do everything: created, read, continued, and deleted like all others in the end. */
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
 * A follow-up question whose body names another conversation than its path. Both are ours where there are two, so that nobody
 * else's is touched, whichever of them a target goes by.
 */
async function tryMismatch(context: DriveContext): Promise<void> {
  const probe = "follow-up-mismatch";
  const [thread, other] = context.threads.filter(
    ({ isOurs, credential }) => isOurs && credential === context.mainCredential,
  );
  const unless = [[thread === undefined, "no conversation of the run is there to ask in"]] as const;
  if (isDue(context, probe, { unless }) && thread !== undefined && isPaidFor(context, probe)) {
    const bodyId = other?.id ?? legacyDialect.unknownId;
    await ask(context, probe, { call: legacyFollowUp(thread.id, bodyId, context.nextQuestion()) });
  }
}

/** Sends what has to be refused, and what must not be refused for a reason that does not count. */
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
