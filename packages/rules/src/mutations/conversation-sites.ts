import { isRecord, member, readConversation, readList, unwrapped } from "@assay/reading";
import type { ConversationView, QuestionView } from "@assay/reading";
import type { ConversationInterface, ConversationOperation } from "../conversation/engine/conversation-operation.ts";
import { questionView } from "../conversation/engine/conversation-view.ts";
import { memberRemoved, valueReplaced } from "@assay/evidence";
import { bodyEdit, siteMutation, spread, withStatus } from "./mutation.ts";
import type { Mutation, Site } from "./mutation.ts";
import type { CallText, ProofEvidence } from "./proof-evidence.ts";

/** Which answers are edited. */
export interface Answers {
  readonly interface: ConversationInterface;
  /** [all that show conversations, lists last] */
  readonly operations?: readonly ConversationOperation[];
  /** [any call] */
  readonly isAbout?: (call: CallText) => boolean;
}

const showing: readonly ConversationOperation[] = ["get", "create", "follow-up", "cancel", "list"];

/** The successful answers to some operations of an interface. */
export const callsOf = (
  { calls }: ProofEvidence,
  { interface: name, operations = showing, isAbout = () => true }: Answers,
): readonly CallText[] =>
  operations.flatMap((operation) =>
    calls.filter(
      (each) =>
        each.call.interface === name &&
        each.call.operation === operation &&
        each.call.answer.kind === "success" &&
        isAbout(each),
    ),
  );

/** The conversations that an answer shows: one, or those of a list. */
export function conversationsIn({ call }: CallText): readonly ConversationView[] {
  const json = call.answer.kind === "success" ? call.answer.json : undefined;
  if (call.operation === "list") {
    return readList(call.interface, json)?.entries ?? [];
  }
  const place = unwrapped(json, "conversation");
  return isRecord(place.json) ? [readConversation(call.interface, place.json, place.pointer)] : [];
}

/** What answers to calls hold, as sites: `of` names the values in a conversation. */
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

/** The questions of conversations, and those that answer alone, as sites. `of` names the values in a question. */
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

/** What shows a state in a conversation of the current interface: itself, or its questions. */
export const stateHolders = ({ pointer, json, questions }: ConversationView) =>
  [{ pointer, json }, ...questions]
    .filter((holder) => isRecord(holder.json) && Object.hasOwn(holder.json, "state"))
    .map((holder) => [holder.pointer, holder.json] as const);

