import type { ConversationPorts, ExchangePorts, ReferencePorts, SearchPorts, ServerPorts } from "../ports.ts";
import { effectAt } from "./fault.ts";
import type { Fault } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import type { ActiveFault } from "./fault-registry.ts";

const searchPorts = (fault: Fault, run: FaultRun, under: SearchPorts): SearchPorts => ({
  ...under,
  canned: () => effectAt(fault, "answer")?.apply(run),
  access: (decision, request) => effectAt(fault, "access")?.apply(decision, request, run) ?? decision,
  parameters: (checked) => effectAt(fault, "parameters")?.apply(checked, run) ?? checked,
  repositories: (repositories) => effectAt(fault, "index")?.apply(repositories, run) ?? repositories,
  head: (plain) => {
    const head = under.head(plain);
    return effectAt(fault, "bytes")?.head?.(head, run) ?? head;
  },
  events: (plain) => {
    const events = under.events(plain);
    return effectAt(fault, "events")?.apply(events, run) ?? events;
  },
  frames: (events) => {
    const frames = under.frames(events);
    return effectAt(fault, "frames")?.apply(frames, run) ?? frames;
  },
  chunks: (pieces) => effectAt(fault, "bytes")?.apply(pieces, run) ?? pieces,
});

const conversationPorts = (fault: Fault, run: FaultRun, under: ConversationPorts): ConversationPorts => {
  const effect = effectAt(fault, "conversation");
  return {
    hold: (call) => effect?.hold?.(call, run),
    admit: (access, call) => effect?.admit?.(access, call, run) ?? access,
    request: (json, call) => effect?.request?.(json, call, run) ?? json,
    list: (query, call) => effect?.list?.(query, call, run) ?? query,
    page: (page, call) => effect?.page?.(page, call, run) ?? page,
    visible: (isVisible, conversation, call) =>
      effect?.store?.visible?.(isVisible, conversation, { call, run }) ?? isVisible,
    does: (act, call) => effect?.store?.does?.(act, call, run) ?? true,
    known: (question, call) => effect?.store?.known?.(question, call, run),
    processed: (outcome, question) => effect?.store?.processed?.(outcome, question, run) ?? outcome,
    answer: (plain, call) => {
      const answer = under.answer(plain, call);
      return effect?.apply?.(answer, call, run) ?? answer;
    },
  };
};

const referencePorts = (fault: Fault, run: FaultRun): ReferencePorts => {
  const effect = effectAt(fault, "conversation");
  return {
    document: (document) => (effect?.describe === undefined ? document : effect.describe(document, run)),
    page: (page) => effect?.referencePage?.(page, run) ?? page,
  };
};

/**
 * The ports of a server with a fault, if it has one, which has the last word over those below. What it remembers and counts
 * lives as long as the ports do.
 */
export const faultPorts = (active: ActiveFault | undefined, under: ServerPorts): ServerPorts => {
  if (active === undefined) {
    return under;
  }
  const { fault, values } = active;
  const memory = new Map<string, unknown>();
  let tickets = 0;
  const wire = effectAt(fault, "conversation")?.wire;
  return {
    name: fault.id,
    ...(wire === undefined ? {} : { wire }),
    exchange: (context): ExchangePorts => {
      const run: FaultRun = { ...context, values, memory, ticket: () => tickets++ };
      const { conversation, search } = under.exchange(context);
      return {
        search: searchPorts(fault, run, search),
        conversation: conversationPorts(fault, run, conversation),
        reference: referencePorts(fault, run),
      };
    },
  };
};
