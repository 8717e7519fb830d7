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

export interface CallAnswer extends AnswerHead {
  readonly text: string;
  /** Delay requested by `Retry-After`, or -1 if there is none. */
  readonly retryAfterMs: number;
}

/** The side effects of a conversation. */
export interface ConversationWorld {
  readonly recorder: Recorder;
  sleepMs(ms: number): Promise<void>;
  /** Sends a call with the headers of its target and interface. Never throws. */
  send(task: Task, call: ConversationCall, poller: number): Promise<CallAnswer>;
}

/** The number of consecutive failed polls that ends a conversation. */
const maxFailures = 5;

interface ActiveConversation {
  readonly world: ConversationWorld;
  readonly task: Task;
  readonly load: ConversationLoad;
  readonly watch: StateWatch;
  polls: number;
  lastOpenMs: number | undefined;
  /** True once a response contained the run's mark. Only then is the conversation deleted. */
  isOurs: boolean;
  hasViolation: boolean;
}

/** The result of one call. */
interface CallResult {
  readonly planMs: number;
  readonly sendMs: number;
  readonly endMs: number;
  readonly outcome: LoadOutcome;
  readonly view: LoadedConversation;
  readonly status: number;
}

type Judge = (view: LoadedConversation) => StateCode | undefined;

interface CallPlan {
  readonly planMs: number;
  /** Index of the poller, from 0. Default: 0. */
  readonly poller?: number;
  readonly judge: Judge;
}

/** Sends, judges and records a call. */
async function exchangeCall(
  active: ActiveConversation,
  call: ConversationCall,
  { planMs, poller = 0, judge }: CallPlan,
): Promise<CallResult> {
  const { world, task, load } = active;
  const sendMs = world.recorder.nowMs();
  const answer = await world.send(task, call, poller);
  const endMs = world.recorder.nowMs();
  recordTargetHealth(world.recorder, task.iteration.side, answer);
  const view = loadedConversation(load.interface, parsedJson(answer.text));
  const receivedOutcome = callOutcome(answer);
  const code = receivedOutcome === "ok" ? judge(view) : undefined;
  const outcome = code === undefined ? receivedOutcome : "violation";
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
  active.hasViolation ||= code !== undefined;
  active.isOurs ||= view.texts.some((text) => text.includes(markOf(load.marker)));
  return { planMs, sendMs, endMs, outcome, view, status: answer.status };
}

/** Reports whether the API answered, correctly or not. */
const isAnswered = ({ outcome }: CallResult): boolean => outcome === "ok" || outcome === "violation";

interface Ending {
  readonly outcome: LoadOutcome;
  readonly endMs: number;
  readonly state?: string;
}

function describeEnding({ task, world }: ActiveConversation, { view, endMs }: CallResult): Ending {
  const { state, hasError, isUsedUp } = view;
  if (isUsedUp) {
    world.recorder.distress(task.iteration.side, -1);
  }
  const hasSucceeded = state === "completed" && !hasError;
  const outcome = hasSucceeded ? "ok" : isUsedUp ? "distress" : "bad-status";
  return { outcome, endMs, ...defined({ state }) };
}

/** Timers may fire early by up to this time. */
const maxEarlyMs = 5;

/** Waits until a time of the run clock. Returns false if the test ends first. */
async function sleepUntil(world: ConversationWorld, atMs: number): Promise<boolean> {
  const remainingMs = atMs - world.recorder.nowMs();
  if (remainingMs > 0) {
    await world.sleepMs(remainingMs);
  }
  return world.recorder.nowMs() > atMs - maxEarlyMs;
}

/** State shared by the pollers of a conversation. */
interface PollingState {
  readonly id: string;
  readonly startMs: number;
  /** The latest slot of the schedule that a poller used. */
  lastSlotMs: number;
  /** Failed reads in a row. */
  failures: number;
  /** Set once the conversation has ended. */
  ending?: Ending;
  /** The slot at which a poller read a final state. */
  finalSlotMs?: number;
  /** The outcome of a conversation that does not end. */
  unfinishedOutcome: "unfinished" | "canceled";
}

/** Reads once at the next slot of the schedule. Returns the conversation's outcome instead if there is no slot left. */
async function pollOnce(
  active: ActiveConversation,
  polling: PollingState,
  { poller, afterMs }: { poller: number; afterMs: number },
) {
  const { world, load, task, watch } = active;
  const { startMs } = polling;
  const notBeforeMs = world.recorder.nowMs() + world.recorder.holdBackMs(task.iteration.side);
  const planMs = nextSlotMs({ startMs, intervalMs: load.pollIntervalMs }, afterMs, notBeforeMs);
  if (planMs > startMs + load.deadlineMs) {
    return "unfinished";
  }
  polling.lastSlotMs = Math.max(polling.lastSlotMs, planMs);
  const hasReachedTime = await sleepUntil(world, planMs);
  // Another poller may have given up meanwhile.
  if (!hasReachedTime || (polling.ending !== undefined && polling.finalSlotMs === undefined)) {
    return "canceled";
  }
  active.polls += 1;
  return exchangeCall(active, conversationCalls(load.interface).get(polling.id), {
    planMs,
    poller,
    judge: (view) => watch.seen(view, poller),
  });
}

/** Updates the shared state after a read. */
function applyResult(active: ActiveConversation, polling: PollingState, result: CallResult): void {
  if (polling.ending !== undefined) {
    return;
  }
  if (isAnswered(result) && active.watch.isTerminal(result.view.state)) {
    polling.ending = describeEnding(active, result);
    polling.finalSlotMs = result.planMs;
    return;
  }
  active.lastOpenMs = isAnswered(result) ? Math.max(active.lastOpenMs ?? 0, result.sendMs) : active.lastOpenMs;
  polling.failures = isAnswered(result) || result.outcome === "distress" ? 0 : polling.failures + 1;
  if (polling.failures >= maxFailures) {
    polling.ending = { outcome: result.outcome, endMs: result.endMs };
  }
}

