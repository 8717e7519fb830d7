import {
  type ConversationPorts,
  type ExchangePorts,
  plainPorts,
  type ReferencePorts,
  type SearchPorts,
  type ServerPorts,
  type StreamChunk,
  type Wire,
} from "../ports.ts";
import { effectAt, type FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import type { ActiveFault } from "./fault-registry.ts";

type BytesEffect = NonNullable<ReturnType<typeof effectAt<"bytes">>>;

/** The chunks of a stream whose bytes another fault changes, and which end as they would have ended. */
async function* changedBytes(
  chunks: AsyncIterable<StreamChunk>,
  effect: BytesEffect,
  run: FaultRun,
): AsyncGenerator<StreamChunk> {
  let ending: Exclude<StreamChunk, Buffer> | undefined;
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (typeof chunk === "string") {
        ending = chunk;
        return;
      }
      yield chunk;
    }
  };
  yield* effect.apply(bytes(), run);
  if (ending !== undefined) {
    yield ending;
  }
}

const searchPorts = (effects: readonly FaultEffect[], run: FaultRun, under: SearchPorts): SearchPorts => ({
  canned: () => effectAt(effects, "answer")?.apply(run) ?? under.canned(),
  access: (plain, request) => {
    const decision = under.access(plain, request);
    return effectAt(effects, "access")?.apply(decision, request, run) ?? decision;
  },
  parameters: (plain) => {
    const checked = under.parameters(plain);
    return effectAt(effects, "parameters")?.apply(checked, run) ?? checked;
  },
  repositories: (plain) => {
    const repositories = under.repositories(plain);
    return effectAt(effects, "index")?.apply(repositories, run) ?? repositories;
  },
  head: (plain) => {
    const head = under.head(plain);
    return effectAt(effects, "bytes")?.head?.(head, run) ?? head;
  },
  events: (plain) => {
    const events = under.events(plain);
    return effectAt(effects, "events")?.apply(events, run) ?? events;
  },
  frames: (events) => {
    const frames = under.frames(events);
    return effectAt(effects, "frames")?.apply(frames, run) ?? frames;
  },
  pieces: under.pieces,
  chunks: (pieces) => {
    const chunks = under.chunks(pieces);
    const effect = effectAt(effects, "bytes");
    return effect === undefined ? chunks : changedBytes(chunks, effect, run);
  },
});

const conversationPorts = (
  effects: readonly FaultEffect[],
  run: FaultRun,
  under: ConversationPorts,
): ConversationPorts => {
  const effect = effectAt(effects, "conversation");
  if (effect === undefined) {
    return under;
  }
  const { store } = effect;
  return {
    hold: (call) => {
      const held = under.hold(call);
      return held === undefined ? effect.hold?.(call, run) : held.then(() => effect.hold?.(call, run));
    },
    admit: (plain, call) => {
      const access = under.admit(plain, call);
      return effect.admit?.(access, call, run) ?? access;
    },
    request: (plain, call) => {
      const json = under.request(plain, call);
      return effect.request?.(json, call, run) ?? json;
    },
    list: (plain, call) => {
      const query = under.list(plain, call);
      return effect.list?.(query, call, run) ?? query;
    },
    page: (plain, call) => {
      const page = under.page(plain, call);
      return effect.page?.(page, call, run) ?? page;
    },
    visible: (isVisible, conversation, call) => {
      const before = under.visible(isVisible, conversation, call);
      return store?.visible?.(before, conversation, { call, run }) ?? before;
    },
    does: (act, call) => under.does(act, call) && (store?.does?.(act, call, run) ?? true),
    known: (question, call) => store?.known?.(question, call, run) ?? under.known(question, call),
    processed: (plain, question) => {
      const outcome = under.processed(plain, question);
      return outcome === "never" ? outcome : (store?.processed?.(outcome, question, run) ?? outcome);
    },
    answer: (plain, call) => {
      const answer = under.answer(plain, call);
      return effect.apply?.(answer, call, run) ?? answer;
    },
  };
};

const referencePorts = (effects: readonly FaultEffect[], run: FaultRun, under: ReferencePorts): ReferencePorts => {
  const effect = effectAt(effects, "conversation");
  return {
    document: (plain) => {
      const document = under.document(plain);
      return document === undefined || effect?.describe === undefined ? document : effect.describe(document, run);
    },
    page: (plain) => {
      const page = under.page(plain);
      return effect?.referencePage?.(page, run) ?? page;
    },
  };
};

const wireOver = (own: Wire | undefined, under: Wire | undefined): Wire | undefined =>
  own === undefined || under === undefined
    ? (own ?? under)
    : {
        incoming: (text) => under.incoming(own.incoming(text)),
        outgoing: (text) => own.outgoing(under.outgoing(text)),
      };

/** The ports of a server with a fault, which has the last word. What it remembers and counts lives as long as they do. */
const withFault = (under: ServerPorts, { fault, values }: ActiveFault): ServerPorts => {
  const effects = fault.effects(values);
  const memory = new Map<string, unknown>();
  let tickets = 0;
  const wire = wireOver(effectAt(effects, "conversation")?.wire, under.wire);
  return {
    name: under.name === undefined ? fault.id : `${under.name} ${fault.id}`,
    ...(wire === undefined ? {} : { wire }),
    exchange: (context): ExchangePorts => {
      const run: FaultRun = { ...context, values, memory, ticket: () => tickets++ };
      const { conversation, reference, search } = under.exchange(context);
      return {
        search: searchPorts(effects, run, search),
        conversation: conversationPorts(effects, run, conversation),
        reference: referencePorts(effects, run, reference),
      };
    },
  };
};

/** The ports of a server with faults, one upon the other. */
export const faultPorts = (active: readonly ActiveFault[], under: ServerPorts = plainPorts): ServerPorts =>
  active.reduce(withFault, under);
