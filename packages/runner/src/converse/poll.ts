import { deletionPatienceMs } from "@assay/contract";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "@assay/contract";
import { createPollSchedule } from "./poll-schedule.ts";
import { retryWaitMs } from "./retry-wait.ts";
import { type DriveContext, createOrigin, updateConversation } from "./drive-context.ts";
import type { RunConversation } from "./run-conversation.ts";

/** How polling ended. `unclear`: too many answers had no specified state. */
export type PollEnd = "finished" | "deadline" | "unclear" | "stopped";

export interface PollRequest {
  readonly probe: ConversationProbeId;
  readonly conversation: RunConversation;
  /** One poller for each session. Pollers run concurrently; each sends one request at a time. */
  readonly sessions: readonly string[];
  /** Whether the first poll waits most of the time that the fastest question took. Default: polling begins at once. */
  readonly isPatient?: true;
}

/** Consecutive unclear answers that end a poller. */
const maxUnclearAnswers = 3;
/** Consecutive answers without the last question that end a poller, but not before the allowed replication lag has passed. */
const maxStaleAnswers = 10;

/** Longer than the allowed replication lag, so that the last read is after it. */
const writePatienceMs = deletionPatienceMs + 300;

/** How a poller classifies an answer. */
type PollState = "finished" | "processing" | "unclear" | "stale";

function classifyAnswer({ dialect }: DriveContext, { questionCount }: RunConversation, answer: Answer): PollState {
  const view = dialect.read(answer.json);
  if (answer.kind !== "success" || view.state === "unclear") {
    return "unclear";
  }
  // A lagging replica may show an older version: finished, but without the last question.
  return view.state === "finished" && view.texts.length < questionCount ? "stale" : view.state;
}

/**
 * Creates a function that reports whether to keep polling after an answer. It counts consecutive answers without progress. `elapsedMs` is
 * the time since the poller began.
 */
function createPatienceCheck(context: DriveContext): (state: PollState, elapsedMs: number) => boolean {
  let unclearCount = 0;
  let staleCount = 0;
  return (state, elapsedMs) => {
    unclearCount = state === "unclear" ? unclearCount + 1 : 0;
    staleCount = state === "stale" ? staleCount + 1 : 0;
    const mayStillAppear =
      staleCount < maxStaleAnswers || (context.hasLostWrite !== true && elapsedMs <= writePatienceMs);
    context.hasLostWrite ||= !mayStillAppear;
    return unclearCount < maxUnclearAnswers && mayStillAppear;
  };
}

/**
 * Share of the time of the fastest question that a patient poller waits. Less than all of it, so that the time becomes shorter when
 * questions do: the first ones compete with the searches of a run.
 */
const patientShare = 0.75;

interface Poller {
  readonly session: string;
  readonly startMs: number;
  readonly deadlineMs: number;
}

async function runPoller(
  context: DriveContext,
  { probe, conversation, isPatient }: PollRequest,
  poller: Poller,
): Promise<PollEnd> {
  const { clock, limits, caller, dialect, nowMs } = context;
  const { session, startMs, deadlineMs } = poller;
  const schedule = createPollSchedule({ ...limits, random: context.random });
  const shouldKeepPolling = createPatienceCheck(context);
  const origin = createOrigin(context, probe, { credential: conversation.credential, session });
  let notBeforeMs = startMs + (isPatient === true ? (context.fastestEndMs ?? 0) * patientShare : 0);
  for (;;) {
    const currentMs = clock.nowMicros() / 1000;
    const atMs = startMs + schedule.next(Math.max(currentMs, notBeforeMs) - startMs);
    if (atMs > deadlineMs) {
      return "deadline";
    }
    await caller.pause(atMs - currentMs);
    const answer = await caller.call(origin, dialect.get(conversation.id));
    if (answer === undefined) {
      return "stopped";
    }
    updateConversation(context, conversation, answer);
    const state = classifyAnswer(context, conversation, answer);
    if (state === "processing") {
      conversation.wasProcessing = true;
    }
    const requestedMs = state === "finished" ? 0 : Math.min(limits.maxRetryWaitMs, retryWaitMs(answer, nowMs()));
    notBeforeMs = Math.max(
      answer.draft.times.sentAtMicros / 1000 + limits.minPollMs,
      clock.nowMicros() / 1000 + requestedMs,
    );
    if (state === "finished") {
      return "finished";
    }
    if (!shouldKeepPolling(state, answer.draft.times.sentAtMicros / 1000 - startMs) && requestedMs === 0) {
      return "unclear";
    }
  }
}

/** Minimum time for polling a cancelled question. */
const minCancelledPollMs = 2000;

/**
 * Returns how long a cancelled question is polled: twice as long as the slowest question that was not cancelled. It need not end at all.
 * Source: conversation-api, sections 3.1 and 3.2.
 */
const computeCancelledPollMs = ({ limits, slowestEndMs = Number.POSITIVE_INFINITY }: DriveContext): number =>
  Math.min(limits.questionDeadlineMs, Math.max(minCancelledPollMs, 2 * slowestEndMs));

/**
 * Polls a conversation until its last question has ended. Poll times are fixed and do not depend on how long answers take, except for a
 * wait that the target asks for. Pollers start half an interval apart, and each polls until it sees the end, but not after the deadline
 * of the question.
 */
export async function pollToEnd(context: DriveContext, request: PollRequest): Promise<PollEnd> {
  const { limits, clock } = context;
  const startMs = clock.nowMicros() / 1000;
  const deadlineMs =
    startMs +
    (request.conversation.wasCancelled === true ? computeCancelledPollMs(context) : limits.questionDeadlineMs);
  const offsetMs = limits.minPollMs / (2 * Math.max(1, request.sessions.length - 1));
  const ends = await Promise.all(
    request.sessions.map((session, index) =>
      runPoller(context, request, { session, startMs: startMs + index * offsetMs, deadlineMs }),
    ),
  );
  request.conversation.isFinished = ends.includes("finished");
  if (request.conversation.isFinished && request.conversation.wasCancelled === undefined) {
    const endMs = clock.nowMicros() / 1000 - startMs;
    context.slowestEndMs = Math.max(context.slowestEndMs ?? 0, endMs);
    if (request.conversation.view.isAnswered === true) {
      context.fastestEndMs = Math.min(context.fastestEndMs ?? endMs, endMs);
    }
  }
  return ends.find((end) => end !== "finished") ?? "finished";
}
