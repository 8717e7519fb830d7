import { Buffer } from "node:buffer";
import type { JsonText, RecordedExchange } from "@assay/evidence";
import type { ApiDescription } from "@assay/openapi";
import { createStreamChecker } from "@assay/stream-grammar";
import type { StreamEvent } from "@assay/stream-grammar";
import { readCachedCall } from "../conversation/engine/conversation-evidence.ts";
import type { ReferenceResponse } from "../conversation/engine/reference-response.ts";
import type { ConversationCall, RecordedCall } from "../conversation/engine/conversation-call.ts";

/**
 * Maximum bytes of all streams that are read for proofs, because their events stay in memory. The smallest streams are
 * read first.
 */
const maxReadBytes = 8 * 1024 * 1024;

/** One event and its position. */
export interface EditableEvent {
  readonly event: StreamEvent;
  /** Offset of the next event, or of the end of the body. */
  readonly endOffset: number;
  /** The data, for edits. */
  readonly data: JsonText;
}

/** One search whose response is a stream. */
export interface EditableSearch {
  readonly exchange: RecordedExchange;
  /** The complete body, read lazily. */
  readonly body: () => Uint8Array;
  /** Its events, read lazily. */
  readonly events: () => readonly EditableEvent[];
}

/** One call of the conversation API with its body. */
export interface EditableCall {
  readonly exchange: RecordedExchange;
  readonly call: ConversationCall;
  readonly recordedCall: RecordedCall;
  /** The body, for edits. */
  readonly json: JsonText;
}

/** The evidence that mutations edit. */
export interface ProofEvidence {
  /** Searches with a complete stream, the smallest first. */
  readonly searches: readonly EditableSearch[];
  /** Whether large streams were skipped. An undetected mutation then proves nothing. */
  readonly isPartial: boolean;
  /** Searches without a stream, such as refused ones. */
  readonly searchesWithoutStream: readonly RecordedExchange[];
  /** Calls of the conversation API, sorted by sending time. */
  readonly calls: readonly EditableCall[];
  /** The exchanges and responses of requests for the target's OpenAPI document, and the content of the document. */
  readonly reference: {
    readonly exchanges: readonly RecordedExchange[];
    readonly responses: readonly ReferenceResponse[];
    readonly api?: ApiDescription | undefined;
  };
}

const lazily = <Value>(make: () => Value): (() => Value) => {
  let cached: { readonly value: Value } | undefined;
  return () => (cached ??= { value: make() }).value;
};

const readBytes = (exchange: RecordedExchange): Uint8Array =>
  Buffer.concat(Array.from(exchange.chunks(), ({ bytes }) => bytes));

function splitEvents(body: Uint8Array): readonly EditableEvent[] {
  const events: StreamEvent[] = [];
  const checker = createStreamChecker({ onEvent: (event) => void events.push(event), onFinding() {} });
  checker.push(body, 0);
  checker.end();
  return events.map((event, index) => ({
    event,
    endOffset: events[index + 1]?.offset ?? body.length,
    data: {
      bytes: body.subarray(event.dataOffset, event.dataOffset + event.dataBytes),
      offset: event.dataOffset,
    },
  }));
}

function toEditableSearch(exchange: RecordedExchange): EditableSearch {
  const body = lazily(() => readBytes(exchange));
  return { exchange, body, events: lazily(() => splitEvents(body())) };
}

const bodyBytes = ({ record }: RecordedExchange): number => record.response?.body.bytes ?? 0;

const bySize = (left: RecordedExchange, right: RecordedExchange): number =>
  bodyBytes(left) - bodyBytes(right) || (left.record.id < right.record.id ? -1 : 1);

const isComplete = ({ record, unreadable }: RecordedExchange): boolean =>
  unreadable === undefined && record.end.kind === "complete";

/** Selects complete streams, the smallest first, up to the limit. */
function selectSearches(streams: readonly RecordedExchange[]): readonly EditableSearch[] {
  let remainingBytes = maxReadBytes;
  return streams
    .filter(isComplete)
    .toSorted(bySize)
    .filter((exchange) => (remainingBytes -= bodyBytes(exchange)) >= 0)
    .map((exchange) => toEditableSearch(exchange));
}

function toEditableCall(exchange: RecordedExchange, recordedCall: RecordedCall): readonly EditableCall[] {
  const call = readCachedCall(recordedCall);
  return call === undefined ? [] : [{ exchange, call, recordedCall, json: { bytes: recordedCall.body, offset: 0 } }];
}

/** Prepares recorded searches and calls for mutations. */
export function createProofEvidence({
  streams,
  searchesWithoutStream,
  calls,
  reference,
}: {
  readonly streams: readonly RecordedExchange[];
  readonly searchesWithoutStream: readonly RecordedExchange[];
  readonly calls: readonly (readonly [RecordedExchange, RecordedCall])[];
  readonly reference: ProofEvidence["reference"];
}): ProofEvidence {
  const searches = selectSearches(streams);
  return {
    reference,
    searches,
    isPartial: searches.length < streams.filter(isComplete).length,
    searchesWithoutStream,
    calls: calls
      .flatMap(([exchange, recordedCall]) => toEditableCall(exchange, recordedCall))
      .toSorted((left, right) => left.call.record.times.sentAtMicros - right.call.record.times.sentAtMicros),
  };
}