/** The reads of each conversation, in the order of sending; of conversations that were read twice. */
export function polls(evidence: ProofEvidence, name: ConversationInterface): readonly (readonly CallText[])[] {
  const groups = new Map<string, CallText[]>();
  for (const call of callsOf(evidence, { interface: name, operations: ["get"] })) {
    const { request, credential } = call.exchange.record;
    const key = JSON.stringify([request.url, request.body, credential]);
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** An answer that shows a conversation, among others in a list. */
export interface Showing {
  readonly call: CallText;
  readonly view: ConversationView;
}

/** What answers of any kind show of each conversation, in the order of sending; of conversations that were shown twice. */
export function showings(evidence: ProofEvidence, name: ConversationInterface): readonly (readonly Showing[])[] {
  const groups = new Map<string, Showing[]>();
  const inOrder = new Set(callsOf(evidence, { interface: name }));
  for (const call of evidence.calls.filter((each) => inOrder.has(each))) {
    for (const view of conversationsIn(call)) {
      const id = view.id ?? call.call.asked.conversation ?? "";
      groups.set(id, [...(groups.get(id) ?? []), { call, view }]);
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** What shows a conversation again, the last answers first: reads before all answers, since they show all of it. */
export const shownAgain = (evidence: ProofEvidence, name: ConversationInterface): readonly Showing[] => [
  ...polls(evidence, name).flatMap((group) =>
    group
      .slice(1)
      .toReversed()
      .flatMap((call) => conversationsIn(call).map((view) => ({ call, view }))),
  ),
  ...showings(evidence, name).flatMap((group) => group.slice(1).toReversed()),
];

/** What is shown of conversations that were shown before, as `inConversations` gives it. */
export const inLaterReads = (
  name: ConversationInterface,
  of: (view: ConversationView) => readonly (readonly [pointer: string, value: unknown])[],
) =>
  function* sites(evidence: ProofEvidence): Iterable<Site> {
    for (const { call, view } of shownAgain(evidence, name)) {
      for (const [pointer, value] of spread(of(view))) {
        yield { exchange: call.exchange, json: call.json, pointer, value };
      }
    }
  };

/** Sites of evidence. */
export type Sites = (evidence: ProofEvidence) => Iterable<Site>;

/** Sites of one kind after those of another. */
export const allOf = (...several: readonly Sites[]): Sites =>
  function* all(evidence) {
    for (const sites of several) {
      yield* sites(evidence);
    }
  };

/** Sites in reads of what somebody had tried to cancel before, whatever that was answered with. */
export const afterCancelling = (name: ConversationInterface, sitesOf: (answers: Answers) => Sites): Sites =>
  function* sites(evidence) {
    const cancels = evidence.calls.filter(({ call }) => call.interface === name && call.operation === "cancel");
    const isAbout = ({ call }: CallText): boolean =>
      cancels.some(
        ({ call: { asked, record } }) =>
          asked.conversation === call.asked.conversation &&
          record.times.endedAtMicros <= call.record.times.sentAtMicros,
      );
    yield* sitesOf({ interface: name, operations: ["get"], isAbout })(evidence);
  };

/** A mutation that puts a value at a place below each site. */
export const setting = (
  [pointer, value]: readonly [pointer: string, value: unknown],
  mutation: Omit<Mutation, "edits"> & { readonly what: string },
  sites: Sites,
): Mutation =>
  siteMutation({ ...mutation, splice: (site) => valueReplaced(site.json, `${site.pointer}${pointer}`, value) }, sites);

/** A mutation that removes what is at a place below each site. */
export const removing = (
  pointer: string,
  mutation: Omit<Mutation, "edits"> & { readonly what: string },
  sites: Sites,
): Mutation =>
  siteMutation({ ...mutation, splice: (site) => memberRemoved(site.json, `${site.pointer}${pointer}`) }, sites);

/** A mutation that answers successful calls with a status. */
export const statusMutation = (
  status: number,
  { what, ...mutation }: Omit<Mutation, "edits"> & { readonly what: string },
  answers: Answers,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    for (const { exchange } of callsOf(evidence, answers)) {
      yield { what, instead: [withStatus(exchange, status)] };
    }
  },
});

/** A member of each site, where it is an object. */
export const inMember = (name: string, sites: Sites): Sites =>
  function* inside(evidence) {
    for (const site of sites(evidence)) {
      if (isRecord(member(site.value, name))) {
        yield { ...site, pointer: `${site.pointer}/${name}`, value: member(site.value, name) };
      }
    }
  };

/** A successful call is refused. */
export const accepted = (name: "legacy" | "current", operation: "create" | "get"): Mutation =>
  statusMutation(
    operation === "create" ? 400 : 404,
    {
      name: `refuses to ${operation} a conversation`,
      needs: `a call of ${operation} that is answered`,
      takesWitness: true,
      what: `refused to ${operation} a conversation`,
    },
    { interface: name, operations: [operation] },
  );

/** The whole answer to an operation is something else. */
const wholeAnswer = (
  { what, ...mutation }: Omit<Mutation, "edits"> & { readonly what: string },
  answers: Answers,
  value: unknown,
): Mutation => ({
  ...mutation,
  *edits(evidence) {
    for (const { exchange, json } of callsOf(evidence, answers)) {
      yield* bodyEdit(exchange, what, [valueReplaced(json, "", value)]);
    }
  },
});

/** An answer to creating that is no conversation. */
export const noConversation = (name: ConversationInterface): Mutation =>
  wholeAnswer(
    {
      name: "answers a creation with an empty object",
      needs: "a creation that is answered",
      what: "answered a creation with an empty object",
    },
    { interface: name, operations: ["create"] },
    {},
  );

/** What a read answers is no conversation. */
export const noRead = (name: ConversationInterface): Mutation =>
  wholeAnswer(
    {
      name: "answers a read with an empty list",
      needs: "a conversation that is read",
      what: "answered a read with an empty list",
    },
    { interface: name, operations: ["get"] },
    [],
  );
