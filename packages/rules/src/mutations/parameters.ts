import { Buffer } from "node:buffer";
import { isRecord, member } from "@assay/reading";
import { insertBytes, addMember, removeMember, replaceValue, findValueSpan } from "@assay/evidence";
import type { Splice } from "@assay/evidence";
import { findFinalProgress } from "./final-progress.ts";
import { findChunkMatches, elementsWithPointers, withFallback, siteMutation } from "./mutation.ts";
import type { MutationsByRule } from "./mutation.ts";
import {
  truncateLines,
  replaceByPart,
  optionalParameters,
  filterValue,
  noResultsMutation,
  emptySkippedEntries,
  progressMutation,
  ignoringParameter,
  isDigits,
  haveSameParameters,
  matchMutation,
  matchEdits,
  misinterpretationMutation,
  filterSiblingsWhere,
  siblingsWhere,
  searchRefusalMutation,
  findSiblings,
  skippedSites,
  suggestionMutation,
  requestsChunks,
  withoutParameters,
} from "./search-edits.ts";
import type { EditableMatch } from "./search-edits.ts";
import { ignoredFilterMutations, emptiedByFilterMutations } from "./suggested-filters.ts";

/** Maximum number of copies of a match. Every `display` of a run is smaller. */
const maxCopies = 1_000;

/** Removes the first match, or the first line of a match with several lines. */
const removeFirst = ({ match, index, pointer, data }: EditableMatch): readonly (Splice | undefined)[] => {
  const lines = elementsWithPointers(member(match, "lineMatches"), `${pointer}/lineMatches`);
  const [first] = lines;
  return index > 0 ? [] : [removeMember(data, lines.length > 1 && first !== undefined ? first[0] : pointer)];
};

const needsWithAndWithout = "a `--query` with matches, sent with and without it";

