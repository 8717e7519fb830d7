import { Buffer } from "node:buffer";
import type { RecordedExchange } from "@assay/evidence";
import { inserting, memberRemoved, replacing, valueSpan, valueText } from "@assay/evidence";
import { userOf } from "../conversation/engine/users.ts";
import { answeredAs, bodyEdit, editedBody, withStatus } from "./mutation.ts";
import type { Mutation, Counterexamples, Edit } from "./mutation.ts";
import {
  afterCancelling,
  callsOf,
  conversationsIn,
  inConversations,
  setting,
  stateHolders,
  statusMutation,
} from "./conversation-sites.ts";
import type { CallText, ProofEvidence } from "./proof-evidence.ts";

type Name = "legacy" | "current";
type Operation = "follow-up" | "cancel" | "delete";

const refused = (name: Name, operation: Exclude<Operation, "cancel">): Mutation =>
  statusMutation(
    400,
    {
      name: `refuses a ${operation}`,
      needs: `a ${operation} that is answered`,
      takesWitness: true,
      what: `refused a ${operation}`,
    },
    { interface: name, operations: [operation] },
  );

const userIn = ({ call }: CallText) => userOf(call.record.credential);

/** Which conversation a call is about, as it was asked for. */
const askedFor = ({ call }: CallText): string | undefined => call.asked.conversation;

/** Every cancellation is refused. That one in time was accepted is what the rule holds by: a refused one may have been late. */
const cancelRefused = (name: Name): Mutation => ({
  name: "refuses a cancel",
  needs: "a question that is cancelled while it is processing",
  takesWitness: true,
  *edits(evidence) {
    const [first, ...more] = callsOf(evidence, { interface: name, operations: ["cancel"] }).map(({ exchange }) =>
      withStatus(exchange, 400),
    );
    if (first !== undefined) {
      yield { what: "refused to cancel questions", instead: [first, ...more] };
    }
  },
});

/** A cancel in time is answered as if the question were not there. */
const cancelNotFound = (name: Name): Mutation => ({
  name: "does not find what it cancels",
  isOptional: true,
  needs: "a question that is cancelled while it is processing, and read afterwards",
  *edits(evidence) {
    for (const call of callsOf(evidence, { interface: name, operations: ["cancel"] })) {
      yield { what: "answered a cancel with 404", instead: [withStatus(call.exchange, 404)] };
    }
  },
});

/** The answer to a question is another one since a further one was cancelled. */
export const answeredAnew = (name: Name): Mutation =>
  setting(
    ["/answer", "Another answer."],
    {
      name: "changes an answer when a further question is cancelled",
      isOptional: true,
      needs: "an answered question before one that is cancelled, and read before and after that",
      what: "sent another answer of a question that was answered before a further one was cancelled",
    },
    afterCancelling(name, (answers) =>
      inConversations(answers, ({ questions }) =>
        questions
          .slice(0, -1)
          .flatMap(({ facts, pointer, json }) => (facts.has("answer") ? [[pointer, json] as const] : [])),
      ),
    ),
  );

/** What was completed is canceled, as somebody cancels it after all. */
export const canceledLate: Mutation = setting(
  ["/state", { canceled: {} }],
  {
    name: "cancels what was completed",
    isOptional: true,
    needs: "a completed conversation that is cancelled, and read again",
    what: "sent the state `canceled` of a conversation that was completed before it was cancelled",
  },
  afterCancelling("current", (answers) =>
    inConversations(answers, (view) => (view.state === "completed" ? stateHolders(view) : [])),
  ),
);

/** What was deleted is read, listed and asked afterwards as it was before. */
const stillThere = (name: Name): Mutation => ({
  name: "delivers a conversation that was deleted",
  needs: "a conversation that is read before it is deleted, and after",
  takesWitness: true,
  *edits({ calls }) {
    const own = calls.filter(({ call }) => call.interface === name);
    const reads = own.filter(({ call }) => call.operation === "get");
    const deleted = own
      .filter(({ call }) => call.operation === "delete" && call.answer.kind === "success")
      .map((deletion) => ({
        deletion,
        before: reads.findLast(
          (read) =>
            askedFor(read) === askedFor(deletion) &&
            read.call.answer.kind === "success" &&
            !isAfter(read.call, deletion),
        ),
      }));
    const delivered = deleted.flatMap(({ deletion, before }) =>
      reads
        .filter((read) => askedFor(read) === askedFor(deletion) && isAfter(read.call, deletion))
        .map(({ exchange }) => (before === undefined ? exchange : answeredAs(exchange, before.exchange))),
    );
    const [first, ...more] = [...delivered, ...stillListed(own, deleted), ...stillAsked(own)];
    if (first !== undefined && deleted.some(({ before }) => before !== undefined)) {
      yield { what: "delivered, listed and asked what was deleted", instead: [first, ...more] };
    }
  },
});

