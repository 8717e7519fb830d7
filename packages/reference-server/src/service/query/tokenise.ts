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

const readQuoted = (rest: string): TokenResult | undefined => {
  const match = quotedText.exec(rest);
  return match === null
    ? undefined
    : { body: { kind: "quoted", text: unescape(match.groups?.["text"] ?? "") }, length: match[0].length };
};

const readFilterValue = (rest: string): { readonly value: string; readonly length: number } | undefined => {
  if (/^["']/u.test(rest)) {
    const quoted = readQuoted(rest);
    return quoted?.body.kind === "quoted" ? { value: quoted.body.text, length: quoted.length } : undefined;
  }
  const value = bareText.exec(rest)?.[0] ?? "";
  return { value, length: value.length };
};

const readFilter = (rest: string, fields: ReadonlySet<string>): TokenResult | undefined => {
  const head = filterHead.exec(rest);
  const field = head?.groups?.["field"]?.toLowerCase();
  if (head === null || field === undefined) {
    return undefined;
  }
  const afterColon = rest.slice(head[0].length);
  if (!fields.has(field) && !filterValueStart.test(afterColon)) {
    return undefined;
  }
  const filterValue = readFilterValue(afterColon);
  return filterValue === undefined
    ? { body: { kind: "unbalanced" }, length: rest.length }
    : {
        body: { kind: "filter", field, isNegated: head.groups?.["minus"] === "-", value: filterValue.value },
        length: head[0].length + filterValue.length,
      };
};

const readSlashed = (rest: string, pattern: RegExp): TokenResult | undefined => {
  const match = pattern.exec(rest);
  return match === null
    ? undefined
    : { body: { kind: "slashed", text: match.groups?.["text"] ?? "" }, length: match[0].length };
};

const readBare = (rest: string): TokenResult => {
  const text = bareText.exec(rest)?.[0] ?? "";
  return { body: { kind: "bare", text }, length: text.length };
};

const readToken = (rest: string, fields: ReadonlySet<string>): TokenResult => {
  if (/^["']/u.test(rest)) {
    return readQuoted(rest) ?? { body: { kind: "unbalanced" }, length: bareText.exec(rest)?.[0].length ?? 1 };
  }
  return readFilter(rest, fields) ?? readSlashed(rest, slashedText) ?? readBare(rest);
};

/** Positions of unmatched parentheses, ignoring escaped ones. */
const unmatchedParentheses = (text: string): readonly number[] => {
  const openParentheses: number[] = [];
  const closing: number[] = [];
  for (const { 0: parenthesis, index } of text.matchAll(/\\.|[()]/gsu)) {
    if (parenthesis === "(") {
      openParentheses.push(index);
    } else if (parenthesis === ")" && openParentheses.pop() === undefined) {
      closing.push(index);
    }
  }
  return [...openParentheses, ...closing];
};

/** Start of the unmatched parentheses at the end of a text. */
const findTextEnd = (text: string): number => {
  const unmatched = new Set(unmatchedParentheses(text));
  let end = text.length;
  while (end > 0 && text[end - 1] === ")" && unmatched.has(end - 1)) {
    end -= 1;
  }
  return end;
};

const readTokenInGroups = (rest: string, fields: ReadonlySet<string>): TokenResult => {
  const piece = bareText.exec(rest)?.[0] ?? "";
  if (rest.startsWith(")") || (rest.startsWith("(") && unmatchedParentheses(piece).includes(0))) {
    return { body: { kind: rest.startsWith("(") ? "open" : "close" }, length: 1 };
  }
  const token = readSlashed(rest, slashedTextInGroup) ?? readToken(rest, fields);
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
