import type { CredentialKind } from "@assay/evidence";
import { parentOfName } from "@assay/reading";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "@assay/contract";
import type { PlainCall } from "./dialect.ts";
import { createLegacyCancel } from "./legacy-dialect.ts";
import { type DriveContext, sendProbe, callWithRetry, isDue } from "./drive-context.ts";
import { pollToEnd } from "./poll.ts";
import { isMarked } from "./run-conversation.ts";
import type { RunConversation } from "./run-conversation.ts";
import { createConversation, sendCreation } from "./write-question.ts";

type Intruder = readonly [ConversationProbeId, CredentialKind];

const invalidIntruders: readonly Intruder[] = [
  ["missing-token", "none"],
  ["invalid-token", "invalid-token"],
  ["invalid-token", "invalid-oauth-token"],
  ["unscoped-token", "unscoped-token"],
];
const otherUser: Intruder = ["other-user", "other-token"];
const credentialsWithoutToken: ReadonlySet<CredentialKind> = new Set(["none", "invalid-token", "invalid-oauth-token"]);

/** Lists the credentials that must be refused. The legacy interface accepts any access token. */
const listIntruders = ({ dialect, credentials, mainCredential }: DriveContext): readonly Intruder[] =>
  [...invalidIntruders, otherUser].filter(
    ([, credential]) =>
      mainCredential !== "none" &&
      (credentialsWithoutToken.has(credential) || credentials.has(credential)) &&
      (dialect.interface === "current" || credential !== "unscoped-token"),
  );

/**
 * Sends a call with each of these credentials in turn, if its probe is needed. Returns true if the other user's call succeeded.
 */
async function tryAsIntruders(
  context: DriveContext,
  intrudersToTry: readonly Intruder[],
  call: PlainCall,
): Promise<boolean> {
  let isAccepted = false;
  for (const intruder of intrudersToTry) {
    const [probe, credential] = intruder;
    if (isDue(context, probe)) {
      const answer = await callWithRetry(context, probe, { call, credential });
      isAccepted ||= intruder === otherUser && answer?.kind === "success";
    }
  }
  return isAccepted;
}

/** Charges a question before it is sent. If it is refused, returns it to the budget without notifying the listener. */
async function tryQuestion(
  context: DriveContext,
  [probe]: Intruder,
  send: () => Promise<Pick<Answer, "kind"> | undefined>,
): Promise<void> {
  const { budget, caller, listener } = context;
  if (!isDue(context, probe) || caller.distress !== undefined || budget.charge() !== undefined) {
    return;
  }
  const answer = await send();
  if (answer === undefined || answer.kind === "refused") {
    budget.refund();
  } else {
    listener?.questionAsked?.(budget.askedCount, budget.maxQuestions);
  }
}

async function tryQuestions(context: DriveContext, conversation: RunConversation): Promise<void> {
  const { dialect, nextQuestion } = context;
  for (const intruder of listIntruders(context)) {
    const [probe, credential] = intruder;
    const call = dialect.followUp(conversation.id, nextQuestion());
    await tryQuestion(context, intruder, () => sendProbe(context, probe, { call, credential }));
  }
  for (const intruder of listIntruders(context).filter((candidate) => candidate !== otherUser)) {
    const [probe, credential] = intruder;
    const call = dialect.create(nextQuestion());
    await tryQuestion(
      context,
      intruder,
      async () => (await sendCreation(context, { probe, call, credential }))?.answer,
    );
  }
}

/**
 * Tries to create a conversation for the main user as another user. If something is created, the main user tries to read it, which shows
 * whose it is.
 */
async function tryCreationForMainUser(context: DriveContext, { id }: RunConversation): Promise<void> {
  const { dialect, credentials, mainCredential, marker } = context;
  const parent = parentOfName(id);
  if (parent === undefined || dialect.interface === "legacy" || !credentials.has("other-token")) {
    return;
  }
  const [probe, credential] = otherUser;
  await tryQuestion(context, otherUser, async () => {
    const call = dialect.create(context.nextQuestion(), parent);
    const creation = await sendCreation(context, { probe, call, credential });
    const created = creation?.answer.kind === "success" ? dialect.read(creation.answer.json) : undefined;
    if (creation !== undefined && created?.id !== undefined) {
      const read = await sendProbe(context, probe, { call: dialect.get(created.id) });
      context.conversations.push({
        id: created.id,
        credential: read?.kind === "success" ? mainCredential : credential,
        key: creation.key,
        view: created,
        hasRunMark: isMarked(created, marker),
        isFinished: false,
        questionCount: 1,
      });
    }
    return creation?.answer;
  });
}

/** Tries to cancel a question under another conversation's id. */
async function cancelUnderOtherId(context: DriveContext, { credential, id, view }: RunConversation): Promise<void> {
  const otherConversation = context.conversations.find(
    (conversation) => conversation.hasRunMark && conversation.credential === credential && conversation.id !== id,
  );
  const isApplicable =
    context.dialect.interface === "legacy" && otherConversation !== undefined && view.lastQuestionId !== undefined;
  if (isApplicable && isDue(context, "unknown-id")) {
    await callWithRetry(context, "unknown-id", { call: createLegacyCancel(otherConversation.id, view.lastQuestionId) });
  }
}

/**
 * Tries to cancel a question in progress, and to delete it, with other credentials. Its user cancels it in the end. If another user's
 * cancellation seemed to succeed, its user first waits for the end, which shows whether the cancellation had an effect.
 */
async function tryCancelAndDelete(context: DriveContext): Promise<void> {
  const probe = "cancel-by-others";
  const { conversation } = await createConversation(context, probe, { question: context.nextQuestion() });
  if (conversation === undefined || !conversation.hasRunMark) {
    return;
  }
  const { dialect } = context;
  const cancel = dialect.cancel(conversation.id, conversation.view.lastQuestionId);
  await cancelUnderOtherId(context, conversation);
  if (cancel !== undefined) {
    if (await tryAsIntruders(context, listIntruders(context), cancel)) {
      await pollToEnd(context, { probe, conversation, sessions: [`${dialect.interface}-${conversation.credential}`] });
    }
    await callWithRetry(context, probe, { call: cancel });
  }
  await tryAsIntruders(context, listIntruders(context), dialect.delete(conversation.id));
}

/**
 * Tries every operation on the run's conversations without a token, with invalid tokens, with tokens that lack the scope, and as
 * another user. Clean-up removes anything that these calls create.
 */
export async function tryIntruders(context: DriveContext): Promise<void> {
  const { budget, conversations, mainCredential } = context;
  const missingPreconditions = [[budget.readOnlyReason !== undefined, budget.readOnlyReason ?? ""]] as const;
  const missingToken = [mainCredential === "none", "no token is set"] as const;
  const conversation = conversations.find(({ hasRunMark, credential }) => hasRunMark && credential === mainCredential);
  if (conversation !== undefined) {
    await tryAsIntruders(
      context,
      listIntruders(context).filter((candidate) => candidate !== otherUser),
      context.dialect.get(conversation.id),
    );
  }
  if (conversation !== undefined && isDue(context, "cancel-by-others", { missingToken, missingPreconditions })) {
    await tryQuestions(context, conversation);
    await tryCreationForMainUser(context, conversation);
    await tryCancelAndDelete(context);
  }
}
