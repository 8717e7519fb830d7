import { defined } from "@assay/contract";
import type { CallSample, ConversationLoad, ConversationSample, LoadOutcome } from "@assay/results";
import { callOutcome } from "./call-outcome.ts";
import type { AnswerHead } from "./call-outcome.ts";
import { conversationCalls, markedQuestion, markOf } from "./conversation-calls.ts";
import type { ConversationCall } from "./conversation-calls.ts";
import { loadedConversation } from "./loaded-conversation.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";
import type { Task } from "./iteration.ts";
import { parsedJson } from "./parsed-json.ts";
import { nextSlotMs } from "./poll-schedule.ts";
import type { Recorder } from "./recorder.ts";
import { stateWatch } from "./state-watch.ts";
import type { StateCode, StateWatch } from "./state-watch.ts";
import { recordTargetHealth } from "./record-target-health.ts";

/** What came back from a call. */
export interface CallAnswer extends AnswerHead {
  readonly text: string;
  /** What `Retry-After` asks for; -1 without. */
  readonly retryAfterMs: number;
}

/** What a conversation needs of the world. */
export interface ConversationWorld {
  readonly recorder: Recorder;
  sleepMs(ms: number): Promise<void>;
  /** Sends a call with the headers of its target and of its interface, and waits for the answer. Never throws. */
  send(task: Task, call: ConversationCall, poller: number): Promise<CallAnswer>;
}

/** So many polls in a row that fail end a conversation. */
const maxFailures = 5;

/** A conversation under way. */
interface Talk {
  readonly world: ConversationWorld;
  readonly task: Task;
  readonly load: ConversationLoad;
  readonly watch: StateWatch;
  polls: number;
  lastOpenMs: number | undefined;
  /** Whether an answer showed it with the mark of the run; nothing else is deleted. */
  isOurs: boolean;
  isViolated: boolean;
}

/** One answer, read. */
interface Reading {
  readonly planMs: number;
  readonly sendMs: number;
  readonly endMs: number;
  readonly outcome: LoadOutcome;
  readonly view: LoadedConversation;
  readonly status: number;
}

type Judge = (view: LoadedConversation) => StateCode | undefined;

/** What is known of a call besides what it asks. */
interface CallPlan {
  readonly planMs: number;
  /** Which one sends it, from 0 [0]. */
  readonly poller?: number;
  readonly judge: Judge;
}

/** Sends a call, judges and records it. */
async function exchange(talk: Talk, call: ConversationCall, { planMs, poller = 0, judge }: CallPlan): Promise<Reading> {
  const { world, task, load } = talk;
  const sendMs = world.recorder.nowMs();
  const answer = await world.send(task, call, poller);
  const endMs = world.recorder.nowMs();
  recordTargetHealth(world.recorder, task.iteration.arm, answer);
  const view = loadedConversation(load.interface, parsedJson(answer.text));
  const heard = callOutcome(answer);
  const code = heard === "ok" ? judge(view) : undefined;
  const outcome = code === undefined ? heard : "violation";
  const { operation } = call;
  const sample: CallSample = {
    kind: "call",
    operation,
    ...task.iteration,
    planMs,
    sendMs,
    endMs,
    outcome,
    ...(answer.status === 0 ? {} : { status: answer.status }),
    ...(code === undefined ? {} : { codes: { [code]: 1 } }),
  };
  world.recorder.record(sample);
  talk.isViolated ||= code !== undefined;
  talk.isOurs ||= view.texts.some((text) => text.includes(markOf(load.marker)));
  return { planMs, sendMs, endMs, outcome, view, status: answer.status };
}

/** Whether the target gave an answer, right or wrong. */
const isHeard = ({ outcome }: Reading): boolean => outcome === "ok" || outcome === "violation";

/** How a conversation ended. */
interface Ending {
  readonly outcome: LoadOutcome;
  readonly endMs: number;
  readonly state?: string;
}

