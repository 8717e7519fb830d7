import { malformedTokens } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import type { ConversationProbeId } from "@assay/contract";
import {
  createLegacyCancel,
  legacyDialect,
  createLegacyFollowUp,
  createFollowUpWithoutQuestion,
} from "./legacy-dialect.ts";
import { type DriveContext, sendProbe, callWithRetry, isDue, isInternalError } from "./drive-context.ts";
import { tryIntruders } from "./try-intruders.ts";
import { pollToEnd } from "./poll.ts";
import { askFollowUp, createConversation, tryToCharge, sendCreation } from "./write-question.ts";

/** Lists with credentials that must be refused or accepted. */
const listProbes: readonly (readonly [ConversationProbeId, CredentialKind])[] = [
  ["missing-token", "none"],
  ["invalid-token", "invalid-token"],
  ["invalid-token", "invalid-oauth-token"],
  ...malformedTokens.map((credential) => ["invalid-token", credential] as const),
  ["other-scheme", "other-scheme"],
  ["unscoped-token", "unscoped-token"],
  ["read-token", "read-token"],
];

const malformedCredentials: ReadonlySet<CredentialKind> = new Set(malformedTokens);

/** Credentials that need no token of their own. */
const credentialsWithoutToken: ReadonlySet<CredentialKind> = new Set([
  "none",
  "invalid-token",
  "invalid-oauth-token",
  ...malformedTokens,
]);

async function tryTokens(context: DriveContext): Promise<void> {
  const { credentials, mainCredential, dialect, unavailableCredentials } = context;
  const hasAccessToken = mainCredential === "access-token" || credentials.has("access-token");
  const isAvailableKind = (kind: CredentialKind): boolean =>
    !malformedCredentials.has(kind) || (hasAccessToken && !unavailableCredentials.has(kind));
  for (const [probe, credential] of listProbes.filter(([, kind]) => isAvailableKind(kind))) {
    const isAvailable = credential === "other-scheme" ? mainCredential !== "none" : credentials.has(credential);
    const missingToken = [!credentialsWithoutToken.has(credential) && !isAvailable, `no ${credential} is set`] as const;
    if (isDue(context, probe, { missingToken })) {
      await callWithRetry(context, probe, { call: dialect.list(), credential });
    }
  }
}

/**
 * Sends the access token with the scheme of OAuth tokens if nothing could be created with its own scheme. If that is accepted, the token
 * is valid.
 */
async function tryBearerScheme(context: DriveContext): Promise<void> {
  const { dialect, conversations, mainCredential } = context;
  const isRelevant = dialect.interface === "legacy" && mainCredential === "access-token" && conversations.length === 0;
  if (isRelevant && isDue(context, "bearer-token")) {
    await sendProbe(context, "bearer-token", { call: dialect.list(), credential: "access-token-as-bearer" });
  }
}

/** Unusual values of `X-Requested-With`. The legacy interface requires a name and a version, the current one nothing. */
const clientHeaders = { legacy: [null, "assay"], current: ["assay 1"] } as const;

async function tryClientHeaders(context: DriveContext): Promise<void> {
  const { dialect, mainCredential } = context;
  if (isDue(context, "client-header", { missingToken: [mainCredential === "none", "no token is set"] })) {
    for (const clientHeader of clientHeaders[dialect.interface]) {
      await sendProbe(context, "client-header", { call: { ...dialect.list(), clientHeader } });
    }
  }
}

/** Sends creations without a valid question. They are free, but a faulty target may create something. */
async function tryBadCreations(context: DriveContext): Promise<void> {
  const { budget, dialect, mainCredential: credential } = context;
  const missingToken = [credential === "none", "no token is set"] as const;
  const missingPreconditions = [[budget.readOnlyReason !== undefined, budget.readOnlyReason ?? ""]] as const;
  for (const [probe, defect] of [
    ["missing-question", "question"],
    ["question-no-text", "text"],
    ["not-json", "json"],
  ] as const) {
    if (isDue(context, probe, { missingToken, missingPreconditions })) {
      const call = dialect.createInvalid(defect);
      const creation = await sendCreation(context, { probe, call, credential });
      if (creation !== undefined && isInternalError(creation.answer)) {
        await sendCreation(context, { probe, call, credential });
      }
    }
  }
  const conversation = context.conversations.find(
    ({ hasRunMark, credential: owner }) => hasRunMark && owner === credential,
  );
  if (
    conversation !== undefined &&
    dialect.interface === "legacy" &&
    isDue(context, "missing-question", { missingToken, missingPreconditions })
  ) {
    await callWithRetry(context, "missing-question", { call: createFollowUpWithoutQuestion(conversation.id) });
  }
}

