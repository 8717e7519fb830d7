/** A term that a result must contain. Regular expressions use ripgrep's syntax. */
export interface Term {
  readonly kind: "literal" | "regexp";
  readonly text: string;
}

/** A condition on a document. */
export type Expression =
  | { readonly kind: "term"; readonly term: Term }
  | { readonly kind: "and" | "or"; readonly parts: readonly Expression[] }
  | { readonly kind: "not"; readonly part: Expression };

/** Returns all terms in query order, including those under `not`. */
export const listTerms = (expression: Expression): readonly Term[] => {
  switch (expression.kind) {
    case "term":
      return [expression.term];
    case "not":
      return listTerms(expression.part);
    case "and":
    case "or":
      return expression.parts.flatMap(listTerms);
  }
};

/** Returns the terms whose matches are shown: those under an even number of `not`. */
export const listShownTerms = (expression: Expression, isWanted = true): readonly Term[] => {
  switch (expression.kind) {
    case "term":
      return isWanted ? [expression.term] : [];
    case "not":
      return listShownTerms(expression.part, !isWanted);
    case "and":
    case "or":
      return expression.parts.flatMap((part) => listShownTerms(part, isWanted));
  }
};

/** Evaluates an expression, given the result of each term. An empty `and` is true. */
export const isSatisfied = (expression: Expression, has: (term: Term) => boolean): boolean => {
  switch (expression.kind) {
    case "term":
      return has(expression.term);
    case "not":
      return !isSatisfied(expression.part, has);
    case "and":
      return expression.parts.every((part) => isSatisfied(part, has));
    case "or":
      return expression.parts.some((part) => isSatisfied(part, has));
  }
};

/** Returns the terms of an expression that is a conjunction of terms, or undefined for any other expression. */
export const readConjunction = (expression: Expression): readonly Term[] | undefined => {
  if (expression.kind === "term") {
    return [expression.term];
  }
  if (expression.kind !== "and") {
    return undefined;
  }
  const parts = expression.parts.map(readConjunction);
  return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? []);
};
