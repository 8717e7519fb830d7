import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { PayloadObject } from "../payload.ts";
import {
  changeElements,
  changeFirstElement,
  changeFirstObject,
  isFinalProgress,
  isNamed,
  isRunningProgress,
  replaceFirst,
  without,
} from "./event-transforms.ts";
import { variantOf, howParameter } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
import type { Fault } from "./fault.ts";
import { archivedEntry } from "./skipped-transforms.ts";
import { halved, having, lacking } from "./spoiling.ts";
import type { Spoil } from "./spoiling.ts";

const isContent = (match: Readonly<Record<string, unknown>>): boolean => match["type"] === "content";
/** Line matches whose line numbers lie between two lines. */
const betweenLines = (lineMatches: unknown): unknown =>
  isPayloadArray(lineMatches)
    ? lineMatches.map((line) =>
        isPayloadObject(line) ? { ...line, lineNumber: Number(line["lineNumber"]) + 0.5 } : line,
      )
    : lineMatches;

const noLists: Variants<(list: unknown) => unknown> = {
  "first-match": (list) => (isPayloadArray(list) ? list[0] : list),
  null: () => null,
  text: () => "[]",
};
const noMatches: Variants<unknown> = { text: "a match", null: null, list: [] };
const noTypes: Variants<unknown> = { number: 1, null: null, list: ["content"] };

const anything = (): boolean => true;

const contentSchema = "stream/content-match-fits-schema";

const position = { offset: 0, line: 0, column: 0 } as const;

/** Spoils every line match: were one left whole, it would be another search that finds it. */
const eachLine =
  (spoil: Spoil): Spoil =>
  (match) => ({
    ...match,
    lineMatches: isPayloadArray(match["lineMatches"])
      ? match["lineMatches"].map((line) => (isPayloadObject(line) ? spoil(line) : line))
      : match["lineMatches"],
  });

const ofFile: Variants<Spoil> = {
  "path-missing": lacking("path"),
  "path-null": having("path", null),
  "path-matches-object": having("pathMatches", {}),
  "path-match-text": having("pathMatches", ["0-3"]),
  "path-match-without-end": having("pathMatches", [{ start: position }]),
  "path-match-start-number": having("pathMatches", [{ start: 0, end: position }]),
  "path-match-half-column": having("pathMatches", [{ start: { ...position, column: 0.5 }, end: position }]),
  "path-match-negative": having("pathMatches", [{ start: { ...position, offset: -1 }, end: position }]),
  "path-match-without-line": having("pathMatches", [{ start: { offset: 0, column: 0 }, end: position }]),
  "repository-null": having("repository", null),
  "repository-id-missing": lacking("repositoryID"),
  "repository-id-half": halved("repositoryID"),
  "path-matches-null": having("pathMatches", null),
  "stars-null": having("repoStars", null),
  "fetched-null": having("repoLastFetched", null),
  "branches-null": having("branches", null),
  "language-null": having("language", null),
  "stars-text": having("repoStars", "many"),
  "fetched-no-time": having("repoLastFetched", "yesterday"),
  "fetched-no-day": having("repoLastFetched", "2024-02-30T10:00:00Z"),
  "fetched-no-leap-day": having("repoLastFetched", "2023-02-29T10:00:00Z"),
  "fetched-number": having("repoLastFetched", 1_700_000_000),
  "branches-numbers": having("branches", [1]),
  "commit-number": having("commit", 1),
  "commit-null": having("commit", null),
  "commit-no-hash": having("commit", "HEAD"),
  "hunks-missing": lacking("hunks"),
  "hunks-object": having("hunks", {}),
  "language-number": having("language", 1),
};

const ofLines: Variants<Spoil> = {
  "lines-null": having("lineMatches", null),
  "lines-object": having("lineMatches", {}),
  "line-text": having("lineMatches", ["a line"]),
  "line-without-text": eachLine(lacking("line")),
  "line-text-null": eachLine(having("line", null)),
  "line-without-number": eachLine(lacking("lineNumber")),
  "line-number-negative": eachLine(having("lineNumber", -1)),
  "line-number-text": eachLine(having("lineNumber", "1")),
  "line-without-pairs": eachLine(lacking("offsetAndLengths")),
  "pairs-object": eachLine(having("offsetAndLengths", {})),
  "pair-number": eachLine(having("offsetAndLengths", [0])),
  "pair-of-three": eachLine(having("offsetAndLengths", [[0, 1, 2]])),
  "pair-of-one": eachLine(having("offsetAndLengths", [[0]])),
  "pair-half": eachLine(having("offsetAndLengths", [[0.5, 1]])),
};

const ways: Variants<Spoil> = { ...ofFile, ...ofLines };

const hasLines = (match: PayloadObject): boolean => isPayloadArray(match["lineMatches"]);

