import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "@assay/contract";
import type { PlainCall } from "./dialect.ts";
import { legacyCancel } from "./legacy-dialect.ts";
import { type DriveContext, ask, askTwice, isDue } from "./drive-context.ts";
import { pollToEnd } from "./poll.ts";
import type { Thread } from "./thread.ts";
import { createThread, sendCreation } from "./write-question.ts";

type Intruder = readonly [ConversationProbeId, CredentialKind];

const strangers: readonly Intruder[] = [
  ["missing-token", "none"],
  ["invalid-token", "invalid-token"],
  ["invalid-token", "invalid-oauth-token"],
  ["unscoped-token", "unscoped-token"],
];
const otherUser: Intruder = ["other-user", "other-token"];
const always: ReadonlySet<CredentialKind> = new Set(["none", "invalid-token", "invalid-oauth-token"]);

/** Who has to be refused; for the legacy interface any access token will do. */
const intruders = ({ dialect, credentials, mainCredential }: DriveContext): readonly Intruder[] =>
  [...strangers, otherUser].filter(
    ([, credential]) =>
      mainCredential !== "none" &&
      (always.has(credential) || credentials.has(credential)) &&
      (dialect.interface === "current" || credential !== "unscoped-token"),
  );

/**
 * Sends a call as each of these in turn; those whose probe is not needed are left out. Whether the second user was answered with
 * success.
 */
async function tryAs(context: DriveContext, who: readonly Intruder[], call: PlainCall): Promise<boolean> {
  let isAccepted = false;
  for (const intruder of who) {
    const [probe, credential] = intruder;
    if (isDue(context, probe)) {
      const answer = await askTwice(context, probe, { call, credential });
      isAccepted ||= intruder === otherUser && answer?.kind === "success";
    }
  }
  return isAccepted;
}

/** A question is paid for before it is sent; what was refused is given back, and nobody hears of it. */
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
    listener?.questionAsked?.(budget.asked, budget.allowed);
  }
}

async function tryQuestions(context: DriveContext, thread: Thread): Promise<void> {
  const { dialect, nextQuestion } = context;
  for (const intruder of intruders(context)) {
    const [probe, credential] = intruder;
    const call = dialect.followUp(thread.id, nextQuestion());
    await tryQuestion(context, intruder, () => ask(context, probe, { call, credential }));
  }
  for (const intruder of intruders(context).filter((one) => one !== otherUser)) {
    const [probe, credential] = intruder;
    const call = dialect.create(nextQuestion());
    await tryQuestion(
      context,
      intruder,
      async () => (await sendCreation(context, { probe, call, credential }))?.answer,
    );
  }
}

/** A question is cancelled as if it were of another conversation, which does not have it. */
async function tryElsewhere(context: DriveContext, { credential, id, view }: Thread): Promise<void> {
  const other = context.threads.find((thread) => thread.isOurs && thread.credential === credential && thread.id !== id);
  const isMeant = context.dialect.interface === "legacy" && other !== undefined && view.lastQuestion !== undefined;
  if (isMeant && isDue(context, "unknown-id")) {
    await askTwice(context, "unknown-id", { call: legacyCancel(other.id, view.lastQuestion) });
  }
}

/**
 * A question that nobody but its user may cancel, while it is processing, or delete; its user cancels it in the end. Where a
 * cancellation of another user is answered with success, its user first waits for its end: that shows whether it had an effect.
 */
async function tryEndings(context: DriveContext): Promise<void> {
  const probe = "cancel-by-others";
  const { thread } = await createThread(context, probe, { question: context.nextQuestion() });
  if (thread === undefined || !thread.isOurs) {
    return;
  }
  const { dialect } = context;
  const cancel = dialect.cancel(thread.id, thread.view.lastQuestion);
  await tryElsewhere(context, thread);
  if (cancel !== undefined) {
    if (await tryAs(context, intruders(context), cancel)) {
      await pollToEnd(context, { probe, thread, sessions: [`${dialect.interface}-${thread.credential}`] });
    }
    await askTwice(context, probe, { call: cancel });
  }
  await tryAs(context, intruders(context), dialect.delete(thread.id));
}

/**
 * Tries every operation on conversations of the run without a token, with tokens that are none, without the scope, and as
 * another user. What is created all the same is cleaned up.
 */
export async function tryIntruders(context: DriveContext): Promise<void> {
  const { budget, threads, mainCredential } = context;
  const unless = [[budget.whyReadOnly !== undefined, budget.whyReadOnly ?? ""]] as const;
  const ungiven = [mainCredential === "none", "no token was given"] as const;
  const thread = threads.find(({ isOurs, credential }) => isOurs && credential === mainCredential);
  if (thread !== undefined) {
    await tryAs(
      context,
      intruders(context).filter((one) => one !== otherUser),
      context.dialect.get(thread.id),
    );
  }
  if (thread !== undefined && isDue(context, "cancel-by-others", { ungiven, unless })) {
    await tryQuestions(context, thread);
    await tryEndings(context);
  }
}
