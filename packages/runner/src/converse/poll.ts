import { deletionPatienceMs } from "@assay/contract";
import type { Answer } from "./answer.ts";
import type { ConversationProbeId } from "@assay/contract";
import { pollSchedule } from "./poll-schedule.ts";
import { retryWaitMs } from "./retry-wait.ts";
import { type DriveContext, askerOf, learnThread } from "./drive-context.ts";
import type { Thread } from "./thread.ts";

/** How polling ended. `unclear`: what came back said for too long nothing that any document tells. */
export type PollEnd = "finished" | "deadline" | "unclear" | "stopped";

export interface PollRequest {
  readonly probe: ConversationProbeId;
  readonly thread: Thread;
  /** One poller for each; each asks in turn, and all at the same time. */
  readonly sessions: readonly string[];
}

/** So many answers in a row that say nothing end a poller. */
const maxUnclear = 3;
/** So many answers in a row that lack the last question end a poller; of the first ones, once every replica must show it. */
const maxBehind = 10;

/** Longer than a replica may lag, so that the last read comes too late for that. */
const writePatienceMs = deletionPatienceMs + 300;

/** What a poller makes of an answer. */
type Reading = "finished" | "processing" | "unclear" | "behind";

function readingOf({ dialect }: DriveContext, { questions }: Thread, answer: Answer): Reading {
  const view = dialect.read(answer.json);
  if (answer.kind !== "success" || view.state === "unclear") {
    return "unclear";
  }
  // An older version may be shown for a while: it has ended, but without the last question.
  return view.state === "finished" && view.texts.length < questions ? "behind" : view.state;
}

/** Counts answers in a row that lead nowhere. `passedMs` is the time since the poller began. */
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
  const asker = askerOf(context, probe, { credential: thread.credential, session });
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
    const reading = readingOf(context, thread, answer);
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

/** A cancelled question is polled for this long at least. */
const minCancelledMs = 2000;

/**
 * How long a cancelled question is polled for: twice as long as the slowest question of the run that nobody cancelled. That it ever
 * ends is not promised. Source: conversation-api, sections 3.1 and 3.2.
 */
const cancelledMs = ({ limits, slowestEndMs = Number.POSITIVE_INFINITY }: DriveContext): number =>
  Math.min(limits.questionDeadlineMs, Math.max(minCancelledMs, 2 * slowestEndMs));

/**
 * Polls a conversation until its last question has ended, at fixed times that do not depend on how long answers take, and not
 * before a target asked for it. Pollers begin half an interval apart, each sees the end itself. Never longer than the deadline
 * of a question.
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
