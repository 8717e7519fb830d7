import type { ExchangeRecord } from "@assay/evidence";
import { isRecord } from "@assay/reading";
import { headerOf } from "../../engine/header-of.ts";
import type { ConversationOperation } from "./conversation-operation.ts";

/** The content of a request. */
export interface Asked {
  /** Id of the conversation: from the path, or the last part of the name. */
  readonly conversation?: string;
  /** Name of the conversation as sent; only in the current interface. */
  readonly name?: string;
  /** Text of the question. */
  readonly question?: string;
  /** Id of the question to cancel; only in the legacy interface. */
  readonly questionId?: string;
  /** `conversation_id` of the body of a legacy follow-up. */
  readonly bodyConversation?: string;
  /**
   * Query of a legacy list; `pageSize`, `pageToken` and `parent` of the current interface, whatever their names in
   * the request.
   */
  readonly parameters: ReadonlyMap<string, string>;
  /**
   * Whether the request has everything that the specification requires of its operation, including headers, except
   * the credential.
   */
  readonly hasGoodForm: boolean;
  /** Whether `X-Requested-With` was sent and is not empty, in any form. */
  readonly hasClientHeader: boolean;
  /** Body of the request; undefined if there is none or it is not JSON. */
  readonly json: unknown;
}

/** A request to read. */
export interface SentRequest {
  readonly request: ExchangeRecord["request"];
  readonly operation: ConversationOperation;
  readonly json: unknown;
  readonly clientHeader: string | undefined;
}

/** Whether a request has a JSON object as body and the matching content type. */
export const hasJsonObject = ({ request, json }: SentRequest): boolean =>
  isRecord(json) && /^application\/(?:[\w.-]+\+)?json\b/i.test(headerOf(request.headers, "content-type") ?? "");
