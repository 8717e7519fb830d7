import type { CredentialKind, ExchangeRecord } from "@assay/evidence";
import { parseBooleanParameter, positiveParameter, searchQuery } from "../search-query.ts";

/** The parts of a search request that rules compare. */
export interface Search {
  readonly credential: CredentialKind;
  /** The URL without parameters. */
  readonly path: string;
  /** Sorted by name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Returns the search of an exchange. It returns undefined if the query is empty, a parameter is repeated, or the
 * credential is unknown (unless `allowUnknownCredential`).
 */
export function parseSearch(
  record: Pick<ExchangeRecord, "request" | "credential">,
  allowUnknownCredential = false,
): Search | undefined {
  return record.credential === "unknown" && !allowUnknownCredential ? undefined : readSearch(record);
}

/** Searches by credential and URL. A run sends the same searches many times, and rules cache their keys by search. */
const searches = new Map<string, Search | undefined>();
const maxSearches = 1_000;

function readSearch(record: Pick<ExchangeRecord, "request" | "credential">): Search | undefined {
  const key = `${record.credential} ${record.request.url}`;
  if (!searches.has(key)) {
    if (searches.size === maxSearches) {
      searches.clear();
    }
    searches.set(key, parseUrl(record));
  }
  return searches.get(key);
}

function parseUrl({ credential, request }: Pick<ExchangeRecord, "request" | "credential">): Search | undefined {
  const query = [...searchQuery({ request })].map(normalizeParameter).sort(byName);
  const parameters = new Map(query);
  if (parameters.size < query.length || (parameters.get("q") ?? "").trim() === "") {
    return undefined;
  }
  const { origin, pathname } = new URL(request.url);
  return { credential, path: `${origin}${pathname}`, parameters };
}

/** Writes the value of `cm` in its documented spelling, because equal searches may spell it differently. */
function normalizeParameter([name, value]: readonly [string, string]): readonly [string, string] {
  const flag = name === "cm" ? parseBooleanParameter(value) : undefined;
  return [name, flag === undefined ? value : String(flag)];
}

/** Changes of sent parameters, applied before the key is computed. The value undefined removes a parameter. */
export type SearchChanges = Readonly<Record<string, string | undefined>>;

const byName = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  left < right ? -1 : Number(left > right);

/**
 * Returns the key shared by searches with the same credential, path and parameters. Applies the changes first. The
 * order of parameters does not matter.
 */
export function searchKey({ credential, path, parameters }: Search, changes: SearchChanges = {}): string {
  const parts: string[] = [credential, path];
  for (const [name, sentValue] of parameters) {
    const value = Object.hasOwn(changes, name) ? changes[name] : sentValue;
    if (value !== undefined) {
      parts.push(name, value);
    }
  }
  return JSON.stringify(parts);
}

/**
 * Returns changes that remove chunk-match parameters without effect: those with their default value, and all of them if
 * `cm` is off. Other rules check that omitting `v`, `t` or `display` equals sending its default. Source: search-stream,
 * section 4.
 */
export function ineffectiveParameters(search: Search): SearchChanges {
  if (omitsChunks(search)) {
    return { cm: undefined, cl: undefined, "max-line-len": undefined };
  }
  const { parameters } = search;
  return {
    ...(parameters.get("cl") === "1" ? { cl: undefined } : {}),
    ...(limitsLineLength(search) ? {} : { "max-line-len": undefined }),
  };
}

/**
 * Returns the key shared by searches with the same credential that differ only in parameters without effect. They must
 * return the same results.
 */
export const equalResultsKey = (search: Search): string => searchKey(search, ineffectiveParameters(search));

/** Returns the maximum number of times that any one search was sent. */
export function maxTimesSent(sentSearches: readonly { readonly search: Search }[]): number {
  const times = new Map<string, number>();
  for (const { search } of sentSearches) {
    times.set(searchKey(search), (times.get(searchKey(search)) ?? 0) + 1);
  }
  return Math.max(0, ...times.values());
}

/** Returns the value of `display`, or 0 if it is not an integer of at least 1. */
export const displayLimit = ({ parameters }: Search): number => positiveParameter(parameters, "display");

/** Reports whether `display` rarely limits the matches of a comparison. A search that it limits is not complete. */
export const hasAmpleDisplay = (search: Search): boolean => displayLimit(search) >= 1000;

/** Reports whether `display` is small enough to limit the matches of most searches. */
export const hasSmallDisplay = (search: Search): boolean => limitsDisplay(search) && !hasAmpleDisplay(search);

/** Reports whether `display` limits the returned matches. -1 is the default. */
export const limitsDisplay = ({ parameters }: Search): boolean => (parameters.get("display") ?? "-1") !== "-1";

/** Reports whether lines of chunk matches may be truncated. Undocumented values may truncate too. -1 is the default. */
export const limitsLineLength = ({ parameters }: Search): boolean => (parameters.get("max-line-len") ?? "-1") !== "-1";

/** Reports whether chunk matches are off: `cm` is absent or has its default value. */
export const omitsChunks = ({ parameters }: Search): boolean => (parameters.get("cm") ?? "false") === "false";

/** Reports whether chunk matches are on. */
export const requestsChunks = ({ parameters }: Search): boolean => parameters.get("cm") === "true";

/** Returns the maximum line length of a search with chunk matches, or 0 if it is not a positive integer. */
export const maxChunkLineLength = (search: Search): number =>
  requestsChunks(search) ? positiveParameter(search.parameters, "max-line-len") : 0;

/** Returns the value of `v` as sent. */
export const sentVersion = ({ parameters }: Search): string | undefined => parameters.get("v");

/** Returns the value of `t` as sent. */
export const sentPatternType = ({ parameters }: Search): string | undefined => parameters.get("t");

/** Returns the key shared by searches with the same query and credential, regardless of other parameters. */
export const queryKey = ({ credential, path, parameters }: Search): string =>
  JSON.stringify([credential, path, parameters.get("q")]);
