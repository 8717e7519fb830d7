import { isRecord, member, readConversation, readList, unwrapResource } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationCall } from "../conversation/engine/conversation-call.ts";
import type { ConversationInterface, ConversationOperation } from "../conversation/engine/conversation-operation.ts";
import { cachePerObject } from "../engine/cache-per-object.ts";
import { questionView } from "../conversation/engine/conversation-view.ts";
import { removeMember, replaceValue } from "@assay/evidence";
import { editBody, siteMutation, firstMiddleAndLast, withStatus } from "./mutation.ts";
import type { Mutation, Site } from "./mutation.ts";
import type { EditableCall, ProofEvidence } from "./proof-evidence.ts";

/** Selects the responses to edit. */
export interface ResponseSelection {
  readonly interface: ConversationInterface;
  /** Operations of the calls. Default: all that return conversations, lists last. */
  readonly operations?: readonly ConversationOperation[];
  /** Reports whether to select a call. Default: every call. */
  readonly appliesTo?: (call: EditableCall) => boolean;
}

const operationsWithConversations: readonly ConversationOperation[] = ["get", "create", "follow-up", "cancel", "list"];

/** Finds the successful calls of some operations of an interface. */
export const findSuccessfulCalls = (
  { calls }: ProofEvidence,
  { interface: interfaceName, operations = operationsWithConversations, appliesTo = () => true }: ResponseSelection,
): readonly EditableCall[] =>
  operations.flatMap((operation) =>
    calls.filter(
      (call) =>
        call.call.interface === interfaceName &&
        call.call.operation === operation &&
        call.call.response.kind === "success" &&
        appliesTo(call),
    ),
  );

/** Returns the conversations in a response: a single one, or the entries of a list. Cached. */
export const conversationsIn = ({ call }: EditableCall): readonly ConversationView[] => readConversationsIn(call);

const readConversationsIn = cachePerObject((call: ConversationCall): readonly ConversationView[] => {
  const json = call.response.kind === "success" ? call.response.json : undefined;
  if (call.operation === "list") {
    return readList(call.interface, json)?.entries ?? [];
  }
  const conversation = unwrapResource(json, "conversation");
  return isRecord(conversation.json) ? [readConversation(call.interface, conversation.json, conversation.pointer)] : [];
});

/** Returns the sites in the conversations of responses. `select` returns the values to edit in a conversation. */
export const conversationSites = (
  selection: ResponseSelection,
  select: (view: ConversationView) => readonly (readonly [pointer: string, value: unknown])[] = ({ pointer, json }) => [
    [pointer, json],
  ],
) =>
  function* sites(evidence: ProofEvidence): Iterable<Site> {
    for (const call of findSuccessfulCalls(evidence, selection)) {
      for (const [pointer, value] of firstMiddleAndLast(
        firstMiddleAndLast(conversationsIn(call)).flatMap((view) => select(view)),
      )) {
        yield { exchange: call.exchange, json: call.json, pointer, value };
      }
    }
  };

/**
 * Returns the sites in questions: those of conversations, and questions that are responses by themselves. `select`
 * returns the values to edit in a question.
 */
export const questionSites = (
  selection: ResponseSelection,
  isWanted: (question: QuestionView) => boolean = () => true,
  select: (question: QuestionView) => readonly (readonly [pointer: string, value: unknown])[] = ({ pointer, json }) => [
    [pointer, json],
  ],
): Sites => {
  const nestedSites = conversationSites(selection, ({ questions }) => questions.filter(isWanted).flatMap(select));
  return function* sites(evidence) {
    yield* nestedSites(evidence);
    for (const { call, exchange, json } of findSuccessfulCalls(evidence, selection)) {
      const singleQuestion = questionView(call);
      if (singleQuestion !== undefined && isWanted(singleQuestion)) {
        for (const [pointer, value] of firstMiddleAndLast(select(singleQuestion))) {
          yield { exchange, json, pointer, value };
        }
      }
    }
  };
};

/**
 * Returns the objects of a conversation that contain a state: the conversation or its questions. Current interface
 * only.
 */
export const findStateHolders = ({ pointer, json, questions }: ConversationView) =>
  [{ pointer, json }, ...questions]
    .filter((holder) => isRecord(holder.json) && Object.hasOwn(holder.json, "state"))
    .map((holder) => [holder.pointer, holder.json] as const);

