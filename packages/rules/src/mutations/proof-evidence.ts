import { Buffer } from "node:buffer";
import type { JsonText, RecordedExchange } from "@assay/evidence";
import type { ApiDescription } from "@assay/openapi";
import { createStreamChecker } from "@assay/stream-grammar";
import type { StreamEvent } from "@assay/stream-grammar";
import { knownCall } from "../conversation/engine/conversation-evidence.ts";
import type { ReferenceAnswer } from "../conversation/engine/reference-answer.ts";
import type { ConversationCall, RecordedCall } from "../conversation/engine/conversation-call.ts";

/** Bytes of all streams that are read for proofs, as their events are kept in memory; the smallest streams come first. */
const maxReadBytes = 8 * 1024 * 1024;

/** One event and where it stands. */
export interface EventText {
  readonly event: StreamEvent;
  /** Offset behind the last byte before the next event, or of the end of the body. */
  readonly endOffset: number;
  /** The data, to be edited in place. */
  readonly data: JsonText;
}

/** One search that was answered by a stream. */
export interface SearchText {
  readonly exchange: RecordedExchange;
  /** The whole body, read when first asked for. */
  readonly body: () => Uint8Array;
  /** Its events, read when first asked for. */
  readonly events: () => readonly EventText[];
}

/** One call of the conversation API with its body. */
export interface CallText {
  readonly exchange: RecordedExchange;
  readonly call: ConversationCall;
  readonly recorded: RecordedCall;
  /** The body, to be edited in place. */
  readonly json: JsonText;
}

/** What proofs edit. */
export interface ProofEvidence {
  /** Searches answered by a whole stream, the smallest first. */
  readonly searches: readonly SearchText[];
  /** Whether streams were left out because they are too large: then nothing follows from a mutation without power. */
  readonly isPartial: boolean;
  /** Searches that were answered in another way, such as refused ones. */
  readonly answers: readonly RecordedExchange[];
  /** Calls of the conversation API in the order of sending. */
  readonly calls: readonly CallText[];
  /** What looking for the OpenAPI document of the target came to, with the exchanges, and what the document describes. */
  readonly reference: {
    readonly exchanges: readonly RecordedExchange[];
    readonly answers: readonly ReferenceAnswer[];
    readonly api?: ApiDescription | undefined;
  };
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};

const bytesOf = (exchange: RecordedExchange): Uint8Array =>
  Buffer.concat(Array.from(exchange.chunks(), ({ bytes }) => bytes));

function eventsOf(body: Uint8Array): readonly EventText[] {
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

function searchText(exchange: RecordedExchange): SearchText {
  const body = once(() => bytesOf(exchange));
  return { exchange, body, events: once(() => eventsOf(body())) };
}

const sizeOf = ({ record }: RecordedExchange): number => record.response?.body.bytes ?? 0;

const bySize = (one: RecordedExchange, other: RecordedExchange): number =>
  sizeOf(one) - sizeOf(other) || (one.record.id < other.record.id ? -1 : 1);

const isWhole = ({ record, unreadable }: RecordedExchange): boolean =>
  unreadable === undefined && record.end.kind === "complete";

/** Whole streams, the smallest first, as many as are read. */
function searchesIn(streams: readonly RecordedExchange[]): readonly SearchText[] {
  let left = maxReadBytes;
  return streams
    .filter(isWhole)
    .toSorted(bySize)
    .filter((exchange) => (left -= sizeOf(exchange)) >= 0)
    .map((exchange) => searchText(exchange));
}

function callText(exchange: RecordedExchange, recorded: RecordedCall): readonly CallText[] {
  const call = knownCall(recorded);
  return call === undefined ? [] : [{ exchange, call, recorded, json: { bytes: recorded.body, offset: 0 } }];
}

/** What proofs edit, of recorded searches and calls. */
export function proofEvidence({
  streams,
  answers,
  calls,
  reference,
}: {
  readonly streams: readonly RecordedExchange[];
  readonly answers: readonly RecordedExchange[];
  readonly calls: readonly (readonly [RecordedExchange, RecordedCall])[];
  readonly reference: ProofEvidence["reference"];
}): ProofEvidence {
  const searches = searchesIn(streams);
  return {
    reference,
    searches,
    isPartial: searches.length < streams.filter(isWhole).length,
    answers,
    calls: calls
      .flatMap(([exchange, recorded]) => callText(exchange, recorded))
      .toSorted((one, other) => one.call.record.times.sentAtMicros - other.call.record.times.sentAtMicros),
  };
}
