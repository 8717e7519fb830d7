import type { ReferenceAnswer } from "../engine/reference-answer.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { referenceOfTarget } from "./reference-of-target.ts";

/** The result of the search for the schema, if it was not found. */
type Search =
  | { readonly isOver: true; readonly code: string; readonly message: string; readonly exchange: string }
  | { readonly isOver: false; readonly why: string };

const namesIt = "name the document with `--openapi`";

/**
 * The reference serves an OpenAPI schema directly, or by the links of its page. Who may read it, and how the page
 * leads to it, is unspecified: a schema behind a sign-in or only in scripts is not judged. Source: conversation-api,
 * section 9.
 */
export const currentOpenapiSchemaIsServed = defineConversationRule({
  id: "current/openapi-schema-is-served",
  check(evidence, reportFor) {
    const answers = referenceOfTarget(evidence);
    const [first] = answers;
    if (first === undefined) {
      return;
    }
    const found = answers.find((answer) => answer.found.kind === "document");
    if (found !== undefined) {
      reportFor(found.exchange).observation();
      return;
    }
    const search = endOf(first, answers.slice(1));
    if (!search.isOver) {
      reportFor(first.exchange).notTested(`${search.why}; ${namesIt}`);
      return;
    }
    const { code, message, exchange } = search;
    const report = reportFor(exchange);
    report.observation();
    report.violation({ code, message });
  },
});

/** The result of the search from `first` and its links. */
function endOf(first: ReferenceAnswer, followed: readonly ReferenceAnswer[]): Search {
  const { found } = first;
  if (found.kind !== "page") {
    return followed.length === 0 ? endAt(first) : unclear("the place of the reference leads elsewhere");
  }
  // A link to something that is not a schema fails the rule, whatever else the page offers.
  const broken = followed.find((answer) => answer.found.kind === "none");
  if (broken !== undefined) {
    return endAt(broken);
  }
  // If every linked document is missing, a script of the page has no better address.
  if (found.links !== followed.length || (found.isOpen && !areMissing(followed))) {
    return unclear("the page of the reference may lead to a document in a way that is not followed");
  }
  const ends = followed.map((answer) => endAt(answer));
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

const areMissing = (answers: readonly ReferenceAnswer[]): boolean =>
  answers.length > 0 && answers.every(({ found }) => found.kind === "missing");

/** The result of one address. */
function endAt({ exchange, found, url }: ReferenceAnswer): Search {
  const path = URL.canParse(url) ? new URL(url).pathname.slice(0, 200) : "the reference";
  switch (found.kind) {
    case "missing":
      return {
        isOver: true,
        code: "missing",
        message:
          found.status < 500
            ? `there is nothing at ${path}, where an OpenAPI schema should be (${found.status} came)`
            : `${path}, where an OpenAPI schema should be, was answered with ${found.status} twice`,
        exchange,
      };
    case "none":
      return {
        isOver: true,
        code: "no-schema",
        message: `what is served at ${path} is not an OpenAPI schema: ${found.why}`,
        exchange,
      };
    case "unclear":
      return unclear(found.why);
    case "page":
    case "document":
      return unclear("a link of the reference leads to another page");
  }
}

const unclear = (why: string): Search => ({ isOver: false, why });