/** Polls until the conversation has finished, and one more time afterwards, since a final state must not change for any poller. */
async function runPoller(active: ActiveConversation, polling: PollingState, poller: number): Promise<void> {
  let lastSendMs = 0;
  while (polling.ending === undefined) {
    const pollResult = await pollOnce(active, polling, { poller, afterMs: polling.lastSlotMs });
    if (typeof pollResult === "string") {
      polling.unfinishedOutcome = pollResult;
      return;
    }
    applyResult(active, polling, pollResult);
    lastSendMs = pollResult.sendMs;
  }
  if (polling.finalSlotMs !== undefined && lastSendMs < polling.ending.endMs) {
    await pollOnce(active, polling, { poller, afterMs: polling.finalSlotMs });
  }
}

/**
 * Polls until the conversation has finished, or until the deadline. The pollers share one schedule: together they read
 * as often as a single poller would, and a late response to one does not delay the others. Afterwards each poller reads
 * one more time, all at the same slot.
 */
async function pollToEnd(active: ActiveConversation, id: string, startMs: number): Promise<Ending> {
  const polling: PollingState = { id, startMs, lastSlotMs: startMs, failures: 0, unfinishedOutcome: "unfinished" };
  const pollers = Array.from({ length: active.load.pollers ?? 1 }, (_, poller) => runPoller(active, polling, poller));
  await Promise.all(pollers);
  return polling.ending ?? { outcome: polling.unfinishedOutcome, endMs: active.world.recorder.nowMs() };
}

async function deleteConversation(active: ActiveConversation, id: string, key: string): Promise<void> {
  const { world, load } = active;
  const planMs = world.recorder.nowMs();
  const call = conversationCalls(load.interface).delete(id);
  const { outcome, status } = await exchangeCall(active, call, { planMs, judge: () => undefined });
  if (outcome === "ok" || status === 404) {
    world.recorder.ledger.deleted(key);
  }
}

/**
 * Reports whether the target rejected a creation, so that nothing was created. After any other failure the conversation
 * may exist, so its ledger entry stays open.
 */
const isRejected = ({ status }: CallResult): boolean => status >= 400 && status < 500 && status !== 408;

function pollUnlessTerminal(active: ActiveConversation, creation: CallResult, id: string): Ending | Promise<Ending> {
  if (active.watch.isTerminal(creation.view.state)) {
    return describeEnding(active, creation);
  }
  return pollToEnd(active, id, creation.endMs);
}

/** Records the creation in the ledger, polls the conversation and deletes it. */
async function pollAndDelete(active: ActiveConversation, creation: CallResult, key: string): Promise<Ending> {
  const { id } = creation.view;
  const { ledger } = active.world.recorder;
  if (!isAnswered(creation) || id === undefined) {
    if (isRejected(creation)) {
      ledger.nothing(key);
    }
    return { outcome: creation.outcome, endMs: creation.endMs };
  }
  ledger.made(key, id);
  const ending = await pollUnlessTerminal(active, creation, id);
  if (active.isOurs) {
    await deleteConversation(active, id, key);
  }
  return ending;
}

/** A response without an id is wrong, because the conversation cannot be polled or deleted. */
const judgeCreation =
  (watch: StateWatch): Judge =>
  (view) => {
    const code = watch.created(view);
    return view.id === undefined ? "bad-answer" : code;
  };

function findUnsentOutcome({ recorder }: ConversationWorld, { iteration, number }: Task): LoadOutcome | undefined {
  if (recorder.holdBackMs(iteration.side) > 0) {
    return "held-back";
  }
  return recorder.takeQuestion(number) ? undefined : "over-budget";
}

/**
 * Runs one conversation: creates it, polls at fixed times with the plan's pollers until it has finished or the deadline
 * has passed, and deletes it. Records each call and the conversation. The ledger entry is written before the
 * conversation can exist.
 */
export async function converse(world: ConversationWorld, task: Task, load: ConversationLoad): Promise<LoadOutcome> {
  const { recorder } = world;
  const { iteration, asked } = task;
  const base = { kind: "conversation", ...iteration } as const;
  const unsentOutcome = findUnsentOutcome(world, task);
  if (unsentOutcome !== undefined) {
    const { planMs } = iteration;
    recorder.record({ ...base, sendMs: planMs, endMs: planMs, outcome: unsentOutcome, polls: 0 });
    return unsentOutcome;
  }
  const watch = stateWatch(load.interface, load.pollers);
  const active: ActiveConversation = {
    world,
    task,
    load,
    watch,
    polls: 0,
    lastOpenMs: undefined,
    isOurs: false,
    hasViolation: false,
  };
  const key = recorder.ledger.intend({ marker: load.marker, interface: load.interface });
  const { phase, side, query } = iteration;
  recorder.callsBegin({ interface: load.interface, session: `c${key}`, phase, side, query });
  const call = conversationCalls(load.interface).create(markedQuestion(asked.text, load.marker));
  const creation = await exchangeCall(active, call, { planMs: iteration.planMs, judge: judgeCreation(watch) });
  const { outcome: endingOutcome, endMs, state } = await pollAndDelete(active, creation, key);
  recorder.callsEnd();
  const outcome = active.hasViolation ? "violation" : endingOutcome;
  const sample: ConversationSample = {
    ...base,
    sendMs: creation.sendMs,
    endMs,
    outcome,
    polls: active.polls,
    ...defined({ state, lastOpenMs: active.lastOpenMs }),
  };
  recorder.record(sample);
  return outcome;
}
