import { currentPath, currentProcedures } from "@assay/contract";
import type { ApiDescription } from "@assay/openapi";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { referenceOfTarget } from "./reference-of-target.ts";

type Operation = keyof typeof currentProcedures;

const operations: readonly Operation[] = ["create", "get", "list", "follow-up", "cancel", "delete"];

/**
 * The schema at the reference describes each operation of section 4.2 under its path, with POST. Other content is
 * unrestricted. A document that the user passed is not the target's, so it is not checked. Source: conversation-api,
 * sections 4.2 and 9.
 */
export const currentOpenapiSchemaDescribesOperations = defineConversationRule({
  id: "current/openapi-schema-describes-operations",
  check(evidence, reportFor) {
    const { api } = evidence;
    const documentResponse = referenceOfTarget(evidence).find((response) => response.content.kind === "document");
    if (api?.source !== "served" || documentResponse === undefined) {
      return;
    }
    const report = reportFor(documentResponse.exchange);
    for (const operation of operations) {
      report.observation();
      if (api.operation("current", operation) === undefined) {
        const message = `the OpenAPI schema has no POST ${currentPath}/${currentProcedures[operation]}${describeSimilar(api, operation)}`;
        report.violation({ code: "lacks", argument: operation, message });
      }
    }
  },
});

/** Returns a clause that names the operation with the same name in the document, if any. */
function describeSimilar({ otherOperations }: ApiDescription, operation: Operation): string {
  const similarPath = otherOperations.find((path) => path.endsWith(`/${currentProcedures[operation]}`));
  return similarPath === undefined ? "" : `, but ${similarPath.slice(0, 200)}`;
}
