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
import { type Fault, type Variants, howParameter, variantOf, violating } from "./fault.ts";
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
  violating("stream/matches-is-an-array", "matches-not-array")(
    "The data of the first matches is its first match, or null, instead of an array.",
    replaceFirst(isNamed("matches"), ({ name, data }, run) => [{ name, data: variantOf(noLists, run)?.(data) }]),
    howParameter(noLists),
  ),
  violating("stream/matches-is-an-array", "match-without-type")(
    "The first match has no field `type`.",
    changeFirstElement("matches", anything, (match) => without(match, "type")),
  ),
  violating("stream/matches-is-an-array", "match-not-object")(
    "The first match is a text, or something else that is no object.",
    changeFirstElement("matches", anything, (_match, run) => variantOf(noMatches, run)),
    howParameter(noMatches),
  ),
  violating("stream/matches-is-an-array", "match-type-not-text")(
    "The type of the first match is a number, or something else that is no text.",
    changeFirstElement("matches", anything, (match, run) => ({ ...match, type: variantOf(noTypes, run) })),
    howParameter(noTypes),
  ),
  violating("stream/match-type-is-listed", "results-of-another-type")(
    "Every result of the type `diff`, or of another one, carries the type `result`.",
    changeElements("matches", (match, { values }) =>
      match["type"] === values["type"] ? { ...match, type: "result" } : undefined,
    ),
    { type: { title: "of what type", default: "diff", choices: ["diff", "symbol"] } },
  ),
  violating("stream/match-type-is-listed", "unknown-match-type")(
    "The first match is replaced by one of type `person`.",
    changeFirstElement("matches", anything, () => ({
      type: "person",
      handle: "reviewer",
      email: "reviewer@example.org",
    })),
  ),
  violating(contentSchema, "content-without-repository")(
    "The first content match has no field `repository`.",
    changeFirstElement("matches", isContent, (match) => without(match, "repository")),
  ),
  violating(contentSchema, "content-repository-id-is-text")(
    "The `repositoryID` of the first content match is a string of digits.",
    changeFirstElement("matches", isContent, (match) => ({ ...match, repositoryID: String(match["repositoryID"]) })),
  ),
  violating(contentSchema, "content-branches-is-text")(
    "The `branches` of the first content match are a string instead of an array.",
    changeFirstElement("matches", isContent, (match) => ({ ...match, branches: "HEAD" })),
  ),
  violating(contentSchema, "content-fractional-line")(
    "Every `lineNumber` of the first content match with line matches is larger by one half.",
    changeFirstElement(
      "matches",
      (match) => isContent(match) && isPayloadArray(match["lineMatches"]),
      (match) => ({ ...match, lineMatches: betweenLines(match["lineMatches"]) }),
    ),
  ),
  violating("stream/content-match-fits-schema", "content-malformed")(
    "The first content match, or the first with line matches, lacks a member or has one of another type.",
    changeFirstElement(
      "matches",
      (match, run) => match["type"] === "content" && (variantOf(ofLines, run) === undefined || hasLines(match)),
      (match, run) => variantOf(ways, run)?.(match),
    ),
    howParameter(ways),
  ),
  violating("stream/progress-fits-schema", "progress-duration-is-text")(
    "The `durationMs` of the first running progress is a string of digits.",
    changeFirstObject(isRunningProgress, (data) => ({ ...data, durationMs: String(data["durationMs"]) })),
  ),
  violating("stream/progress-fits-schema", "progress-skipped-is-object")(
    "The `skipped` of the first running progress is an object.",
    changeFirstObject(isRunningProgress, (data) => ({ ...data, skipped: {} })),
  ),
  violating("stream/skipped-fits-schema", "skipped-without-severity")(
    "The first running progress has a skipped entry that lacks `severity`.",
    changeFirstObject(isRunningProgress, (data) => ({ ...data, skipped: [without(archivedEntry, "severity")] })),
  ),
  violating("stream/filters-fit-schema", "filter-without-kind")(
    "The first entry of the first filters lacks `kind`.",
    changeFirstElement(
      "filters",
      () => true,
      (filter) => without(filter, "kind"),
    ),
  ),
  violating("stream/alert-is-an-object", "alert-is-text")(
    "An alert whose data is a string follows the final progress.",
    replaceFirst(isFinalProgress, (event) => [event, { name: "alert", data: "some repositories were slow" }]),
  ),
];
