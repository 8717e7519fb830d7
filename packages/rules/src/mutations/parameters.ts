import { Buffer } from "node:buffer";
import { isRecord, member } from "@assay/reading";
import { insertBytes, addMember, removeMember, replaceValue, valueSpan } from "@assay/evidence";
import type { Splice } from "@assay/evidence";
import { chunksOf, elements, orElse, siteMutation } from "./mutation.ts";
import type { MutationsByRule } from "./mutation.ts";
import {
  cutAt,
  cutText,
  eachParameter,
  filterIn,
  finalOf,
  findsNothingWith,
  nothingSkipped,
  progressMutation,
  ignores,
  isNumber,
  isSame,
  matchesMutation,
  matchesEdits,
  misread,
  otherFilter,
  otherwise,
  refused,
  siblings,
  skippedSites,
  suggestion,
  wantsChunks,
  without,
} from "./search-edits.ts";
import type { MatchText } from "./search-edits.ts";
import { findsEverything, findsNothing } from "./suggested-filters.ts";

/** Maximum number of copies of a match. Every `display` of a run is smaller. */
const maxCopies = 1_000;

/** Removes the first match, or the first line of a match with several lines. */
const firstLeftOut = ({ match, index, pointer, data }: MatchText): readonly (Splice | undefined)[] => {
  const lines = elements(member(match, "lineMatches"), `${pointer}/lineMatches`);
  const [first] = lines;
  return index > 0 ? [] : [removeMember(data, lines.length > 1 && first !== undefined ? first[0] : pointer)];
};

const withAndWithout = "a `--query` with matches, sent with and without it";

