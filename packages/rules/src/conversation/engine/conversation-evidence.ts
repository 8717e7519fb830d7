import type { ApiDescription } from "@assay/openapi";
import type { HistoryReport } from "@assay/state-machine";
import { historyOf } from "../history/history-of.ts";
import type { ConversationCall, ConversationInterface, RecordedCall } from "./conversation-call.ts";
import { readCall } from "./conversation-call.ts";
import { threadsOf } from "./threads.ts";
import type { Thread } from "./threads.ts";
import type { ReferenceAnswer } from "./reference-answer.ts";

/** The evidence of rules about conversations. */
export interface ConversationEvidence {
  /** In order of sending. */
  readonly calls: readonly ConversationCall[];
  /** The conversations of one interface; computed once. */
  readonly threads: (name: ConversationInterface) => readonly Thread[];
  /** The result of the history checker for one interface; computed once. */
  readonly histories: (name: ConversationInterface) => HistoryReport;
  /** The OpenAPI document that the target serves, if any. */
  readonly api: ApiDescription | undefined;
  /** The responses to requests for that document, in order of sending. */
  readonly reference: readonly ReferenceAnswer[];
}

interface Described {
  readonly api?: ApiDescription | undefined;
  readonly reference?: readonly ReferenceAnswer[] | undefined;
}

/** Reads recorded exchanges and ignores those that are not about conversations. */
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

/** Reads a call once and caches the result. */
export function knownCall(recorded: RecordedCall): ConversationCall | undefined {
  const call = known.get(recorded) ?? readCall(recorded) ?? "none";
  known.set(recorded, call);
  return call === "none" ? undefined : call;
}

/** Computes lazily, at most once for each interface. */
function perInterface<Value>(compute: (name: ConversationInterface) => Value): (name: ConversationInterface) => Value {
  const known = new Map<ConversationInterface, Value>();
  return (name) => {
    const value = known.get(name) ?? compute(name);
    known.set(name, value);
    return value;
  };
}
