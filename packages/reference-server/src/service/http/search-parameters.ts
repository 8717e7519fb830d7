import type { Refusal } from "../access.ts";
import type { ContextLines } from "../ripgrep/context-lines.ts";

/** Validated parameters of a search. */
export interface SearchParameters {
  readonly q: string;
  /** Name of the pattern type, from `t`, or from `v` if `t` is absent. */
  readonly patternType: string;
  /** Absent for no limit. */
  readonly display?: number | undefined;
  /** Absent if lines are not cut. */
  readonly maxLineBytes?: number | undefined;
  readonly chunkMatches: boolean;
  /** Context lines of chunks. */
  readonly context: ContextLines;
}

export type ParametersResult =
  | { readonly ok: true; readonly parameters: SearchParameters }
  /** The response is `refusal` if set, otherwise a stream of `error` and `done`. */
  | { readonly ok: false; readonly message: string; readonly refusal?: Refusal };

class ParameterError extends Error {}

const maxInt64 = 2n ** 63n;
const maxUint32 = 2 ** 32 - 1;
const defaultContextLines = 1;

/** Quotes text like the service. For printable text the result equals JSON. */
const quoteValue = (value: string): string => JSON.stringify(value);

const parseInteger = (value: string, describe: (reason: string) => string): number => {
  const createError = (cause: string): ParameterError =>
    new ParameterError(describe(`strconv.Atoi: parsing ${quoteValue(value)}: ${cause}`));
  if (!/^[+-]?\d+$/u.test(value)) {
    throw createError("invalid syntax");
  }
  const number = BigInt(value.replace(/^\+/u, ""));
  if (number >= maxInt64 || number < -maxInt64) {
    throw createError("value out of range");
  }
  return Number(number);
};

const parseUint32 = (value: string, describe: (reason: string) => string): number => {
  const number = /^\d+$/u.test(value) ? Number(value) : undefined;
  if (number === undefined || number > maxUint32) {
    const cause = number === undefined ? "invalid syntax" : "value out of range";
    throw new ParameterError(describe(`strconv.ParseUint: parsing ${quoteValue(value)}: ${cause}`));
  }
  return number;
};

const trueValues = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const falseValues = new Set(["0", "f", "F", "FALSE", "false", "False"]);

const parseBoolean = (value: string, describe: (reason: string) => string): boolean => {
  if (!trueValues.has(value) && !falseValues.has(value)) {
    throw new ParameterError(describe(`strconv.ParseBool: parsing ${quoteValue(value)}: invalid syntax`));
  }
  return trueValues.has(value);
};

const patternTypesByVersion: Readonly<Record<string, string>> = { V1: "regexp", V2: "literal", V3: "standard" };
const recognisedTypes = new Set([
  "standard",
  "literal",
  "regexp",
  "structural",
  "lucky",
  "keyword",
  "newStandardRC1",
  "codycontext",
  "nls",
]);

const choosePatternType = (t: string, v: string): string => {
  if (t !== "" && !recognisedTypes.has(t)) {
    throw new ParameterError(`unrecognized patternType ${quoteValue(t)}`);
  }
  if (t !== "") {
    return t;
  }
  const version = v === "" ? "V3" : v;
  const type = Object.hasOwn(patternTypesByVersion, version) ? patternTypesByVersion[version] : undefined;
  if (type === undefined) {
    throw new ParameterError(`unrecognized version: want "V1", "V2", or "V3", got ${quoteValue(version)}`);
  }
  return type;
};

/** Parses a value unless it is absent. Empty values are treated as absent. */
const readOptional = <Value>(value: string, read: (value: string) => Value): Value | undefined =>
  value === "" ? undefined : read(value);

const readParameters = (query: URLSearchParams): SearchParameters => {
  const get = (name: string): string => query.get(name) ?? "";
  const q = get("q");
  if (q === "") {
    throw new ParameterError("no query found");
  }
  const display = readOptional(get("display"), (value) =>
    parseInteger(value, (reason) => `display must be an integer, got ${quoteValue(value)}: ${reason}`),
  );
  const maxLineBytes = readOptional(get("max-line-len"), (value) =>
    // Like real instances, this quotes the value of the wrong parameter.
    parseInteger(value, (reason) => `max-line-len must be an integer, got ${quoteValue(get("display"))}: ${reason}`),
  );
  const chunkMatches = readOptional(get("cm"), (value) =>
    parseBoolean(
      value,
      (reason) => `chunk matches must be parseable as a boolean, got ${quoteValue(value)}: ${reason}`,
    ),
  );
  const contextLines =
    readOptional(get("cl"), (value) =>
      parseUint32(
        value,
        // Like real instances, this says boolean.
        (reason) => `context lines must be parseable as a boolean, got ${quoteValue(value)}: ${reason}`,
      ),
    ) ?? defaultContextLines;
  readOptional(get("sm"), (value) =>
    parseInteger(value, (reason) => `search mode must be integer, got ${quoteValue(value)}: ${reason}`),
  );
  const patternType = choosePatternType(get("t"), get("v"));
  return {
    q,
    patternType,
    chunkMatches: chunkMatches ?? false,
    context: { before: contextLines, after: contextLines },
    ...(display === undefined || display < 0 ? {} : { display }),
    ...(maxLineBytes === undefined || maxLineBytes <= 0 ? {} : { maxLineBytes }),
  };
};

/**
 * Validates parameters in the order of the service and reports the first invalid one. Ignores unknown parameters. If a parameter is
 * repeated, the first value is used. Source: search-stream, section 4.
 */
export const checkParameters = (queryParameters: URLSearchParams): ParametersResult => {
  try {
    return { ok: true, parameters: readParameters(queryParameters) };
  } catch (error) {
    if (error instanceof ParameterError) {
      return { ok: false, message: error.message };
    }
    throw error;
  }
};
