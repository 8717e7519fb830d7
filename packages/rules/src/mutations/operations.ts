import { Buffer } from "node:buffer";
import type { RecordedExchange } from "@assay/evidence";
import { insertBytes, removeMember, replaceSpan, findValueSpan, getValueText } from "@assay/evidence";
import { userOf } from "../conversation/engine/users.ts";
import type { ConversationInterface } from "../conversation/engine/conversation-operation.ts";
import { withResponseOf, editBody, withEditedBody, withStatus } from "./mutation.ts";
import type { Mutation, MutationsByRule, Edit } from "./mutation.ts";
import {
  sitesAfterCancelling,
  findSuccessfulCalls,
  conversationsIn,
  conversationSites,
  setValueMutation,
  findStateHolders,
  statusMutation,
} from "./conversation-sites.ts";
import type { EditableCall, ProofEvidence } from "./proof-evidence.ts";

type Operation = "follow-up" | "cancel" | "delete";

const refusedOperationMutation = (
  interfaceName: ConversationInterface,
  operation: Exclude<Operation, "cancel">,
): Mutation =>
  statusMutation(
    400,
    {
      name: `refuses a ${operation}`,
      needs: `a successful ${operation}`,
      removesObservations: true,
      effect: `refused a ${operation}`,
    },
    { interface: interfaceName, operations: [operation] },
  );

const findUser = ({ call }: EditableCall) => userOf(call.record.credential);

/** Returns the conversation that a call requests. */
const requestedConversationId = ({ call }: EditableCall): string | undefined => call.request.conversationId;

/**
 * Refuses every cancellation. The rule needs one accepted cancellation in time, because a refused one may have been
 * late.
 */
const refusedCancelMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "refuses a cancel",
  needs: "a question that is cancelled while it is processing",
  removesObservations: true,
  *edits(evidence) {
    const [first, ...more] = findSuccessfulCalls(evidence, { interface: interfaceName, operations: ["cancel"] }).map(
      ({ exchange }) => withStatus(exchange, 400),
    );
    if (first !== undefined) {
      yield { effect: "refused to cancel questions", replacements: [first, ...more] };
    }
  },
});

/** Responds to a cancellation in time as if the question did not exist. */
const cancelNotFoundMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "does not find a question to cancel",
  isOptional: true,
  needs: "a question that is cancelled while it is processing, and read afterwards",
  *edits(evidence) {
    for (const call of findSuccessfulCalls(evidence, { interface: interfaceName, operations: ["cancel"] })) {
      yield { effect: "responded to a cancel with 404", replacements: [withStatus(call.exchange, 404)] };
    }
  },
});

/** Changes the answer of a question when a further question is cancelled. */
export const answerChangedByCancelMutation = (interfaceName: ConversationInterface): Mutation =>
  setValueMutation(
    ["/answer", "Another answer."],
    {
      name: "changes an answer when a further question is cancelled",
      isOptional: true,
      needs: "an answered question before one that is cancelled, and read before and after that",
      effect: "sent another answer of a question that was answered before a further one was cancelled",
    },
    sitesAfterCancelling(interfaceName, (selection) =>
      conversationSites(selection, ({ questions }) =>
        questions
          .slice(0, -1)
          .flatMap(({ facts, pointer, json }) => (facts.has("answer") ? [[pointer, json] as const] : [])),
      ),
    ),
  );

/** Changes a completed conversation to `canceled` after a late cancellation. */
export const canceledAfterCompletionMutation: Mutation = setValueMutation(
  ["/state", { canceled: {} }],
  {
    name: "cancels a completed conversation",
    isOptional: true,
    needs: "a completed conversation that is cancelled, and read again",
    effect: "sent the state `canceled` of a conversation that was completed before it was cancelled",
  },
  sitesAfterCancelling("current", (selection) =>
    conversationSites(selection, (view) => (view.state === "completed" ? findStateHolders(view) : [])),
  ),
);

