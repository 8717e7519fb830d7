import { isRecord, member, readConversation, readList, unwrapResource } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationInterface, ConversationOperation } from "../conversation/engine/conversation-operation.ts";
import { questionView } from "../conversation/engine/conversation-view.ts";
import { removeMember, replaceValue } from "@assay/evidence";
import { bodyEdit, siteMutation, spread, withStatus } from "./mutation.ts";
import type { Mutation, Site } from "./mutation.ts";
import type { CallText, ProofEvidence } from "./proof-evidence.ts";

/** Selects the responses to edit. */
export interface Answers {
  readonly interface: ConversationInterface;
  /** [all with conversations, lists last] */
  readonly operations?: readonly ConversationOperation[];
  /** [any call] */
  readonly isAbout?: (call: CallText) => boolean;
}

const showing: readonly ConversationOperation[] = ["get", "create", "follow-up", "cancel", "list"];

/** The successful responses to some operations of an interface. */
export const callsOf = (
  { calls }: ProofEvidence,
  { interface: name, operations = showing, isAbout = () => true }: Answers,
): readonly CallText[] =>
  operations.flatMap((operation) =>
    calls.filter(
      (each) =>
        each.call.interface === name &&
        each.call.operation === operation &&
        each.call.response.kind === "success" &&
        isAbout(each),
    ),
  );

/** The conversations in a response: a single one, or the entries of a list. */
export function conversationsIn({ call }: CallText): readonly ConversationView[] {
  const json = call.response.kind === "success" ? call.response.json : undefined;
  if (call.operation === "list") {
    return readList(call.interface, json)?.entries ?? [];
  }
  const place = unwrapResource(json, "conversation");
  return isRecord(place.json) ? [readConversation(call.interface, place.json, place.pointer)] : [];
}

/** Sites in the conversations of responses. `of` returns the values to edit in a conversation. */
export const inConversations = (
  answers: Answers,
  of: (view: ConversationView) => readonly (readonly [pointer: string, value: unknown])[] = ({ pointer, json }) => [
    [pointer, json],
  ],
) =>
  function* sites(evidence: ProofEvidence): Iterable<Site> {
    for (const call of callsOf(evidence, answers)) {
      for (const [pointer, value] of spread(spread(conversationsIn(call)).flatMap((view) => of(view)))) {
        yield { exchange: call.exchange, json: call.json, pointer, value };
      }
    }
  };

/**
 * Sites in questions: those of conversations, and questions that are responses by themselves. `of` returns the values
 * to edit in a question.
 */
export const inQuestions = (
  answers: Answers,
  isWanted: (question: QuestionView) => boolean = () => true,
  of: (question: QuestionView) => readonly (readonly [pointer: string, value: unknown])[] = ({ pointer, json }) => [
    [pointer, json],
  ],
): Sites => {
  const inside = inConversations(answers, ({ questions }) => questions.filter(isWanted).flatMap(of));
  return function* sites(evidence) {
    yield* inside(evidence);
    for (const { call, exchange, json } of callsOf(evidence, answers)) {
      const alone = questionView(call);
      if (alone !== undefined && isWanted(alone)) {
        for (const [pointer, value] of spread(of(alone))) {
          yield { exchange, json, pointer, value };
        }
      }
    }
  };
};

/** The objects of a conversation that contain a state: the conversation or its questions. Current interface only. */
export const stateHolders = ({ pointer, json, questions }: ConversationView) =>
  [{ pointer, json }, ...questions]
    .filter((holder) => isRecord(holder.json) && Object.hasOwn(holder.json, "state"))
    .map((holder) => [holder.pointer, holder.json] as const);

