import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import {
  type EventEffect,
  afterFinal,
  changeEach,
  changeFirst,
  hasName,
  isRunningProgress,
  replaceFirst,
  without,
} from "./event-transforms.ts";
import {
  type Fault,
  type Variants,
  choice,
  defineNote,
  selectVariant,
  withSettings,
  defineViolation,
} from "./fault.ts";
import {
  type JsonMutation,
  stringifyMember,
  mutateEachIn,
  withMember,
  withoutMember,
  invalidValues,
  addToMember,
  replaceWith,
  mutateIf,
} from "./json-mutation.ts";

const nonObjectMatches: Variants<unknown> = { text: "a match", null: null, list: [] };
const invalidTypes: Variants<unknown> = { number: 1, null: null, list: ["content"] };
const nonObjects: Variants<unknown> = { list: [], null: null, number: 1, flag: true };
const unlistedLevels: Variants<unknown> = {
  fatal: "fatal",
  capital: "Warning",
  capitals: "ERROR",
  null: null,
  number: 3,
};
const nonArrays: Variants<unknown> = { object: {}, null: null, text: "[]" };

const nonArrayMatches: Variants<(list: unknown) => unknown> = {
  "first-match": (list) => (isPayloadArray(list) ? list[0] : list),
  null: () => null,
  text: () => "[]",
};

const start = { offset: 0, line: 0, column: 0 } as const;

const withPathMatch = (range: unknown): JsonMutation => withMember("pathMatches", [range]);

const identity = (mutate: JsonMutation): JsonMutation => mutate;

const isContent = ({ type }: PayloadObject): boolean => type === "content";
const hasLines = ({ lineMatches }: PayloadObject): boolean => isPayloadArray(lineMatches);

/** Changes the list of line matches, if there is one. */
const lineMatchList = (mutate: JsonMutation): JsonMutation => mutateIf(hasLines, mutate);

/** Changes every line match. If one remained valid, a different search might find it. */
const eachLine = (mutate: JsonMutation): JsonMutation => mutateEachIn("lineMatches", mutate);

const invalidContentMatches: Variants<JsonMutation> = {
  ...invalidValues(
    identity,
    {
      path: ["missing", "null"],
      pathMatches: ["object", "null"],
      repository: ["null"],
      repositoryID: ["missing", "half"],
      repoStars: ["null", "text"],
      repoLastFetched: ["null", "number"],
      branches: ["null"],
      commit: ["number", "null"],
      hunks: ["missing", "object"],
      language: ["null", "number"],
    },
    { repoStars: "stars", repoLastFetched: "fetched" },
  ),
  "path-match-text": withPathMatch("0-3"),
  "path-match-without-end": withPathMatch({ start }),
  "path-match-start-number": withPathMatch({ start: 0, end: start }),
  "path-match-half-column": withPathMatch({ start: { ...start, column: 0.5 }, end: start }),
  "path-match-negative": withPathMatch({ start: { ...start, offset: -1 }, end: start }),
  "path-match-without-line": withPathMatch({ start: { offset: 0, column: 0 }, end: start }),
  "fetched-no-time": withMember("repoLastFetched", "yesterday"),
  "fetched-no-day": withMember("repoLastFetched", "2024-02-30T10:00:00Z"),
  "fetched-no-leap-day": withMember("repoLastFetched", "2023-02-29T10:00:00Z"),
  "branches-numbers": withMember("branches", [1]),
  "commit-no-hash": withMember("commit", "HEAD"),
  "commit-empty": withMember("commit", ""),
  ...invalidValues(lineMatchList, { lineMatches: ["null", "object"] }, { lineMatches: "lines" }),
  "line-text": lineMatchList(withMember("lineMatches", ["a line"])),
  "line-without-text": eachLine(withoutMember("line")),
  "line-text-null": eachLine(withMember("line", null)),
  "line-without-number": eachLine(withoutMember("lineNumber")),
  ...invalidValues(eachLine, { lineNumber: ["negative", "text"] }),
  "line-without-pairs": eachLine(withoutMember("offsetAndLengths")),
  ...invalidValues(eachLine, { offsetAndLengths: ["object"] }, { offsetAndLengths: "pairs" }),
  "pair-number": eachLine(withMember("offsetAndLengths", [0])),
  "pair-of-three": eachLine(withMember("offsetAndLengths", [[0, 1, 2]])),
  "pair-of-one": eachLine(withMember("offsetAndLengths", [[0]])),
  "pair-half": eachLine(withMember("offsetAndLengths", [[0.5, 1]])),
};

