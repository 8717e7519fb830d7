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

/** Bytes to send, or what to do to the connection: `reset` sends a TCP reset, `cut` closes in the middle of the body. */
export type StreamChunk = Buffer | "reset" | "cut";

/** An answer instead of the stream. */
export interface CannedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Who asks for a search. */
export interface AccessRequest {
  readonly credential: CredentialKind;
  readonly mode: AccessMode;
  readonly likeness: TokenLikeness | undefined;
}

/** Places of a search, in the order in which a request meets them. Each gets what would happen and returns what happens. */
export interface SearchPorts {
  /** Something else instead of all that follows; `undefined` has the search answered. */
  readonly canned: () => CannedAnswer | "reset" | undefined;
  readonly access: (decision: AccessDecision, request: AccessRequest) => AccessDecision;
  readonly parameters: (checked: CheckedParameters) => CheckedParameters;
  /** The repositories as this search meets them. */
  readonly repositories: (repositories: readonly Repository[]) => readonly Repository[];
  readonly head: (head: ResponseHead) => ResponseHead;
  readonly events: (events: AsyncIterable<SearchEvent>) => AsyncIterable<SearchEvent>;
  /** How events are written. */
  readonly frames: (events: AsyncIterable<SearchEvent>) => AsyncIterable<Frame>;
  /** In what pieces the bytes go out, and when. */
  readonly pieces: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
  readonly chunks: (pieces: AsyncIterable<Buffer>) => AsyncIterable<StreamChunk>;
}

/** What a call does to a conversation that exists. */
export type ConversationAct = "follow-up" | "cancel" | "delete";

/** Places of the conversation API, in the order in which a call meets them. */
export interface ConversationPorts {
  /** Keeps the call back before anything is done with it; `undefined` lets it go on at once. */
  readonly hold: (call: ApiCall) => Promise<void> | undefined;
  /** Whether the call may go on. */
  readonly admit: (access: ApiAccess, call: ApiCall) => ApiAccess;
  /** The body as it is read; `call.json` stays what was sent. */
  readonly request: (json: unknown, call: ApiCall) => unknown;
  /** What is listed. */
  readonly list: (query: ListQuery, call: ApiCall) => ListQuery;
  /** The page that was found. */
  readonly page: (page: ListedPage, call: ApiCall) => ListedPage;
  /** Whether a conversation that exists may be seen, followed up, cancelled, deleted: by default by its owner alone. */
  readonly visible: (isVisible: boolean, conversation: ConversationRecord, call: ApiCall) => boolean;
  /** False answers as if it had been done, and does nothing. */
  readonly does: (act: ConversationAct, call: ApiCall) => boolean;
  /** How many conversations a creation makes; it is answered with the first one. */
  readonly creations: (count: number, call: ApiCall) => number;
  /** How a question has ended before anybody could see it in progress; `undefined` has it processed as usual. */
  readonly known: (question: QuestionRecord, call: ApiCall) => QuestionOutcome | undefined;
  /** How the processing of a question ends; `never` leaves it in progress. */
  readonly processed: (outcome: QuestionOutcome, question: QuestionRecord) => QuestionOutcome | "never";
  /** The answer just before it is written. */
  readonly answer: (answer: ApiAnswer, call: ApiCall) => ApiAnswer;
}

/** Places of the API reference. */
export interface ReferencePorts {
  /** The OpenAPI document that is served; undefined for none. */
  readonly document: (document: PayloadObject) => PayloadObject | undefined;
  /** The page, which leads to that document. */
  readonly page: (page: string) => string;
}

/** The places of one exchange where something may take hold. */
export interface ExchangePorts {
  readonly search: SearchPorts;
  readonly conversation: ConversationPorts;
  readonly reference: ReferencePorts;
}

/** What is known of an exchange to what takes hold of it. */
export interface PortContext {
  /** As it was asked for, without the origin. */
  readonly url: string;
  /** Parameters of the request as they came. */
  readonly given: URLSearchParams;
  /** Fires when the client has left or the server closes. */
  readonly signal: AbortSignal;
  /** To be called when the answer really was changed; the journal shows it. */
  readonly applied: () => void;
}

/** How ids are written on the wire, where that is another way: addresses and bodies as they come, and bodies as they go. */
export interface Wire {
  readonly incoming: (text: string) => string;
  readonly outgoing: (text: string) => string;
}

/** The places of a server where something may take hold. The service knows nothing of what does. */
export interface ServerPorts {
  /** Name of what takes hold, for the journal. */
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

/** Everything stays as it is. */
export const plainPorts: ServerPorts = { exchange: () => openPorts };
