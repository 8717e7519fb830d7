import { apiReferencePath, currentPath } from "@assay/contract";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ReferenceResponse } from "../engine/reference-response.ts";

/**
 * Returns the responses at the reference of section 9 and at its links. It returns none if the user passed a different
 * URL, or if the current interface was not used. Source: conversation-api, section 9.
 */
export function referenceOfTarget({ calls, reference }: ConversationEvidence): readonly ReferenceResponse[] {
  const requestUrl = calls.find((call) => call.interface === "current")?.record.request.url ?? "";
  const base = requestUrl.slice(0, Math.max(0, requestUrl.indexOf(currentPath)));
  return base !== "" && reference[0]?.url === `${base}${apiReferencePath}` ? reference : [];
}
