import { defined } from "@assay/contract";
import {
  type ConversationPorts,
  type ExchangePorts,
  defaultPorts,
  type ReferencePorts,
  type SearchPorts,
  type ServerPorts,
  type StreamChunk,
  type Wire,
} from "../service/ports.ts";
import { conditionSetting, meetsCondition } from "./condition.ts";
import type { ConversationEffect } from "./conversation-effect.ts";
import type { EffectAt, FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import type { ActiveFault } from "./fault-registry.ts";

/** Changes the bytes of a stream and preserves its end (`reset`, `cut` or none). */
async function* changedBytes(
  chunks: AsyncIterable<StreamChunk>,
  effect: EffectAt<"bytes">,
  run: FaultRun,
): AsyncGenerator<StreamChunk> {
  const endings: StreamChunk[] = [];
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (typeof chunk === "string") {
        endings.push(chunk);
        return;
      }
      yield chunk;
    }
  };
  yield* effect.apply(bytes(), run);
  yield* endings;
}

/** Applies an effect after the underlying port, and records in the journal whether it changed the value. */
const after =
  <Value, Context extends readonly unknown[]>(
    inner: (value: Value, ...context: Context) => Value,
    change: ((value: Value, ...context: [...Context, FaultRun]) => Value) | undefined,
    run: FaultRun,
  ): ((value: Value, ...context: Context) => Value) =>
  (originalValue, ...context) => {
    const value = inner(originalValue, ...context);
    const changedValue = change === undefined ? value : change(value, ...context, run);
    if (changedValue !== value) {
      run.recordChange();
    }
    return changedValue;
  };

/** Creates the search ports of an effect. */
const searchPorts = (effect: FaultEffect, run: FaultRun, inner: SearchPorts): Partial<SearchPorts> => {
  switch (effect.layer) {
    case "answer":
      return { cannedAnswer: () => effect.apply(run) };
    case "access":
      return { access: after(inner.access, effect.apply, run) };
    case "parameters":
      return { parameters: after(inner.parameters, effect.apply, run) };
    case "index":
      return { repositories: after(inner.repositories, effect.apply, run) };
    case "events":
      return { events: (events) => effect.apply(inner.events(events), run) };
    case "frames":
      return { frames: (events) => effect.apply(inner.frames(events), run) };
    case "bytes":
      return {
        head: after(inner.head, effect.head, run),
        chunks: (pieces) => changedBytes(inner.chunks(pieces), effect, run),
      };
    case "conversation":
      return {};
  }
};

const conversationPorts = (effect: ConversationEffect, run: FaultRun, inner: ConversationPorts): ConversationPorts => {
  const { store } = effect;
  return {
    delay: (call) => {
      const delay = inner.delay(call);
      return delay === undefined ? effect.delay?.(call, run) : delay.then(() => effect.delay?.(call, run));
    },
    admit: after(inner.admit, effect.admit, run),
    request: after(inner.request, effect.request, run),
    list: after(inner.list, effect.list, run),
    page: after(inner.page, effect.page, run),
    isVisible: (isVisible, conversation, call) => {
      const innerValue = inner.isVisible(isVisible, conversation, call);
      return store?.isVisible?.(innerValue, conversation, { call, run }) ?? innerValue;
    },
    shouldPerform: (act, call) => inner.shouldPerform(act, call) && (store?.shouldPerform?.(act, call, run) ?? true),
    creationCount: (count, call) => {
      const innerCount = inner.creationCount(count, call);
      return store?.creationCount?.(innerCount, call, run) ?? innerCount;
    },
    newId: (id, call) => store?.newId?.(inner.newId(id, call), call, run) ?? inner.newId(id, call),
    immediateOutcome: (question, call) =>
      store?.immediateOutcome?.(question, call, run) ?? inner.immediateOutcome(question, call),
    finalOutcome: (originalOutcome, question) => {
      const outcome = inner.finalOutcome(originalOutcome, question);
      return outcome === "never" ? outcome : (store?.finalOutcome?.(outcome, question, run) ?? outcome);
    },
    answer: after(inner.answer, effect.apply, run),
  };
};

const referencePorts = (effect: ConversationEffect, run: FaultRun, inner: ReferencePorts): ReferencePorts => ({
  document: (originalDocument) => {
    const document = inner.document(originalDocument);
    return document && effect.describe ? effect.describe(document, run) : document;
  },
  page: after(inner.page, effect.referencePage, run),
});

const exchangePorts = (effect: FaultEffect, run: FaultRun, inner: ExchangePorts): ExchangePorts =>
  effect.layer === "conversation"
    ? {
        ...inner,
        conversation: conversationPorts(effect, run, inner.conversation),
        reference: referencePorts(effect, run, inner.reference),
      }
    : { ...inner, search: { ...inner.search, ...searchPorts(effect, run, inner.search) } };

const stackWires = (inner: Wire | undefined, outer: Wire): Wire =>
  inner === undefined
    ? outer
    : {
        toServer: (text) => inner.toServer(outer.toServer(text)),
        toWire: (text) => outer.toWire(inner.toWire(text)),
      };

/** Creates ports with one fault, which is applied last. Its memory and counters live as long as the ports. */
const withFault = (inner: ServerPorts, { fault, values }: ActiveFault): ServerPorts => {
  const effects = fault.effects(values);
  const memory = new Map<string, unknown>();
  let nextNumber = 0;
  const wires = effects.flatMap((effect) => (effect.layer === "conversation" ? (effect.wire ?? []) : []));
  return {
    faultId: inner.faultId === undefined ? fault.id : `${inner.faultId} ${fault.id}`,
    ...defined({ wire: wires.reduce(stackWires, inner.wire) }),
    exchange: (context) => {
      if (!meetsCondition(values[conditionSetting], context)) {
        return inner.exchange(context);
      }
      const run: FaultRun = { ...context, memory, nextNumber: () => nextNumber++ };
      return effects.reduce((ports, effect) => exchangePorts(effect, run, ports), inner.exchange(context));
    },
  };
};

/** Creates ports with several faults, applied in order. */
export const faultPorts = (active: readonly ActiveFault[], inner: ServerPorts = defaultPorts): ServerPorts =>
  active.reduce(withFault, inner);
