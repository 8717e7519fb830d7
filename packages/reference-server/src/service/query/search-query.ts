import type { AlertLevel } from "@assay/contract";
import type { Expression, Term } from "./expression.ts";

/** Interpretations of the free text of a query. `literal` is equivalent to `standard`. */
export const supportedPatternTypes = ["standard", "literal", "regexp", "keyword"] as const;
export type PatternType = (typeof supportedPatternTypes)[number];

/** Values of a filter that can be negated. */
export interface Selection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export const resultTypes = ["file", "path", "repo", "symbol", "commit", "diff"] as const;
/** Values of the filter `type:`. */
export type ResultType = (typeof resultTypes)[number];

/** The part of results that `select:` selects. Kinds of symbols are in lower case, without hyphens. */
export type SelectedPart =
  | { readonly kind: "repo" | "file" | "content" | "commit" | "diff" }
  | { readonly kind: "symbol"; readonly symbolKind?: string };

/** A query that can be run. */
export interface SearchQuery {
  /** Condition on one document. A term matches its content or its path. */
  readonly expression: Expression;
  /** All terms of the expression. Empty when the query has only filters. */
  readonly terms: readonly Term[];
  readonly caseSensitive: boolean;
  /** Regular expressions for repository names. All included ones must match. */
  readonly repo: Selection;
  /** Regular expressions for paths. All included ones must match. */
  readonly file: Selection;
  /** Languages in canonical spelling. One of the included ones must match. */
  readonly lang: Selection;
  /** Requested kinds of results. Empty for contents and paths. */
  readonly types: ReadonlySet<ResultType>;
  /** The requested part of each result. Absent for the whole result. */
  readonly select?: SelectedPart;
  /** Number of results after which the search stops. */
  readonly count?: number;
  /** Time after which the search stops. */
  readonly timeoutMs?: number;
}

/** A suggested query. */
export interface ProposedQuery {
  readonly description?: string;
  readonly query: string;
}

/** Data of an `alert` event: the reason a query cannot run or is incomplete. */
export interface Alert {
  readonly title: string;
  readonly level: AlertLevel;
  readonly description?: string;
  readonly proposedQueries: readonly ProposedQuery[] | null;
}

export type ParsedQuery =
  | { readonly ok: true; readonly query: SearchQuery }
  | { readonly ok: false; readonly alert: Alert };