interface Deleted {
  readonly deletion: CallText;
  /** The last read before it. */
  readonly before: CallText | undefined;
}

/**
 * Lists that were asked for after a deletion are answered as the last one of the user before all of them; what it did not show
 * yet stands before its entries as it was read.
 */
function stillListed(own: readonly CallText[], deleted: readonly Deleted[]): readonly RecordedExchange[] {
  const lists = own.filter(({ call }) => call.operation === "list" && call.answer.kind === "success");
  const before = lists.filter((list) => deleted.every(({ deletion }) => !isAfter(list.call, deletion)));
  const after = lists.filter((list) => deleted.some(({ deletion }) => isAfter(list.call, deletion)));
  return after.flatMap(({ exchange, call }) => {
    const last = before.findLast((list) => userIn(list) === userOf(call.record.credential));
    return last === undefined ? [] : [answeredAs(exchange, withEntries(last, deleted))];
  });
}

/** When a conversation was changed for the last time, as its read says it; nothing where it does not. */
const changedAt = (read: CallText): string => conversationsIn(read)[0]?.updatedAt ?? "";

/** A list with those of the deleted conversations of its user that it does not show, the newest first. */
function withEntries(list: CallText, deleted: readonly Deleted[]): RecordedExchange {
  const shown = conversationsIn(list);
  const ids = new Set(shown.map(({ id }) => id));
  const missing = deleted
    .filter(({ deletion }) => userIn(deletion) === userIn(list))
    .flatMap(({ before }) => before ?? [])
    .filter((read) => !ids.has(askedFor(read)))
    .toSorted((one, other) => (changedAt(one) < changedAt(other) ? 1 : -1));
  const [first] = shown;
  const place = first === undefined ? undefined : valueSpan(list.json, first.pointer);
  return place === undefined
    ? list.exchange
    : editedBody(list.exchange, [
        inserting(place.offset, Buffer.from(missing.flatMap((read) => entryText(read)).join(""))),
      ]);
}

/** The conversation of a read, as the text of an entry with the comma behind it. */
const entryText = (read: CallText): readonly string[] =>
  conversationsIn(read).map(({ pointer }) => `${valueText(read.json, pointer) ?? "{}"},`);

/** Follow-ups that were refused are answered as one that was accepted. */
function stillAsked(own: readonly CallText[]): readonly RecordedExchange[] {
  const asked = own.filter(({ call }) => call.operation === "follow-up");
  const accepted = asked.find(({ call }) => call.answer.kind === "success");
  const refusals = asked.filter(({ call }) => call.answer.kind === "refused");
  return accepted === undefined ? [] : refusals.map(({ exchange }) => answeredAs(exchange, accepted.exchange));
}

const isAfter = (call: CallText["call"], deletion: CallText): boolean =>
  call.record.times.sentAtMicros > deletion.call.record.times.endedAtMicros;

/** A follow-up to what was deleted gets the answer of one that was accepted. */
const stillAnswers = (name: Name): Mutation => ({
  name: "takes a question for a conversation that was deleted",
  needs: "a follow-up to a conversation that was deleted, some seconds after",
  isOptional: true,
  edits: (evidence) => answeredLike(evidence, name, ["follow-up", "took a question for a deleted conversation"]),
});

/** Refused calls of an operation get the answer of an accepted one. */
function* answeredLike(
  evidence: ProofEvidence,
  name: Name,
  [operation, what]: readonly [operation: Operation, what: string],
): Iterable<Edit> {
  const [accepted] = callsOf(evidence, { interface: name, operations: [operation] });
  for (const { call, exchange } of evidence.calls.toReversed()) {
    if (
      call.interface === name &&
      call.operation === operation &&
      call.answer.kind === "refused" &&
      accepted !== undefined
    ) {
      yield { what, instead: [answeredAs(exchange, accepted.exchange)] };
    }
  }
}