/** Creates a mutation that still returns, lists and continues a deleted conversation. */
const undeletedMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "returns a deleted conversation",
  needs: "a conversation that is read before it is deleted, and after",
  removesObservations: true,
  *edits({ calls }) {
    const ownCalls = calls.filter(({ call }) => call.interface === interfaceName);
    const reads = ownCalls.filter(({ call }) => call.operation === "get");
    // A conversation that is deleted at once is not read before.
    const creations = ownCalls.filter(({ call }) => call.operation === "create" && call.response.kind === "success");
    const deletedConversations = ownCalls
      .filter(({ call }) => call.operation === "delete" && call.response.kind === "success")
      .map((deletion) => ({
        deletion,
        readBefore:
          reads.findLast(
            (read) =>
              requestedConversationId(read) === requestedConversationId(deletion) &&
              read.call.response.kind === "success" &&
              !isAfter(read.call, deletion),
          ) ?? creations.find((creation) => conversationsIn(creation)[0]?.id === requestedConversationId(deletion)),
      }));
    const restoredReads = deletedConversations.flatMap(({ deletion, readBefore }) =>
      reads
        .filter(
          (read) => requestedConversationId(read) === requestedConversationId(deletion) && isAfter(read.call, deletion),
        )
        .flatMap(({ exchange }) => (readBefore === undefined ? [] : [withResponseOf(exchange, readBefore.exchange)])),
    );
    const [first, ...more] = [
      ...restoredReads,
      ...keepListed(ownCalls, deletedConversations),
      ...acceptFollowUps(ownCalls),
    ];
    if (first !== undefined && deletedConversations.some(({ readBefore }) => readBefore !== undefined)) {
      yield { effect: "returned, listed and continued a deleted conversation", replacements: [first, ...more] };
    }
  },
});

interface DeletedConversation {
  readonly deletion: EditableCall;
  /** The last read before the deletion, or the creation. */
  readonly readBefore: EditableCall | undefined;
}

/**
 * Gives lists after most deletions the response of the user's last list before them. Conversations that this list
 * did not contain yet are added before its entries.
 */
function keepListed(
  ownCalls: readonly EditableCall[],
  deletedConversations: readonly DeletedConversation[],
): readonly RecordedExchange[] {
  const lists = ownCalls.filter(({ call }) => call.operation === "list" && call.response.kind === "success");
  const deletions = deletedConversations
    .map(({ deletion }) => deletion)
    .toSorted((left, right) => left.call.record.times.endedAtMicros - right.call.record.times.endedAtMicros);
  // A run deletes one conversation early, and the others after it has listed them.
  const middle = deletions[Math.floor(deletions.length / 2)];
  const isLate = (list: EditableCall): boolean => middle !== undefined && isAfter(list.call, middle);
  const listsBefore = lists.filter((list) => !isLate(list));
  const listsAfter = lists.filter((list) => isLate(list));
  return listsAfter.flatMap(({ exchange, call }) => {
    const lastList = listsBefore.findLast((list) => findUser(list) === userOf(call.record.credential));
    return lastList === undefined ? [] : [withResponseOf(exchange, addEntries(lastList, deletedConversations))];
  });
}

/** Returns the update time of a conversation in a read, or an empty string. */
const readUpdateTime = (read: EditableCall): string => conversationsIn(read)[0]?.updatedAt ?? "";

/** Adds the missing deleted conversations of its user to a list, each before the first that is older. */
function addEntries(list: EditableCall, deletedConversations: readonly DeletedConversation[]): RecordedExchange {
  const conversations = conversationsIn(list);
  const ids = new Set(conversations.map(({ id }) => id));
  const missingReads = deletedConversations
    .filter(({ deletion }) => findUser(deletion) === findUser(list))
    .flatMap(({ readBefore }) => readBefore ?? [])
    .filter((read) => !ids.has(requestedConversationId(read)))
    .toSorted((left, right) => (readUpdateTime(left) < readUpdateTime(right) ? 1 : -1));
  const splices = conversations.flatMap(({ pointer, updatedAt = "" }, index) => {
    const span = findValueSpan(list.json, pointer);
    const newer = conversations[index - 1]?.updatedAt;
    const entries = missingReads.filter(
      (read) => readUpdateTime(read) >= updatedAt && (newer === undefined || readUpdateTime(read) < newer),
    );
    return span === undefined || entries.length === 0
      ? []
      : [insertBytes(span.offset, Buffer.from(entries.flatMap((read) => formatEntries(read)).join("")))];
  });
  return splices.length === 0 ? list.exchange : withEditedBody(list.exchange, splices);
}

