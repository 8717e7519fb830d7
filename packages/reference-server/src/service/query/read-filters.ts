import { defined, closestName } from "@assay/contract";
import { findLanguageByName, languageNames } from "../repositories/language-table.ts";
import { QueryError } from "./query-error.ts";
import { resultTypes, supportedPatternTypes } from "./search-query.ts";
import type { PatternType, ResultType, SearchQuery, SelectedPart, Selection } from "./search-query.ts";
import type { QueryToken } from "./tokenise.ts";

const selectedParts: Readonly<Record<string, SelectedPart>> = {
  repo: { kind: "repo" },
  file: { kind: "file" },
  content: { kind: "content" },
  symbol: { kind: "symbol" },
  commit: { kind: "commit" },
  "commit.diff": { kind: "diff" },
};

const symbolValue =
  /^symbol\.(?<kind>class|constant|enum|function|interface|method|module|struct|type-parameter|variable)$/u;

/** Parses a value of `select:`. Returns undefined if it is unknown. */
const parseSelectedPart = (value: string): SelectedPart | undefined => {
  const name = value.toLowerCase();
  const kind = symbolValue.exec(name)?.groups?.["kind"];
  if (kind !== undefined) {
    return { kind: "symbol", symbolKind: kind.replaceAll("-", "") };
  }
  return Object.hasOwn(selectedParts, name) ? selectedParts[name] : undefined;
};

export type FilterToken = Extract<QueryToken, { kind: "filter" }>;

/** Canonical filter names, keyed by accepted spelling. */
const canonicalFields: Readonly<Record<string, string>> = {
  r: "repo",
  repo: "repo",
  f: "file",
  file: "file",
  l: "lang",
  lang: "lang",
  language: "lang",
  type: "type",
  select: "select",
  count: "count",
  case: "case",
  patterntype: "patterntype",
  timeout: "timeout",
  archived: "archived",
  fork: "fork",
};

/** Spellings of supported filters, in lower case. */
export const knownFields: ReadonlySet<string> = new Set(Object.keys(canonicalFields));

/** Values of the filters of a query. The pattern type is absent if no filter sets it. */
export type FilterValues = Omit<SearchQuery, "terms" | "expression"> & { readonly patternType?: PatternType };

/** The value of `count:all`. */
const exhaustiveCount = 1_000_000;
/** Longer timeouts are reduced to this one. */
const maxTimeoutMs = 60_000;

const booleanValues: Readonly<Record<string, boolean>> = {
  yes: true,
  y: true,
  true: true,
  t: true,
  "1": true,
  no: false,
  n: false,
  false: false,
  f: false,
  "0": false,
};

const durationUnitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const createFilterError = ({ field, value }: FilterToken, expected: string): QueryError =>
  new QueryError(`The filter ${field}:${value} is not supported. Use ${expected}.`);

const readCount = (token: FilterToken): number => {
  if (token.value.toLowerCase() === "all") {
    return exhaustiveCount;
  }
  const count = /^\d{1,9}$/u.test(token.value) ? Number(token.value) : 0;
  if (count === 0) {
    throw createFilterError(token, "a positive number or all");
  }
  return Math.min(count, exhaustiveCount);
};

const readBoolean = (token: FilterToken): boolean => {
  const flag = Object.hasOwn(booleanValues, token.value.toLowerCase())
    ? booleanValues[token.value.toLowerCase()]
    : undefined;
  if (flag === undefined) {
    throw createFilterError(token, "yes or no");
  }
  return flag;
};

const readDurationMs = (token: FilterToken): number => {
  const duration = /^(?<number>\d{1,6}(?:\.\d{1,3})?)(?<unit>ms|s|m|h)$/u.exec(token.value)?.groups;
  const unitMs = durationUnitsMs[duration?.["unit"] ?? ""];
  if (duration === undefined || unitMs === undefined) {
    throw createFilterError(token, "a duration such as 500ms or 10s");
  }
  return Math.min(maxTimeoutMs, Number(duration["number"]) * unitMs);
};

