import { apiReferencePath, currentPath } from "@assay/contract";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ReferenceAnswer } from "../engine/reference-answer.ts";

/**
 * What stood where section 9 has the reference, and what that led to; none where the document was named otherwise, or where
 * the current interface was not asked anything. Source: conversation-api, section 9.
 */
export function referenceOfTarget({ calls, reference }: ConversationEvidence): readonly ReferenceAnswer[] {
  const asked = calls.find((call) => call.interface === "current")?.record.request.url ?? "";
  const base = asked.slice(0, Math.max(0, asked.indexOf(currentPath)));
  return base !== "" && reference[0]?.url === `${base}${apiReferencePath}` ? reference : [];
}
