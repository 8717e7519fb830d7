import { Buffer } from "node:buffer";
import { isRecord } from "@assay/reading";
import { insertBytes, findValueSpan } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { ConversationInterface, ConversationOperation } from "../conversation/engine/conversation-operation.ts";
import { withResponseOf, withEditedBody, withStatus } from "./mutation.ts";
import type { Mutation, Edit } from "./mutation.ts";
import { findCalls, isAccepted, isRefused } from "./find-calls.ts";
import { conversationsIn } from "./conversation-sites.ts";
import type { EditableCall, ProofEvidence } from "./proof-evidence.ts";

/** Returns the later calls of the main user for the same conversation. */
const findLaterOwnerCalls = (
  evidence: ProofEvidence,
  { call }: EditableCall,
  operations: readonly ConversationOperation[],
): readonly EditableCall[] =>
  findCalls(evidence, { interface: call.interface, credentials: ["access-token"], operations }).filter(
    (later) =>
      later.call.request.conversationId === call.request.conversationId &&
      later.call.record.times.sentAtMicros >= call.record.times.endedAtMicros,
  );

/** Gives another user's refused call the response that the main user got for the same operation. */
function acceptCall(evidence: ProofEvidence, { call, exchange }: EditableCall): RecordedExchange {
  const ownerSelection = {
    interface: call.interface,
    credentials: ["access-token"],
    operations: [call.operation],
  } as const;
  const acceptedCall = findCalls(evidence, ownerSelection).find(isAccepted);
  return acceptedCall === undefined ? withStatus(exchange, 200) : withResponseOf(exchange, acceptedCall.exchange);
}

/** Edits that let another user's call take effect: it is accepted, and the owner reads the result. */
function* editOtherUserCall(
  evidence: ProofEvidence,
  call: EditableCall,
  {
    effect,
    laterCalls: [first, ...more],
  }: { readonly effect: string; readonly laterCalls: readonly RecordedExchange[] },
): Iterable<Edit> {
  if (first !== undefined) {
    yield { effect, replacements: isAccepted(call) ? [first, ...more] : [acceptCall(evidence, call), first, ...more] };
  }
}

const findOtherUserCalls = (
  evidence: ProofEvidence,
  interfaceName: ConversationInterface,
  operation: ConversationOperation,
): readonly EditableCall[] =>
  findCalls(evidence, { interface: interfaceName, credentials: ["other-token"], operations: [operation] }).filter(
    (call) => isRefused(call) || isAccepted(call),
  );

/** Lets another user delete a conversation, which is then gone for its owner. */
const otherUserDeletes = (interfaceName: ConversationInterface): Mutation => ({
  name: "lets another user delete",
  needs: "a deletion by a second user (ASSAY_OTHER_TOKEN), and a read of the owner after it",
  *edits(evidence) {
    for (const call of findOtherUserCalls(evidence, interfaceName, "delete")) {
      const laterCalls = findLaterOwnerCalls(evidence, call, ["get", "follow-up", "delete"]).map(({ exchange }) =>
        withStatus(exchange, 404),
      );
      yield* editOtherUserCall(evidence, call, { effect: "let a user delete another user's conversation", laterCalls });
    }
  },
});

/** Shows the owner another user's question. */
const otherUserAsks = (interfaceName: ConversationInterface): Mutation => ({
  name: "lets another user ask",
  needs: "a follow-up by a second user (ASSAY_OTHER_TOKEN), and a read of the owner after it",
  *edits(evidence) {
    for (const call of findOtherUserCalls(evidence, interfaceName, "follow-up")) {
      const laterCalls = findLaterOwnerCalls(evidence, call, ["get"]).flatMap((read) =>
        addQuestion(read, call.call.request.question),
      );
      yield* editOtherUserCall(evidence, call, { effect: "let a user ask in another user's conversation", laterCalls });
    }
  },
});

/** Carries out another user's refused cancellation, so that the owner has nothing left to cancel. */
const otherUserCancels = (interfaceName: ConversationInterface): Mutation => ({
  name: "refuses another user's cancel but carries it out",
  needs: "a refused cancel by a second user (ASSAY_OTHER_TOKEN), and a later cancel and read of the owner",
  isOptional: true,
  *edits(evidence) {
    for (const call of findOtherUserCalls(evidence, interfaceName, "cancel").filter(isRefused)) {
      const [first, ...more] = findLaterOwnerCalls(evidence, call, ["cancel"])
        .filter(isAccepted)
        .map(({ exchange }) => withStatus(exchange, 400));
      if (first !== undefined) {
        yield { effect: "refused another user's cancel but carried it out", replacements: [first, ...more] };
      }
    }
  },
});

/**
 * Adds a copy of the last question with a different text and id to a read. It returns nothing if the read has no
 * question.
 */
function addQuestion(read: EditableCall, text = ""): readonly RecordedExchange[] {
  const last = isAccepted(read) ? conversationsIn(read)[0]?.questions.at(-1) : undefined;
  const lastSpan = last === undefined ? undefined : findValueSpan(read.json, last.pointer);
  if (last === undefined || lastSpan === undefined || !isRecord(last.json)) {
    return [];
  }
  const newMembers =
    read.call.interface === "legacy"
      ? { id: Number(last.id) + 1_000_000, question: text }
      : { input: [{ question: { text } }] };
  const addedText = Buffer.from(`,${JSON.stringify({ ...last.json, ...newMembers })}`);
  return [withEditedBody(read.exchange, [insertBytes(lastSpan.offset + lastSpan.length, addedText)])];
}

/** Gives a second user's refused creation a conversation that the first user reads later. */
const createsForOthers: Mutation = {
  name: "lets another user create a conversation",
  needs:
    "a refused creation by a second user (ASSAY_OTHER_TOKEN) with the first user as its parent, and a read after it",
  isOptional: true,
  *edits(evidence) {
    const owner = { interface: "current", credentials: ["access-token"] } as const;
    const laterIds = (call: EditableCall): ReadonlySet<string | undefined> =>
      new Set(
        findCalls(evidence, { ...owner, operations: ["get"], appliesTo: isAccepted })
          .filter((read) => read.call.record.times.sentAtMicros >= call.call.record.times.endedAtMicros)
          .map((read) => read.call.request.conversationId),
      );
    for (const call of findOtherUserCalls(evidence, "current", "create").filter(isRefused)) {
      const ids = laterIds(call);
      const creation = findCalls(evidence, { ...owner, operations: ["create"], appliesTo: isAccepted }).find((own) =>
        ids.has(conversationsIn(own)[0]?.id),
      );
      if (creation !== undefined) {
        const effect = "created a conversation for another user";
        yield { effect, replacements: [withResponseOf(call.exchange, creation.exchange)] };
      }
    }
  },
};

/** Returns the mutations that let another user change a conversation. */
export const otherUserMutations = (interfaceName: ConversationInterface): readonly Mutation[] => [
  otherUserDeletes(interfaceName),
  otherUserAsks(interfaceName),
  otherUserCancels(interfaceName),
  ...(interfaceName === "current" ? [createsForOthers] : []),
];