/** Mutations for the rules about parameters and filters. */
export const parameters = {
  "stream/documented-parameters-are-accepted": [
    refused(
      { name: "refuses a documented parameter", needs: "a search with a parameter, and the same without" },
      (asked) => Object.keys(asked).length > 1,
    ),
    ...eachParameter.map((name) =>
      refused(
        { name: `refuses \`${name}\``, needs: `a search with \`${name}\`, and the same without`, isOptional: true },
        (asked) => asked[name] !== undefined,
      ),
    ),
    ...["count:all", "count:1000"].map((filter) =>
      refused(
        {
          name: `refuses \`${filter}\``,
          needs: `a query with \`${filter}\`, and the same with another number or without one`,
          isOptional: true,
        },
        (asked) => `count:${filterIn(asked, "count")}` === filter,
      ),
    ),
  ],
  "stream/optional-parameters-may-be-left-out": [
    refused(
      {
        name: "refuses a search that lacks a parameter",
        needs: "two searches of which one has an additional parameter",
      },
      (asked, all) => eachParameter.some((name) => asked[name] === undefined && siblings(asked, all, name).length > 0),
    ),
  ],
  "stream/display-bounds-matches": [
    orElse(
      misread({
        name: "ignores `display`",
        needs: withAndWithout,
        effect: "read a search with `display` like the same one without it",
        readInstead: ignores("display"),
      }),
      matchesEdits(
        "returned more matches than `display`",
        (asked) => Number(asked["display"]) > 0,
        ({ match, index, pointer, data }, asked) => {
          const place = index === 0 ? valueSpan(data, pointer) : undefined;
          const copies = `${JSON.stringify(match)},`.repeat(Math.min(Number(asked["display"]), maxCopies));
          return place === undefined ? [] : [insertBytes(place.offset, Buffer.from(copies))];
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
      (asked) => Number(asked["display"]) > 0,
      (search, asked) => {
        const final = finalOf(search);
        return final === undefined ? [] : [replaceValue(final.data, "/matchCount", Number(asked["display"]))];
      },
    ),
    progressMutation(
      {
        name: "counts one match more than it returns",
        needs: "a search with `display` that finds at least twice as many matches, and the same without it",
        isOptional: true,
        effect: "counted one match more than it returned",
      },
      (asked) => Number(asked["display"]) > 0,
      (search, asked) => {
        const final = finalOf(search);
        return final === undefined ? [] : [replaceValue(final.data, "/matchCount", Number(asked["display"]) + 1)];
      },
    ),
    progressMutation(
      {
        name: "counts other repositories although it returns everything",
        needs: "a search with `display` that returns everything that the same search without it returns twice",
        isOptional: true,
        effect: "counted 4711 repositories",
      },
      (asked) => Number(asked["display"]) > 0,
      (search) => {
        const final = finalOf(search);
        return final === undefined ? [] : [replaceValue(final.data, "/repositoriesCount", 4711)];
      },
    ),
    findsNothingWith("`display`", (asked) => Number(asked["display"]) > 0),
  ],
  "stream/display-is-reached": [
    matchesMutation(
      {
        name: "returns fewer matches than `display`",
        needs: "a search with `display` that finds more lines of a file than that, and the same without it",
        effect: "left out a line of each file of a search with `display`",
      },
      (asked) => Number(asked["display"]) > 0,
      ({ match, pointer, data }) => {
        const [first, second] = elements(member(match, "lineMatches"), `${pointer}/lineMatches`);
        return first === undefined || second === undefined ? [] : [removeMember(data, first[0])];
      },
    ),
  ],
  "stream/no-display-no-limit": [
    misread({
      name: "limits matches without `display`",
      needs: withAndWithout,
      effect: "read a search without `display` like the same one with it",
      readInstead: otherwise(
        "display",
        (asked, other) => asked["display"] === undefined && Number(other["display"]) > 0,
      ),
    }),
    misread({
      name: "reads -1 as a number of matches",
      needs: "a search with `display=-1`, and the same with another number",
      isOptional: true,
      effect: "read a search with `display=-1` like one with another number",
      readInstead: otherwise("display", (asked, other) => asked["display"] === "-1" && Number(other["display"]) > 0),
    }),
  ],
  "stream/count-stops-search": [
    misread({
      name: "ignores `count:`",
      needs: "a query that finds more than its `count:`, and the same with a larger number or without",
      effect: "read a search like the same one with another `count:`",
      readInstead: otherFilter(
        "count",
        (own, other) => isNumber(own) && (!isNumber(other) || Number(other) > Number(own)),
      ),
    }),
  ],
  "stream/count-all-finds-everything": [
    misread({
      name: "stops early with `count:all`",
      needs: "a query with `count:all` that finds more than the same with a number",
      effect: "read `count:all` like the same query with a number",
      readInstead: otherFilter("count", (own, other) => own === "all" && isNumber(other)),
    }),
    findsNothingWith("`count:all`", (asked) => filterIn(asked, "count") === "all"),
  ],
  "stream/count-stops-no-earlier": [
    matchesMutation(
      {
        name: "stops before `count:` is reached",
        needs: "a query that finds fewer than its `count:`, and the same with another number",
        effect: "left out a match of a search that found fewer than its `count:`",
      },
      (asked) => isNumber(filterIn(asked, "count")),
      firstLeftOut,
    ),
    findsNothingWith("`count:1`", (asked) => filterIn(asked, "count") === "1"),
  ],
  "stream/count-cut-is-named": [
    progressMutation(
      {
        name: "does not report results that `count:` cuts off",
        needs: "a query whose `count:` leaves results out",
        effect: "left `skipped` empty although `count:` cut results off",
      },
      (asked) => filterIn(asked, "count") !== undefined,
      nothingSkipped,
    ),
  ],
  "stream/cut-results-are-named": [
    progressMutation(
      {
        name: "does not report cut results",
        needs: "a query without `count:` that finds more than is shown",
        effect: "left `skipped` empty although results were cut off",
      },
      (asked) => filterIn(asked, "count") === undefined,
      nothingSkipped,
    ),
  ],
  "stream/limit-suggestion-raises-count": [
    suggestion("suggests a smaller number", "count:1"),
    suggestion("suggests something else", "archived:yes"),
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
  "stream/suggested-filter-finds-matches": findsNothing,
  "stream/suggested-filter-narrows": findsEverything,
  "stream/cm-enables-chunk-matches": [
    orElse(
      misread({
        name: "ignores `cm=true`",
        needs: "a search for lines with `cm=true`",
        effect: "read a search with `cm=true` like the same one without it",
        readInstead: otherwise("cm", (asked, other) => wantsChunks(asked) && !wantsChunks(other)),
      }),
      matchesEdits("sent no chunk matches although `cm` is true", wantsChunks, ({ match, pointer, data }) => {
        const names = Object.keys(isRecord(match) ? match : {});
        return names
          .filter((name) => chunksOf({ [name]: member(match, name) }, pointer).length > 0)
          .map((name) => removeMember(data, `${pointer}/${name}`));
      }),
    ),
  ],
  "stream/chunk-matches-need-cm": [
    orElse(
      misread({
        name: "sends chunk matches without `cm`",
        needs: "a search for lines without `cm`",
        effect: "read a search without `cm` like the same one with it",
        readInstead: otherwise("cm", (asked, other) => !wantsChunks(asked) && wantsChunks(other)),
      }),
      matchesEdits(
        "sent the lines of a match as chunk matches too",
        (asked) => !wantsChunks(asked),
        ({ match, pointer, data }) => {
          const lines = elements(member(match, "lineMatches"), "").map(([, line]) => ({
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
    misread({
      name: "cuts lines without `max-line-len`",
      needs: "a search with `cm=true` and `max-line-len` that cuts a line, and the same without it",
      effect: "read a search without `max-line-len` like the same one with it",
      readInstead: otherwise(
        "max-line-len",
        (asked, other) => asked["max-line-len"] === undefined && wantsChunks(other),
      ),
    }),
  ],
  "stream/max-line-len-cuts-lines": [
    misread({
      name: "ignores `max-line-len`",
      needs: "a search with `cm=true` and `max-line-len` that cuts a line, and the same without it",
      effect: "read a search with `max-line-len` like the same one without it",
      readInstead: ignores("max-line-len", wantsChunks),
    }),
    matchesMutation(
      {
        name: "cuts lines within a character",
        needs: "a search with `cm=true` and `max-line-len` that cuts a line, and the same without it",
        isOptional: true,
        effect: "ended the lines of chunk matches with half a character",
      },
      (asked) => wantsChunks(asked) && Number(asked["max-line-len"]) > 0,
      ({ match, pointer, data }, asked) =>
        chunksOf(match, pointer).flatMap(([at, chunk]) => {
          const context = member(chunk, "context");
          const maxLength = Number(asked["max-line-len"]);
          const lines = String(context).split("\n");
          const halved = lines.map((line) =>
            line.length >= maxLength ? `${line.slice(0, maxLength - 1)}\u{FFFD}` : line,
          );
          return cutText(data, `${at}/context`, [context, halved.join("\n")]);
        }),
    ),
  ],
  "stream/max-line-len-keeps-short-lines": [
    matchesMutation(
      {
        name: "cuts lines that are short enough",
        needs:
          "a search with `cm=true` and a `max-line-len` that no line of a chunk is longer than, and the same without it",
        effect: "cut the lines of chunk matches to ten bytes",
      },
      (asked) => wantsChunks(asked) && Number(asked["max-line-len"]) > 10,
      ({ match, pointer, data }) =>
        chunksOf(match, pointer).flatMap(([at, chunk]) => {
          const context = member(chunk, "context");
          return cutText(data, `${at}/context`, [context, cutAt(context, 10)]);
        }),
    ),
  ],
  "stream/max-line-len-leaves-no-line-out": [
    matchesMutation(
      {
        name: "leaves out lines that are too long",
        needs:
          "a search with `cm=true` and `max-line-len` that cuts a line in front of a short one, and the same without it",
        effect: "left out the lines of chunk matches that were cut",
      },
      (asked) => wantsChunks(asked) && Number(asked["max-line-len"]) > 0,
      ({ match, pointer, data }, asked) =>
        chunksOf(match, pointer).flatMap(([at, chunk]) => {
          const context = member(chunk, "context");
          // Cut lines are about as long as the limit.
          const short = String(context)
            .split("\n")
            .filter((line) => Buffer.byteLength(line) + 2 <= Number(asked["max-line-len"]));
          return cutText(data, `${at}/context`, [context, short.join("\n")]);
        }),
    ),
  ],
  "stream/max-line-len-needs-chunks": [
    matchesMutation(
      {
        name: "cuts lines of line matches",
        needs: "a search with `max-line-len`, without `cm`, that finds a longer line",
        effect: "cut the lines of line matches to `max-line-len`",
      },
      (asked) => asked["max-line-len"] !== undefined && !wantsChunks(asked),
      ({ match, pointer, data }, asked) =>
        elements(member(match, "lineMatches"), `${pointer}/lineMatches`).flatMap(([at, lineMatch]) => {
          const line = member(lineMatch, "line");
          return cutText(data, `${at}/line`, [line, cutAt(line, Number(asked["max-line-len"]))]);
        }),
    ),
    findsNothingWith(
      "`max-line-len` and without `cm`",
      (asked) => asked["max-line-len"] !== undefined && !wantsChunks(asked),
    ),
  ],
  "stream/cl-gives-context-lines": [
    misread({
      name: "ignores `cl`",
      needs: "a search with `cm=true` and `cl` that finds a line with others around it, and the same without `cl`",
      effect: "read a search with `cl` like the same one without it",
      readInstead: otherwise("cl", (asked) => asked["cl"] !== undefined && wantsChunks(asked)),
    }),
    misread({
      name: "sends more than one line without `cl`",
      needs: "a search with `cm=true` and without `cl` that finds a line with others around it, and the same with `cl`",
      isOptional: true,
      effect: "read a search without `cl` like the same one with it",
      readInstead: otherwise("cl", (asked) => asked["cl"] === undefined && wantsChunks(asked)),
    }),
  ],
  "stream/cl-needs-cm": [
    misread({
      name: "sends chunk matches for `cl` without `cm`",
      needs: "a search with `cl` and without `cm`, and the same with `cm=true`",
      effect: "read a search with `cl` and without `cm` like the same one with `cm=true`",
      readInstead: (asked, all) =>
        asked["cl"] === undefined || wantsChunks(asked)
          ? []
          : all.filter((other) => wantsChunks(other) && isSame(without(asked, "cl", "cm"), without(other, "cl", "cm"))),
    }),
    findsNothingWith("`cl` and without `cm`", (asked) => asked["cl"] !== undefined && !wantsChunks(asked)),
  ],
  "stream/line-parameters-keep-files": [
    matchesMutation(
      {
        name: "leaves out a file if chunk matches are requested",
        needs: "a search for one plain word with `cm=true` that finds several files, and the same without it",
        effect: "left out a file of a search with `cm=true`",
      },
      wantsChunks,
      ({ index, pointer, data }) => (index > 0 ? [] : [removeMember(data, pointer)]),
    ),
    findsNothingWith("`cm`", wantsChunks),
  ],
} as const satisfies MutationsByRule;
