import { patternTypes } from "@assay/contract";
import type { SearchParameter } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import { cachePerObject } from "./cache-per-object.ts";

type SearchExchange = Pick<ExchangeRecord, "request">;

/** Returns the parameters of a search as sent, or none if the URL cannot be parsed. Cached, so do not change them. */
export const searchQuery = ({ request }: SearchExchange): URLSearchParams => parseQuery(request);

const parseQuery = cachePerObject(({ url }: ExchangeRecord["request"]) =>
  URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams(),
);

/** Parameters by name. */
interface ParameterLookup {
  readonly get: (name: string) => string | null | undefined;
}

/** Returns a parameter as an integer. It returns undefined if it is missing or not an integer. */
export function integerParameter(query: ParameterLookup, name: SearchParameter): number | undefined {
  const text = query.get(name) ?? "";
  return /^-?\d{1,9}$/u.test(text) ? Number(text) : undefined;
}

/** Returns a parameter as an integer, or 0 if it is not an integer of at least 1. */
export const positiveParameter = (query: ParameterLookup, name: SearchParameter): number =>
  Math.max(0, integerParameter(query, name) ?? 0);

/** Returns the key shared by equal searches of any client: every parameter, in any order. */
export const parameterKey = ({ record }: { readonly record: SearchExchange }): string => sortQuery(record.request);

const sortQuery = cachePerObject((request: ExchangeRecord["request"]) => {
  const query = new URLSearchParams(parseQuery(request));
  query.sort();
  return query.toString();
});

/** Spellings of booleans in the specification, the vendor's command line and its server. */
const booleanSpellings: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((word) => [word, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((word) => [word, false] as const),
]);

/** Returns a parameter as a boolean, or undefined. */
export const parseBooleanParameter = (value: string): boolean | undefined => booleanSpellings.get(value);

/**
 * Reports whether a search requests chunk matches. The default is false. It returns undefined if `cm` is not a boolean
 * or is set to both values, whose meaning is unspecified, and for a recording without the query.
 */
export function requestsChunkMatches(exchange: SearchExchange): boolean | undefined {
  const query = searchQuery(exchange);
  const cmValues = new Set(query.getAll("cm").map((value) => parseBooleanParameter(value)));
  if (!query.has("q") || cmValues.size > 1) {
    return undefined;
  }
  const [value = cmValues.size === 0 ? false : undefined] = cmValues;
  return value;
}

/** A number, or -1 for no limit. Other negative numbers are unspecified. */
const limitPattern = /^(?:-1|\d{1,9})$/u;
const flagPattern = /^(?:true|false)$/u;
const patternTypeNames: readonly string[] = patternTypes;

/** The documented values of each parameter except `q`. Source: search-stream, section 4. */
const isDocumentedValue: Readonly<Record<Exclude<SearchParameter, "q">, (value: string) => boolean>> = {
  v: (value) => value === "V3",
  t: (value) => patternTypeNames.includes(value),
  "max-line-len": (value) => limitPattern.test(value),
  cm: (value) => flagPattern.test(value),
  display: (value) => limitPattern.test(value),
  cl: (value) => /^\d{1,9}$/u.test(value),
};

const isDocumented = (name: string): name is keyof typeof isDocumentedValue => Object.hasOwn(isDocumentedValue, name);

/** Reports whether a search sets only documented parameters to documented values, and at least one besides `q`. */
export function hasDocumentedParameters(query: URLSearchParams): boolean {
  const otherParameters = [...query].filter(([name]) => name !== "q");
  return (
    otherParameters.length > 0 &&
    otherParameters.every(([name, value]) => isDocumented(name) && isDocumentedValue[name](value))
  );
}
