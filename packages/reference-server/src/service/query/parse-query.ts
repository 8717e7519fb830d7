import { listTerms } from "./expression.ts";
import type { Expression, Term } from "./expression.ts";
import { QueryError } from "./query-error.ts";
import { readOperator, readExpression } from "./read-expression.ts";
import type { TextToken } from "./read-expression.ts";
import { knownFields, readFilters } from "./read-filters.ts";
import type { FilterToken } from "./read-filters.ts";
import type { ParsedQuery, PatternType, SearchQuery } from "./search-query.ts";
import { tokenise } from "./tokenise.ts";
import type { QueryToken } from "./tokenise.ts";

const rejectUnclosedQuotes = (tokens: readonly QueryToken[], patternType: PatternType): void => {
  if (patternType !== "regexp" && tokens.some(({ kind }) => kind === "unbalanced")) {
    throw new QueryError(
      "A quote is not closed. Close it. To search for a quote, escape it with a backslash and put the text in quotes.",
    );
  }
};

/** Returns the literal text of a token, without surrounding quotes. */
const readLiteralText = (token: TextToken, query: string): string =>
  token.kind === "quoted" ? token.text : query.slice(token.start, token.end);

/** Joins tokens into one string. Keeps the white space between them. Replaces a filter between two tokens with one space. */
const joinTexts = (tokens: readonly TextToken[], query: string, getText: (token: TextToken) => string): string => {
  let text = "";
  let lastEnd: number | undefined;
  for (const token of tokens) {
    const gap = lastEnd === undefined ? "" : query.slice(lastEnd, token.start);
    text += (gap.trim() === "" ? gap : " ") + getText(token);
    lastEnd = token.end;
  }
  return text;
};

const createTerm = (token: TextToken, query: string): Term =>
  token.kind === "slashed"
    ? { kind: "regexp", text: token.text }
    : { kind: "literal", text: readLiteralText(token, query) };

const createTerms = (tokens: readonly TextToken[], query: string, patternType: PatternType): readonly Term[] => {
  if (tokens.length === 0) {
    return [];
  }
  if (patternType === "regexp") {
    return [{ kind: "regexp", text: joinTexts(tokens, query, ({ start, end }) => query.slice(start, end)) }];
  }
  if (patternType === "keyword" || tokens.some(({ kind }) => kind === "slashed")) {
    return tokens.map((token) => createTerm(token, query));
  }
  return [{ kind: "literal", text: joinTexts(tokens, query, (token) => readLiteralText(token, query)) }];
};

const createCheckedTerms = (terms: readonly Term[]): readonly Term[] => {
  if (terms.some(({ text }) => /[\0\n\r]/u.test(text))) {
    throw new QueryError("A query that spans several lines is not supported on this server.");
  }
  return terms.filter(({ text }) => text !== "");
};

/** Rejects file filters for commit messages, because a commit message has no file. */
const rejectMessagesWithFiles = ({ file, lang, types }: SearchQuery): void => {
  const hasFileFilters = [file, lang].some(({ include, exclude }) => include.length + exclude.length > 0);
  if (types.has("commit") && hasFileFilters) {
    throw new QueryError("The filters file: and lang: are not supported with type:commit on this server.");
  }
};

const isFilter = (token: QueryToken): token is FilterToken => token.kind === "filter";
const isText = (token: QueryToken): token is TextToken =>
  token.kind !== "filter" && token.kind !== "open" && token.kind !== "close";

const joinWithAnd = (terms: readonly Term[]): Expression => ({
  kind: "and",
  parts: terms.map((term) => ({ kind: "term", term })),
});

const readQuery = (query: string, parameterType: PatternType): SearchQuery => {
  const ungroupedTokens = tokenise(query, knownFields);
  const hasOperators = ungroupedTokens.some((token) => readOperator(token) !== undefined);
  const tokens = hasOperators ? tokenise(query, knownFields, { groups: true }) : ungroupedTokens;
  const { patternType = parameterType, ...filters } = readFilters(tokens.filter(isFilter));
  rejectUnclosedQuotes(tokens, patternType);
  const readTerms = (texts: readonly TextToken[]): readonly Term[] =>
    createCheckedTerms(createTerms(texts, query, patternType));
  const expression = hasOperators ? readExpression(tokens, readTerms) : joinWithAnd(readTerms(tokens.filter(isText)));
  const parsedQuery = { ...filters, expression, terms: listTerms(expression) };
  rejectMessagesWithFiles(parsedQuery);
  return parsedQuery;
};

/**
 * Parses a query in the documented subset of the query language. `standard` and `literal` search for the remaining text as one literal,
 * `keyword` for each word or quoted phrase. `regexp` treats the remaining text as one regular expression. `/.../` is a regular expression
 * with any pattern type and separates the tokens around it. `and`, `or` and `not`, in all lower or all upper case, are operators. If a
 * query contains an operator, parentheses group. Regular expressions are not validated here. Queries outside the subset return an alert.
 */
export const parseQuery = (query: string, parameterType: PatternType): ParsedQuery => {
  try {
    return { ok: true, query: readQuery(query, parameterType) };
  } catch (error) {
    if (error instanceof QueryError) {
      return { ok: false, alert: error.alert };
    }
    throw error;
  }
};
