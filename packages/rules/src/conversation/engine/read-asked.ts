import { readText } from "@assay/reading";
import { askedCurrent } from "./asked-current.ts";
import { askedLegacy } from "./asked-legacy.ts";
import { headerOf } from "../../engine/header-of.ts";
import type { Asked, SentRequest } from "./asked.ts";
import type { ConversationInterface } from "./conversation-operation.ts";

/** Parses a request. Malformed bodies are allowed. */
export function readAsked(
  { request, operation }: Pick<SentRequest, "request" | "operation">,
  name: ConversationInterface,
): Asked {
  const body = readText(request.body ?? "");
  const json = body.kind === "text" ? body.json : undefined;
  const clientHeader = headerOf(request.headers, "x-requested-with");
  const sent = { request, operation, json, clientHeader };
  const asked = name === "legacy" ? askedLegacy(sent) : askedCurrent(sent);
  return { ...asked, hasClientHeader: (clientHeader ?? "").trim() !== "", json };
}
