import type { Alert, ProposedQuery } from "./search-query.ts";

/** Thrown while a query is read and turned into an alert at the end of reading; it never leaves this folder's callers. */
export class QueryProblem extends Error {
  override readonly name = "QueryProblem";
  readonly alert: Alert;

  constructor(description: string, proposed?: ProposedQuery) {
    super(description);
    this.alert = {
      title: "Unable To Process Query",
      level: "error",
      description,
      proposedQueries: proposed === undefined ? null : [proposed],
    };
  }
}