function endingOf({ task, world }: Talk, { view, endMs }: Reading): Ending {
  const { state, hasError, isUsedUp } = view;
  if (isUsedUp) {
    world.recorder.distress(task.iteration.arm, -1);
  }
  const isFine = state === "completed" && !hasError;
  const outcome = isFine ? "ok" : isUsedUp ? "distress" : "bad-status";
  return { outcome, endMs, ...defined({ state }) };
}

/** Timers may fire this much too early. */
const earlyMs = 5;

/** Waits for a time of the run clock; false when the test ends before it comes. */
async function sleepUntil(world: ConversationWorld, atMs: number): Promise<boolean> {
  const leftMs = atMs - world.recorder.nowMs();
  if (leftMs > 0) {
    await world.sleepMs(leftMs);
  }
  return world.recorder.nowMs() > atMs - earlyMs;
}

/** Where the pollers of a conversation stand together. */
interface Polling {
  readonly id: string;
  readonly startMs: number;
  /** The last time of the schedule that one of them took. */
  lastMs: number;
  /** Reads in a row that failed. */
  failures: number;
  /** How the conversation ended, as soon as that is known. */
  ending?: Ending;
  /** The time of the schedule at which its end was seen; absent where nobody saw it. */
  endedMs?: number;
  /** What it came to, where it does not end. */
  whyNoEnd: "unfinished" | "canceled";
}

/** One read at the next time of the schedule; otherwise how the conversation ends without one. */
async function pollOnce(talk: Talk, polling: Polling, { poller, afterMs }: { poller: number; afterMs: number }) {
  const { world, load, task, watch } = talk;
  const { startMs } = polling;
  const notBeforeMs = world.recorder.nowMs() + world.recorder.holdBackMs(task.iteration.arm);
  const planMs = nextSlotMs({ startMs, intervalMs: load.pollIntervalMs }, afterMs, notBeforeMs);
  if (planMs > startMs + load.deadlineMs) {
    return "unfinished";
  }
  polling.lastMs = Math.max(polling.lastMs, planMs);
  const isTime = await sleepUntil(world, planMs);
  // Another one may have given up meanwhile.
  if (!isTime || (polling.ending !== undefined && polling.endedMs === undefined)) {
    return "canceled";
  }
  talk.polls += 1;
  return exchange(talk, conversationCalls(load.interface).get(polling.id), {
    planMs,
    poller,
    judge: (view) => watch.seen(view, poller),
  });
}

/** What a read tells all pollers. */
function learn(talk: Talk, polling: Polling, reading: Reading): void {
  if (polling.ending !== undefined) {
    return;
  }
  if (isHeard(reading) && talk.watch.isTerminal(reading.view.state)) {
    polling.ending = endingOf(talk, reading);
    polling.endedMs = reading.planMs;
    return;
  }
  talk.lastOpenMs = isHeard(reading) ? Math.max(talk.lastOpenMs ?? 0, reading.sendMs) : talk.lastOpenMs;
  polling.failures = isHeard(reading) || reading.outcome === "distress" ? 0 : polling.failures + 1;
  if (polling.failures >= maxFailures) {
    polling.ending = { outcome: reading.outcome, endMs: reading.endMs };
  }
}

/** Polls until the end is known, and once more after it: a last state has to stay, whoever looks. */
async function runPoller(talk: Talk, polling: Polling, poller: number): Promise<void> {
  let lastSendMs = 0;
  while (polling.ending === undefined) {
    const poll = await pollOnce(talk, polling, { poller, afterMs: polling.lastMs });
    if (typeof poll === "string") {
      polling.whyNoEnd = poll;
      return;
    }
    learn(talk, polling, poll);
    lastSendMs = poll.sendMs;
  }
  if (polling.endedMs !== undefined && lastSendMs < polling.ending.endMs) {
    await pollOnce(talk, polling, { poller, afterMs: polling.endedMs });
  }
}

/**
 * Polls until the end or the deadline. Pollers take turns at the times of the schedule, so that a conversation is read as often as by one
 * of them; one whose answer is late does not keep the others from reading. When the end was seen, each looks once more, two at the same moment.
 */