/** Returns the conversation of a read as the text of a list entry, followed by a comma. */
const formatEntries = (read: EditableCall): readonly string[] =>
  conversationsIn(read).map(({ pointer }) => `${getValueText(read.json, pointer) ?? "{}"},`);

/** Gives refused follow-ups the response of an accepted one. */
function acceptFollowUps(ownCalls: readonly EditableCall[]): readonly RecordedExchange[] {
  const followUps = ownCalls.filter(({ call }) => call.operation === "follow-up");
  const acceptedFollowUp = followUps.find(({ call }) => call.response.kind === "success");
  const refusals = followUps.filter(({ call }) => call.response.kind === "refused");
  return acceptedFollowUp === undefined
    ? []
    : refusals.map(({ exchange }) => withResponseOf(exchange, acceptedFollowUp.exchange));
}

const isAfter = (call: EditableCall["call"], deletion: EditableCall): boolean =>
  call.record.times.sentAtMicros > deletion.call.record.times.endedAtMicros;

/** Gives a follow-up to a deleted conversation the response of an accepted one. */
const followUpAfterDeletionMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "accepts a question in a deleted conversation",
  needs: "a follow-up to a deleted conversation, some seconds after the deletion",
  isOptional: true,
  edits: (evidence) =>
    acceptRefusedCalls(evidence, interfaceName, ["follow-up", "accepted a question in a deleted conversation"]),
});

/** Gives refused calls of an operation the response of an accepted one. */
function* acceptRefusedCalls(
  evidence: ProofEvidence,
  interfaceName: ConversationInterface,
  [operation, effect]: readonly [operation: Operation, effect: string],
): Iterable<Edit> {
  const [acceptedCall] = findSuccessfulCalls(evidence, { interface: interfaceName, operations: [operation] });
  for (const { call, exchange } of evidence.calls.toReversed()) {
    if (
      call.interface === interfaceName &&
      call.operation === operation &&
      call.response.kind === "refused" &&
      acceptedCall !== undefined
    ) {
      yield { effect, replacements: [withResponseOf(exchange, acceptedCall.exchange)] };
    }
  }
}

/** Gives reads of cancelled questions the response for a question that was not cancelled. */
const ignoredCancelMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "completes a cancelled question normally",
  needs: "a question that is cancelled while it is processing, and read afterwards",
  removesObservations: true,
  *edits(evidence) {
    const cancelledIds = new Set(
      findSuccessfulCalls(evidence, { interface: interfaceName, operations: ["cancel"] }).map(requestedConversationId),
    );
    const reads = findSuccessfulCalls(evidence, { interface: interfaceName, operations: ["get"] });
    const answeredRead = reads.findLast(
      (read) => !cancelledIds.has(requestedConversationId(read)) && isCompletedWithAnswer(read),
    );
    const cancelledReads = reads.filter((read) => cancelledIds.has(requestedConversationId(read)));
    const [first, ...more] = cancelledReads.map(({ exchange }) =>
      answeredRead === undefined ? exchange : withResponseOf(exchange, answeredRead.exchange),
    );
    if (answeredRead !== undefined && first !== undefined) {
      yield { effect: "completed cancelled questions normally", replacements: [first, ...more] };
    }
  },
});

const isCompletedWithAnswer = (call: EditableCall): boolean =>
  conversationsIn(call).some(({ state, questions }) =>
    questions.every(
      ({ facts, status }) => facts.has("answer") && !facts.has("error") && (state ?? status) === "completed",
    ),
  );