/** Mutations for the rules about parameters and filters. */
export const parameterMutations = {
  "stream/documented-parameters-are-accepted": [
    searchRefusalMutation(
      { name: "refuses a documented parameter", needs: "a search with a parameter, and the same without" },
      (parameters) => Object.keys(parameters).length > 1,
    ),
    ...optionalParameters.map((name) =>
      searchRefusalMutation(
        { name: `refuses \`${name}\``, needs: `a search with \`${name}\`, and the same without`, isOptional: true },
        (parameters) => parameters[name] !== undefined,
      ),
    ),
    ...["count:all", "count:1000"].map((filter) =>
      searchRefusalMutation(
        {
          name: `refuses \`${filter}\``,
          needs: `a query with \`${filter}\`, and the same with another number or without one`,
          isOptional: true,
        },
        (parameters) => `count:${filterValue(parameters, "count")}` === filter,
      ),
    ),
  ],
  "stream/optional-parameters-may-be-left-out": [
    searchRefusalMutation(
      {
        name: "refuses a search that lacks a parameter",
        needs: "two searches of which one has an additional parameter",
      },
      (parameters, recordedSearches) =>
        optionalParameters.some(
          (name) => parameters[name] === undefined && findSiblings(parameters, recordedSearches, name).length > 0,
        ),
    ),
  ],
  "stream/display-bounds-matches": [
    withFallback(
      misinterpretationMutation({
        name: "ignores `display`",
        needs: needsWithAndWithout,
        effect: "read a search with `display` like the same one without it",
        findMisreadParameters: ignoringParameter("display"),
      }),
      matchEdits(
        "returned more matches than `display`",
        (parameters) => Number(parameters["display"]) > 0,
        ({ match, index, pointer, data }, parameters) => {
          const span = index === 0 ? findValueSpan(data, pointer) : undefined;
          const copies = `${JSON.stringify(match)},`.repeat(Math.min(Number(parameters["display"]), maxCopies));
          return span === undefined ? [] : [insertBytes(span.offset, Buffer.from(copies))];
        },
      ),
    ),
  ],
  "stream/display-keeps-counting": [
    progressMutation(
      {
        name: "stops counting at `display`",
        needs: "a search with `display` that finds more, and the same without it",
        effect: "counted only the returned matches",
      },
      (parameters) => Number(parameters["display"]) > 0,
      (search, parameters) => {
        const finalProgress = findFinalProgress(search);
        return finalProgress === undefined
          ? []
          : [replaceValue(finalProgress.data, "/matchCount", Number(parameters["display"]))];
      },
    ),
    progressMutation(
      {
        name: "counts one match more than it returns",
        needs: "a search with `display` that finds at least twice as many matches, and the same without it",
        isOptional: true,
        effect: "counted one match more than it returned",
      },
      (parameters) => Number(parameters["display"]) > 0,
      (search, parameters) => {
        const finalProgress = findFinalProgress(search);
        return finalProgress === undefined
          ? []
          : [replaceValue(finalProgress.data, "/matchCount", Number(parameters["display"]) + 1)];
      },
    ),
    progressMutation(
      {
        name: "counts other repositories although it returns everything",
        needs: "a search with `display` that returns everything that the same search without it returns twice",
        isOptional: true,
        effect: "counted 4711 repositories",
      },
      (parameters) => Number(parameters["display"]) > 0,
      (search) => {
        const finalProgress = findFinalProgress(search);
        return finalProgress === undefined ? [] : [replaceValue(finalProgress.data, "/repositoriesCount", 4711)];
      },
    ),
    noResultsMutation("`display`", (parameters) => Number(parameters["display"]) > 0),
  ],
  "stream/display-is-reached": [
    matchMutation(
      {
        name: "returns fewer matches than `display`",
        needs: "a search with `display` that finds more lines of a file than that, and the same without it",
        effect: "left out a line of each file of a search with `display`",
      },
      (parameters) => Number(parameters["display"]) > 0,
      ({ match, pointer, data }) => {
        const [first, second] = elementsWithPointers(member(match, "lineMatches"), `${pointer}/lineMatches`);
        return first === undefined || second === undefined ? [] : [removeMember(data, first[0])];
      },
    ),
  ],
  "stream/no-display-no-limit": [
    misinterpretationMutation({
      name: "limits matches without `display`",
      needs: needsWithAndWithout,
      effect: "read a search without `display` like the same one with it",
      findMisreadParameters: siblingsWhere(
        "display",
        (parameters, other) => parameters["display"] === undefined && Number(other["display"]) > 0,
      ),
    }),
    misinterpretationMutation({
      name: "reads -1 as a number of matches",
      needs: "a search with `display=-1`, and the same with another number",
      isOptional: true,
      effect: "read a search with `display=-1` like one with another number",
      findMisreadParameters: siblingsWhere(
        "display",
        (parameters, other) => parameters["display"] === "-1" && Number(other["display"]) > 0,
      ),
    }),
  ],
  "stream/count-stops-search": [
    misinterpretationMutation({
      name: "ignores `count:`",
      needs: "a query that finds more than its `count:`, and the same with a larger number or without",
      effect: "read a search like the same one with another `count:`",
      findMisreadParameters: filterSiblingsWhere(
        "count",
        (value, otherValue) => isDigits(value) && (!isDigits(otherValue) || Number(otherValue) > Number(value)),
      ),
    }),
  ],
  "stream/count-all-finds-everything": [
    misinterpretationMutation({
      name: "stops early with `count:all`",
      needs: "a query with `count:all` that finds more than the same with a number",
      effect: "read `count:all` like the same query with a number",
      findMisreadParameters: filterSiblingsWhere(
        "count",
        (value, otherValue) => value === "all" && isDigits(otherValue),
      ),
    }),
    noResultsMutation("`count:all`", (parameters) => filterValue(parameters, "count") === "all"),
  ],
  "stream/count-stops-no-earlier": [
    matchMutation(
      {
        name: "stops before `count:` is reached",
        needs: "a query that finds fewer than its `count:`, and the same with another number",
        effect: "left out a match of a search that found fewer than its `count:`",
      },
      (parameters) => isDigits(filterValue(parameters, "count")),
      removeFirst,
    ),
    noResultsMutation("`count:1`", (parameters) => filterValue(parameters, "count") === "1"),
  ],
  "stream/count-cut-is-named": [
    progressMutation(
      {
        name: "does not report results that `count:` cuts off",
        needs: "a query whose `count:` leaves results out",
        effect: "left `skipped` empty although `count:` cut results off",
      },
      (parameters) => filterValue(parameters, "count") !== undefined,
      emptySkippedEntries,
    ),
  ],
  "stream/cut-results-are-named": [
    progressMutation(
      {
        name: "does not report cut results",
        needs: "a query without `count:` that finds more than is shown",
        effect: "left `skipped` empty although results were cut off",
      },
      (parameters) => filterValue(parameters, "count") === undefined,
      emptySkippedEntries,
    ),
  ],
  "stream/limit-suggestion-raises-count": [
    suggestionMutation("suggests a smaller number", "count:1"),
    suggestionMutation("suggests something else", "archived:yes"),
    siteMutation(
      {
        name: "suggests nothing",
        needs: "a progress with a `shard-match-limit` entry",
        effect: "left the suggestion of a `shard-match-limit` entry out",
        splice: ({ json, pointer, value }) =>
          member(value, "reason") === "shard-match-limit" ? removeMember(json, `${pointer}/suggested`) : undefined,
      },
      skippedSites,
    ),
  ],
  "stream/suggested-filter-finds-matches": emptiedByFilterMutations,
  "stream/suggested-filter-narrows": ignoredFilterMutations,
  "stream/cm-enables-chunk-matches": [
    withFallback(
      misinterpretationMutation({
        name: "ignores `cm=true`",
        needs: "a search for lines with `cm=true`",
        effect: "read a search with `cm=true` like the same one without it",
        findMisreadParameters: siblingsWhere(
          "cm",
          (parameters, other) => requestsChunks(parameters) && !requestsChunks(other),
        ),
      }),
      matchEdits("sent no chunk matches although `cm` is true", requestsChunks, ({ match, pointer, data }) => {
        const names = Object.keys(isRecord(match) ? match : {});
        return names
          .filter((name) => findChunkMatches({ [name]: member(match, name) }, pointer).length > 0)
          .map((name) => removeMember(data, `${pointer}/${name}`));
      }),
    ),
  ],
  "stream/chunk-matches-need-cm": [
    withFallback(
      misinterpretationMutation({
        name: "sends chunk matches without `cm`",
        needs: "a search for lines without `cm`",
        effect: "read a search without `cm` like the same one with it",
        findMisreadParameters: siblingsWhere(
          "cm",
          (parameters, other) => !requestsChunks(parameters) && requestsChunks(other),
        ),
      }),
      matchEdits(
        "sent the lines of a match as chunk matches too",
        (parameters) => !requestsChunks(parameters),
        ({ match, pointer, data }) => {
          const lines = elementsWithPointers(member(match, "lineMatches"), "").map(([, line]) => ({
            context: member(line, "line"),
            lineStart: member(line, "lineNumber"),
          }));
          const isEdited = member(match, "type") === "content" && lines.length > 0;
          return isEdited ? [addMember(data, pointer, ["chunkMatches", lines])] : [];
        },
      ),
    ),
  ],
  "stream/chunk-lines-are-whole": [
    misinterpretationMutation({
      name: "cuts lines without `max-line-len`",
      needs: "a search with `cm=true` and `max-line-len` that cuts a line, and the same without it",
      effect: "read a search without `max-line-len` like the same one with it",
      findMisreadParameters: siblingsWhere(
        "max-line-len",
        (parameters, other) => parameters["max-line-len"] === undefined && requestsChunks(other),
      ),
    }),
  ],
  "stream/max-line-len-cuts-lines": [
    misinterpretationMutation({
      name: "ignores `max-line-len`",
      needs: "a search with `cm=true` and `max-line-len` that cuts a line, and the same without it",
      effect: "read a search with `max-line-len` like the same one without it",
      findMisreadParameters: ignoringParameter("max-line-len", requestsChunks),
    }),
    matchMutation(
      {
        name: "cuts lines within a character",
        needs: "a search with `cm=true` and `max-line-len` that cuts a line, and the same without it",
        isOptional: true,
        effect: "ended the lines of chunk matches with half a character",
      },
      (parameters) => requestsChunks(parameters) && Number(parameters["max-line-len"]) > 0,
      ({ match, pointer, data }, parameters) =>
        findChunkMatches(match, pointer).flatMap(([at, chunk]) => {
          const context = member(chunk, "context");
          const maxLength = Number(parameters["max-line-len"]);
          const lines = String(context).split("\n");
          const halvedLines = lines.map((line) =>
            line.length >= maxLength ? `${line.slice(0, maxLength - 1)}\u{FFFD}` : line,
          );
          return replaceByPart(data, `${at}/context`, [context, halvedLines.join("\n")]);
        }),
    ),
  ],
  "stream/max-line-len-keeps-short-lines": [
    matchMutation(
      {
        name: "cuts lines that are short enough",
        needs:
          "a search with `cm=true` and a `max-line-len` that no line of a chunk is longer than, and the same without it",
        effect: "cut the lines of chunk matches to ten bytes",
      },
      (parameters) => requestsChunks(parameters) && Number(parameters["max-line-len"]) > 10,
      ({ match, pointer, data }) =>
        findChunkMatches(match, pointer).flatMap(([at, chunk]) => {
          const context = member(chunk, "context");
          return replaceByPart(data, `${at}/context`, [context, truncateLines(context, 10)]);
        }),
    ),
  ],
  "stream/max-line-len-leaves-no-line-out": [
    matchMutation(
      {
        name: "leaves out lines that are too long",
        needs:
          "a search with `cm=true` and `max-line-len` that cuts a line in front of a short one, and the same without it",
        effect: "left out the lines of chunk matches that were cut",
      },
      (parameters) => requestsChunks(parameters) && Number(parameters["max-line-len"]) > 0,
      ({ match, pointer, data }, parameters) =>
        findChunkMatches(match, pointer).flatMap(([at, chunk]) => {
          const context = member(chunk, "context");
          // Cut lines are about as long as the limit.
          const shortLines = String(context)
            .split("\n")
            .filter((line) => Buffer.byteLength(line) + 2 <= Number(parameters["max-line-len"]));
          return replaceByPart(data, `${at}/context`, [context, shortLines.join("\n")]);
        }),
    ),
  ],
  "stream/max-line-len-needs-chunks": [
    matchMutation(
      {
        name: "cuts lines of line matches",
        needs: "a search with `max-line-len`, without `cm`, that finds a longer line",
        effect: "cut the lines of line matches to `max-line-len`",
      },
      (parameters) => parameters["max-line-len"] !== undefined && !requestsChunks(parameters),
      ({ match, pointer, data }, parameters) =>
        elementsWithPointers(member(match, "lineMatches"), `${pointer}/lineMatches`).flatMap(([at, lineMatch]) => {
          const line = member(lineMatch, "line");
          return replaceByPart(data, `${at}/line`, [line, truncateLines(line, Number(parameters["max-line-len"]))]);
        }),
    ),
    noResultsMutation(
      "`max-line-len` and without `cm`",
      (parameters) => parameters["max-line-len"] !== undefined && !requestsChunks(parameters),
    ),
  ],
  "stream/cl-gives-context-lines": [
    misinterpretationMutation({
      name: "ignores `cl`",
      needs: "a search with `cm=true` and `cl` that finds a line with others around it, and the same without `cl`",
      effect: "read a search with `cl` like the same one without it",
      findMisreadParameters: siblingsWhere(
        "cl",
        (parameters) => parameters["cl"] !== undefined && requestsChunks(parameters),
      ),
    }),
    misinterpretationMutation({
      name: "sends more than one line without `cl`",
      needs: "a search with `cm=true` and without `cl` that finds a line with others around it, and the same with `cl`",
      isOptional: true,
      effect: "read a search without `cl` like the same one with it",
      findMisreadParameters: siblingsWhere(
        "cl",
        (parameters) => parameters["cl"] === undefined && requestsChunks(parameters),
      ),
    }),
  ],
  "stream/cl-needs-cm": [
    misinterpretationMutation({
      name: "sends chunk matches for `cl` without `cm`",
      needs: "a search with `cl` and without `cm`, and the same with `cm=true`",
      effect: "read a search with `cl` and without `cm` like the same one with `cm=true`",
      findMisreadParameters: (parameters, recordedSearches) =>
        parameters["cl"] === undefined || requestsChunks(parameters)
          ? []
          : recordedSearches.filter(
              (other) =>
                requestsChunks(other) &&
                haveSameParameters(withoutParameters(parameters, "cl", "cm"), withoutParameters(other, "cl", "cm")),
            ),
    }),
    noResultsMutation(
      "`cl` and without `cm`",
      (parameters) => parameters["cl"] !== undefined && !requestsChunks(parameters),
    ),
  ],
  "stream/line-parameters-keep-files": [
    matchMutation(
      {
        name: "leaves out a file if chunk matches are requested",
        needs: "a search for one plain word with `cm=true` that finds several files, and the same without it",
        effect: "left out a file of a search with `cm=true`",
      },
      requestsChunks,
      // Without a path, other rules would miss it too, because a search for paths is also compared with a larger number.
      ({ index, match, pointer, data }) =>
        index > 0 || member(match, "type") === "path" ? [] : [removeMember(data, pointer)],
    ),
    noResultsMutation("`cm`", requestsChunks),
  ],
} as const satisfies MutationsByRule;
