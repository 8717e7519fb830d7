import { createHash } from "node:crypto";
import { createRedactor, importHar } from "@assay/evidence";
import type { Recording } from "./recording.ts";

/** Whether bytes begin as a HAR does: a JSON object with a member `log`. */
export const looksLikeHar = (head: Uint8Array): boolean =>
  /^\uFEFF?\s*\{[^]*?"log"\s*:/u.test(new TextDecoder().decode(head));

/** The searches of a HAR file, with secrets replaced: what is reported of them goes to terminals and files. */
export function importedHar(bytes: Uint8Array): Recording {
  // The same file gives the same replacements, so its report is the same each time.
  const key = createHash("sha256").update(bytes).digest();
  const { exchanges, skippedEntries } = importHar(bytes, { redactor: createRedactor({ secrets: [], key }) });
  return { kind: "har", exchanges, skippedEntries };
}
