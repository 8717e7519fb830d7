import type { ReferenceResponse } from "../engine/reference-response.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { referenceOfTarget } from "./reference-of-target.ts";

/** The result of a search for the schema that did not find it. */
type Search =
  | { readonly isOver: true; readonly code: string; readonly message: string; readonly exchange: string }
  | { readonly isOver: false; readonly reason: string };

const advice = "pass the document with `--openapi`";

/**
 * The reference serves an OpenAPI schema, either directly or through the links on its page. It is unspecified who may
 * read it and how the page links to it, so a schema that requires signing in or is only reachable by scripts is not
 * judged. Source: conversation-api, section 9.
 */
export const currentOpenapiSchemaIsServed = defineConversationRule({
  id: "current/openapi-schema-is-served",
  check(evidence, reportFor) {
    const answers = referenceOfTarget(evidence);
    const [first] = answers;
    if (first === undefined) {
      return;
    }
    const documentAnswer = answers.find((answer) => answer.content.kind === "document");
    if (documentAnswer !== undefined) {
      reportFor(documentAnswer.exchange).observation();
      return;
    }
    const search = resultFrom(first, answers.slice(1));
    if (!search.isOver) {
      reportFor(first.exchange).notTested(`${search.reason}; ${advice}`);
      return;
    }
    const { code, message, exchange } = search;
    const report = reportFor(exchange);
    report.observation();
    report.violation({ code, message });
  },
});

/** The result of the search that starts at `first` and follows its links. */
function resultFrom(first: ReferenceResponse, followed: readonly ReferenceResponse[]): Search {
  const { content } = first;
  if (content.kind !== "page") {
    return followed.length === 0 ? resultAt(first) : unclear("the address of the reference redirects elsewhere");
  }
  // A link to a document that is not a schema fails the rule, regardless of other links.
  const broken = followed.find((answer) => answer.content.kind === "none");
  if (broken !== undefined) {
    return resultAt(broken);
  }
  // If every linked document is missing, a script on the page has no better URL.
  if (content.links !== followed.length || (content.isOpen && !areMissing(followed))) {
    return unclear("the page of the reference may link to a document in a way that Assay does not follow");
  }
  const ends = followed.map((answer) => resultAt(answer));
  return (
    ends.find((end) => !end.isOver) ??
    ends[0] ?? {
      isOver: true,
      code: "no-link",
      message: "the page of the reference offers no OpenAPI schema",
      exchange: first.exchange,
    }
  );
}

const areMissing = (answers: readonly ReferenceResponse[]): boolean =>
  answers.length > 0 && answers.every(({ content }) => content.kind === "missing");

/** The result at one URL. */
function resultAt({ exchange, content, url }: ReferenceResponse): Search {
  const path = URL.canParse(url) ? new URL(url).pathname.slice(0, 200) : "the reference";
  switch (content.kind) {
    case "missing":
      return {
        isOver: true,
        code: "missing",
        message:
          content.status < 500
            ? `nothing was found at ${path}, where an OpenAPI schema should be (status ${content.status})`
            : `${path}, where an OpenAPI schema should be, was answered with ${content.status} twice`,
        exchange,
      };
    case "none":
      return {
        isOver: true,
        code: "no-schema",
        message: `the content at ${path} is not an OpenAPI schema: ${content.reason}`,
        exchange,
      };
    case "unclear":
      return unclear(content.reason);
    case "page":
    case "document":
      return unclear("a link of the reference leads to another page");
  }
}

const unclear = (reason: string): Search => ({ isOver: false, reason });