/** What a cancelled question is shown as afterwards is what one shows that nobody cancelled. */
const withoutEffect = (name: Name): Mutation => ({
  name: "answers a cancelled question as if nothing had happened",
  needs: "a question that is cancelled while it is processing, and read afterwards",
  takesWitness: true,
  *edits(evidence) {
    const cancelled = new Set(callsOf(evidence, { interface: name, operations: ["cancel"] }).map(askedFor));
    const reads = callsOf(evidence, { interface: name, operations: ["get"] });
    const ended = reads.findLast((read) => !cancelled.has(askedFor(read)) && isAnswered(read));
    const edited = reads.filter((read) => cancelled.has(askedFor(read)));
    const [first, ...more] = edited.map(({ exchange }) =>
      ended === undefined ? exchange : answeredAs(exchange, ended.exchange),
    );
    if (ended !== undefined && first !== undefined) {
      yield { what: "answered cancelled questions as if nothing had happened", instead: [first, ...more] };
    }
  },
});

const isAnswered = (call: CallText): boolean =>
  conversationsIn(call).some(({ state, questions }) =>
    questions.every(
      ({ facts, status }) => facts.has("answer") && !facts.has("error") && (state ?? status) === "completed",
    ),
  );

/** A follow-up is answered with its question alone. */
const questionAlone: Mutation = {
  name: "answers a follow-up with the question alone",
  needs: "a follow-up that is answered",
  *edits(evidence) {
    for (const call of callsOf(evidence, { interface: "legacy", operations: ["follow-up"] })) {
      const last = conversationsIn(call)[0]?.questions.at(-1);
      const whole = valueSpan(call.json, "");
      const text = last === undefined ? undefined : valueText(call.json, last.pointer);
      yield* bodyEdit(call.exchange, "answered a follow-up with the question alone", [
        whole === undefined || text === undefined ? undefined : replacing(whole, text),
      ]);
    }
  },
};

/** The question before is missing in the answer to a follow-up. */
const questionsLeftOut: Mutation = {
  name: "leaves out the questions before",
  needs: "a follow-up that is answered with the conversation",
  *edits(evidence) {
    for (const call of callsOf(evidence, { interface: "legacy", operations: ["follow-up"] })) {
      const [first] = conversationsIn(call).flatMap(({ questions }) => questions);
      yield* bodyEdit(call.exchange, "left the question before out of the answer to a follow-up", [
        first === undefined ? undefined : memberRemoved(call.json, first.pointer),
      ]);
    }
  },
};

/** A follow-up with another id in its body gets the answer of one that was accepted. */
const mismatchTaken: Mutation = {
  name: "accepts a follow-up whose `conversation_id` is another one",
  needs: "a follow-up whose `conversation_id` differs from its path",
  edits: (evidence) => answeredLike(evidence, "legacy", ["follow-up", "accepted a follow-up of another conversation"]),
};

/** Counterexamples of the rules about follow-ups, cancelling and deleting. */
export const operations = {
  "legacy/follow-up-is-accepted": [refused("legacy", "follow-up")],
  "legacy/follow-up-answers-the-conversation": [
    questionAlone,
    questionsLeftOut,
    setting(
      ["", {}],
      {
        name: "answers a follow-up with an empty object",
        needs: "a follow-up that is answered",
        what: "answered a follow-up with an empty object",
      },
      inConversations({ interface: "legacy", operations: ["follow-up"] }),
    ),
  ],
  "legacy/follow-up-id-must-match": [mismatchTaken],
  "legacy/cancel-is-accepted": [cancelRefused("legacy"), cancelNotFound("legacy")],
  "legacy/delete-is-accepted": [refused("legacy", "delete")],
  "legacy/cancel-has-effect": [withoutEffect("legacy")],
  "legacy/deleted-is-gone": [stillThere("legacy"), stillAnswers("legacy")],
  "current/follow-up-is-accepted": [refused("current", "follow-up")],
  "current/cancel-is-accepted": [cancelRefused("current"), cancelNotFound("current")],
  "current/delete-is-accepted": [refused("current", "delete")],
  "current/cancel-has-effect": [withoutEffect("current")],
  "current/deleted-is-gone": [stillThere("current"), stillAnswers("current")],
} as const satisfies Counterexamples;
