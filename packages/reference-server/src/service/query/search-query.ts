import type { AlertLevel } from "@assay/contract";
import type { Expression, Term } from "./expression.ts";

/** How the free text of a query is read. `literal` means the same as `standard`. */
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

/** To what results are reduced. A kind of symbol is lower-case, without hyphens. */
export type SelectedPart =
  | { readonly kind: "repo" | "file" | "content" | "commit" | "diff" }
  | { readonly kind: "symbol"; readonly symbolKind?: string };

/** A query that can be run. */
export interface SearchQuery {
  /** What must hold for one document: a term is found in its content or in its path. */
  readonly expression: Expression;
  /** All terms of the expression. Empty when the query has only filters. */
  readonly terms: readonly Term[];
  readonly caseSensitive: boolean;
  /** Regular expressions on repository names; all included ones must match. */
  readonly repo: Selection;
  /** Regular expressions on paths; all included ones must match. */
  readonly file: Selection;
  /** Languages in their own spelling; one of the included ones must fit. */
  readonly lang: Selection;
  /** Kinds of results asked for; empty means contents and paths. */
  readonly types: ReadonlySet<ResultType>;
  /** The part of each result that is asked for; absent means all of it. */
  readonly select?: SelectedPart;
  /** Number of results after which the search stops. */
  readonly count?: number;
  /** Time after which the search stops. */
  readonly timeoutMs?: number;
}

/** A query that might be meant instead. */
export interface ProposedQuery {
  readonly description?: string;
  readonly query: string;
}

/** What the user is told when a query cannot be run, or ran incompletely; data of an `alert` event. */
export interface Alert {
  readonly title: string;
  readonly level: AlertLevel;
  readonly description?: string;
  readonly proposedQueries: readonly ProposedQuery[] | null;
}

export type ParsedQuery =
  | { readonly ok: true; readonly query: SearchQuery }
  | { readonly ok: false; readonly alert: Alert };
