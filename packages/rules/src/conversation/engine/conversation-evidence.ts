import type { ApiDescription } from "@assay/openapi";
import type { HistoryReport } from "@assay/state-machine";
import { historyOf } from "../history/history-of.ts";
import type { ConversationCall, ConversationInterface, RecordedCall } from "./conversation-call.ts";
import { readCall } from "./conversation-call.ts";
import { threadsOf } from "./threads.ts";
import type { Thread } from "./threads.ts";
import type { ReferenceAnswer } from "./reference-answer.ts";

/** Everything that rules about conversations look at. */
export interface ConversationEvidence {
  /** In the order of sending. */
  readonly calls: readonly ConversationCall[];
  /** The conversations that one interface shows; computed once. */
  readonly threads: (name: ConversationInterface) => readonly Thread[];
  /** What the state table says of the histories of one interface; computed once. */
  readonly histories: (name: ConversationInterface) => HistoryReport;
  /** The OpenAPI document the target serves, where it serves one. */
  readonly api: ApiDescription | undefined;
  /** What looking for that document came to, in the order of sending. */
  readonly reference: readonly ReferenceAnswer[];
}

interface Described {
  readonly api?: ApiDescription | undefined;
  readonly reference?: readonly ReferenceAnswer[] | undefined;
}

/** Reads recorded exchanges; those that are not about conversations are left out. */
export function readConversations(
  recorded: readonly RecordedCall[],
  { api, reference = [] }: Described = {},
): ConversationEvidence {
  const calls = recorded
    .flatMap((call) => knownCall(call) ?? [])
    .toSorted((one, other) => one.record.times.sentAtMicros - other.record.times.sentAtMicros);
  const threads = perInterface((name) => threadsOf(calls, name));
  return { calls, threads, histories: perInterface((name) => historyOf(name, calls, threads)), api, reference };
}

const known = new WeakMap<RecordedCall, ConversationCall | "none">();

/** Reads a call once, however often it is judged. */
export function knownCall(recorded: RecordedCall): ConversationCall | undefined {
  const call = known.get(recorded) ?? readCall(recorded) ?? "none";
  known.set(recorded, call);
  return call === "none" ? undefined : call;
}

/** Computes for each interface at most once, when first asked. */
function perInterface<Value>(compute: (name: ConversationInterface) => Value): (name: ConversationInterface) => Value {
  const known = new Map<ConversationInterface, Value>();
  return (name) => {
    const value = known.get(name) ?? compute(name);
    known.set(name, value);
    return value;
  };
}