/** Faults in the data of events. They change matches and never add one, so that no limit is passed. */
export const schemaFaults: readonly Fault[] = [
  {
    id: "matches-not-array",
    title: "matches that are not an array",
    description: "The data of the first matches is its first match, or null, instead of an array.",
    kind: "violation",
    attacks: "stream/matches-is-an-array",
    parameters: howParameter(noLists),
    ...replaceFirst(isNamed("matches"), ({ name, data }, run) => [{ name, data: variantOf(noLists, run)?.(data) }]),
  },
  {
    id: "match-without-type",
    title: "a match without a type",
    description: "The first match has no field `type`.",
    kind: "violation",
    attacks: "stream/matches-is-an-array",
    ...changeFirstElement("matches", anything, (match) => without(match, "type")),
  },
  {
    id: "match-not-object",
    title: "a match that is no object",
    description: "The first match is a text, or something else that is no object.",
    kind: "violation",
    attacks: "stream/matches-is-an-array",
    parameters: howParameter(noMatches),
    ...changeFirstElement("matches", anything, (_match, run) => variantOf(noMatches, run)),
  },
  {
    id: "match-type-not-text",
    title: "a match whose type is no text",
    description: "The type of the first match is a number, or something else that is no text.",
    kind: "violation",
    attacks: "stream/matches-is-an-array",
    parameters: howParameter(noTypes),
    ...changeFirstElement("matches", anything, (match, run) => ({ ...match, type: variantOf(noTypes, run) })),
  },
  {
    id: "results-of-another-type",
    title: "results of a kind whose type is not listed",
    description: "Every result of the type `diff`, or of another one, carries the type `result`.",
    kind: "violation",
    attacks: "stream/match-type-is-listed",
    parameters: { type: { title: "of what type", default: "diff", choices: ["diff", "symbol"] } },
    ...changeElements("matches", (match, { values }) =>
      match["type"] === values["type"] ? { ...match, type: "result" } : undefined,
    ),
  },
  {
    id: "unknown-match-type",
    title: "a match of an unlisted type",
    description: "The first match is replaced by one of type `person`.",
    kind: "violation",
    attacks: "stream/match-type-is-listed",
    ...changeFirstElement("matches", anything, () => ({
      type: "person",
      handle: "reviewer",
      email: "reviewer@example.org",
    })),
  },
  {
    id: "content-without-repository",
    title: "a content match without its repository",
    description: "The first content match has no field `repository`.",
    kind: "violation",
    attacks: contentSchema,
    ...changeFirstElement("matches", isContent, (match) => without(match, "repository")),
  },
  {
    id: "content-repository-id-is-text",
    title: "a repository id that is a text",
    description: "The `repositoryID` of the first content match is a string of digits.",
    kind: "violation",
    attacks: contentSchema,
    ...changeFirstElement("matches", isContent, (match) => ({ ...match, repositoryID: String(match["repositoryID"]) })),
  },
  {
    id: "content-branches-is-text",
    title: "branches that are a text",
    description: "The `branches` of the first content match are a string instead of an array.",
    kind: "violation",
    attacks: contentSchema,
    ...changeFirstElement("matches", isContent, (match) => ({ ...match, branches: "HEAD" })),
  },
  {
    id: "content-fractional-line",
    title: "line numbers that are no whole numbers",
    description: "Every `lineNumber` of the first content match with line matches is larger by one half.",
    kind: "violation",
    attacks: contentSchema,
    ...changeFirstElement(
      "matches",
      (match) => isContent(match) && isPayloadArray(match["lineMatches"]),
      (match) => ({ ...match, lineMatches: betweenLines(match["lineMatches"]) }),
    ),
  },
  {
    id: "content-malformed",
    title: "a content match with a member that does not fit",
    description: "The first content match, or the first with line matches, lacks a member or has one of another type.",
    kind: "violation",
    attacks: "stream/content-match-fits-schema",
    parameters: howParameter(ways),
    ...changeFirstElement(
      "matches",
      (match, run) => match["type"] === "content" && (variantOf(ofLines, run) === undefined || hasLines(match)),
      (match, run) => variantOf(ways, run)?.(match),
    ),
  },
  {
    id: "progress-duration-is-text",
    title: "a duration that is a text",
    description: "The `durationMs` of the first running progress is a string of digits.",
    kind: "violation",
    attacks: "stream/progress-fits-schema",
    ...changeFirstObject(isRunningProgress, (data) => ({ ...data, durationMs: String(data["durationMs"]) })),
  },
  {
    id: "progress-skipped-is-object",
    title: "skipped entries that are not an array",
    description: "The `skipped` of the first running progress is an object.",
    kind: "violation",
    attacks: "stream/progress-fits-schema",
    ...changeFirstObject(isRunningProgress, (data) => ({ ...data, skipped: {} })),
  },
  {
    id: "skipped-without-severity",
    title: "a skipped entry without severity",
    description: "The first running progress has a skipped entry that lacks `severity`.",
    kind: "violation",
    attacks: "stream/skipped-fits-schema",
    ...changeFirstObject(isRunningProgress, (data) => ({ ...data, skipped: [without(archivedEntry, "severity")] })),
  },
  {
    id: "filter-without-kind",
    title: "a filter without a kind",
    description: "The first entry of the first filters lacks `kind`.",
    kind: "violation",
    attacks: "stream/filters-fit-schema",
    ...changeFirstElement(
      "filters",
      () => true,
      (filter) => without(filter, "kind"),
    ),
  },
  {
    id: "alert-is-text",
    title: "an alert that is a text",
    description: "An alert whose data is a string follows the final progress.",
    kind: "violation",
    attacks: "stream/alert-is-an-object",
    ...replaceFirst(isFinalProgress, (event) => [event, { name: "alert", data: "some repositories were slow" }]),
  },
];
