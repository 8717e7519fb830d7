import { listTerms } from "./expression.ts";
import type { Expression, Term } from "./expression.ts";
import { QueryError } from "./query-error.ts";
import type { FilterToken } from "./read-filters.ts";
import type { QueryToken } from "./tokenise.ts";

/** A text token: not a filter, operator or parenthesis. */
export type TextToken = Extract<QueryToken, { kind: "quoted" | "slashed" | "bare" | "unbalanced" }>;

const operatorNames: Readonly<Record<string, "and" | "or" | "not">> = {
  and: "and",
  AND: "and",
  or: "or",
  OR: "or",
  not: "not",
  NOT: "not",
};

/** Returns the operator that a token denotes. An operator is a bare word in all lower or all upper case. */
export const readOperator = (token: QueryToken | undefined): "and" | "or" | "not" | undefined =>
  token?.kind === "bare" && Object.hasOwn(operatorNames, token.text) ? operatorNames[token.text] : undefined;

const maxNesting = 50;
const maxTerms = 100;

interface TokenReader {
  readonly tokens: readonly QueryToken[];
  /** Converts adjacent text tokens to terms. */
  readonly toTerms: (tokens: readonly TextToken[]) => readonly Term[];
  next: number;
  depth: number;
}

const combineOperands = (kind: "and" | "or", parts: readonly Expression[]): Expression =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind, parts };

const isText = (token: QueryToken | undefined): token is TextToken =>
  token !== undefined &&
  token.kind !== "filter" &&
  token.kind !== "open" &&
  token.kind !== "close" &&
  readOperator(token) === undefined;

const parseTexts = (reader: TokenReader, max: number): readonly Expression[] => {
  const start = reader.next;
  while (reader.next - start < max && isText(reader.tokens[reader.next])) {
    reader.next += 1;
  }
  const texts = reader.tokens.slice(start, reader.next).filter((token) => isText(token));
  return reader.toTerms(texts).map((term): Expression => ({ kind: "term", term }));
};

const withDeeperNesting = (reader: TokenReader, read: () => Expression): Expression => {
  reader.depth += 1;
  if (reader.depth > maxNesting) {
    throw new QueryError(`Groups and operators may be nested at most ${maxNesting} levels deep on this server.`);
  }
  const expression = read();
  reader.depth -= 1;
  return expression;
};

const parseGroup = (reader: TokenReader): Expression => {
  reader.next += 1;
  const expression = withDeeperNesting(reader, () => parseOr(reader));
  if (reader.tokens[reader.next]?.kind !== "close") {
    throw new QueryError("A parenthesis is not closed. Close it, or put the text in quotes to search for it.");
  }
  reader.next += 1;
  if (listTerms(expression).length === 0) {
    throw new QueryError("The parentheses are empty. To search for the characters (), put them in quotes.");
  }
  return expression;
};

/** Parses `not` and its operand: the next word, quoted text, regular expression or group. */
const parseNot = (reader: TokenReader): Expression => {
  reader.next += 1;
  const [part, ...furtherParts] = parseUnit(reader, 1);
  if (part === undefined || furtherParts.length > 0) {
    throw new QueryError("The operator `not` must be followed by text or a group.");
  }
  return { kind: "not", part };
};

/** Parses one unit: a group, a negation or adjacent texts. Returns an empty array if there is none. */
const parseUnit = (reader: TokenReader, maxTexts: number): readonly Expression[] => {
  const token = reader.tokens[reader.next];
  if (token?.kind === "open") {
    return [parseGroup(reader)];
  }
  return readOperator(token) === "not"
    ? [withDeeperNesting(reader, () => parseNot(reader))]
    : parseTexts(reader, maxTexts);
};

/** Parses adjacent units. All of them must match. */
const parseUnits = (reader: TokenReader): readonly Expression[] => {
  const units: Expression[] = [];
  for (let previousPosition = -1; previousPosition < reader.next;) {
    previousPosition = reader.next;
    units.push(...parseUnit(reader, Number.POSITIVE_INFINITY));
  }
  return units;
};

const parseOperands = (
  reader: TokenReader,
  operator: "and" | "or",
  readOperand: () => readonly Expression[],
): readonly Expression[] => {
  const first = readOperand();
  const operands = [...first];
  let hasEmptySide = first.length === 0;
  while (readOperator(reader.tokens[reader.next]) === operator) {
    reader.next += 1;
    const operand = readOperand();
    hasEmptySide ||= operand.length === 0;
    operands.push(...operand);
    if (hasEmptySide) {
      throw new QueryError(
        `The operator \`${operator}\` needs text on both sides. Put the word in quotes to search for it.`,
      );
    }
  }
  return operands;
};

const parseAnd = (reader: TokenReader): readonly Expression[] => {
  const operands = parseOperands(reader, "and", () => parseUnits(reader));
  return operands.length === 0 ? [] : [combineOperands("and", operands)];
};

const parseOr = (reader: TokenReader): Expression =>
  combineOperands(
    "or",
    parseOperands(reader, "or", () => parseAnd(reader)),
  );

const isInGroup = (tokens: readonly QueryToken[], position: number): boolean =>
  tokens.slice(0, position).reduce((depth, { kind }) => depth + Number(kind === "open") - Number(kind === "close"), 0) >
  0;

/** Rejects filters in groups, because a filter applies to the whole query. */
const rejectFiltersInGroups = (tokens: readonly QueryToken[]): void => {
  const groupedFilter = tokens.find((token, position) => token.kind === "filter" && isInGroup(tokens, position));
  if (groupedFilter !== undefined) {
    throw new QueryError("A filter inside parentheses is not supported on this server. Put it outside.");
  }
};

const isFilter = (token: QueryToken): token is FilterToken => token.kind === "filter";

/**
 * Parses the search expression of a query with operators or groups. `not` has the highest precedence, then adjacency,
 * then `and`, then `or`. Ignores filters outside groups. Throws QueryError for queries that are incomplete, nested
 * too deeply or too large.
 */
export const readExpression = (
  tokens: readonly QueryToken[],
  toTerms: (tokens: readonly TextToken[]) => readonly Term[],
): Expression => {
  rejectFiltersInGroups(tokens);
  const reader: TokenReader = { tokens: tokens.filter((token) => !isFilter(token)), toTerms, next: 0, depth: 0 };
  const expression = parseOr(reader);
  if (reader.next < reader.tokens.length) {
    throw new QueryError("There is an unmatched closing parenthesis. Put the text in quotes to search for it.");
  }
  if (listTerms(expression).length > maxTerms) {
    throw new QueryError(`A query may contain at most ${maxTerms} terms on this server.`);
  }
  return expression;
};