/** Responds to a follow-up with only the question. */
const questionOnlyMutation: Mutation = {
  name: "responds to a follow-up with only the question",
  needs: "a successful follow-up",
  *edits(evidence) {
    for (const call of findSuccessfulCalls(evidence, { interface: "legacy", operations: ["follow-up"] })) {
      const last = conversationsIn(call)[0]?.questions.at(-1);
      const bodySpan = findValueSpan(call.json, "");
      const text = last === undefined ? undefined : getValueText(call.json, last.pointer);
      yield* editBody(call.exchange, "responded to a follow-up with only the question", [
        bodySpan === undefined || text === undefined ? undefined : replaceSpan(bodySpan, text),
      ]);
    }
  },
};

/** Removes the earlier question from the response to a follow-up. */
const omittedQuestionMutation: Mutation = {
  name: "leaves out the earlier questions",
  needs: "a follow-up whose response is the conversation",
  *edits(evidence) {
    for (const call of findSuccessfulCalls(evidence, { interface: "legacy", operations: ["follow-up"] })) {
      const [first] = conversationsIn(call).flatMap(({ questions }) => questions);
      yield* editBody(call.exchange, "left the earlier question out of the response to a follow-up", [
        first === undefined ? undefined : removeMember(call.json, first.pointer),
      ]);
    }
  },
};

/** Gives a follow-up with a different id in its body the response of an accepted one. */
const acceptedMismatchMutation: Mutation = {
  name: "accepts a follow-up with the `conversation_id` of another conversation",
  needs: "a follow-up whose `conversation_id` differs from its path",
  edits: (evidence) =>
    acceptRefusedCalls(evidence, "legacy", ["follow-up", "accepted a follow-up of another conversation"]),
};

/** Gives a creation the response of an earlier one by the same user. */
const reusedIdMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "gives a new conversation the id of an earlier one",
  needs: "two conversations that the same user creates",
  *edits(evidence) {
    const creations = findSuccessfulCalls(evidence, { interface: interfaceName, operations: ["create"] });
    for (const creation of creations) {
      const earlier = creations.find((other) => findUser(other) === findUser(creation) && isBefore(other, creation));
      if (earlier !== undefined) {
        yield {
          effect: "gave a new conversation the id of an earlier one",
          replacements: [withResponseOf(creation.exchange, earlier.exchange)],
        };
      }
    }
  },
});

const isBefore = (call: EditableCall, other: EditableCall): boolean =>
  call.call.record.times.sentAtMicros < other.call.record.times.sentAtMicros;

/** Mutations for the rules about follow-ups, cancelling and deleting. */
export const operationMutations = {
  "legacy/follow-up-is-accepted": [refusedOperationMutation("legacy", "follow-up")],
  "legacy/follow-up-answers-the-conversation": [
    questionOnlyMutation,
    omittedQuestionMutation,
    setValueMutation(
      ["", {}],
      {
        name: "responds to a follow-up with an empty object",
        needs: "a successful follow-up",
        effect: "responded to a follow-up with an empty object",
      },
      conversationSites({ interface: "legacy", operations: ["follow-up"] }),
    ),
  ],
  "legacy/follow-up-id-must-match": [acceptedMismatchMutation],
  "legacy/cancel-is-accepted": [refusedCancelMutation("legacy"), cancelNotFoundMutation("legacy")],
  "legacy/delete-is-accepted": [refusedOperationMutation("legacy", "delete")],
  "legacy/cancel-has-effect": [ignoredCancelMutation("legacy")],
  "legacy/deleted-is-gone": [undeletedMutation("legacy"), followUpAfterDeletionMutation("legacy")],
  "legacy/id-is-not-reused": [reusedIdMutation("legacy")],
  "current/id-is-not-reused": [reusedIdMutation("current")],
  "current/follow-up-is-accepted": [refusedOperationMutation("current", "follow-up")],
  "current/cancel-is-accepted": [refusedCancelMutation("current"), cancelNotFoundMutation("current")],
  "current/delete-is-accepted": [refusedOperationMutation("current", "delete")],
  "current/cancel-has-effect": [ignoredCancelMutation("current")],
  "current/deleted-is-gone": [undeletedMutation("current"), followUpAfterDeletionMutation("current")],
} as const satisfies MutationsByRule;
