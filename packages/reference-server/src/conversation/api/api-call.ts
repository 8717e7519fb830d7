import type { IncomingHttpHeaders } from "node:http";
import type { ApiCredential } from "../../access.ts";

/** What a call of the conversation API asks for. `get-question` exists in the legacy interface only. */
export type ApiOperation = "create" | "get" | "get-question" | "list" | "follow-up" | "cancel" | "delete";

/** One call of the conversation API, whatever its interface. */
export interface ApiCall {
  readonly interface: "legacy" | "current";
  readonly operation: ApiOperation;
  /** How the request identified itself. */
  readonly credential: ApiCredential;
  /** Whose token it was; absent when it was nobody's. */
  readonly userId?: number;
  /** Number of the conversation that is asked for, or that was created; absent for lists and where there is none. */
  readonly conversation?: number;
  /** Number of the question that is asked for; legacy only. */
  readonly question?: number;
  /** Body as JSON; absent when there is none, or when it is no JSON. */
  readonly json?: unknown;
  /** Query of the URL. */
  readonly parameters: URLSearchParams;
  /** As they came, names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Scheme, host and port of the server as it sees itself. */
  readonly origin: string;
}
