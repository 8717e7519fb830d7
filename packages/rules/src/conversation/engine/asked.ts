import type { ExchangeRecord } from "@assay/evidence";
import { isRecord } from "@assay/reading";
import { headerOf } from "../../engine/header-of.ts";
import type { ConversationOperation } from "./conversation-operation.ts";

/** What a request asked for. */
export interface Asked {
  /** Id in the path, or the last part of the name. */
  readonly conversation?: string;
  /** Name of the conversation as it was sent; only in the current interface. */
  readonly name?: string;
  /** Text of the question. */
  readonly question?: string;
  /** Id of the question to be cancelled; only in the legacy interface. */
  readonly questionId?: string;
  /** `conversation_id` of the body of a legacy follow-up. */
  readonly bodyConversation?: string;
  /** Query of a legacy list; `pageSize`, `pageToken` and `parent` of the current interface, however they are called there. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Whether the request has all that the document demands of this operation, headers included but for the credential. */
  readonly hasGoodForm: boolean;
  /** Whether `X-Requested-With` was sent and is not empty, whatever its form. */
  readonly hasClientHeader: boolean;
  /** Body of the request; undefined where there was none or it is not JSON. */
  readonly json: unknown;
}

/** A request that is being read. */
export interface SentRequest {
  readonly request: ExchangeRecord["request"];
  readonly operation: ConversationOperation;
  readonly json: unknown;
  readonly clientHeader: string | undefined;
}

/** Whether a request has a body that is a JSON object and says so. */
export const hasJsonObject = ({ request, json }: SentRequest): boolean =>
  isRecord(json) && /^application\/(?:[\w.-]+\+)?json\b/i.test(headerOf(request.headers, "content-type") ?? "");