/** Requests an unknown conversation and cursor, and cancels an unknown question of an existing conversation. */
async function tryUnknownIds(context: DriveContext): Promise<void> {
  const { dialect, mainCredential, conversations } = context;
  await callWithRetry(context, "unknown-id", { call: dialect.get(dialect.unknownId) });
  await callWithRetry(context, "unknown-id", { call: dialect.list({ cursor: "no-such-cursor" }) });
  const conversation = conversations.find(({ hasRunMark, credential }) => hasRunMark && credential === mainCredential);
  if (conversation !== undefined && dialect.interface === "legacy") {
    await callWithRetry(context, "unknown-id", { call: createLegacyCancel(conversation.id, dialect.unknownId) });
  }
}

/** Calls two operations with GET, although the current interface has only POST. */
async function tryOtherMethod(context: DriveContext): Promise<void> {
  const { dialect, conversations, mainCredential } = context;
  const missingToken = [mainCredential === "none", "no token is set"] as const;
  if (dialect.interface === "current" && isDue(context, "other-method", { missingToken })) {
    for (const { body: _body, ...call } of [dialect.get(conversations[0]?.id ?? dialect.unknownId), dialect.list()]) {
      await callWithRetry(context, "other-method", { call: { ...call, method: "GET" } });
    }
  }
}

/** Uses a read-only token to read a conversation of the main user and to try a creation. */
async function tryReadToken(context: DriveContext): Promise<void> {
  const { credentials, dialect, nextQuestion, conversations, mainCredential } = context;
  const credential = "read-token";
  const missingToken = [!credentials.has(credential), `no ${credential} is set`] as const;
  const conversation = conversations.find(
    ({ hasRunMark, credential: owner }) => hasRunMark && owner === mainCredential,
  );
  if (conversation !== undefined && isDue(context, "read-token", { missingToken })) {
    await sendProbe(context, "read-token", { call: dialect.get(conversation.id), credential });
  }
  if (isDue(context, "read-token-write", { missingToken }) && tryToCharge(context, "read-token-write")) {
    await sendCreation(context, { probe: "read-token-write", call: dialect.create(nextQuestion()), credential });
  }
}

/** A probe and a limited token that may still create and continue conversations. */
const limitedTokens = {
  legacy: ["unscoped-token", "unscoped-token"],
  current: ["write-token", "write-token"],
} as const;

/** Creates, reads and continues a conversation with a limited token. It is deleted at the end like all others. */
async function tryLimitedToken(context: DriveContext): Promise<void> {
  const { credentials, dialect, nextQuestion } = context;
  const [probe, credential] = limitedTokens[dialect.interface];
  if (!isDue(context, probe, { missingToken: [!credentials.has(credential), `no ${credential} is set`] })) {
    return;
  }
  const { conversation } = await createConversation(context, probe, { question: nextQuestion(), credential });
  if (conversation !== undefined) {
    const sessions = [`${dialect.interface}-${credential}`];
    const end = await pollToEnd(context, { probe, conversation, sessions, isPatient: true });
    await (end === "finished" && conversation.hasRunMark ? askFollowUp(context, conversation, probe) : undefined);
  }
}

/**
 * Sends a follow-up question whose body and path name different conversations. Both belong to the run if there are two, so no foreign
 * conversation changes, whichever of the two ids a target uses.
 */
async function tryMismatchedFollowUp(context: DriveContext): Promise<void> {
  const probe = "follow-up-mismatch";
  const [conversation, otherConversation] = context.conversations.filter(
    ({ hasRunMark, credential }) => hasRunMark && credential === context.mainCredential,
  );
  const missingPreconditions = [[conversation === undefined, "there is no conversation of the run to ask in"]] as const;
  if (isDue(context, probe, { missingPreconditions }) && conversation !== undefined && tryToCharge(context, probe)) {
    const bodyId = otherConversation?.id ?? legacyDialect.unknownId;
    await sendProbe(context, probe, { call: createLegacyFollowUp(conversation.id, bodyId, context.nextQuestion()) });
  }
}

/** Sends requests that must be refused, and requests that must not be refused for an unrelated reason. */
export async function tryRefusals(context: DriveContext): Promise<void> {
  const { mainCredential } = context;
  await tryTokens(context);
  await tryBearerScheme(context);
  await tryClientHeaders(context);
  if (isDue(context, "unknown-id", { missingToken: [mainCredential === "none", "no token is set"] })) {
    await tryUnknownIds(context);
  }
  await tryOtherMethod(context);
  await tryBadCreations(context);
  await tryReadToken(context);
  await tryLimitedToken(context);
  await tryMismatchedFollowUp(context);
  await tryIntruders(context);
}