const invalidProgress: Variants<JsonMutation> = {
  ...invalidValues(
    identity,
    {
      done: ["missing", "text"],
      matchCount: ["missing", "text", "half", "negative"],
      durationMs: ["missing", "half", "negative"],
      skipped: ["null"],
      repositoriesCount: ["text", "null", "negative"],
      trace: ["number", "null"],
    },
    { durationMs: "duration", repositoriesCount: "repositories" },
  ),
  "trace-no-address": withMember("trace", "trace 17"),
  "trace-empty": withMember("trace", ""),
  list: replaceWith([]),
  null: replaceWith(null),
};

/** A skipped entry like the one that the service sends for excluded archived repositories. */
const archivedEntry = {
  reason: "excluded-archive",
  title: "1 archived",
  message: "Archived repositories are excluded by default.",
  severity: "info",
} as const;

const withSuggestion = (suggested: unknown): JsonMutation => withMember("suggested", suggested);

const invalidSkippedEntries: Variants<JsonMutation> = {
  ...invalidValues(identity, {
    reason: ["missing", "number"],
    title: ["missing", "number"],
    message: ["missing", "null"],
    severity: ["number"],
    suggested: ["text", "null"],
  }),
  "suggested-without-title": withSuggestion({ queryExpression: "archived:yes" }),
  "suggested-without-expression": withSuggestion({ title: "include archived" }),
  "expression-number": withSuggestion({ title: "include archived", queryExpression: 1 }),
  "suggested-title-null": withSuggestion({ title: null, queryExpression: "archived:yes" }),
  text: replaceWith("1 archived"),
  null: replaceWith(null),
};

const invalidFilters: Variants<JsonMutation> = {
  ...invalidValues(identity, {
    value: ["missing", "number"],
    label: ["missing", "null"],
    count: ["missing", "text", "half", "negative"],
    exhaustive: ["missing", "text"],
    kind: ["number"],
  }),
  "value-empty": withMember("value", ""),
  text: replaceWith("lang:go"),
  null: replaceWith(null),
};

/** Changes the first content match for which the mutation returns a value. */
const changeContent = (mutate: JsonMutation): EventEffect => changeFirst("matches", mutateIf(isContent, mutate));

/** Adds a skipped entry to the first running `progress`. */
const withReason = (reason: unknown): EventEffect =>
  changeFirst(isRunningProgress, (data) => ({ ...data, skipped: [reason] }));

const position = (offset: number) => ({ offset, line: 0, column: offset });

const wrongRanges: Variants<object> = {
  behind: { start: position(9000), end: position(9004) },
  backwards: { start: position(4), end: position(1) },
};

/** Changes every offset and length of all content matches with line matches. */
const changePairs = (change: (offset: number, length: number) => readonly number[]): EventEffect =>
  changeEach(
    "matches",
    eachLine((line) => {
      const pairs = line["offsetAndLengths"];
      const validPairs = isPayloadArray(pairs) ? pairs.filter(isPayloadArray) : [];
      return {
        ...line,
        offsetAndLengths: validPairs.map(([offset, length]) => change(Number(offset), Number(length))),
      };
    }),
  );

