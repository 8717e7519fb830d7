/** A token of a query. `start` and `end` are positions in its text. */
export type QueryToken = (
  | { readonly kind: "filter"; readonly field: string; readonly isNegated: boolean; readonly value: string }
  | { readonly kind: "quoted"; readonly text: string }
  | { readonly kind: "slashed"; readonly text: string }
  | { readonly kind: "bare"; readonly text: string }
  | { readonly kind: "unbalanced" }
  /** A parenthesis of a group. Occurs only in queries with groups. */
  | { readonly kind: "open" | "close" }
) & { readonly start: number; readonly end: number };

type TokenBody = QueryToken extends infer Token
  ? Token extends QueryToken
    ? Omit<Token, "start" | "end">
    : never
  : never;

interface TokenResult {
  readonly body: TokenBody;
  readonly length: number;
}

const quotedText = /^(?<quote>["'])(?<text>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>/su;
const slashedText = /^\/(?<text>(?:\\.|[^/\\])+)\/(?=\s|$)/su;
/** In a group the closing parenthesis may follow. */
const slashedTextInGroup = /^\/(?<text>(?:\\.|[^/\\])+)\/(?=[\s)]|$)/su;
const filterHead = /^(?<minus>-?)(?<field>[A-Za-z][A-Za-z.]*):/u;
/** First character of a filter value. `std::vector` and `https://host` are ordinary text. */
const filterValueStart = /^["'\w^.*([-]/u;
const bareText = /^\S+/u;

const unescape = (text: string): string => text.replace(/\\(["'\\])/gu, "$1");

const readQuoted = (remainingQuery: string): TokenResult | undefined => {
  const match = quotedText.exec(remainingQuery);
  return match === null
    ? undefined
    : { body: { kind: "quoted", text: unescape(match.groups?.["text"] ?? "") }, length: match[0].length };
};

const readFilterValue = (remainingQuery: string): { readonly value: string; readonly length: number } | undefined => {
  if (/^["']/u.test(remainingQuery)) {
    const quoted = readQuoted(remainingQuery);
    return quoted?.body.kind === "quoted" ? { value: quoted.body.text, length: quoted.length } : undefined;
  }
  const value = bareText.exec(remainingQuery)?.[0] ?? "";
  return { value, length: value.length };
};

const readFilter = (remainingQuery: string, fields: ReadonlySet<string>): TokenResult | undefined => {
  const head = filterHead.exec(remainingQuery);
  const field = head?.groups?.["field"]?.toLowerCase();
  if (head === null || field === undefined) {
    return undefined;
  }
  const afterColon = remainingQuery.slice(head[0].length);
  if (!fields.has(field) && !filterValueStart.test(afterColon)) {
    return undefined;
  }
  const filterValue = readFilterValue(afterColon);
  return filterValue === undefined
    ? { body: { kind: "unbalanced" }, length: remainingQuery.length }
    : {
        body: { kind: "filter", field, isNegated: head.groups?.["minus"] === "-", value: filterValue.value },
        length: head[0].length + filterValue.length,
      };
};

const readSlashed = (remainingQuery: string, pattern: RegExp): TokenResult | undefined => {
  const match = pattern.exec(remainingQuery);
  return match === null
    ? undefined
    : { body: { kind: "slashed", text: match.groups?.["text"] ?? "" }, length: match[0].length };
};

const readBare = (remainingQuery: string): TokenResult => {
  const text = bareText.exec(remainingQuery)?.[0] ?? "";
  return { body: { kind: "bare", text }, length: text.length };
};

const readToken = (remainingQuery: string, fields: ReadonlySet<string>): TokenResult => {
  if (/^["']/u.test(remainingQuery)) {
    return (
      readQuoted(remainingQuery) ?? {
        body: { kind: "unbalanced" },
        length: bareText.exec(remainingQuery)?.[0].length ?? 1,
      }
    );
  }
  return readFilter(remainingQuery, fields) ?? readSlashed(remainingQuery, slashedText) ?? readBare(remainingQuery);
};

/** Positions of unmatched parentheses, ignoring escaped ones. */
const findUnmatchedParentheses = (text: string): readonly number[] => {
  const openParentheses: number[] = [];
  const closingParentheses: number[] = [];
  for (const { 0: parenthesis, index } of text.matchAll(/\\.|[()]/gsu)) {
    if (parenthesis === "(") {
      openParentheses.push(index);
    } else if (parenthesis === ")" && openParentheses.pop() === undefined) {
      closingParentheses.push(index);
    }
  }
  return [...openParentheses, ...closingParentheses];
};

/** Start of the unmatched parentheses at the end of a text. */
const findTextEnd = (text: string): number => {
  const unmatchedPositions = new Set(findUnmatchedParentheses(text));
  let end = text.length;
  while (end > 0 && text[end - 1] === ")" && unmatchedPositions.has(end - 1)) {
    end -= 1;
  }
  return end;
};

const readTokenInGroups = (remainingQuery: string, fields: ReadonlySet<string>): TokenResult => {
  const piece = bareText.exec(remainingQuery)?.[0] ?? "";
  if (
    remainingQuery.startsWith(")") ||
    (remainingQuery.startsWith("(") && findUnmatchedParentheses(piece).includes(0))
  ) {
    return { body: { kind: remainingQuery.startsWith("(") ? "open" : "close" }, length: 1 };
  }
  const token = readSlashed(remainingQuery, slashedTextInGroup) ?? readToken(remainingQuery, fields);
  return token.body.kind === "bare" ? readBare(piece.slice(0, Math.max(1, findTextEnd(piece)))) : token;
};

/**
 * Splits a query at white space into filters (`field:value`, `field:"value"`, `-field:value`), quoted strings, regular expressions
 * between slashes, and bare words. Quotes and slashes are only special at the start of a token. An unclosed quote produces `unbalanced`.
 * With `groups`, a parenthesis at the start or end of a token becomes a separate token if its counterpart is in a different token.
 * `f(x)` and `(a|b)` remain text.
 */
export const tokenise = (
  query: string,
  fields: ReadonlySet<string>,
  { groups = false }: { readonly groups?: boolean } = {},
): readonly QueryToken[] => {
  const readNextToken = groups ? readTokenInGroups : readToken;
  const tokens: QueryToken[] = [];
  let start = 0;
  while (start < query.length) {
    const space = /^\s+/u.exec(query.slice(start))?.[0].length ?? 0;
    if (space > 0) {
      start += space;
      continue;
    }
    const { body, length } = readNextToken(query.slice(start), fields);
    tokens.push({ ...body, start, end: start + length });
    start += length;
  }
  return tokens;
};
