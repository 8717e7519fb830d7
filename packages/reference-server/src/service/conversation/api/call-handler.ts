import type { CallHooks, ConversationService } from "../conversation-service.ts";
import type { Caller } from "./api-access.ts";
import type { ApiAnswer } from "./api-answer.ts";
import type { ApiCall } from "./api-call.ts";
import type { Vocabulary } from "./timestamp.ts";

/** An allowed call and its dependencies. */
export interface CallContext {
  readonly call: ApiCall;
  readonly caller: Caller;
  /** Parsed body, or undefined for operations without a body. */
  readonly json: unknown;
  readonly service: ConversationService;
  readonly hooks: CallHooks;
  readonly vocabulary: Vocabulary;
  /** Whether users can read other users' conversations with a read token. */
  readonly sharing: boolean;
}

/** The response to a call. */
export interface HandledCall {
  readonly answer: ApiAnswer;
  /** Id of the created conversation. */
  readonly createdId?: number;
}

/** Answers calls of one operation. */
export type CallHandler = (context: CallContext) => HandledCall;
