import { observedFilterKinds, observedSeverities, observedSkippedReasons } from "../vocabulary.ts";
import type { JsonSchema } from "./open-api-document.ts";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
/** A count, a duration or a position: never negative. */
const count = { type: "integer", minimum: 0 } as const;
const flag = { type: "boolean" } as const;

/**
 * An absolute URL, or a path from the root of the instance. Without one the member is left out: an empty text is not
 * a URL.
 */
const address = "^([A-Za-z][A-Za-z0-9+.-]*:[^\\s]+|/[^\\s]*)$";

/** A hexadecimal hash, possibly abbreviated. Without one the member is left out: an empty text is not a hash. */
const hash = "^[0-9A-Fa-f]{7,64}$";

const ref = <const Name extends string>(name: Name) => ({ $ref: `#/components/schemas/${name}` as const });

/** Returns a match whose fields the specification does not show. */
const openMatch = <const Type extends string>(type: Type) =>
  ({
    type: "object",
    description: `A match of type ${type}. Its other fields are not documented.`,
    required: ["type"],
    properties: { type: { type: "string", const: type } },
  }) as const;

/**
 * A date and time of ISO 8601, in the extended or the basic form, with or without fraction and offset. Wider than the
 * format `date-time` of RFC 3339, which demands an offset that the specification does not. Matches in linear time.
 */
const isoTimestamp = [
  // A year, then a month and a day, a week and a weekday, or a day of the year.
  "^[+-]?(\\d{4,6}-?((0[1-9]|1[0-2])-?(0[1-9]|1\\d|2[0-8])|(0[13-9]|1[0-2])-?(29|30)|(0[13578]|1[02])-?31|W(0[1-9]|[1-4]\\d|5[0-3])-?[1-7]|[0-3]\\d\\d)|\\d{2,4}([02468][048]|[13579][26])-?02-?29)",
  "[Tt]([01]\\d|2[0-4])(:?[0-5]\\d(:?([0-5]\\d|60))?)?([.,]\\d+)?",
  "([Zz]|[+\\u2212-]\\d{2}(:?\\d{2})?)?$",
].join("");

const filterSchemas = {
  FilterSuggestion: {
    type: "object",
    description: "A filter that would narrow the search.",
    required: ["value", "label", "count", "exhaustive", "kind"],
    properties: {
      value: {
        type: "string",
        pattern: "\\S",
        description: "The filter to add to the query.",
        examples: ["archived:yes", "lang:go"],
      },
      label: { type: "string", description: "What to show for the filter." },
      count: { type: "integer", minimum: 0, description: "Number of matches the filter keeps." },
      exhaustive: flag,
      kind: { type: "string", description: "The kind of filter; an open set.", examples: observedFilterKinds },
    },
  },
} as const satisfies Record<string, JsonSchema>;

const progressSchemas = {
  Progress: {
    type: "object",
    description: "How far the search is.",
    required: ["done", "matchCount", "durationMs"],
    properties: {
      done: { type: "boolean", description: "True once the search has finished." },
      repositoriesCount: {
        type: "integer",
        minimum: 0,
        description: "Part of the final progress.",
      },
      matchCount: count,
      durationMs: { type: "integer", minimum: 0, description: "Time since the search began, in milliseconds." },
      skipped: { type: "array", description: "Why results may be missing; may be left out.", items: ref("Skipped") },
      trace: { type: "string", description: "Address of a trace of the search.", pattern: address },
    },
  },
  Skipped: {
    type: "object",
    description: "One reason why results may be missing.",
    required: ["reason", "title", "message", "severity"],
    properties: {
      reason: { type: "string", description: "Code of the reason; an open set.", examples: observedSkippedReasons },
      title: text,
      message: text,
      severity: { type: "string", description: "The severity; an open set.", examples: observedSeverities },
      suggested: ref("SuggestedQuery"),
    },
  },
  SuggestedQuery: {
    type: "object",
    description: "A change of the query that finds more.",
    required: ["title", "queryExpression"],
    properties: { title: text, queryExpression: { type: "string", examples: ["count:1000", "archived:yes"] } },
  },
} as const satisfies Record<string, JsonSchema>;