/** Faults in the schema of event data. They change matches but add none, so no limit is exceeded. */
export const schemaFaults: readonly Fault[] = [
  defineViolation("stream/matches-is-an-array", "matches-not-array")(
    "The data of the first `matches` event is not an array, for example null.",
    selectVariant(nonArrayMatches, (mutate) =>
      replaceFirst(hasName("matches"), ({ data, name }) => [{ name, data: mutate(data) }]),
    ),
  ),
  defineViolation("stream/matches-is-an-array", "match-without-type")(
    "The first match has no field `type`.",
    changeFirst("matches", withoutMember("type")),
  ),
  defineViolation("stream/matches-is-an-array", "match-not-object")(
    "The first match is not an object, for example a string.",
    selectVariant(nonObjectMatches, (replacement) => changeFirst("matches", replaceWith(replacement))),
  ),
  defineViolation("stream/matches-is-an-array", "match-type-not-text")(
    "The type of the first match is not a string, for example a number.",
    selectVariant(invalidTypes, (type) => changeFirst("matches", withMember("type", type))),
  ),
  defineViolation("stream/match-type-is-listed", "results-of-another-type")(
    "Every result of one type, for example `diff`, has the type `result`.",
    withSettings({ type: choice("of what type", "diff", "symbol") }, ({ type }) =>
      changeEach(
        "matches",
        mutateIf((match) => match["type"] === type, withMember("type", "result")),
      ),
    ),
  ),
  defineViolation("stream/match-type-is-listed", "unknown-match-type")(
    "The first match is replaced by one of type `person`.",
    changeFirst("matches", replaceWith({ type: "person", handle: "reviewer", email: "reviewer@example.org" })),
  ),
  defineViolation("stream/content-match-fits-schema", "content-without-repository")(
    "The first content match has no field `repository`.",
    changeContent(withoutMember("repository")),
  ),
  defineViolation("stream/content-match-fits-schema", "content-repository-id-is-text")(
    "The `repositoryID` of the first content match is a string of digits.",
    changeContent(stringifyMember("repositoryID")),
  ),
  defineViolation("stream/content-match-fits-schema", "content-branches-is-text")(
    "The `branches` of the first content match are a string instead of an array.",
    changeContent(withMember("branches", "HEAD")),
  ),
  defineViolation("stream/content-match-fits-schema", "content-fractional-line")(
    "Every `lineNumber` of the first content match with line matches is larger by 0.5.",
    changeContent(eachLine(addToMember("lineNumber", 0.5))),
  ),
  defineViolation("stream/content-match-fits-schema", "content-malformed")(
    "The first content match, or the first with line matches, lacks a member or has a member of the wrong type.",
    selectVariant(invalidContentMatches, changeContent),
  ),
  defineViolation("stream/progress-fits-schema", "progress-duration-is-text")(
    "The `durationMs` of the first unfinished `progress` event is a string of digits.",
    changeFirst(isRunningProgress, stringifyMember("durationMs")),
  ),
  defineViolation("stream/progress-fits-schema", "progress-skipped-is-object")(
    "The `skipped` of the first unfinished `progress` event is an object.",
    changeFirst(isRunningProgress, withMember("skipped", {})),
  ),
  defineViolation("stream/skipped-fits-schema", "skipped-without-severity")(
    "The first unfinished `progress` event has a skipped entry that lacks `severity`.",
    withReason(without(archivedEntry, "severity")),
  ),
  defineViolation("stream/filters-fit-schema", "filter-without-kind")(
    "The first entry of the first `filters` event lacks `kind`.",
    changeFirst("filters", withoutMember("kind")),
  ),
  defineViolation("stream/alert-is-an-object", "alert-is-text")(
    "An alert whose data is a string follows the final `progress` event.",
    afterFinal("alert", "some repositories were slow"),
  ),
  defineNote("stream/filter-kind-is-known", "new-filter-kind")(
    "The first entry of the first `filters` event has the kind `topic`, which is unknown.",
    changeFirst("filters", withMember("kind", "topic")),
  ),
  defineNote("stream/skipped-reason-is-known", "new-skipped-reason")(
    "The first unfinished `progress` event has a skipped entry with the reason `repository-quarantined`, which is unknown.",
    withReason({ ...archivedEntry, reason: "repository-quarantined", title: "1 quarantined" }),
  ),
  defineNote("stream/skipped-severity-is-known", "new-skipped-severity")(
    "The first unfinished `progress` event has a skipped entry with the severity `critical`, which is unknown.",
    withReason({ ...archivedEntry, severity: "critical" }),
  ),
  defineViolation("stream/progress-fits-schema", "progress-malformed")(
    "The first unfinished `progress` event has an invalid shape, for example lacks a member.",
    selectVariant(invalidProgress, (mutate) => changeFirst(isRunningProgress, mutate)),
  ),
  defineViolation("stream/skipped-fits-schema", "skipped-malformed")(
    "The first unfinished `progress` event has a skipped entry that lacks a member, has a member of the wrong type, or is not an object.",
    selectVariant(invalidSkippedEntries, (mutate) => withReason(mutate(archivedEntry))),
  ),
  defineViolation("stream/filters-fit-schema", "filter-malformed")(
    "The first entry of the first `filters` event lacks a member, has a member of the wrong type, or is not an object.",
    selectVariant(invalidFilters, (mutate) => changeFirst("filters", mutate)),
  ),
  defineViolation("stream/filters-fit-schema", "filters-not-array")(
    "The data of the first `filters` event is not an array, for example an object.",
    selectVariant(nonArrays, (data) => replaceFirst(hasName("filters"), ({ name }) => [{ name, data }])),
  ),
  defineViolation("stream/alert-is-an-object", "alert-not-object")(
    "An alert whose data is not an object, for example an empty list, follows the final `progress` event.",
    selectVariant(nonObjects, (data) => afterFinal("alert", data)),
  ),
  defineViolation("stream/alert-level-is-listed", "alert-level-unlisted")(
    "An alert with an unlisted level, for example `fatal`, follows the final `progress` event.",
    selectVariant(unlistedLevels, (level) => afterFinal("alert", { title: "Some repositories were slow", level })),
  ),
  defineViolation("stream/alert-level-is-listed", "alert-without-level")(
    "An alert without a level follows the final `progress` event.",
    afterFinal("alert", { title: "Some repositories were slow" }),
  ),
  defineViolation("stream/content-match-shows-lines", "lines-left-out")(
    "Content matches of searches without chunk matches lack `lineMatches`.",
    changeEach("matches", (match) =>
      hasLines(match) && !isPayloadArray(match["chunkMatches"]) ? without(match, "lineMatches") : undefined,
    ),
  ),
  defineViolation("stream/path-ranges-stay-in-the-path", "path-ranges-lead-out")(
    "The path highlight of each content match is beyond the path, or ends before it starts.",
    selectVariant(wrongRanges, (range) => changeEach("matches", mutateIf(isContent, withPathMatch(range)))),
  ),
  defineViolation("stream/lines-have-their-own-numbers", "line-numbers-all-equal")(
    "Every line match of a search has the number 7.",
    changeEach("matches", lineMatchList(eachLine(withMember("lineNumber", 7)))),
  ),
  defineViolation("stream/line-numbers-fit-chunks", "line-numbers-count-matches")(
    "The line matches of each content match are numbered from 0, not by their position in the file.",
    changeEach("matches", (match) =>
      isPayloadArray(match["lineMatches"])
        ? {
            ...match,
            lineMatches: match["lineMatches"].map((line, index) =>
              isPayloadObject(line) ? { ...line, lineNumber: index } : line,
            ),
          }
        : undefined,
    ),
  ),
  defineViolation("stream/line-pairs-stay-in-the-line", "pairs-with-end")(
    "The pairs of line matches have an end far beyond the match instead of its length.",
    changePairs((offset, length) => [offset, offset + length + 10_000]),
  ),
  defineViolation("stream/line-pairs-mark-the-word", "pairs-shifted")(
    "The offset of each pair of the line matches is one too large.",
    changePairs((offset, length) => [offset + 1, length]),
  ),
  defineNote("stream/alert-is-an-object", "alert-with-level")(
    "An alert with a member for its level follows the final `progress` event.",
    withSettings({ member: choice("its name", "level", "severity") }, ({ member }) =>
      afterFinal("alert", { title: "Some repositories were slow", [member]: "warning" }),
    ),
  ),
];
