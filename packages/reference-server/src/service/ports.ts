import type { AccessDecision, AccessMode, CredentialKind, TokenMismatch } from "./access.ts";
import type { ApiAccess } from "./conversation/api/api-access.ts";
import type { ApiAnswer } from "./conversation/api/api-answer.ts";
import type { ApiCall } from "./conversation/api/api-call.ts";
import type { ConversationRecord, QuestionOutcome, QuestionRecord } from "./conversation/conversation-record.ts";
import type { ListedPage, ListQuery } from "./conversation/store/list-query.ts";
import type { ResponseHead } from "./http/response-head.ts";
import type { CheckedParameters } from "./http/search-parameters.ts";
import type { PayloadObject } from "./payload.ts";
import type { Repository } from "./repositories/repository.ts";
import { type Frame, encodeFrame } from "./stream/frame.ts";
import type { SearchEvent } from "./stream/search-event.ts";

/** Bytes to send, or an action on the connection: `reset` sends a TCP reset, `cut` closes the connection inside the body. */
export type StreamChunk = Buffer | "reset" | "cut";

/** A fixed response instead of the stream. */
export interface CannedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The credential of a search. */
export interface AccessRequest {
  readonly credential: CredentialKind;
  readonly mode: AccessMode;
  readonly likeness: TokenMismatch | undefined;
}

/** Ports of a search in the order of its steps. Each receives the default value and returns the value to use. */
export interface SearchPorts {
  /** Returns a response that replaces all later steps, or undefined to continue. */
  readonly canned: () => CannedAnswer | "reset" | undefined;
  readonly access: (decision: AccessDecision, request: AccessRequest) => AccessDecision;
  readonly parameters: (checked: CheckedParameters) => CheckedParameters;
  /** Returns the repositories of this search. */
  readonly repositories: (repositories: readonly Repository[]) => readonly Repository[];
  readonly head: (head: ResponseHead) => ResponseHead;
  readonly events: (events: AsyncIterable<SearchEvent>) => AsyncIterable<SearchEvent>;
  /** Encodes events. */
  readonly frames: (events: AsyncIterable<SearchEvent>) => AsyncIterable<Frame>;
  /** Splits and times the bytes. */
  readonly pieces: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
  readonly chunks: (pieces: AsyncIterable<Buffer>) => AsyncIterable<StreamChunk>;
}

/** An action on an existing conversation. */
export type ConversationAct = "follow-up" | "cancel" | "delete";

/** Ports of the conversation API in the order of its steps. */
export interface ConversationPorts {
  /** Delays the call before its first step. Returns undefined to continue immediately. */
  readonly hold: (call: ApiCall) => Promise<void> | undefined;
  /** The access decision. */
  readonly admit: (access: ApiAccess, call: ApiCall) => ApiAccess;
  /** The parsed body. `call.json` is still the original. */
  readonly request: (json: unknown, call: ApiCall) => unknown;
  /** The query of a list. */
  readonly list: (query: ListQuery, call: ApiCall) => ListQuery;
  /** The resulting page. */
  readonly page: (page: ListedPage, call: ApiCall) => ListedPage;
  /** Reports whether the caller may read and change an existing conversation. By default only its owner may. */
  readonly visible: (isVisible: boolean, conversation: ConversationRecord, call: ApiCall) => boolean;
  /** If it returns false, the response is unchanged but the act is not performed. */
  readonly does: (act: ConversationAct, call: ApiCall) => boolean;
  /** Number of conversations to create. The response contains the first one. */
  readonly creations: (count: number, call: ApiCall) => number;
  /** Returns the outcome of a question that ends immediately, or undefined to process it normally. */
  readonly known: (question: QuestionRecord, call: ApiCall) => QuestionOutcome | undefined;
  /** The outcome of processing. If it returns `never`, the question remains in progress. */
  readonly processed: (outcome: QuestionOutcome, question: QuestionRecord) => QuestionOutcome | "never";
  /** The response before it is written. */
  readonly answer: (answer: ApiAnswer, call: ApiCall) => ApiAnswer;
}

/** Ports of the API reference. */
export interface ReferencePorts {
  /** The served OpenAPI document. If it returns undefined, no document is served. */
  readonly document: (document: PayloadObject) => PayloadObject | undefined;
  /** The page that links to the document. */
  readonly page: (page: string) => string;
}

/** Ports of one exchange, where faults and variations act. */
export interface ExchangePorts {
  readonly search: SearchPorts;
  readonly conversation: ConversationPorts;
  readonly reference: ReferencePorts;
}

/** The view of an exchange for faults and variations. */
export interface PortContext {
  /** The requested URL without its origin. */
  readonly url: string;
  /** Query parameters as received. */
  readonly given: URLSearchParams;
  /** Fires when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** Records in the journal that the response was changed. */
  readonly applied: () => void;
}

/** Converts ids between the server and the wire, in request URLs, request bodies and response bodies. */
export interface Wire {
  readonly incoming: (text: string) => string;
  readonly outgoing: (text: string) => string;
}

/** Ports of a server, where faults and variations act. The service does not depend on faults or variations. */
export interface ServerPorts {
  /** Id of the active fault, for the journal. */
  readonly name?: string;
  readonly wire?: Wire;
  readonly exchange: (context: PortContext) => ExchangePorts;
}

async function* plainFrames(events: AsyncIterable<SearchEvent>): AsyncGenerator<Frame> {
  for await (const event of events) {
    yield encodeFrame(event);
  }
}

const same = <Value>(value: Value): Value => value;
const nothing = (): undefined => undefined;

const openPorts: ExchangePorts = {
  search: {
    canned: nothing,
    access: same,
    parameters: same,
    repositories: same,
    head: same,
    events: same,
    frames: plainFrames,
    pieces: same,
    chunks: same,
  },
  conversation: {
    hold: nothing,
    admit: same,
    request: same,
    list: same,
    page: same,
    visible: same,
    does: () => true,
    creations: same,
    known: nothing,
    processed: same,
    answer: same,
  },
  reference: { document: same, page: same },
};

/** Ports that change nothing. */
export const plainPorts: ServerPorts = { exchange: () => openPorts };
