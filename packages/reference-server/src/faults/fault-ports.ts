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
    under: (plain: Value, ...context: Context) => Value,
    change: ((value: Value, ...context: [...Context, FaultRun]) => Value) | undefined,
    run: FaultRun,
  ): ((plain: Value, ...context: Context) => Value) =>
  (plain, ...context) => {
    const value = under(plain, ...context);
    const changedValue = change === undefined ? value : change(value, ...context, run);
    if (changedValue !== value) {
      run.applied();
    }
    return changedValue;
  };

/** Creates the search ports of an effect. */
const searchPorts = (effect: FaultEffect, run: FaultRun, under: SearchPorts): Partial<SearchPorts> => {
  switch (effect.layer) {
    case "answer":
      return { canned: () => effect.apply(run) };
    case "access":
      return { access: after(under.access, effect.apply, run) };
    case "parameters":
      return { parameters: after(under.parameters, effect.apply, run) };
    case "index":
      return { repositories: after(under.repositories, effect.apply, run) };
    case "events":
      return { events: (plain) => effect.apply(under.events(plain), run) };
    case "frames":
      return { frames: (events) => effect.apply(under.frames(events), run) };
    case "bytes":
      return {
        head: after(under.head, effect.head, run),
        chunks: (pieces) => changedBytes(under.chunks(pieces), effect, run),
      };
    case "conversation":
      return {};
  }
};

const conversationPorts = (effect: ConversationEffect, run: FaultRun, under: ConversationPorts): ConversationPorts => {
  const { store } = effect;
  return {
    delay: (call) => {
      const delay = under.delay(call);
      return delay === undefined ? effect.delay?.(call, run) : delay.then(() => effect.delay?.(call, run));
    },
    admit: after(under.admit, effect.admit, run),
    request: after(under.request, effect.request, run),
    list: after(under.list, effect.list, run),
    page: after(under.page, effect.page, run),
    isVisible: (isVisible, conversation, call) => {
      const before = under.isVisible(isVisible, conversation, call);
      return store?.isVisible?.(before, conversation, { call, run }) ?? before;
    },
    performs: (act, call) => under.performs(act, call) && (store?.performs?.(act, call, run) ?? true),
    creations: (count, call) => {
      const before = under.creations(count, call);
      return store?.creations?.(before, call, run) ?? before;
    },
    immediateOutcome: (question, call) =>
      store?.immediateOutcome?.(question, call, run) ?? under.immediateOutcome(question, call),
    processed: (plain, question) => {
      const outcome = under.processed(plain, question);
      return outcome === "never" ? outcome : (store?.processed?.(outcome, question, run) ?? outcome);
    },
    answer: after(under.answer, effect.apply, run),
  };
};

const referencePorts = (effect: ConversationEffect, run: FaultRun, under: ReferencePorts): ReferencePorts => ({
  document: (plain) => {
    const document = under.document(plain);
    return document && effect.describe ? effect.describe(document, run) : document;
  },
  page: after(under.page, effect.referencePage, run),
});

const exchangePorts = (effect: FaultEffect, run: FaultRun, under: ExchangePorts): ExchangePorts =>
  effect.layer === "conversation"
    ? {
        ...under,
        conversation: conversationPorts(effect, run, under.conversation),
        reference: referencePorts(effect, run, under.reference),
      }
    : { ...under, search: { ...under.search, ...searchPorts(effect, run, under.search) } };

const stackWires = (under: Wire | undefined, own: Wire): Wire =>
  under === undefined
    ? own
    : {
        incoming: (text) => under.incoming(own.incoming(text)),
        outgoing: (text) => own.outgoing(under.outgoing(text)),
      };

/** Creates ports with one fault, which is applied last. Its memory and counters live as long as the ports. */
const withFault = (under: ServerPorts, { fault, values }: ActiveFault): ServerPorts => {
  const effects = fault.effects(values);
  const memory = new Map<string, unknown>();
  let tickets = 0;
  const wires = effects.flatMap((effect) => (effect.layer === "conversation" ? (effect.wire ?? []) : []));
  return {
    faultId: under.faultId === undefined ? fault.id : `${under.faultId} ${fault.id}`,
    ...defined({ wire: wires.reduce(stackWires, under.wire) }),
    exchange: (context) => {
      const run: FaultRun = { ...context, memory, ticket: () => tickets++ };
      return effects.reduce((ports, effect) => exchangePorts(effect, run, ports), under.exchange(context));
    },
  };
};

/** Creates ports with several faults, applied in order. */
export const faultPorts = (active: readonly ActiveFault[], under: ServerPorts = defaultPorts): ServerPorts =>
  active.reduce(withFault, under);
