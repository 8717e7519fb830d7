import { patternTypes } from "@assay/contract";
import type { SearchParameter } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";

/** Parameters of a search as sent; none if the address cannot be parsed. */
export function searchQuery({ request }: Pick<ExchangeRecord, "request">): URLSearchParams {
  return URL.canParse(request.url) ? new URL(request.url).searchParams : new URLSearchParams();
}

/** Parameters by name. */
interface ParameterLookup {
  readonly get: (name: string) => string | null | undefined;
}

/** A parameter as an integer; undefined if it is missing or not an integer. */
export function integerParameter(query: ParameterLookup, name: SearchParameter): number | undefined {
  const text = query.get(name) ?? "";
  return /^-?\d{1,9}$/u.test(text) ? Number(text) : undefined;
}

/** Key that is equal for the same search by any sender: every parameter, in any order. */
export function sameSearch({ record }: { readonly record: Pick<ExchangeRecord, "request"> }): string {
  const query = searchQuery(record);
  query.sort();
  return query.toString();
}

/** Spellings of booleans: those of the specification, of the vendor's command line and of its server. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((word) => [word, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((word) => [word, false] as const),
]);

/** A parameter as a boolean; undefined if it is not one. */
export const booleanParameter = (value: string): boolean | undefined => booleans.get(value);

/**
 * Reports whether a search asks for chunk matches; the default is no. Undefined if `cm` is not a boolean or is set to
 * both, whose meaning is unspecified, and for a recording without its query.
 */
export function chunkMatchesAsked(exchange: Pick<ExchangeRecord, "request">): boolean | undefined {
  const query = searchQuery(exchange);
  const given = new Set(query.getAll("cm").map((value) => booleanParameter(value)));
  if (!query.has("q") || given.size > 1) {
    return undefined;
  }
  const [value = given.size === 0 ? false : undefined] = given;
  return value;
}

/** A number, or -1 for no limit; other negative numbers are unspecified. */
const limit = /^(?:-1|\d{1,9})$/u;
const flag = /^(?:true|false)$/u;
const patterns: readonly string[] = patternTypes;

/** The documented values of each parameter besides `q`. Source: search-stream, section 4. */
const shows: Readonly<Record<Exclude<SearchParameter, "q">, (value: string) => boolean>> = {
  v: (value) => value === "V3",
  t: (value) => patterns.includes(value),
  "max-line-len": (value) => limit.test(value),
  cm: (value) => flag.test(value),
  display: (value) => limit.test(value),
  cl: (value) => /^\d{1,9}$/u.test(value),
};

const isDocumented = (name: string): name is keyof typeof shows => Object.hasOwn(shows, name);

/** Reports whether a search sets only documented parameters to documented values, and at least one besides `q`. */
export function hasDocumentedParameters(query: URLSearchParams): boolean {
  const others = [...query].filter(([name]) => name !== "q");
  return others.length > 0 && others.every(([name, value]) => isDocumented(name) && shows[name](value));
}
