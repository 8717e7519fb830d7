import type { ReferenceResponse } from "../engine/reference-response.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { referenceOfTarget } from "./reference-of-target.ts";

/** The result of a search that did not find the schema. `isConclusive`: the target serves no schema. */
type SearchResult =
  | { readonly isConclusive: true; readonly code: string; readonly message: string; readonly exchange: string }
  | { readonly isConclusive: false; readonly reason: string };

const advice = "pass the document with `--openapi`";

/**
 * The reference serves an OpenAPI schema, either directly or through the links on its page. It is unspecified who may
 * read it and how the page links to it, so a schema that requires signing in or is only reachable by scripts is not
 * judged. Source: conversation-api, section 9.
 */
export const currentOpenapiSchemaIsServed = defineConversationRule({
  id: "current/openapi-schema-is-served",
  check(evidence, reportFor) {
    const responses = referenceOfTarget(evidence);
    const [first] = responses;
    if (first === undefined) {
      return;
    }
    const documentResponse = responses.find((response) => response.content.kind === "document");
    if (documentResponse !== undefined) {
      reportFor(documentResponse.exchange).observation();
      return;
    }
    const result = searchFrom(first, responses.slice(1));
    if (!result.isConclusive) {
      reportFor(first.exchange).notTested(`${result.reason}; ${advice}`);
      return;
    }
    const { code, message, exchange } = result;
    const report = reportFor(exchange);
    report.observation();
    report.violation({ code, message });
  },
});

/** Returns the result of the search that starts at `first` and follows its links. */
function searchFrom(first: ReferenceResponse, linkedResponses: readonly ReferenceResponse[]): SearchResult {
  const { content } = first;
  if (content.kind !== "page") {
    return linkedResponses.length === 0
      ? judgeResponse(first)
      : inconclusiveResult("the address of the reference redirects elsewhere");
  }
  // A link to a document that is not a schema fails the rule, regardless of other links.
  const nonSchemaResponse = linkedResponses.find((response) => response.content.kind === "none");
  if (nonSchemaResponse !== undefined) {
    return judgeResponse(nonSchemaResponse);
  }
  // If every linked document is missing, a script on the page has no better URL.
  if (content.links !== linkedResponses.length || (content.isOpen && !areAllMissing(linkedResponses))) {
    return inconclusiveResult("the page of the reference may link to a document in a way that Assay does not follow");
  }
  const results = linkedResponses.map((response) => judgeResponse(response));
  return (
    results.find((result) => !result.isConclusive) ??
    results[0] ?? {
      isConclusive: true,
      code: "no-link",
      message: "the page of the reference offers no OpenAPI schema",
      exchange: first.exchange,
    }
  );
}

const areAllMissing = (responses: readonly ReferenceResponse[]): boolean =>
  responses.length > 0 && responses.every(({ content }) => content.kind === "missing");

/** Returns the result at one URL. */
function judgeResponse({ exchange, content, url }: ReferenceResponse): SearchResult {
  const path = URL.canParse(url) ? new URL(url).pathname.slice(0, 200) : "the reference";
  switch (content.kind) {
    case "missing":
      return {
        isConclusive: true,
        code: "missing",
        message:
          content.status < 500
            ? `nothing was found at ${path}, where an OpenAPI schema should be (status ${content.status})`
            : `${path}, where an OpenAPI schema should be, returned ${content.status} twice`,
        exchange,
      };
    case "none":
      return {
        isConclusive: true,
        code: "no-schema",
        message: `the content at ${path} is not an OpenAPI schema: ${content.reason}`,
        exchange,
      };
    case "unclear":
      return inconclusiveResult(content.reason);
    case "page":
    case "document":
      return inconclusiveResult("a link of the reference leads to another page");
  }
}

const inconclusiveResult = (reason: string): SearchResult => ({ isConclusive: false, reason });
