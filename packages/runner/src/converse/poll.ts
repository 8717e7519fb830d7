import { deletionPatienceMs } from "@assay/contract";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "@assay/contract";
import { pollSchedule } from "./poll-schedule.ts";
import { retryWaitMs } from "./retry-wait.ts";
import { type DriveContext, createAsker, learnThread } from "./drive-context.ts";
import type { Thread } from "./thread.ts";

/** How polling ended. `unclear`: too many answers had no specified state. */
export type PollEnd = "finished" | "deadline" | "unclear" | "stopped";

export interface PollRequest {
  readonly probe: ConversationProbeId;
  readonly thread: Thread;
  /** One poller for each session. Pollers run concurrently; each sends one request at a time. */
  readonly sessions: readonly string[];
}

/** Consecutive unclear answers that end a poller. */
const maxUnclear = 3;
/** Consecutive answers without the last question that end a poller, but not before every replica must show it. */
const maxBehind = 10;

/** Longer than the allowed replication lag, so that the last read is after it. */
const writePatienceMs = deletionPatienceMs + 300;

/** How a poller classifies an answer. */
type Reading = "finished" | "processing" | "unclear" | "behind";

function classifyReading({ dialect }: DriveContext, { questions }: Thread, answer: Answer): Reading {
  const view = dialect.read(answer.json);
  if (answer.kind !== "success" || view.state === "unclear") {
    return "unclear";
  }
  // A lagging replica may show an older version: finished, but without the last question.
  return view.state === "finished" && view.texts.length < questions ? "behind" : view.state;
}

/** Counts consecutive answers without progress. `passedMs` is the time since the poller began. */
function createPatience(context: DriveContext): (reading: Reading, passedMs: number) => boolean {
  let unclear = 0;
  let behind = 0;
  return (reading, passedMs) => {
    unclear = reading === "unclear" ? unclear + 1 : 0;
    behind = reading === "behind" ? behind + 1 : 0;
    const isWaiting = behind < maxBehind || (context.isLost !== true && passedMs <= writePatienceMs);
    context.isLost ||= !isWaiting;
    return unclear < maxUnclear && isWaiting;
  };
}

interface Poller {
  readonly session: string;
  readonly startMs: number;
  readonly deadlineMs: number;
}

async function runPoller(context: DriveContext, { probe, thread }: PollRequest, poller: Poller): Promise<PollEnd> {
  const { clock, limits, caller, dialect, nowMs } = context;
  const { session, startMs, deadlineMs } = poller;
  const schedule = pollSchedule({ ...limits, random: context.random });
  const isPatient = createPatience(context);
  const asker = createAsker(context, probe, { credential: thread.credential, session });
  let notBeforeMs = startMs;
  for (;;) {
    const now = clock.nowMicros() / 1000;
    const atMs = startMs + schedule.next(Math.max(now, notBeforeMs) - startMs);
    if (atMs > deadlineMs) {
      return "deadline";
    }
    await caller.pause(atMs - now);
    const answer = await caller.call(asker, dialect.get(thread.id));
    if (answer === undefined) {
      return "stopped";
    }
    learnThread(context, thread, answer);
    const reading = classifyReading(context, thread, answer);
    if (reading === "processing") {
      thread.wasProcessing = true;
    }
    const asksToWaitMs = reading === "finished" ? 0 : Math.min(limits.maxRetryWaitMs, retryWaitMs(answer, nowMs()));
    notBeforeMs = Math.max(
      answer.draft.times.sentAtMicros / 1000 + limits.minPollMs,
      clock.nowMicros() / 1000 + asksToWaitMs,
    );
    if (reading === "finished") {
      return "finished";
    }
    if (!isPatient(reading, answer.draft.times.sentAtMicros / 1000 - startMs) && asksToWaitMs === 0) {
      return "unclear";
    }
  }
}

/** Minimum time for polling a cancelled question. */
const minCancelledMs = 2000;

/**
 * How long a cancelled question is polled: twice as long as the slowest question that was not cancelled. It need not end at all.
 * Source: conversation-api, sections 3.1 and 3.2.
 */
const cancelledMs = ({ limits, slowestEndMs = Number.POSITIVE_INFINITY }: DriveContext): number =>
  Math.min(limits.questionDeadlineMs, Math.max(minCancelledMs, 2 * slowestEndMs));

/**
 * Polls a conversation until its last question has ended. Poll times are fixed and do not depend on how long answers take, except for a
 * wait that the target asks for. Pollers start half an interval apart, and each polls until it sees the end, but not after the deadline
 * of the question.
 */
export async function pollToEnd(context: DriveContext, request: PollRequest): Promise<PollEnd> {
  const { limits, clock } = context;
  const startMs = clock.nowMicros() / 1000;
  const deadlineMs =
    startMs + (request.thread.wasCancelled === true ? cancelledMs(context) : limits.questionDeadlineMs);
  const offsetMs = limits.minPollMs / (2 * Math.max(1, request.sessions.length - 1));
  const ends = await Promise.all(
    request.sessions.map((session, index) =>
      runPoller(context, request, { session, startMs: startMs + index * offsetMs, deadlineMs }),
    ),
  );
  request.thread.isFinished = ends.includes("finished");
  if (request.thread.isFinished && request.thread.wasCancelled === undefined) {
    context.slowestEndMs = Math.max(context.slowestEndMs ?? 0, clock.nowMicros() / 1000 - startMs);
  }
  return ends.find((end) => end !== "finished") ?? "finished";
}