/** The reads of each conversation that was read at least twice, sorted by sending time. */
export function polls(evidence: ProofEvidence, name: ConversationInterface): readonly (readonly CallText[])[] {
  const groups = new Map<string, CallText[]>();
  for (const call of callsOf(evidence, { interface: name, operations: ["get"] })) {
    const { request, credential } = call.exchange.record;
    const key = JSON.stringify([request.url, request.body, credential]);
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** A response that contains a conversation, possibly among others in a list. */
export interface Showing {
  readonly call: CallText;
  readonly view: ConversationView;
}

/** The responses for each conversation that at least two responses contain, sorted by sending time. */
export function showings(evidence: ProofEvidence, name: ConversationInterface): readonly (readonly Showing[])[] {
  const groups = new Map<string, Showing[]>();
  const inOrder = new Set(callsOf(evidence, { interface: name }));
  for (const call of evidence.calls.filter((each) => inOrder.has(each))) {
    for (const view of conversationsIn(call)) {
      const id = view.id ?? call.call.request.conversationId ?? "";
      groups.set(id, [...(groups.get(id) ?? []), { call, view }]);
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/**
 * Later responses that contain a conversation, the last ones first. Reads precede other responses, because they show
 * complete conversations.
 */
export const laterShowings = (evidence: ProofEvidence, name: ConversationInterface): readonly Showing[] => [
  ...polls(evidence, name).flatMap((group) =>
    group
      .slice(1)
      .toReversed()
      .flatMap((call) => conversationsIn(call).map((view) => ({ call, view }))),
  ),
  ...showings(evidence, name).flatMap((group) => group.slice(1).toReversed()),
];

/** Sites in later responses that contain a conversation. `of` returns the values to edit in a conversation. */
export const inLaterReads = (
  name: ConversationInterface,
  of: (view: ConversationView) => readonly (readonly [pointer: string, value: unknown])[],
) =>
  function* sites(evidence: ProofEvidence): Iterable<Site> {
    for (const { call, view } of laterShowings(evidence, name)) {
      for (const [pointer, value] of spread(of(view))) {
        yield { exchange: call.exchange, json: call.json, pointer, value };
      }
    }
  };

/** Finds the sites in evidence. */
export type Sites = (evidence: ProofEvidence) => Iterable<Site>;

/** Combines the sites of several kinds, in order. */
export const allOf = (...several: readonly Sites[]): Sites =>
  function* all(evidence) {
    for (const sites of several) {
      yield* sites(evidence);
    }
  };

/** Sites in reads of conversations after any attempt to cancel them. */
export const afterCancelling = (name: ConversationInterface, sitesOf: (answers: Answers) => Sites): Sites =>
  function* sites(evidence) {
    const cancels = evidence.calls.filter(({ call }) => call.interface === name && call.operation === "cancel");
    const isAbout = ({ call }: CallText): boolean =>
      cancels.some(
        ({ call: { request, record } }) =>
          request.conversationId === call.request.conversationId &&
          record.times.endedAtMicros <= call.record.times.sentAtMicros,
      );
    yield* sitesOf({ interface: name, operations: ["get"], isAbout })(evidence);
  };

/** A mutation that sets a value below each site. */
export const setting = (
  [pointer, value]: readonly [pointer: string, value: unknown],
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  sites: Sites,
): Mutation =>
  siteMutation({ ...mutation, splice: (site) => replaceValue(site.json, `${site.pointer}${pointer}`, value) }, sites);

/** A mutation that removes a value below each site. */
export const removing = (
  pointer: string,
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  sites: Sites,
): Mutation =>
  siteMutation({ ...mutation, splice: (site) => removeMember(site.json, `${site.pointer}${pointer}`) }, sites);

/** A mutation that changes the status of successful calls. */
export const statusMutation = (
  status: number,
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  answers: Answers,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    for (const { exchange } of callsOf(evidence, answers)) {
      yield { effect, instead: [withStatus(exchange, status)] };
    }
  },
});

/** The sites of one member of each site, if the member is an object. */
export const inMember = (name: string, sites: Sites): Sites =>
  function* inside(evidence) {
    for (const site of sites(evidence)) {
      if (isRecord(member(site.value, name))) {
        yield { ...site, pointer: `${site.pointer}/${name}`, value: member(site.value, name) };
      }
    }
  };

/** A mutation that refuses successful calls. */
export const accepted = (name: "legacy" | "current", operation: "create" | "get"): Mutation =>
  statusMutation(
    operation === "create" ? 400 : 404,
    {
      name: `refuses to ${operation} a conversation`,
      needs: `a successful call of ${operation}`,
      removesObservations: true,
      effect: `refused to ${operation} a conversation`,
    },
    { interface: name, operations: [operation] },
  );

/** A mutation that replaces the complete response. */
const wholeAnswer = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  answers: Answers,
  value: unknown,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    for (const { exchange, json } of callsOf(evidence, answers)) {
      yield* bodyEdit(exchange, effect, [replaceValue(json, "", value)]);
    }
  },
});

/** Replaces the response to a creation by an empty object. */
export const noConversation = (name: ConversationInterface): Mutation =>
  wholeAnswer(
    {
      name: "responds to a creation with an empty object",
      needs: "a successful creation",
      effect: "responded to a creation with an empty object",
    },
    { interface: name, operations: ["create"] },
    {},
  );

/** Replaces the response to a read by an empty list. */
export const noRead = (name: ConversationInterface): Mutation =>
  wholeAnswer(
    {
      name: "responds to a read with an empty list",
      needs: "a conversation that is read",
      effect: "responded to a read with an empty list",
    },
    { interface: name, operations: ["get"] },
    [],
  );
