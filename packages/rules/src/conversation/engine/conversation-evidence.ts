import type { ApiDescription } from "@assay/openapi";
import type { HistoryReport } from "@assay/state-machine";
import { checkHistory } from "../history/check-history.ts";
import type { ConversationCall, ConversationInterface, RecordedCall } from "./conversation-call.ts";
import { readCall } from "./conversation-call.ts";
import { groupByConversation } from "./threads.ts";
import type { Thread } from "./threads.ts";
import type { ReferenceResponse } from "./reference-response.ts";

/** The evidence for rules about conversations. */
export interface ConversationEvidence {
  /** Sorted by sending time. */
  readonly calls: readonly ConversationCall[];
  /** The conversations of one interface. Cached. */
  readonly threads: (name: ConversationInterface) => readonly Thread[];
  /** The result of the history checker for one interface. Cached. */
  readonly histories: (name: ConversationInterface) => HistoryReport;
  /** The OpenAPI document that the target serves, if any. */
  readonly api: ApiDescription | undefined;
  /** The responses to requests for that document, sorted by sending time. */
  readonly reference: readonly ReferenceResponse[];
}

interface OpenapiEvidence {
  readonly api?: ApiDescription | undefined;
  readonly reference?: readonly ReferenceResponse[] | undefined;
}

/** Reads recorded exchanges. Exchanges that are not about conversations are ignored. */
export function readConversations(
  recordedCalls: readonly RecordedCall[],
  { api, reference = [] }: OpenapiEvidence = {},
): ConversationEvidence {
  const calls = recordedCalls
    .flatMap((recordedCall) => readCachedCall(recordedCall) ?? [])
    .toSorted((left, right) => left.record.times.sentAtMicros - right.record.times.sentAtMicros);
  const threads = perInterface((name) => groupByConversation(calls, name));
  return { calls, threads, histories: perInterface((name) => checkHistory(name, calls, threads)), api, reference };
}

const callCache = new WeakMap<RecordedCall, ConversationCall | "none">();

/** Reads a call, with a cache. */
export function readCachedCall(recordedCall: RecordedCall): ConversationCall | undefined {
  const call = callCache.get(recordedCall) ?? readCall(recordedCall) ?? "none";
  callCache.set(recordedCall, call);
  return call === "none" ? undefined : call;
}

/** Returns a function that computes the value of an interface on first use and caches it. */
function perInterface<Value>(compute: (name: ConversationInterface) => Value): (name: ConversationInterface) => Value {
  const values = new Map<ConversationInterface, Value>();
  return (name) => {
    const value = values.get(name) ?? compute(name);
    values.set(name, value);
    return value;
  };
}