/** Returns the reads of each conversation that was read at least twice, sorted by sending time. */
export function findRepeatedReads(
  evidence: ProofEvidence,
  interfaceName: ConversationInterface,
): readonly (readonly EditableCall[])[] {
  const groups = new Map<string, EditableCall[]>();
  for (const call of findSuccessfulCalls(evidence, { interface: interfaceName, operations: ["get"] })) {
    const { request, credential } = call.exchange.record;
    const key = JSON.stringify([request.url, request.body, credential]);
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** A response that contains a conversation, possibly among others in a list. */
export interface ConversationResponse {
  readonly call: EditableCall;
  readonly view: ConversationView;
}

/** Returns the responses for each conversation that at least two responses contain, sorted by sending time. */
export function findConversationResponses(
  evidence: ProofEvidence,
  interfaceName: ConversationInterface,
): readonly (readonly ConversationResponse[])[] {
  const groups = new Map<string, ConversationResponse[]>();
  const successfulCalls = new Set(findSuccessfulCalls(evidence, { interface: interfaceName }));
  for (const call of evidence.calls.filter((candidate) => successfulCalls.has(candidate))) {
    for (const view of conversationsIn(call)) {
      const id = view.id ?? call.call.request.conversationId ?? "";
      groups.set(id, [...(groups.get(id) ?? []), { call, view }]);
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/**
 * Returns the later responses that contain a conversation, the last ones first. Reads precede other responses, because
 * they show complete conversations.
 */
export const findLaterResponses = (
  evidence: ProofEvidence,
  interfaceName: ConversationInterface,
): readonly ConversationResponse[] => [
  ...findRepeatedReads(evidence, interfaceName).flatMap((group) =>
    group
      .slice(1)
      .toReversed()
      .flatMap((call) => conversationsIn(call).map((view) => ({ call, view }))),
  ),
  ...findConversationResponses(evidence, interfaceName).flatMap((group) => group.slice(1).toReversed()),
];

/**
 * Returns the sites in later responses that contain a conversation. `select` returns the values to edit in a
 * conversation.
 */
export const laterReadSites = (
  interfaceName: ConversationInterface,
  select: (view: ConversationView) => readonly (readonly [pointer: string, value: unknown])[],
) =>
  function* sites(evidence: ProofEvidence): Iterable<Site> {
    for (const { call, view } of findLaterResponses(evidence, interfaceName)) {
      for (const [pointer, value] of firstMiddleAndLast(select(view))) {
        yield { exchange: call.exchange, json: call.json, pointer, value };
      }
    }
  };

/** Finds the sites in evidence. */
export type Sites = (evidence: ProofEvidence) => Iterable<Site>;

/** Combines the sites of several kinds, in order. */
export const combineSites = (...siteLists: readonly Sites[]): Sites =>
  function* all(evidence) {
    for (const sites of siteLists) {
      yield* sites(evidence);
    }
  };

/** Returns the sites in reads of conversations after any attempt to cancel them. */
export const sitesAfterCancelling = (
  interfaceName: ConversationInterface,
  sitesOf: (selection: ResponseSelection) => Sites,
): Sites =>
  function* sites(evidence) {
    const cancels = evidence.calls.filter(
      ({ call }) => call.interface === interfaceName && call.operation === "cancel",
    );
    const appliesTo = ({ call }: EditableCall): boolean =>
      cancels.some(
        ({ call: { request, record } }) =>
          request.conversationId === call.request.conversationId &&
          record.times.endedAtMicros <= call.record.times.sentAtMicros,
      );
    yield* sitesOf({ interface: interfaceName, operations: ["get"], appliesTo })(evidence);
  };

/** Creates a mutation that sets a value below each site. */
export const setValueMutation = (
  [pointer, value]: readonly [pointer: string, value: unknown],
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  sites: Sites,
): Mutation =>
  siteMutation({ ...mutation, splice: (site) => replaceValue(site.json, `${site.pointer}${pointer}`, value) }, sites);

/** Creates a mutation that removes a value below each site. */
export const removeValueMutation = (
  pointer: string,
  mutation: Omit<Mutation, "edits"> & { readonly effect: string },
  sites: Sites,
): Mutation =>
  siteMutation({ ...mutation, splice: (site) => removeMember(site.json, `${site.pointer}${pointer}`) }, sites);

/** Creates a mutation that changes the status of successful calls. */
export const statusMutation = (
  status: number,
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  selection: ResponseSelection,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    for (const { exchange } of findSuccessfulCalls(evidence, selection)) {
      yield { effect, replacements: [withStatus(exchange, status)] };
    }
  },
});

/** Returns the sites of one member of each site, if the member is an object. */
export const memberSites = (name: string, sites: Sites): Sites =>
  function* inside(evidence) {
    for (const site of sites(evidence)) {
      if (isRecord(member(site.value, name))) {
        yield { ...site, pointer: `${site.pointer}/${name}`, value: member(site.value, name) };
      }
    }
  };

/** Creates a mutation that refuses successful calls. */
export const refusalMutation = (interfaceName: ConversationInterface, operation: "create" | "get"): Mutation =>
  statusMutation(
    operation === "create" ? 400 : 404,
    {
      name: `refuses to ${operation} a conversation`,
      needs: `a successful call of ${operation}`,
      removesObservations: true,
      effect: `refused to ${operation} a conversation`,
    },
    { interface: interfaceName, operations: [operation] },
  );

/** Creates a mutation that replaces the complete response. */
const replacedResponseMutation = (
  { effect, ...mutation }: Omit<Mutation, "edits"> & { readonly effect: string },
  selection: ResponseSelection,
  value: unknown,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    for (const { exchange, json } of findSuccessfulCalls(evidence, selection)) {
      yield* editBody(exchange, effect, [replaceValue(json, "", value)]);
    }
  },
});

/** Replaces the response to a creation by an empty object. */
export const emptyCreationMutation = (interfaceName: ConversationInterface): Mutation =>
  replacedResponseMutation(
    {
      name: "responds to a creation with an empty object",
      needs: "a successful creation",
      effect: "responded to a creation with an empty object",
    },
    { interface: interfaceName, operations: ["create"] },
    {},
  );

/** Replaces the response to a read by an empty list. */
export const emptyReadMutation = (interfaceName: ConversationInterface): Mutation =>
  replacedResponseMutation(
    {
      name: "responds to a read with an empty list",
      needs: "a conversation that is read",
      effect: "responded to a read with an empty list",
    },
    { interface: interfaceName, operations: ["get"] },
    [],
  );
