import { isPayloadArray, isPayloadObject } from "../payload.ts";
import {
  changeElements,
  changeFirstElement,
  changeFirstObject,
  isFinalProgress,
  isRunningProgress,
  replaceFirst,
  without,
} from "./event-transforms.ts";
import type { EventEffect } from "./event-transforms.ts";
import { type Fault, type Variants, howParameter, observing, variantOf, violating } from "./fault.ts";
import { archivedEntry } from "./skipped-transforms.ts";
import { halved, having, lacking, replacedBy } from "./spoiling.ts";
import type { Spoil } from "./spoiling.ts";

type Pair = readonly [offset: number, length: number];

const withPairs =
  (change: (pair: Pair) => Pair) =>
  (line: unknown): unknown =>
    isPayloadObject(line) && isPayloadArray(line["offsetAndLengths"])
      ? {
          ...line,
          offsetAndLengths: line["offsetAndLengths"].map((pair) =>
            isPayloadArray(pair) ? change([Number(pair[0]), Number(pair[1])]) : pair,
          ),
        }
      : line;

/** An effect that changes each pair of an offset and a length in every content match that has line matches. */
const changePairs = (change: (pair: Pair) => Pair): EventEffect =>
  changeElements("matches", (match) => {
    const { lineMatches } = match;
    return isPayloadArray(lineMatches) ? { ...match, lineMatches: lineMatches.map(withPairs(change)) } : undefined;
  });

const progressVariants: Variants<Spoil> = {
  "done-missing": lacking("done"),
  "done-text": having("done", "false"),
  "match-count-missing": lacking("matchCount"),
  "match-count-text": having("matchCount", "1"),
  "match-count-half": halved("matchCount"),
  "match-count-negative": having("matchCount", -1),
  "duration-missing": lacking("durationMs"),
  "duration-half": halved("durationMs"),
  "duration-negative": having("durationMs", -3),
  "skipped-null": having("skipped", null),
  "repositories-text": having("repositoriesCount", "1"),
  "repositories-null": having("repositoriesCount", null),
  "repositories-negative": having("repositoriesCount", -1),
  "trace-number": having("trace", 1),
  "trace-null": having("trace", null),
  "trace-no-address": having("trace", "trace 17"),
  list: replacedBy([]),
  null: replacedBy(null),
};

const skippedVariants: Variants<Spoil> = {
  "reason-missing": lacking("reason"),
  "reason-number": having("reason", 1),
  "title-missing": lacking("title"),
  "title-number": having("title", 1),
  "message-missing": lacking("message"),
  "message-null": having("message", null),
  "severity-number": having("severity", 1),
  "suggested-text": having("suggested", "archived:yes"),
  "suggested-without-title": having("suggested", { queryExpression: "archived:yes" }),
  "suggested-without-expression": having("suggested", { title: "include archived" }),
  "expression-number": having("suggested", { title: "include archived", queryExpression: 1 }),
  "suggested-null": having("suggested", null),
  "suggested-title-null": having("suggested", { title: null, queryExpression: "archived:yes" }),
  text: replacedBy("1 archived"),
  null: replacedBy(null),
};

const filterVariants: Variants<Spoil> = {
  "value-missing": lacking("value"),
  "value-number": having("value", 1),
  "value-empty": having("value", ""),
  "label-missing": lacking("label"),
  "label-null": having("label", null),
  "count-missing": lacking("count"),
  "count-text": having("count", "1"),
  "count-half": halved("count"),
  "count-negative": having("count", -1),
  "exhaustive-missing": lacking("exhaustive"),
  "exhaustive-text": having("exhaustive", "false"),
  "kind-number": having("kind", 1),
  text: replacedBy("lang:go"),
  null: replacedBy(null),
};

const position = (offset: number) => ({ offset, line: 0, column: offset });

const wrongRanges: Variants<unknown> = {
  behind: { start: position(9000), end: position(9004) },
  backwards: { start: position(4), end: position(1) },
};

