import { readText } from "@assay/reading";
import { parseCurrentRequest } from "./parse-current-request.ts";
import { parseLegacyRequest } from "./parse-legacy-request.ts";
import { headerOf } from "../../engine/header-of.ts";
import type { ParsedRequest, SentRequest } from "./parsed-request.ts";
import type { ConversationInterface } from "./conversation-operation.ts";

/** Parses a request. A malformed body is not an error. */
export function parseRequest(
  { request, operation }: Pick<SentRequest, "request" | "operation">,
  interfaceName: ConversationInterface,
): ParsedRequest {
  const body = readText(request.body ?? "");
  const json = body.kind === "text" ? body.json : undefined;
  const clientHeader = headerOf(request.headers, "x-requested-with");
  const sentRequest = { request, operation, json, clientHeader };
  const parsedRequest = interfaceName === "legacy" ? parseLegacyRequest(sentRequest) : parseCurrentRequest(sentRequest);
  return { ...parsedRequest, hasClientHeader: (clientHeader ?? "").trim() !== "", json };
}
