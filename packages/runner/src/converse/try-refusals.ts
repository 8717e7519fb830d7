import type { CredentialKind } from "@assay/evidence";
import type { ConversationProbeId } from "./conversation-probe.ts";
import type { PlainCall } from "./dialect.ts";
import { legacyCancel, legacyDialect, legacyFollowUp, legacyFollowUpWithout } from "./legacy-dialect.ts";
import { type Stage, ask, isDue } from "./stage.ts";
import { tryIntruders } from "./try-intruders.ts";
import { isPaidFor, sendCreation } from "./write-question.ts";

/** Lists that have to be refused, or not, for who asks. */
const listsAs: readonly (readonly [ConversationProbeId, CredentialKind])[] = [
  ["missing-token", "none"],
  ["invalid-token", "invalid-token"],
  ["invalid-token", "invalid-oauth-token"],
  ["other-scheme", "other-scheme"],
  ["unscoped-token", "unscoped-token"],
  ["read-token", "read-token"],
];

/** Those that need no token of their own. */
const alwaysThere: ReadonlySet<CredentialKind> = new Set(["none", "invalid-token", "invalid-oauth-token"]);

async function tryTokens(stage: Stage): Promise<void> {
  const { credentials, mainCredential, dialect } = stage;
  for (const [probe, credential] of listsAs) {
    const isThere = credential === "other-scheme" ? mainCredential !== "none" : credentials.has(credential);
    const ungiven = [!alwaysThere.has(credential) && !isThere, `no ${credential} was given`] as const;
    if (isDue(stage, probe, { ungiven })) {
      await ask(stage, probe, { call: dialect.list(), credential });
    }
  }
}

/**
 * The access token in the scheme of OAuth tokens, where nothing could be created with it in its own: if it is accepted there,
 * it is a good token.
 */
async function tryBearer(stage: Stage): Promise<void> {
  const { dialect, threads, mainCredential } = stage;
  const isAtStake = dialect.interface === "legacy" && mainCredential === "access-token" && threads.length === 0;
  if (isAtStake && isDue(stage, "bearer-token")) {
    await ask(stage, "bearer-token", { call: dialect.list(), credential: "access-token-as-bearer" });
  }
}

/** The values of `X-Requested-With` besides the usual one: the legacy interface demands a name and a version, the current nothing. */
const clientHeaders = { legacy: [null, "assay"], current: ["assay 1"] } as const;

async function tryClientHeaders(stage: Stage): Promise<void> {
  const { dialect, mainCredential } = stage;
  if (isDue(stage, "client-header", { ungiven: [mainCredential === "none", "no token was given"] })) {
    for (const clientHeader of clientHeaders[dialect.interface]) {
      await ask(stage, "client-header", { call: { ...dialect.list(), clientHeader } });
    }
  }
}

/** Creations that ask nothing. They cost nothing, but could create something all the same. */
async function tryBadCreations(stage: Stage): Promise<void> {
  const { budget, dialect, mainCredential: credential } = stage;
  const ungiven = [credential === "none", "no token was given"] as const;
  const unless = [[budget.whyReadOnly !== undefined, budget.whyReadOnly ?? ""]] as const;
  for (const [probe, what] of [
    ["missing-question", "question"],
    ["question-no-text", "text"],
    ["not-json", "json"],
  ] as const) {
    if (isDue(stage, probe, { ungiven, unless })) {
      const call = dialect.createWithout(what);
      const sent = await sendCreation(stage, { probe, call, credential });
      if (sent?.answer.status === 500) {
        await sendCreation(stage, { probe, call, credential });
      }
    }
  }
  const thread = stage.threads.find(({ isOurs, credential: owner }) => isOurs && owner === credential);
  if (thread !== undefined && dialect.interface === "legacy" && isDue(stage, "missing-question", { ungiven, unless })) {
    await askTwice(stage, "missing-question", legacyFollowUpWithout(thread.id));
  }
}

/** An internal error may be one of the moment, or the answer to this very call: such a call is sent once more. */
async function askTwice(stage: Stage, probe: ConversationProbeId, call: PlainCall): Promise<void> {
  const answer = await ask(stage, probe, { call });
  if (answer?.status === 500) {
    await ask(stage, probe, { call });
  }
}

/** A conversation that does not exist, and in one that does a question that does not. */
async function tryUnknown(stage: Stage): Promise<void> {
  const { dialect, mainCredential, threads } = stage;
  await askTwice(stage, "unknown-id", dialect.get(dialect.unknownId));
  const thread = threads.find(({ isOurs, credential }) => isOurs && credential === mainCredential);
  if (thread !== undefined && dialect.interface === "legacy") {
    await askTwice(stage, "unknown-id", legacyCancel(thread.id, dialect.unknownId));
  }
}

/** Creations with a token that may only read, and with one that may only write. */
async function tryLimitedCreations(stage: Stage): Promise<void> {
  const { credentials, dialect, nextQuestion } = stage;
  for (const [probe, credential] of [
    ["read-token-write", "read-token"],
    ["write-token", "write-token"],
  ] as const) {
    const ungiven = [!credentials.has(credential), `no ${credential} was given`] as const;
    if (isDue(stage, probe, { ungiven }) && isPaidFor(stage, probe)) {
      await sendCreation(stage, { probe, call: dialect.create(nextQuestion()), credential });
    }
  }
}

/**
 * A follow-up question whose body names another conversation than its path. Both are ours where there are two, so that nobody
 * else's is touched, whichever of them a target goes by.
 */
async function tryMismatch(stage: Stage): Promise<void> {
  const probe = "follow-up-mismatch";
  const [thread, other] = stage.threads.filter(
    ({ isOurs, credential }) => isOurs && credential === stage.mainCredential,
  );
  const unless = [[thread === undefined, "no conversation of the run is there to ask in"]] as const;
  if (isDue(stage, probe, { unless }) && thread !== undefined && isPaidFor(stage, probe)) {
    const bodyId = other?.id ?? legacyDialect.unknownId;
    await ask(stage, probe, { call: legacyFollowUp(thread.id, bodyId, stage.nextQuestion()) });
  }
}

/** Sends what has to be refused, and what must not be refused for a reason that does not count. */
export async function tryRefusals(stage: Stage): Promise<void> {
  const { mainCredential } = stage;
  await tryTokens(stage);
  await tryBearer(stage);
  await tryClientHeaders(stage);
  if (isDue(stage, "unknown-id", { ungiven: [mainCredential === "none", "no token was given"] })) {
    await tryUnknown(stage);
  }
  await tryBadCreations(stage);
  await tryLimitedCreations(stage);
  await tryMismatch(stage);
  await tryIntruders(stage);
}
