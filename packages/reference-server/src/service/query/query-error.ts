import type { Alert, ProposedQuery } from "./search-query.ts";

/** An error in a query. `parseQuery` converts it to an alert, so it is never thrown outside this folder. */
export class QueryError extends Error {
  override readonly name = "QueryError";
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
