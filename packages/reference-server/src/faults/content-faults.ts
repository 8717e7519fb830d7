import { isPayloadArray, isPayloadObject, type PayloadObject } from "../payload.ts";
import { changeFirstElement } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
import { chosenWay, howParameter, type Ways } from "./fault-ways.ts";
import { halved, having, lacking, type Spoil } from "./spoiling.ts";

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

const ofFile: Ways<Spoil> = {
  "path-missing": lacking("path"),
  "path-null": having("path", null),
  "path-matches-object": having("pathMatches", {}),
  "path-match-text": having("pathMatches", ["0-3"]),
  "path-match-without-end": having("pathMatches", [{ start: position }]),
  "path-match-start-number": having("pathMatches", [{ start: 0, end: position }]),
  "path-match-half-column": having("pathMatches", [{ start: { ...position, column: 0.5 }, end: position }]),
  "path-match-without-line": having("pathMatches", [{ start: { offset: 0, column: 0 }, end: position }]),
  "repository-null": having("repository", null),
  "repository-id-missing": lacking("repositoryID"),
  "repository-id-half": halved("repositoryID"),
  "stars-text": having("repoStars", "many"),
  "fetched-no-time": having("repoLastFetched", "yesterday"),
  "fetched-number": having("repoLastFetched", 1_700_000_000),
  "branches-numbers": having("branches", [1]),
  "commit-number": having("commit", 1),
  "hunks-missing": lacking("hunks"),
  "hunks-object": having("hunks", {}),
  "language-number": having("language", 1),
};

const ofLines: Ways<Spoil> = {
  "lines-object": having("lineMatches", {}),
  "line-text": having("lineMatches", ["a line"]),
  "line-without-text": eachLine(lacking("line")),
  "line-text-null": eachLine(having("line", null)),
  "line-without-number": eachLine(lacking("lineNumber")),
  "line-number-text": eachLine(having("lineNumber", "1")),
  "line-without-pairs": eachLine(lacking("offsetAndLengths")),
  "pairs-object": eachLine(having("offsetAndLengths", {})),
  "pair-number": eachLine(having("offsetAndLengths", [0])),
  "pair-of-three": eachLine(having("offsetAndLengths", [[0, 1, 2]])),
  "pair-of-one": eachLine(having("offsetAndLengths", [[0]])),
  "pair-half": eachLine(having("offsetAndLengths", [[0.5, 1]])),
};

const ways: Ways<Spoil> = { ...ofFile, ...ofLines };

const hasLines = (match: PayloadObject): boolean => isPayloadArray(match["lineMatches"]);

/** One way for every member of a content match to miss its schema. */
export const contentFaults: readonly Fault[] = [
  {
    id: "content-malformed",
    title: "a content match with a member that does not fit",
    description: "The first content match, or the first with line matches, lacks a member or has one of another type.",
    kind: "violation",
    attacks: "stream/content-match-fits-schema",
    parameters: howParameter(ways),
    ...changeFirstElement(
      "matches",
      (match, run) => match["type"] === "content" && (chosenWay(ofLines, run) === undefined || hasLines(match)),
      (match, run) => chosenWay(ways, run)?.(match),
    ),
  },
];
