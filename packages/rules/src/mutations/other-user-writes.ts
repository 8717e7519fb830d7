import { Buffer } from "node:buffer";
import { isRecord } from "@assay/reading";
import { inserting, valueSpan } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { ConversationOperation } from "../conversation/engine/conversation-operation.ts";
import { answeredAs, editedBody, withStatus } from "./mutation.ts";
import type { Mutation, Edit } from "./mutation.ts";
import { callsBy, isAccepted, isRefused } from "./calls-by.ts";
import type { Name } from "./calls-by.ts";
import { conversationsIn } from "./conversation-sites.ts";
import type { CallText, ProofEvidence } from "./proof-evidence.ts";

/** Calls of the main user about the conversation of a call, sent after it was answered. */
const ownersLater = (
  evidence: ProofEvidence,
  { call }: CallText,
  operations: readonly ConversationOperation[],
): readonly CallText[] =>
  callsBy(evidence, { interface: call.interface, credentials: ["access-token"], operations }).filter(
    (later) =>
      later.call.asked.conversation === call.asked.conversation &&
      later.call.record.times.sentAtMicros >= call.record.times.endedAtMicros,
  );

/** A refused call of another user gets the answer that the main user got to the same operation. */
function acceptedLike(evidence: ProofEvidence, { call, exchange }: CallText): RecordedExchange {
  const own = { interface: call.interface, credentials: ["access-token"], operations: [call.operation] } as const;
  const accepted = callsBy(evidence, own).find(isAccepted);
  return accepted === undefined ? withStatus(exchange, 200) : answeredAs(exchange, accepted.exchange);
}

/** Another user changes something: his call is accepted, where it was not, and the owner reads what came of it. */
function* strangeEdit(
  evidence: ProofEvidence,
  call: CallText,
  { what, later: [first, ...more] }: { readonly what: string; readonly later: readonly RecordedExchange[] },
): Iterable<Edit> {
  if (first !== undefined) {
    yield { what, instead: isAccepted(call) ? [first, ...more] : [acceptedLike(evidence, call), first, ...more] };
  }
}

const strangeCalls = (evidence: ProofEvidence, name: Name, operation: ConversationOperation): readonly CallText[] =>
  callsBy(evidence, { interface: name, credentials: ["other-token"], operations: [operation] }).filter(
    (call) => isRefused(call) || isAccepted(call),
  );

/** What another user deletes is gone for its owner. */
const strangeDeletion = (name: Name): Mutation => ({
  name: "lets another user delete",
  needs: "a deletion by a second user (ASSAY_OTHER_TOKEN), and a read of the owner after it",
  *edits(evidence) {
    for (const call of strangeCalls(evidence, name, "delete")) {
      const later = ownersLater(evidence, call, ["get", "follow-up", "delete"]).map(({ exchange }) =>
        withStatus(exchange, 404),
      );
      yield* strangeEdit(evidence, call, { what: "let a user delete a conversation of another one", later });
    }
  },
});

/** What another user asks is read by the owner. */
const strangeQuestion = (name: Name): Mutation => ({
  name: "lets another user ask",
  needs: "a follow-up by a second user (ASSAY_OTHER_TOKEN), and a read of the owner after it",
  *edits(evidence) {
    for (const call of strangeCalls(evidence, name, "follow-up")) {
      const later = ownersLater(evidence, call, ["get"]).flatMap((read) =>
        withQuestion(read, call.call.asked.question),
      );
      yield* strangeEdit(evidence, call, { what: "let a user ask in a conversation of another one", later });
    }
  },
});

/** What another user cancels is cancelled, although he was refused: its owner has nothing left to cancel. */
const strangeCancellation = (name: Name): Mutation => ({
  name: "refuses another user a cancel that takes effect",
  needs: "a refused cancel by a second user (ASSAY_OTHER_TOKEN), and a later cancel and read of the owner",
  isOptional: true,
  *edits(evidence) {
    for (const call of strangeCalls(evidence, name, "cancel").filter(isRefused)) {
      const [first, ...more] = ownersLater(evidence, call, ["cancel"])
        .filter(isAccepted)
        .map(({ exchange }) => withStatus(exchange, 400));
      if (first !== undefined) {
        yield { what: "refused another user a cancel, and cancelled all the same", instead: [first, ...more] };
      }
    }
  },
});

/** A read that shows the last question once more, with another text and id; nothing where it shows none. */
function withQuestion(read: CallText, text = ""): readonly RecordedExchange[] {
  const last = isAccepted(read) ? conversationsIn(read)[0]?.questions.at(-1) : undefined;
  const place = last === undefined ? undefined : valueSpan(read.json, last.pointer);
  if (last === undefined || place === undefined || !isRecord(last.json)) {
    return [];
  }
  const asked =
    read.call.interface === "legacy"
      ? { id: Number(last.id) + 1_000_000, question: text }
      : { input: [{ question: { text } }] };
  const further = Buffer.from(`,${JSON.stringify({ ...last.json, ...asked })}`);
  return [editedBody(read.exchange, [inserting(place.offset + place.length, further)])];
}

/** Ways to let another user change a conversation. */
export const otherUserWrites = (name: Name): readonly Mutation[] => [
  strangeDeletion(name),
  strangeQuestion(name),
  strangeCancellation(name),
];