const noObjects: Variants<unknown> = { list: [], null: null, number: 1, flag: true };

const noArrays: Variants<unknown> = { object: {}, null: null, text: "[]" };

const anything = (): boolean => true;

/** One way for every member of progress, skipped entries and filters to miss its schema; and data of the wrong type. */
export const schemaMemberFaults: readonly Fault[] = [
  violating("stream/progress-fits-schema", "progress-malformed")(
    "The first running progress lacks a member, has one of another type, or is no object.",
    changeFirstObject(isRunningProgress, (data, run) => variantOf(progressVariants, run)?.(data)),
    howParameter(progressVariants),
  ),
  violating("stream/skipped-fits-schema", "skipped-malformed")(
    "The first running progress has a skipped entry that lacks a member, has one of another type, or is no object.",
    changeFirstObject(isRunningProgress, (data, run) => ({
      ...data,
      skipped: [variantOf(skippedVariants, run)?.(archivedEntry)],
    })),
    howParameter(skippedVariants),
  ),
  violating("stream/filters-fit-schema", "filter-malformed")(
    "The first entry of the first filters lacks a member, has one of another type, or is no object.",
    changeFirstElement("filters", anything, (filter, run) => variantOf(filterVariants, run)?.(filter)),
    howParameter(filterVariants),
  ),
  violating("stream/filters-fit-schema", "filters-not-array")(
    "The data of the first filters is an object, or something else that is no array.",
    replaceFirst(
      ({ name }) => name === "filters",
      ({ name }, run) => [{ name, data: variantOf(noArrays, run) }],
    ),
    howParameter(noArrays),
  ),
  violating("stream/alert-is-an-object", "alert-not-object")(
    "An alert whose data is an empty list, or something else that is no object, follows the final progress.",
    replaceFirst(isFinalProgress, (event, run) => [event, { name: "alert", data: variantOf(noObjects, run) }]),
    howParameter(noObjects),
  ),
  violating("stream/alert-level-is-listed", "alert-level-unlisted")(
    "An alert with the level `fatal` follows the final progress.",
    replaceFirst(isFinalProgress, (event) => [
      event,
      { name: "alert", data: { title: "Some repositories were slow", level: "fatal" } },
    ]),
  ),
  violating("stream/content-match-shows-lines", "lines-left-out")(
    "Content matches of searches without chunk matches lack `lineMatches`.",
    changeElements("matches", (match) =>
      isPayloadArray(match["lineMatches"]) && !isPayloadArray(match["chunkMatches"])
        ? without(match, "lineMatches")
        : undefined,
    ),
  ),
  violating("stream/path-ranges-stay-in-the-path", "path-ranges-lead-out")(
    "What matches in the path of each content match lies behind its end, or ends before it starts.",
    changeElements("matches", (match, run) =>
      match["type"] === "content" ? { ...match, pathMatches: [variantOf(wrongRanges, run)] } : undefined,
    ),
    howParameter(wrongRanges),
  ),
  violating("stream/line-pairs-stay-in-the-line", "pairs-with-end")(
    "The pairs of line matches hold the end of the marked text, far behind it, instead of its length.",
    changePairs(([offset, length]) => [offset, offset + length + 10_000]),
  ),
  violating("stream/line-pairs-mark-the-word", "pairs-shifted")(
    "The offset of each pair of the line matches is one too large.",
    changePairs(([offset, length]) => [offset + 1, length]),
  ),
  observing("stream/alert-is-an-object", "alert-with-level")(
    "An alert with a member for its level follows the final progress.",
    replaceFirst(isFinalProgress, (event, { values }) => [
      event,
      { name: "alert", data: { title: "Some repositories were slow", [String(values["member"])]: "warning" } },
    ]),
    { member: { title: "its name", default: "level", choices: ["level", "severity"] } },
  ),
];
