import type { ApiDescription } from "@assay/openapi";
import type { HistoryReport } from "@assay/state-machine";
import { cachePerObject } from "../../engine/cache-per-object.ts";
import { checkHistory } from "../history/check-history.ts";
import type { HistoryCache } from "../history/check-history.ts";
import type { ConversationCall, ConversationInterface, RecordedCall } from "./conversation-call.ts";
import { readCall } from "./conversation-call.ts";
import { groupByConversation } from "./recorded-conversations.ts";
import type { RecordedConversation } from "./recorded-conversations.ts";
import type { ReferenceResponse } from "./reference-response.ts";

/** The evidence for rules about conversations. */
export interface ConversationEvidence {
  /** Sorted by sending time. */
  readonly calls: readonly ConversationCall[];
  /** The conversations of one interface. Cached. */
  readonly conversationsOf: (interfaceName: ConversationInterface) => readonly RecordedConversation[];
  /** The result of the history checker for one interface. Cached. */
  readonly histories: (interfaceName: ConversationInterface) => HistoryReport;
  /** The OpenAPI document that the target serves, if any. */
  readonly api: ApiDescription | undefined;
  /** The responses to requests for that document, sorted by sending time. */
  readonly reference: readonly ReferenceResponse[];
}

interface EvidenceOptions {
  readonly api?: ApiDescription | undefined;
  readonly reference?: readonly ReferenceResponse[] | undefined;
  readonly historyCache?: HistoryCache | undefined;
}

/** Reads recorded exchanges. Exchanges that are not about conversations are ignored. */
export function readConversations(
  recordedCalls: readonly RecordedCall[],
  { api, reference = [], historyCache }: EvidenceOptions = {},
): ConversationEvidence {
  const calls = recordedCalls
    .flatMap((recordedCall) => readCachedCall(recordedCall) ?? [])
    .toSorted((left, right) => left.record.times.sentAtMicros - right.record.times.sentAtMicros);
  const conversationsOf = perInterface((interfaceName) => groupByConversation(calls, interfaceName));
  return {
    calls,
    conversationsOf,
    histories: perInterface((interfaceName) => checkHistory(interfaceName, { calls, conversationsOf }, historyCache)),
    api,
    reference,
  };
}

/** Reads a call, with a cache. */
export const readCachedCall = cachePerObject(readCall);

/** Returns a function that computes the value of an interface on first use and caches it. */
function perInterface<Value>(
  compute: (interfaceName: ConversationInterface) => Value,
): (interfaceName: ConversationInterface) => Value {
  const values = new Map<ConversationInterface, Value>();
  return (interfaceName) => {
    const value = values.get(interfaceName) ?? compute(interfaceName);
    values.set(interfaceName, value);
    return value;
  };
}
