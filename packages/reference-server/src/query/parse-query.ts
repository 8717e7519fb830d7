import { QueryProblem } from "./query-problem.ts";
import { type FilterToken, knownFields, readFilters } from "./read-filters.ts";
import type { ParsedQuery, PatternType, Term } from "./search-query.ts";
import { type QueryToken, tokenise } from "./tokenise.ts";

type TextToken = Exclude<QueryToken, FilterToken>;

const operators = new Set(["and", "or", "not", "AND", "OR", "NOT"]);

const refuseWhatIsNotSupported = (tokens: readonly TextToken[], patternType: PatternType): void => {
  for (const token of tokens) {
    if (token.kind === "bare" && operators.has(token.text)) {
      throw new QueryProblem(
        `The operator ${token.text} is not supported on this server. Put the word in quotes to search for it.`,
      );
    }
    if (token.kind === "unbalanced" && patternType !== "regexp") {
      throw new QueryProblem(
        "A quote is not closed. Close it, or put a backslash and quotes around it to search for it.",
      );
    }
  }
};

/** Text of a piece when it is not a regular expression: the inside of quotes, otherwise as written. */
const plainText = (token: TextToken, query: string): string =>
  token.kind === "quoted" ? token.text : query.slice(token.start, token.end);

/** The pieces as one text: white space between neighbours stays as written, a filter between two becomes one space. */
const joined = (tokens: readonly TextToken[], query: string, textOf: (token: TextToken) => string): string => {
  let text = "";
  let lastEnd: number | undefined;
  for (const token of tokens) {
    const gap = lastEnd === undefined ? "" : query.slice(lastEnd, token.start);
    text += (gap.trim() === "" ? gap : " ") + textOf(token);
    lastEnd = token.end;
  }
  return text;
};

const termOf = (token: TextToken, query: string): Term =>
  token.kind === "slashed" ? { kind: "regexp", text: token.text } : { kind: "literal", text: plainText(token, query) };

const termsOf = (tokens: readonly TextToken[], query: string, patternType: PatternType): readonly Term[] => {
  if (tokens.length === 0) {
    return [];
  }
  if (patternType === "regexp") {
    return [{ kind: "regexp", text: joined(tokens, query, ({ start, end }) => query.slice(start, end)) }];
  }
  if (patternType === "keyword" || tokens.some(({ kind }) => kind === "slashed")) {
    return tokens.map((token) => termOf(token, query));
  }
  return [{ kind: "literal", text: joined(tokens, query, (token) => plainText(token, query)) }];
};

const checkedTerms = (terms: readonly Term[]): readonly Term[] => {
  if (terms.some(({ text }) => /[\0\n\r]/u.test(text))) {
    throw new QueryProblem("A query that spans several lines is not supported on this server.");
  }
  return terms.filter(({ text }) => text !== "");
};

const isFilter = (token: QueryToken): token is FilterToken => token.kind === "filter";
const isText = (token: QueryToken): token is TextToken => token.kind !== "filter";

/**
 * Reads a query in the documented subset of the query language. `standard` and `literal` search for the whole remaining
 * text as one literal; `keyword` for each word or quoted phrase; `regexp` takes the remaining text as one regular expression.
 * `/.../` is a regular expression in all of them, and then the pieces around it are separate. Regular
 * expressions are not checked here. Everything outside the subset gives an alert.
 */
export const parseQuery = (query: string, parameterType: PatternType): ParsedQuery => {
  try {
    const tokens = tokenise(query, knownFields);
    const texts = tokens.filter(isText);
    const { patternType = parameterType, ...filters } = readFilters(tokens.filter(isFilter));
    refuseWhatIsNotSupported(texts, patternType);
    return { ok: true, query: { ...filters, terms: checkedTerms(termsOf(texts, query, patternType)) } };
  } catch (error) {
    if (error instanceof QueryProblem) {
      return { ok: false, alert: error.alert };
    }
    throw error;
  }
};
