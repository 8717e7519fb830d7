import { isPayloadArray, isPayloadObject } from "../payload.ts";
import { changeFirstElement, isNamed, replaceFirst, without } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
import { chosenWay, howParameter, type Ways } from "./fault-ways.ts";

const isContent = (match: Readonly<Record<string, unknown>>): boolean => match["type"] === "content";
/** Line matches whose line numbers lie between two lines. */
const betweenLines = (lineMatches: unknown): unknown =>
  isPayloadArray(lineMatches)
    ? lineMatches.map((line) =>
        isPayloadObject(line) ? { ...line, lineNumber: Number(line["lineNumber"]) + 0.5 } : line,
      )
    : lineMatches;

const noLists: Ways<(list: unknown) => unknown> = {
  "first-match": (list) => (isPayloadArray(list) ? list[0] : list),
  null: () => null,
  text: () => "[]",
};
const noMatches: Ways<unknown> = { text: "a match", null: null, list: [] };
const noTypes: Ways<unknown> = { number: 1, null: null, list: ["content"] };

const anything = (): boolean => true;

const contentSchema = "stream/content-match-fits-schema";

/** Faults in the payload of `matches`. They change matches and never add one, so that no limit is passed. */
export const matchFaults: readonly Fault[] = [
  {
    id: "matches-not-array",
    title: "matches that are not an array",
    description: "The data of the first matches is its first match, or null, instead of an array.",
    kind: "violation",
    attacks: "stream/matches-is-an-array",
    parameters: howParameter(noLists),
    ...replaceFirst(isNamed("matches"), ({ name, data }, run) => [{ name, data: chosenWay(noLists, run)?.(data) }]),
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
    ...changeFirstElement("matches", anything, (_match, run) => chosenWay(noMatches, run)),
  },
  {
    id: "match-type-not-text",
    title: "a match whose type is no text",
    description: "The type of the first match is a number, or something else that is no text.",
    kind: "violation",
    attacks: "stream/matches-is-an-array",
    parameters: howParameter(noTypes),
    ...changeFirstElement("matches", anything, (match, run) => ({ ...match, type: chosenWay(noTypes, run) })),
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
];
