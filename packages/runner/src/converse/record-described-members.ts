import { Buffer } from "node:buffer";
import type { ExchangeDraft } from "@assay/evidence";
import { readApiReference, listRequestMembers } from "@assay/openapi";

/** Adds the names of request members from an answer that is an OpenAPI document. Only the first document is used. */
export function recordDescribedMembers(
  describedMembers: Map<string, readonly string[]>,
  { response, end }: ExchangeDraft,
): void {
  if (describedMembers.size > 0 || response === undefined || response.status !== 200 || end.kind === "failed") {
    return;
  }
  const bytes = Buffer.concat(response.chunks.map((chunk) => chunk.bytes));
  const contentType = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const reading = readApiReference(bytes, contentType);
  if (reading.ok && reading.value.kind === "document") {
    listRequestMembers(reading.value.document).forEach((names, operation) => describedMembers.set(operation, names));
  }
}
