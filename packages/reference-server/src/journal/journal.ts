import { defined } from "@assay/contract";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { JournalCall } from "./journal-call.ts";
import { createJournalRequest, type JournalRequest, formatJournalUrl } from "./journal-request.ts";
import type { IssuedTokens } from "../service/tokens.ts";

/** Times of one exchange on a monotonic clock, in whole microseconds. Each is absent until the event occurs. */
export interface JournalInstants {
  readonly arrived: number;
  /** The head of the response was passed to the connection. */
  readonly head?: number;
  /** The `done` event was about to be passed to the connection. */
  readonly done?: number;
  /** The last byte of the response was passed to the operating system. */
  readonly lastByte?: number;
  /** The client or a fault closed the connection before the end of the response. */
  readonly closed?: number;
}

/** One request from the server's point of view. */
export interface JournalEntry {
  /** Number of the request since the server started, starting at 1. */
  readonly id: number;
  readonly method: string;
  /** Path and query as received, with issued tokens replaced by their kind. */
  readonly url: string;
  /** Wall-clock time of arrival, milliseconds since 1970. */
  readonly at: number;
  /** Id of the fault the server was started with. */
  readonly fault?: string;
  /** Whether that fault changed the response. */
  readonly faultApplied: boolean;
  /** `open` until the response ends. `client-left` if the connection closed earlier. */
  readonly end: "open" | "finished" | "client-left";
  readonly request: JournalRequest;
  /** Present for calls of the conversation API that received a response. */
  readonly call?: JournalCall;
  /** Status of the response. Absent until its head is sent. */
  readonly status?: number;
  /** Bytes passed to the connection for this exchange so far, including the head. */
  readonly bytesSent: number;
  readonly micros: JournalInstants;
}

/** Records the progress of one request. */
export interface JournalLine {
  readonly id: number;
  recordFaultApplied(): void;
  /** Call it when the head is sent. */
  recordHead(status: number): void;
  /** Call it when the `done` event is sent. */
  recordDone(): void;
  recordCall(call: JournalCall): void;
  /** Call it at the end of the exchange, with `status` if a head was sent. */
  recordEnd(end: "finished" | "client-left", status?: number): void;
}

/** A request to record. */
interface JournalledRequest {
  readonly request: IncomingMessage;
  readonly fault: string | undefined;
  readonly tokens: IssuedTokens;
}

export interface Journal {
  open(request: JournalledRequest): JournalLine;
  entries(): readonly JournalEntry[];
}

const maxEntries = 10_000;
const nowMicros = (): number => Math.round(performance.now() * 1000);

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
type Draft = Omit<Mutable<JournalEntry>, "bytesSent" | "micros"> & {
  readonly micros: Mutable<JournalInstants>;
  bytesSent: () => number;
};

/** Returns the bytes written to a socket so far. Injected requests have no real socket, so their count is 0. */
const readBytesWritten = ({ bytesWritten }: Socket): number => bytesWritten || 0;

const createDraft = ({ fault, request, tokens }: JournalledRequest, id: number, connection: number): Draft => {
  const { socket } = request;
  const bytesBefore = readBytesWritten(socket);
  return {
    id,
    method: request.method ?? "",
    url: formatJournalUrl(request, tokens),
    at: Date.now(),
    faultApplied: false,
    end: "open",
    request: createJournalRequest(request, connection, tokens),
    micros: { arrived: nowMicros() },
    bytesSent: () => readBytesWritten(socket) - bytesBefore,
    ...defined({ fault }),
  };
};

const endDraft = (draft: Draft, end: "finished" | "client-left", status: number | undefined): void => {
  const bytes = draft.bytesSent();
  // Removes the reference to the socket, which would stay in memory.
  draft.bytesSent = () => bytes;
  draft.end = end;
  const now = nowMicros();
  draft.micros[end === "finished" ? "lastByte" : "closed"] = now;
  if (status !== undefined) {
    draft.status ??= status;
    draft.micros.head ??= now;
  }
};

const toJournalLine = (draft: Draft): JournalLine => ({
  id: draft.id,
  recordFaultApplied: () => {
    draft.faultApplied = true;
  },
  recordHead: (status) => {
    draft.status = status;
    draft.micros.head = nowMicros();
  },
  recordDone: () => {
    draft.micros.done ??= nowMicros();
  },
  recordCall: (call) => {
    draft.call = call;
  },
  recordEnd: (end, status) => endDraft(draft, end, status),
});

/** Creates an in-memory journal of the newest 10,000 requests. It does not contain the values of issued tokens. */
export const createJournal = (): Journal => {
  const drafts = new Map<number, Draft>();
  const connections = new WeakMap<Socket, number>();
  let lastId = 0;
  let lastConnection = 0;
  const numberConnection = (socket: Socket): number => {
    const connection = connections.get(socket) ?? (lastConnection += 1);
    connections.set(socket, connection);
    return connection;
  };
  return {
    open: (journalledRequest) => {
      lastId += 1;
      const draft = createDraft(journalledRequest, lastId, numberConnection(journalledRequest.request.socket));
      drafts.set(lastId, draft);
      drafts.delete(lastId - maxEntries);
      return toJournalLine(draft);
    },
    entries: () =>
      [...drafts.values()].map((draft) => ({ ...draft, bytesSent: draft.bytesSent(), micros: { ...draft.micros } })),
  };
};