const readLanguage = (token: FilterToken): string => {
  const language = findLanguageByName(token.value);
  if (language === undefined) {
    throw createFilterError(token, `a known language, such as ${closestName(token.value, languageNames) ?? ""}`);
  }
  return language;
};

const readType = (token: FilterToken): ResultType => {
  const type = resultTypes.find((name) => name === token.value.toLowerCase());
  if (type === undefined) {
    throw createFilterError(token, `one of: ${resultTypes.join(", ")}`);
  }
  return type;
};

const readSelectedPart = (token: FilterToken): SelectedPart => {
  const part = parseSelectedPart(token.value);
  if (part === undefined) {
    throw createFilterError(token, "one of: repo, file, content, symbol, symbol.<kind>, commit, commit.diff");
  }
  return part;
};

const readPatternType = (token: FilterToken): PatternType => {
  const patternType = supportedPatternTypes.find((name) => name === token.value.toLowerCase());
  if (patternType === undefined) {
    throw createFilterError(token, `one of: ${supportedPatternTypes.join(", ")}`);
  }
  return patternType;
};

const readRepository = (token: FilterToken): string => {
  if (/@/u.test(token.value)) {
    throw new QueryError(
      `The filter ${token.field}:${token.value} is not supported: this server searches only the checked-out revision. Remove ${token.value.slice(token.value.indexOf("@"))}.`,
    );
  }
  return token.value;
};

const readField = (token: FilterToken): string => {
  const field = Object.hasOwn(canonicalFields, token.field) ? canonicalFields[token.field] : undefined;
  if (field === undefined) {
    const text = `${token.isNegated ? "-" : ""}${token.field}:${token.value}`;
    throw new QueryError(
      `This server does not support the filter ${token.field}:. Did you mean ${closestName(token.field, [...knownFields]) ?? ""}:? ` +
        "Put the text in quotes to search for it.",
      { description: "search for the text", query: JSON.stringify(text) },
    );
  }
  if (token.value === "" || /[\0\n\r]/u.test(token.value)) {
    throw new QueryError(`The filter ${field}: needs a single-line value.`);
  }
  if (token.isNegated && !["repo", "file", "lang"].includes(field)) {
    throw new QueryError(`The filter ${field}: cannot be negated.`);
  }
  return field;
};

/**
 * Parses all filters of a query. If a single-value filter is repeated, the last one wins. Throws QueryError for
 * unknown filters and values.
 */
export const readFilters = (tokens: readonly FilterToken[]): FilterValues => {
  const fieldTokens = tokens.map((token) => ({ field: readField(token), token }));
  const findAll = (field: string): readonly FilterToken[] =>
    fieldTokens.filter((entry) => entry.field === field).map(({ token }) => token);
  const readIncludeExclude = (field: string, read: (token: FilterToken) => string): Selection => ({
    include: findAll(field)
      .filter(({ isNegated }) => !isNegated)
      .map(read),
    exclude: findAll(field)
      .filter(({ isNegated }) => isNegated)
      .map(read),
  });
  const findLast = <Value>(field: string, read: (token: FilterToken) => Value): Value | undefined =>
    findAll(field).map(read).at(-1);
  const count = findLast("count", readCount);
  const timeoutMs = findLast("timeout", readDurationMs);
  const patternType = findLast("patterntype", readPatternType);
  const select = findLast("select", readSelectedPart);
  return {
    caseSensitive: findLast("case", readBoolean) ?? false,
    repo: readIncludeExclude("repo", readRepository),
    file: readIncludeExclude("file", ({ value }) => value),
    lang: readIncludeExclude("lang", readLanguage),
    types: new Set(findAll("type").map(readType)),
    ...defined({ select, count, timeoutMs, patternType }),
  };
};