async function pollToEnd(talk: Talk, id: string, startMs: number): Promise<Ending> {
  const polling: Polling = { id, startMs, lastMs: startMs, failures: 0, whyNoEnd: "unfinished" };
  const pollers = Array.from({ length: talk.load.pollers ?? 1 }, (_, poller) => runPoller(talk, polling, poller));
  await Promise.all(pollers);
  return polling.ending ?? { outcome: polling.whyNoEnd, endMs: talk.world.recorder.nowMs() };
}

async function remove(talk: Talk, id: string, key: string): Promise<void> {
  const { world, load } = talk;
  const planMs = world.recorder.nowMs();
  const call = conversationCalls(load.interface).delete(id);
  const { outcome, status } = await exchange(talk, call, { planMs, judge: () => undefined });
  if (outcome === "ok" || status === 404) {
    world.recorder.ledger.deleted(key);
  }
}

/** A refusal means that nothing was made; after anything else something may have been, and the entry stays open. */
const isRefusal = ({ status }: Reading): boolean => status >= 400 && status < 500 && status !== 408;

function talkToEnd(talk: Talk, created: Reading, id: string): Ending | Promise<Ending> {
  if (talk.watch.isTerminal(created.view.state)) {
    return endingOf(talk, created);
  }
  return pollToEnd(talk, id, created.endMs);
}

/** What follows a creation; it has to be told to the ledger before anything else. */
async function followUp(talk: Talk, created: Reading, key: string): Promise<Ending> {
  const { id } = created.view;
  const { ledger } = talk.world.recorder;
  if (!isHeard(created) || id === undefined) {
    if (isRefusal(created)) {
      ledger.nothing(key);
    }
    return { outcome: created.outcome, endMs: created.endMs };
  }
  ledger.made(key, id);
  const ending = await talkToEnd(talk, created, id);
  if (talk.isOurs) {
    await remove(talk, id, key);
  }
  return ending;
}

/** Without an id nothing can be polled or deleted: that is no answer. */
const createdJudge =
  (watch: StateWatch): Judge =>
  (view) => {
    const code = watch.created(view);
    return view.id === undefined ? "bad-answer" : code;
  };

function withheld({ recorder }: ConversationWorld, { iteration, number }: Task): LoadOutcome | undefined {
  if (recorder.holdBackMs(iteration.arm) > 0) {
    return "held-back";
  }
  return recorder.takeQuestion(number) ? undefined : "over-budget";
}

/**
 * One conversation: asks, polls at fixed times until it has ended or the deadline has come, by as many pollers as the plan says, and deletes it. Every call and the
 * whole are recorded, and the ledger knows of it before it can exist.
 */
export async function converse(world: ConversationWorld, task: Task, load: ConversationLoad): Promise<LoadOutcome> {
  const { recorder } = world;
  const { iteration, asked } = task;
  const base = { kind: "conversation", ...iteration } as const;
  const why = withheld(world, task);
  if (why !== undefined) {
    const { planMs } = iteration;
    recorder.record({ ...base, sendMs: planMs, endMs: planMs, outcome: why, polls: 0 });
    return why;
  }
  const watch = stateWatch(load.interface, load.pollers);
  const talk: Talk = { world, task, load, watch, polls: 0, lastOpenMs: undefined, isOurs: false, isViolated: false };
  const key = recorder.ledger.intend({ marker: load.marker, interface: load.interface });
  const { phase, arm, query } = iteration;
  recorder.callsBegin({ interface: load.interface, session: `c${key}`, phase, arm, query });
  const call = conversationCalls(load.interface).create(markedQuestion(asked.text, load.marker));
  const created = await exchange(talk, call, { planMs: iteration.planMs, judge: createdJudge(watch) });
  const { outcome: ended, endMs, state } = await followUp(talk, created, key);
  recorder.callsEnd();
  const outcome = talk.isViolated ? "violation" : ended;
  const sample: ConversationSample = {
    ...base,
    sendMs: created.sendMs,
    endMs,
    outcome,
    polls: talk.polls,
    ...defined({ state, lastOpenMs: talk.lastOpenMs }),
  };
  recorder.record(sample);
  return outcome;
}
