import type { AccessDecision, AccessMode, CredentialKind, TokenMismatch } from "./access.ts";
import type { ApiAccess } from "./conversation/api/api-access.ts";
import type { ApiAnswer } from "./conversation/api/api-answer.ts";
import type { ApiCall } from "./conversation/api/api-call.ts";
import type { ConversationRecord, QuestionOutcome, QuestionRecord } from "./conversation/conversation-record.ts";
import type { ListedPage, ListQuery } from "./conversation/store/list-query.ts";
import type { ResponseHead } from "./http/response-head.ts";
import type { ParametersResult } from "./http/search-parameters.ts";
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
  readonly mismatch: TokenMismatch | undefined;
}

/** Hooks into a search, in the order they run. Each receives the default value and returns the value to use, except `cannedAnswer`. */
export interface SearchPorts {
  /** Returns a response that replaces all later steps, or undefined to continue. */
  readonly cannedAnswer: () => CannedAnswer | "reset" | undefined;
  readonly access: (decision: AccessDecision, request: AccessRequest) => AccessDecision;
  readonly parameters: (parsedParameters: ParametersResult) => ParametersResult;
  /** Returns the repositories of this search. */
  readonly repositories: (repositories: readonly Repository[]) => readonly Repository[];
  readonly head: (head: ResponseHead) => ResponseHead;
  readonly events: (events: AsyncIterable<SearchEvent>) => AsyncIterable<SearchEvent>;
  /** Encodes events. */
  readonly frames: (events: AsyncIterable<SearchEvent>) => AsyncIterable<Frame>;
  /** Splits, delays or changes the bytes. */
  readonly pieces: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
  /** Like `pieces`, but can also reset or close the connection. */
  readonly chunks: (pieces: AsyncIterable<Buffer>) => AsyncIterable<StreamChunk>;
}

/** An action on an existing conversation. */
export type ConversationAct = "follow-up" | "cancel" | "delete";

/** Hooks into a conversation call, in the order they run. */
export interface ConversationPorts {
  /** Delays the call before its first step. Returns undefined to continue immediately. */
  readonly delay: (call: ApiCall) => Promise<void> | undefined;
  /** Replaces the access decision. */
  readonly admit: (access: ApiAccess, call: ApiCall) => ApiAccess;
  /** Replaces the parsed body. `call.json` remains the original. */
  readonly request: (json: unknown, call: ApiCall) => unknown;
  /** Replaces the query of a list call. */
  readonly list: (query: ListQuery, call: ApiCall) => ListQuery;
  /** Replaces the page of a list call. */
  readonly page: (page: ListedPage, call: ApiCall) => ListedPage;
  /** Reports whether the caller may read and change an existing conversation. By default only its owner may. */
  readonly isVisible: (isVisible: boolean, conversation: ConversationRecord, call: ApiCall) => boolean;
  /** Return false to skip the action; the response is sent as if it had happened. */
  readonly shouldPerform: (act: ConversationAct, call: ApiCall) => boolean;
  /** Number of conversations to create. The response contains the first one. */
  readonly creationCount: (count: number, call: ApiCall) => number;
  /** Id of a new conversation, or undefined for the next free one. */
  readonly newId: (id: number | undefined, call: ApiCall) => number | undefined;
  /** Returns the outcome of a question that ends immediately, or undefined to process it normally. */
  readonly immediateOutcome: (question: QuestionRecord, call: ApiCall) => QuestionOutcome | undefined;
  /** Replaces the outcome of processing. Return `never` to leave the question in progress. */
  readonly finalOutcome: (outcome: QuestionOutcome, question: QuestionRecord) => QuestionOutcome | "never";
  /** Replaces the response before it is written. */
  readonly answer: (answer: ApiAnswer, call: ApiCall) => ApiAnswer;
}

/** Hooks into the API reference. */
export interface ReferencePorts {
  /** Replaces the OpenAPI document. Return undefined to serve none. */
  readonly document: (document: PayloadObject) => PayloadObject | undefined;
  /** Replaces the page that links to the document. */
  readonly page: (page: string) => string;
}

/** Hooks into one exchange that faults and variations can override. */
export interface ExchangePorts {
  readonly search: SearchPorts;
  readonly conversation: ConversationPorts;
  readonly reference: ReferencePorts;
}

/** The part of an exchange that faults and variations can see. */
export interface PortContext {
  /** The requested URL without its origin. */
  readonly url: string;
  /** Query parameters as received. */
  readonly queryParameters: URLSearchParams;
  /** Whether an earlier request used the same connection. */
  readonly isConnectionReused: boolean;
  /** Fires when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** Records in the journal that the response was changed. */
  readonly recordChange: () => void;
}

/** Converts ids between the server and the wire, in request URLs, request bodies and response bodies. */
export interface Wire {
  readonly toServer: (text: string) => string;
  readonly toWire: (text: string) => string;
}

/** Hooks that faults and variations can override. The service does not depend on faults or variations. */
export interface ServerPorts {
  /** Id of the active fault, for the journal. */
  readonly faultId?: string;
  readonly wire?: Wire;
  readonly exchange: (context: PortContext) => ExchangePorts;
}

async function* plainFrames(events: AsyncIterable<SearchEvent>): AsyncGenerator<Frame> {
  for await (const event of events) {
    yield encodeFrame(event);
  }
}

const identity = <Value>(value: Value): Value => value;
const returnUndefined = (): undefined => undefined;

const defaultExchangePorts: ExchangePorts = {
  search: {
    cannedAnswer: returnUndefined,
    access: identity,
    parameters: identity,
    repositories: identity,
    head: identity,
    events: identity,
    frames: plainFrames,
    pieces: identity,
    chunks: identity,
  },
  conversation: {
    delay: returnUndefined,
    admit: identity,
    request: identity,
    list: identity,
    page: identity,
    isVisible: identity,
    shouldPerform: () => true,
    creationCount: identity,
    newId: identity,
    immediateOutcome: returnUndefined,
    finalOutcome: identity,
    answer: identity,
  },
  reference: { document: identity, page: identity },
};

/** Hooks that change nothing. */
export const defaultPorts: ServerPorts = { exchange: () => defaultExchangePorts };
