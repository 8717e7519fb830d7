import type { CredentialKind } from "@assay/evidence";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "./conversation-probe.ts";
import { isBusy } from "./distress.ts";
import { type PollEnd, pollToEnd } from "./poll.ts";
import { longQuestion } from "./question-texts.ts";
import { type Stage, type WhyUnsent, ask, isDue, learnThread, other, skip } from "./stage.ts";
import type { Thread } from "./thread.ts";
import { addQuestion, createThread } from "./write-question.ts";

const pollers = ({ dialect }: Stage): readonly string[] => [
  `${dialect.interface}-poller-1`,
  `${dialect.interface}-poller-2`,
];

const whyNoEnd: Readonly<Record<Exclude<PollEnd, "finished">, string>> = {
  deadline: "the question before it did not end in time",
  unclear: "the answers did not tell whether the question before it has ended",
  stopped: "polling was stopped",
};

/** Cancels the last question of a conversation that is known to be ours. */
async function cancel(stage: Stage, thread: Thread): Promise<void> {
  const call = stage.dialect.cancel(thread.id, thread.view.lastQuestion);
  if (call === undefined || !thread.isOurs) {
    skip(stage, "cancel", other("no answer told which question to cancel"));
    return;
  }
  await ask(stage, "cancel", { call, credential: thread.credential });
}

/** What never ends is cancelled, so that it does not go on using up credits. */
async function pollOrCancel(stage: Stage, probe: ConversationProbeId, thread: Thread): Promise<PollEnd> {
  const end = await pollToEnd(stage, { probe, thread, sessions: pollers(stage) });
  if (end === "deadline") {
    await cancel(stage, thread);
  }
  return end;
}

async function followUp(stage: Stage, thread: Thread, end: PollEnd): Promise<void> {
  const isDueNow = isDue(stage, "follow-up", {
    unless: [
      [end !== "finished", end === "finished" ? "" : whyNoEnd[end]],
      [!thread.isOurs, "no answer showed the conversation with the question that was asked"],
    ],
  });
  if (isDueNow && (await addQuestion(stage, thread)) && isDue(stage, "follow-up-poll")) {
    await pollOrCancel(stage, "follow-up-poll", thread);
  }
}

/** Why an interface is not worth another call after this answer to a creation, a clause; undefined if it is. */
function whyUnusable({ kind, status, json }: Answer): string | undefined {
  const isMissing = kind === "elsewhere" || [404, 405, 501].includes(status);
  return isMissing || (kind === "success" && json === undefined)
    ? `the creation of a conversation was answered with ${isMissing ? `status ${status}` : "something that is not JSON"}`
    : undefined;
}

/** Why there is no conversation, where the target was too busy to create it. */
const whyNoThread = (answer: Answer | undefined): WhyUnsent | undefined =>
  answer !== undefined && isBusy(answer.status)
    ? { cause: "busy", reason: `the creation of a conversation was answered with status ${answer.status}` }
    : undefined;

/** The first conversation: a question, its answer, a follow-up question, its answer. Tells whether the interface is usable. */
async function holdFirst(stage: Stage): Promise<void> {
  const { answer, thread } = await createThread(stage, "create", { question: stage.nextQuestion() });
  const unusable = answer === undefined ? undefined : whyUnusable(answer);
  if (unusable !== undefined) {
    stage.unusable = unusable;
  }
  const nothing = "there is no conversation to look at";
  if (thread === undefined) {
    skip(stage, "follow-up", whyNoThread(answer) ?? other(nothing));
  }
  if (isDue(stage, "poll", { unless: [[thread === undefined, nothing]] }) && thread !== undefined) {
    await followUp(stage, thread, await pollOrCancel(stage, "poll", thread));
  }
}

/** So many conversations are cancelled before it is taken for certain that nothing comes of it. */
const maxCancelTries = 3;

/**
 * A second conversation that is cancelled as soon as its creation is answered. Where it goes on and is answered all the same,
 * another one is cancelled.
 */
async function holdCancelled(stage: Stage): Promise<void> {
  for (let tries = 0; tries < maxCancelTries; tries += 1) {
    const { thread } = await createThread(stage, "cancel", { question: stage.nextQuestion() });
    if (thread === undefined) {
      return;
    }
    const session = `${stage.dialect.interface}-${thread.credential}`;
    await cancel(stage, thread);
    const end = await pollToEnd(stage, { probe: "cancel", thread, sessions: [session] });
    // What had ended before it was cancelled tells nothing.
    if (end !== "finished" || thread.view.isAnswered !== true || thread.wasProcessing !== true) {
      return;
    }
  }
}

interface Failure {
  readonly probe: ConversationProbeId;
  readonly credential: CredentialKind;
  readonly question: string;
}

/** A question whose processing has to fail. */
async function holdFailing(stage: Stage, { probe, credential, question }: Failure): Promise<void> {
  const { thread } = await createThread(stage, probe, { question, credential });
  if (thread !== undefined) {
    await pollToEnd(stage, { probe, thread, sessions: [`${stage.dialect.interface}-${credential}`] });
    const last = await ask(stage, probe, { call: stage.dialect.get(thread.id), credential });
    if (last !== undefined) {
      learnThread(stage, thread, last);
    }
  }
}

const usersOfFailures = { quota: "quota-token", entitlement: "entitlement-token" } as const;

/** Asks every question that is needed, one after the other. */
export async function holdConversations(stage: Stage): Promise<void> {
  const { credentials, limits, mainCredential, nextQuestion } = stage;
  const noToken = [mainCredential === "none", "no token was given"] as const;
  if (isDue(stage, "create", { ungiven: noToken })) {
    await holdFirst(stage);
  }
  if (isDue(stage, "cancel", { ungiven: noToken })) {
    await holdCancelled(stage);
  }
  const notHere = [limits.name !== "local", "what so long a question costs is known of local targets only"] as const;
  if (isDue(stage, "token-limit", { ungiven: noToken, unless: [notHere] })) {
    await holdFailing(stage, {
      probe: "token-limit",
      credential: mainCredential,
      question: longQuestion(nextQuestion()),
    });
  }
  for (const probe of ["quota", "entitlement"] as const) {
    const credential = usersOfFailures[probe];
    if (isDue(stage, probe, { ungiven: [!credentials.has(credential), `no ${credential} was given`] })) {
      await holdFailing(stage, { probe, credential, question: nextQuestion() });
    }
  }
}
