import type { ExchangeRecord } from "@assay/evidence";
import { isRecord } from "@assay/reading";
import { headerOf } from "../../engine/header-of.ts";
import type { ConversationOperation } from "./conversation-operation.ts";

/** The parts of a request to the conversation API, from its URL, headers and body. */
export interface ParsedRequest {
  /** Id of the conversation, from the path or the last part of the name. */
  readonly conversationId?: string;
  /** Resource name of the conversation as sent. Current interface only. */
  readonly name?: string;
  readonly question?: string;
  /** Id of the question to cancel. Legacy interface only. */
  readonly questionId?: string;
  /** `conversation_id` in a legacy follow-up's body. */
  readonly bodyConversationId?: string;
  /**
   * Query parameters of a legacy list. For the current interface, `pageSize`, `pageToken` and `parent`, regardless of
   * the member names used.
   */
  readonly parameters: ReadonlyMap<string, string>;
  /** Whether the request meets all requirements of its operation, including headers but not the credential. */
  readonly isWellFormed: boolean;
  /** Whether `X-Requested-With` was sent with a value. The value may be malformed. */
  readonly hasClientHeader: boolean;
  /** Parsed body. Undefined if there is no body or it is not JSON. */
  readonly json: unknown;
}

/** The input of the request parsers. */
export interface SentRequest {
  readonly request: ExchangeRecord["request"];
  readonly operation: ConversationOperation;
  readonly json: unknown;
  readonly clientHeader: string | undefined;
}

/** Reports whether the body is a JSON object and the content type is JSON. */
export const hasJsonObject = ({ request, json }: SentRequest): boolean =>
  isRecord(json) && /^application\/(?:[\w.-]+\+)?json\b/i.test(headerOf(request.headers, "content-type") ?? "");
