import type { PayloadObject } from "../payload.ts";
import {
  changeChunks,
  chunkLines,
  chunksIn,
  firstLineOf,
  highlightsOf,
  textMember,
  withChunkLines,
} from "./chunk-transforms.ts";
import { changeElements, without } from "./event-transforms.ts";
import type { Fault, FaultRun } from "./fault.ts";
import { chosenWay, howParameter, type Ways } from "./fault-ways.ts";
import { isGiven, searchWith } from "./parameter-transforms.ts";

const cmWays: Ways<"lines" | "empty-list"> = { lines: "lines", "empty-list": "empty-list" };

const missingTexts: Ways<(chunk: PayloadObject) => PayloadObject> = {
  renamed: (chunk) => ({ ...without(chunk, "context"), content: chunk["context"] }),
  missing: (chunk) => without(chunk, "context"),
  "not-text": (chunk) => ({ ...chunk, context: chunkLines(chunk) }),
  null: (chunk) => ({ ...chunk, context: null }),
};

/** The first so many characters of a line. */
const beginning = (line: string, length: number): string => Array.from(line).slice(0, length).join("");

/** A chunk of which a matched line would stay whole is left alone, so that its context can still be told from its matches. */
const shortened = (chunk: PayloadObject, run: FaultRun): readonly PayloadObject[] | undefined => {
  const length = Number(run.values["length"]);
  const lines = chunkLines(chunk);
  const matched = highlightsOf(chunk).map(({ line }) => lines[line - firstLineOf(chunk)] ?? "");
  return !isCutAsked(run) && matched.every((line) => Array.from(line).length > length)
    ? [
        withChunkLines(
          chunk,
          lines.map((line) => beginning(line, length)),
        ),
      ]
    : undefined;
};

const isCutAsked = ({ given }: FaultRun): boolean => Number(given.get("max-line-len") ?? "") > 0;

/** Faults in chunk matches: when they come, and what they hold of their lines. */
export const chunkFaults: readonly Fault[] = [
  {
    id: "cm-ignored",
    title: "no chunk matches",
    description: "With `cm=true` matches have line matches, or an empty list of chunk matches.",
    kind: "violation",
    attacks: "stream/cm-enables-chunk-matches",
    parameters: howParameter(cmWays),
    ...searchWith((parameters, run) =>
      parameters.chunkMatches && chosenWay(cmWays, run) === "lines"
        ? { ...parameters, chunkMatches: false }
        : undefined,
    ),
    also: [
      changeElements("matches", (match, run) =>
        chunksIn(match) === undefined || chosenWay(cmWays, run) === "lines"
          ? undefined
          : { ...match, chunkMatches: [] },
      ),
    ],
  },
  {
    id: "chunks-without-cm",
    title: "chunk matches that nobody asked for",
    description: "Without `cm`, or with `cm=false`, matches have chunk matches instead of line matches.",
    kind: "violation",
    attacks: "stream/chunk-matches-need-cm",
    parameters: {
      when: { title: "in which searches", default: "absent", choices: ["absent", "false", "both"] },
    },
    ...searchWith((parameters, run) => {
      const isAbsent = !isGiven(run, "cm");
      const { when } = run.values;
      return parameters.chunkMatches || when === (isAbsent ? "false" : "absent")
        ? undefined
        : { ...parameters, chunkMatches: true };
    }),
  },
  {
    id: "chunk-text-renamed",
    title: "chunks whose text has another name",
    description: "The text of every chunk match is called `content`, or is missing, or is no text.",
    kind: "violation",
    attacks: "stream/chunk-match-has-context",
    parameters: howParameter(missingTexts),
    ...changeChunks((chunk, run) => {
      const change = chosenWay(missingTexts, run);
      return textMember(chunk) === "context" && change !== undefined ? [change(chunk)] : undefined;
    }),
  },
  {
    id: "chunk-lines-shortened",
    title: "chunk lines that are cut unasked",
    description:
      "Without `max-line-len` the lines of chunks are cut to ten characters, where all of their matched lines are longer.",
    kind: "violation",
    attacks: "stream/chunk-lines-are-whole",
    parameters: { length: { title: "number of characters that stay", default: 10 } },
    ...changeChunks(shortened),
  },
  {
    id: "max-line-len-ignored",
    title: "a max-line-len that has no effect",
    description: "The lines of chunks stay whole, whatever `max-line-len` says.",
    kind: "violation",
    attacks: "stream/max-line-len-cuts-lines",
    ...searchWith(({ maxLineBytes, ...parameters }) =>
      maxLineBytes === undefined || !parameters.chunkMatches ? undefined : parameters,
    ),
  },
  {
    id: "max-line-len-exceeded",
    title: "lines a bit longer than max-line-len",
    description: "The lines of chunks are cut one byte later than `max-line-len` says, or more.",
    kind: "violation",
    attacks: "stream/max-line-len-cuts-lines",
    parameters: { more: { title: "number of bytes beyond `max-line-len`", default: 1 } },
    ...searchWith((parameters, { values }) =>
      parameters.maxLineBytes === undefined || !parameters.chunkMatches
        ? undefined
        : { ...parameters, maxLineBytes: parameters.maxLineBytes + Number(values["more"]) },
    ),
  },
];
