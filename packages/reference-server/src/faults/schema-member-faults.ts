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
import { variantOf, howParameter } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
import type { Fault } from "./fault.ts";
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
  {
    id: "progress-malformed",
    title: "a progress with a member that does not fit",
    description: "The first running progress lacks a member, has one of another type, or is no object.",
    kind: "violation",
    attacks: "stream/progress-fits-schema",
    parameters: howParameter(progressVariants),
    ...changeFirstObject(isRunningProgress, (data, run) => variantOf(progressVariants, run)?.(data)),
  },
  {
    id: "skipped-malformed",
    title: "a skipped entry with a member that does not fit",
    description:
      "The first running progress has a skipped entry that lacks a member, has one of another type, or is no object.",
    kind: "violation",
    attacks: "stream/skipped-fits-schema",
    parameters: howParameter(skippedVariants),
    ...changeFirstObject(isRunningProgress, (data, run) => ({
      ...data,
      skipped: [variantOf(skippedVariants, run)?.(archivedEntry)],
    })),
  },
  {
    id: "filter-malformed",
    title: "a filter with a member that does not fit",
    description: "The first entry of the first filters lacks a member, has one of another type, or is no object.",
    kind: "violation",
    attacks: "stream/filters-fit-schema",
    parameters: howParameter(filterVariants),
    ...changeFirstElement("filters", anything, (filter, run) => variantOf(filterVariants, run)?.(filter)),
  },
  {
    id: "filters-not-array",
    title: "filters that are not an array",
    description: "The data of the first filters is an object, or something else that is no array.",
    kind: "violation",
    attacks: "stream/filters-fit-schema",
    parameters: howParameter(noArrays),
    ...replaceFirst(
      ({ name }) => name === "filters",
      ({ name }, run) => [{ name, data: variantOf(noArrays, run) }],
    ),
  },
  {
    id: "alert-not-object",
    title: "an alert that is no object",
    description:
      "An alert whose data is an empty list, or something else that is no object, follows the final progress.",
    kind: "violation",
    attacks: "stream/alert-is-an-object",
    parameters: howParameter(noObjects),
    ...replaceFirst(isFinalProgress, (event, run) => [event, { name: "alert", data: variantOf(noObjects, run) }]),
  },
  {
    id: "alert-level-unlisted",
    title: "an alert of a level that is not listed",
    description: "An alert with the level `fatal` follows the final progress.",
    kind: "violation",
    attacks: "stream/alert-level-is-listed",
    ...replaceFirst(isFinalProgress, (event) => [
      event,
      { name: "alert", data: { title: "Some repositories were slow", level: "fatal" } },
    ]),
  },
  {
    id: "lines-left-out",
    title: "content matches without their lines",
    description: "Content matches of searches without chunk matches lack `lineMatches`.",
    kind: "violation",
    attacks: "stream/content-match-shows-lines",
    ...changeElements("matches", (match) =>
      isPayloadArray(match["lineMatches"]) && !isPayloadArray(match["chunkMatches"])
        ? without(match, "lineMatches")
        : undefined,
    ),
  },
  {
    id: "path-ranges-lead-out",
    title: "ranges of paths that are none",
    description: "What matches in the path of each content match lies behind its end, or ends before it starts.",
    kind: "violation",
    attacks: "stream/path-ranges-stay-in-the-path",
    parameters: howParameter(wrongRanges),
    ...changeElements("matches", (match, run) =>
      match["type"] === "content" ? { ...match, pathMatches: [variantOf(wrongRanges, run)] } : undefined,
    ),
  },
  {
    id: "pairs-with-end",
    title: "pairs of an offset and an end",
    description: "The pairs of line matches hold the end of the marked text, far behind it, instead of its length.",
    kind: "violation",
    attacks: "stream/line-pairs-stay-in-the-line",
    ...changePairs(([offset, length]) => [offset, offset + length + 10_000]),
  },
  {
    id: "pairs-shifted",
    title: "pairs that are one too far",
    description: "The offset of each pair of the line matches is one too large.",
    kind: "violation",
    attacks: "stream/line-pairs-mark-the-word",
    ...changePairs(([offset, length]) => [offset + 1, length]),
  },
  {
    id: "alert-with-level",
    title: "an alert that tells its level",
    description: "An alert with a member for its level follows the final progress.",
    kind: "observation",
    attacks: "stream/alert-is-an-object",
    parameters: { member: { title: "its name", default: "level", choices: ["level", "severity"] } },
    ...replaceFirst(isFinalProgress, (event, { values }) => [
      event,
      { name: "alert", data: { title: "Some repositories were slow", [String(values["member"])]: "warning" } },
    ]),
  },
];
