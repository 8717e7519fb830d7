import type { AccessDecision, AccessMode, CredentialKind, TokenLikeness } from "./access.ts";
import type { ApiAccess } from "./conversation/api/api-access.ts";
import type { ApiAnswer } from "./conversation/api/api-answer.ts";
import type { ApiCall } from "./conversation/api/api-call.ts";
import type { ConversationRecord, QuestionOutcome, QuestionRecord } from "./conversation/conversation-record.ts";
import type { ListedPage, ListQuery } from "./conversation/store/list-query.ts";
import type { ResponseHead } from "./http/response-head.ts";
import type { CheckedParameters } from "./http/search-parameters.ts";
import type { PayloadObject } from "./payload.ts";
import type { Repository } from "./repositories/repository.ts";
import { type Frame, frameOf } from "./stream/frame.ts";
import type { SearchEvent } from "./stream/search-event.ts";

/** Bytes to send, or an action on the connection: `reset` sends a TCP reset, `cut` closes in the middle of the body. */
export type StreamChunk = Buffer | "reset" | "cut";

/** A fixed answer instead of the stream. */
export interface CannedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The credential of a search. */
export interface AccessRequest {
  readonly credential: CredentialKind;
  readonly mode: AccessMode;
  readonly likeness: TokenLikeness | undefined;
}

/** Ports of a search in the order of its steps. Each gets what would happen and returns what happens. */
export interface SearchPorts {
  /** An answer instead of everything below; `undefined` continues. */
  readonly canned: () => CannedAnswer | "reset" | undefined;
  readonly access: (decision: AccessDecision, request: AccessRequest) => AccessDecision;
  readonly parameters: (checked: CheckedParameters) => CheckedParameters;
  /** The repositories of this search. */
  readonly repositories: (repositories: readonly Repository[]) => readonly Repository[];
  readonly head: (head: ResponseHead) => ResponseHead;
  readonly events: (events: AsyncIterable<SearchEvent>) => AsyncIterable<SearchEvent>;
  /** How events are written. */
  readonly frames: (events: AsyncIterable<SearchEvent>) => AsyncIterable<Frame>;
  /** Splits and times the bytes. */
  readonly pieces: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
  readonly chunks: (pieces: AsyncIterable<Buffer>) => AsyncIterable<StreamChunk>;
}

/** An action on an existing conversation. */
export type ConversationAct = "follow-up" | "cancel" | "delete";

/** Ports of the conversation API in the order of its steps. */
export interface ConversationPorts {
  /** Delays the call before its first step; `undefined` continues at once. */
  readonly hold: (call: ApiCall) => Promise<void> | undefined;
  /** The access decision. */
  readonly admit: (access: ApiAccess, call: ApiCall) => ApiAccess;
  /** The parsed body; `call.json` keeps the original. */
  readonly request: (json: unknown, call: ApiCall) => unknown;
  /** The query of a list. */
  readonly list: (query: ListQuery, call: ApiCall) => ListQuery;
  /** The resulting page. */
  readonly page: (page: ListedPage, call: ApiCall) => ListedPage;
  /** Whether the caller may read and change an existing conversation; by default only its owner may. */
  readonly visible: (isVisible: boolean, conversation: ConversationRecord, call: ApiCall) => boolean;
  /** False answers as usual but does nothing. */
  readonly does: (act: ConversationAct, call: ApiCall) => boolean;
  /** Number of conversations to create; the answer shows the first one. */
  readonly creations: (count: number, call: ApiCall) => number;
  /** The outcome of a question that ends at once; `undefined` processes it as usual. */
  readonly known: (question: QuestionRecord, call: ApiCall) => QuestionOutcome | undefined;
  /** The outcome of the processing; `never` leaves the question in progress. */
  readonly processed: (outcome: QuestionOutcome, question: QuestionRecord) => QuestionOutcome | "never";
  /** The answer before it is written. */
  readonly answer: (answer: ApiAnswer, call: ApiCall) => ApiAnswer;
}

/** Ports of the API reference. */
export interface ReferencePorts {
  /** The served OpenAPI document; undefined for none. */
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

/** The exchange, as faults and variations see it. */
export interface PortContext {
  /** The requested URL without its origin. */
  readonly url: string;
  /** Query parameters as received. */
  readonly given: URLSearchParams;
  /** Fires when the client has left or the server closes. */
  readonly signal: AbortSignal;
  /** Call it when the answer was changed; the journal records it. */
  readonly applied: () => void;
}

/** Converts ids between the server and the wire: in URLs and bodies of requests, and in bodies of answers. */
export interface Wire {
  readonly incoming: (text: string) => string;
  readonly outgoing: (text: string) => string;
}

/** Ports of a server, where faults and variations act. The service does not know them. */
export interface ServerPorts {
  /** Id of the active fault, for the journal. */
  readonly name?: string;
  readonly wire?: Wire;
  readonly exchange: (context: PortContext) => ExchangePorts;
}

async function* plainFrames(events: AsyncIterable<SearchEvent>): AsyncGenerator<Frame> {
  for await (const event of events) {
    yield frameOf(event);
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
