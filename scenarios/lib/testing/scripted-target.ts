import { classifyAnswer } from "@assay/reading";
import type { CallSample, ConversationLoad, ConversationSample, StreamSample } from "@assay/results";
import type { ConversationCall } from "../conversation-calls.ts";
import type { CallAnswer, ConversationWorld } from "../conversation-flow.ts";
import type { Task } from "../iteration.ts";

/** The response to a call and its duration. */
export interface ScriptedAnswer extends Partial<CallAnswer> {
  readonly takesMs?: number;
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** A world on a fake clock that starts at 0, with everything that was recorded. */
export interface ScriptedWorld {
  readonly world: ConversationWorld;
  readonly samples: readonly (StreamSample | CallSample | ConversationSample)[];
  readonly ledger: readonly string[];
  readonly told: readonly string[];
  readonly sent: readonly { readonly call: ConversationCall; readonly poller: number; readonly atMs: number }[];
}

export interface ScriptedOptions {
  readonly holdBackMs?: (nowMs: number) => number;
  readonly budget?: number;
}

const nowMs = (): number => Date.now();
const sleepMs = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A world with a scripted target. Calls are counted by operation, from 0. Needs fake timers. */
export function scriptedWorld(
  answer: (call: ConversationCall, index: number) => ScriptedAnswer,
  { holdBackMs = () => 0, budget = 1 }: ScriptedOptions = {},
): ScriptedWorld {
  const samples: (StreamSample | CallSample | ConversationSample)[] = [];
  const ledger: string[] = [];
  const told: string[] = [];
  const sent: { call: ConversationCall; poller: number; atMs: number }[] = [];
  const note =
    (list: string[], word: string) =>
    (...parts: readonly unknown[]): void =>
      void list.push([word, ...parts].join(" "));
  const world: ConversationWorld = {
    sleepMs,
    async send(_, call, poller) {
      const index = sent.filter((one) => one.call.operation === call.operation).length;
      sent.push({ call, poller, atMs: nowMs() });
      const { takesMs = 1, json, ...given } = answer(call, index);
      await sleepMs(takesMs);
      const answered = { status: 200, isTimeout: false, text: JSON.stringify(json ?? {}), retryAfterMs: -1, ...given };
      return { kind: classifyAnswer(answered.status, [], answered.text), ...answered };
    },
    recorder: {
      nowMs,
      scenarioStartMs: () => 0,
      missed: () => 0,
      takeMissed: () => ({ startMs: 0, afterMs: [] }),
      record: (sample) => void samples.push(sample),
      holdBackMs: () => holdBackMs(nowMs()),
      callsBegin: () => undefined,
      callsEnd: () => undefined,
      distress: note(told, "distress"),
      succeeded: note(told, "succeeded"),
      failed: note(told, "failed"),
      takeQuestion: (number) => number < budget,
      ledger: {
        intend: ({ marker, interface: name }) => {
          ledger.push(`intend ${marker} ${name}`);
          return "1";
        },
        made: note(ledger, "made"),
        nothing: note(ledger, "nothing"),
        deleted: note(ledger, "deleted"),
      },
    },
  };
  return { world, samples, ledger, told, sent };
}

export const exampleTask: Task = {
  iteration: { flow: "conversation", phase: "measure", side: "base", query: "why", planMs: 0 },
  asked: { name: "why", text: "Why?" },
  target: "http://a",
  number: 0,
};

export const exampleLoad: ConversationLoad = {
  interface: "current",
  pollIntervalMs: 100,
  deadlineMs: 1000,
  questions: [exampleTask.asked],
  marker: "marker-of-a-run",
  budget: 1,
};

/** A conversation of the current interface in a given state, with the example's question. */
export const conversationIn = (state: string, error: object = {}): object => ({
  name: "users/1/conversations/7",
  state: { [state]: error },
  questions: [{ input: [{ question: { text: "Why? [assay run=marker-of-a-run]" } }] }],
});