const positionSchemas = {
  Position: {
    type: "object",
    description: "A place in a text. Units and whether counting starts at 0 or 1 are not documented.",
    required: ["offset", "line", "column"],
    properties: { offset: count, line: count, column: count },
  },
  Range: {
    type: "object",
    description: "The text between two positions.",
    required: ["start", "end"],
    properties: { start: ref("Position"), end: ref("Position") },
  },
  LineMatch: {
    type: "object",
    description: "A line with its matching ranges.",
    required: ["line", "lineNumber", "offsetAndLengths"],
    properties: {
      line: text,
      lineNumber: count,
      offsetAndLengths: {
        type: "array",
        description: "Pairs of an offset and a length.",
        items: { type: "array", items: integer, minItems: 2, maxItems: 2 },
      },
    },
  },
} as const satisfies Record<string, JsonSchema>;

const matchSchemas = {
  ContentMatch: {
    type: "object",
    description: "A file whose content matches. Only `hunks` may be null; chunk matches are not documented further.",
    required: ["type", "path", "repositoryID", "repository", "hunks"],
    properties: {
      type: { type: "string", const: "content" },
      path: text,
      pathMatches: { type: "array", items: ref("Range") },
      repositoryID: integer,
      repository: text,
      repoStars: integer,
      repoLastFetched: {
        type: "string",
        description: "A point in time as in ISO 8601.",
        pattern: isoTimestamp,
        examples: ["2024-05-17T08:30:00.123456Z"],
      },
      branches: { type: "array", items: text },
      commit: { type: "string", description: "Hash of the commit.", pattern: hash },
      hunks: { type: ["array", "null"] },
      lineMatches: { type: "array", items: ref("LineMatch") },
      language: text,
    },
  },
  PathMatch: openMatch("path"),
  CommitMatch: openMatch("commit"),
  DiffMatch: openMatch("diff"),
  SymbolMatch: openMatch("symbol"),
  RepoMatch: openMatch("repo"),
  Match: {
    description: "One result; the types are a closed set.",
    type: "object",
    required: ["type"],
    properties: { type: text },
    oneOf: [
      ref("ContentMatch"),
      ref("PathMatch"),
      ref("CommitMatch"),
      ref("DiffMatch"),
      ref("SymbolMatch"),
      ref("RepoMatch"),
    ],
    discriminator: {
      propertyName: "type",
      mapping: {
        content: "#/components/schemas/ContentMatch",
        path: "#/components/schemas/PathMatch",
        commit: "#/components/schemas/CommitMatch",
        diff: "#/components/schemas/DiffMatch",
        symbol: "#/components/schemas/SymbolMatch",
        repo: "#/components/schemas/RepoMatch",
      },
    },
  },
} as const satisfies Record<string, JsonSchema>;

const eventSchemas = {
  MatchesEvent: { type: "array", description: "Data of the event `matches`.", items: ref("Match") },
  ProgressEvent: { description: "Data of the event `progress`.", ...ref("Progress") },
  FiltersEvent: { type: "array", description: "Data of the event `filters`.", items: ref("FilterSuggestion") },
  AlertEvent: {
    type: "object",
    description: "Data of the event `alert`: an information, a warning or an error. Its fields are not documented.",
  },
  DoneEvent: { type: "object", description: "Data of the event `done`, always the last.", maxProperties: 0 },
} as const satisfies Record<string, JsonSchema>;

/**
 * Schemas of everything in the stream. Unlisted members are always permitted. Required members are those that the
 * specification lists without a condition and that every match, progress, entry or filter has. Members that one of
 * them need not have, such as stars, a language or a reason for missing results, may be left out. Source:
 * search-stream, section 2.
 */
export const searchStreamSchemas = {
  ...eventSchemas,
  ...matchSchemas,
  ...positionSchemas,
  ...progressSchemas,
  ...filterSchemas,
} as const satisfies Record<string, JsonSchema>;

/** Name of a schema of the document. */
export type SearchStreamSchemaName = keyof typeof searchStreamSchemas;
