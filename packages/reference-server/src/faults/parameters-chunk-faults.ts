import type { SearchParameters } from "../http/search-parameters.ts";
import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { PayloadObject } from "../payload.ts";
import type { ContextLines } from "../ripgrep/context-lines.ts";
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
import { variantOf, howParameter } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
import type { Fault, FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { hash32 } from "../seeded-random.ts";
import { isGiven, searchWith } from "./parameter-transforms.ts";

const cmVariants: Variants<"lines" | "empty-list"> = { lines: "lines", "empty-list": "empty-list" };

const missingTexts: Variants<(chunk: PayloadObject) => PayloadObject> = {
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

/** What is left of lines that need not be cut. */
const cutTooMuch: Variants<(lines: readonly string[], most: number) => readonly string[]> = {
  half: (lines, most) => lines.map((line) => beginning(line, Math.floor(most / 2))),
  "first-word": (lines) => lines.map((line) => /^\s*\S*/u.exec(line)?.[0] ?? ""),
  "one-character": (lines) => lines.map((line) => beginning(line, 1)),
};

const isCutAsked = ({ given }: FaultRun): boolean => Number(given.get("max-line-len") ?? "") > 0;

/** A line match with no more than so many characters of its line. */
const withLine = (lineMatch: unknown, length: number): unknown =>
  isPayloadObject(lineMatch) && typeof lineMatch["line"] === "string"
    ? { ...lineMatch, line: beginning(lineMatch["line"], length) }
    : lineMatch;

/** A search for chunk matches with other lines around them. */
const searchAround = (change: (context: ContextLines, run: FaultRun) => ContextLines | undefined): FaultEffect =>
  searchWith((parameters, run) => {
    const context = parameters.chunkMatches ? change(parameters.context, run) : undefined;
    const isOther = context?.before !== parameters.context.before || context.after !== parameters.context.after;
    return context !== undefined && isOther ? { ...parameters, context } : undefined;
  });

/** The same number of lines on both sides. */
const around = (lines: number): ContextLines => ({ before: lines, after: lines });

const byDefault = (lines: number): FaultEffect =>
  searchAround((_context, run) => (isGiven(run, "cl") ? undefined : around(lines)));

/** Every line of a chunk as a line match; a line of context has no highlights. */
const lineMatchesOf = (chunk: PayloadObject): readonly object[] => {
  const first = firstLineOf(chunk);
  return chunkLines(chunk).map((line, index) => ({
    line,
    lineNumber: first + index,
    offsetAndLengths: highlightsOf(chunk)
      .filter((highlight) => highlight.line === first + index)
      .map(({ column, length }) => [column, length]),
  }));
};

const isContextAlone = ({ chunkMatches }: SearchParameters, run: FaultRun): boolean =>
  !chunkMatches && isGiven(run, "cl");

const isChunkSearch = ({ given }: FaultRun): boolean => /^(?:1|t|T|TRUE|true|True)$/u.test(given.get("cm") ?? "");

/** Faults in chunk matches: when they come, what they hold of their lines, and the lines around a match. */
export const chunkFaults: readonly Fault[] = [
  {
    id: "cm-ignored",
    title: "no chunk matches",
    description: "With `cm=true` matches have line matches, or an empty list of chunk matches.",
    kind: "violation",
    attacks: "stream/cm-enables-chunk-matches",
    parameters: howParameter(cmVariants),
    ...searchWith((parameters, run) =>
      parameters.chunkMatches && variantOf(cmVariants, run) === "lines"
        ? { ...parameters, chunkMatches: false }
        : undefined,
    ),
    also: [
      changeElements("matches", (match, run) =>
        chunksIn(match) === undefined || variantOf(cmVariants, run) === "lines"
          ? undefined
          : { ...match, chunkMatches: [] },
      ),
    ],
  },
  {
    id: "cm-for-some-files",
    title: "chunk matches of some files only",
    description: "With `cm=true` the matches of every other file, by its name, have line matches alone.",
    kind: "violation",
    attacks: "stream/cm-enables-chunk-matches",
    ...changeElements("matches", (match) => {
      const chunks = chunksIn(match);
      const isSpared = hash32(String(match["path"])) % 2 === 0;
      return chunks === undefined || isSpared
        ? undefined
        : { ...without(match, "chunkMatches"), lineMatches: chunks.flatMap(lineMatchesOf) };
    }),
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
      const change = variantOf(missingTexts, run);
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
  {
    id: "max-line-len-cuts-too-much",
    title: "a max-line-len that cuts lines which are short enough",
    description: "Lines of chunks are cut to half of `max-line-len`, or at their first space, or to one character.",
    kind: "violation",
    attacks: "stream/max-line-len-keeps-short-lines",
    parameters: howParameter(cutTooMuch),
    ...changeChunks((chunk, run) => {
      const cut = variantOf(cutTooMuch, run);
      return isCutAsked(run) && cut !== undefined
        ? [withChunkLines(chunk, cut(chunkLines(chunk), Number(run.given.get("max-line-len"))))]
        : undefined;
    }),
  },
  {
    id: "cl-ignored",
    title: "a cl that has no effect",
    description: "Chunks have one line around a match, or as many as the parameter says, whatever `cl` asks for.",
    kind: "violation",
    attacks: "stream/cl-gives-context-lines",
    parameters: { lines: { title: "number of lines before and after", default: 1 } },
    ...searchAround((_context, run) => (isGiven(run, "cl") ? around(Number(run.values["lines"])) : undefined)),
  },
  {
    id: "cl-too-many",
    title: "more lines around a match than cl",
    description: "Chunks have one line more before and after a match than they should, or several.",
    kind: "violation",
    attacks: "stream/cl-gives-context-lines",
    parameters: { more: { title: "number of lines too many", default: 1 } },
    ...searchAround(({ after, before }, { values }) => ({
      before: before + Number(values["more"]),
      after: after + Number(values["more"]),
    })),
  },
  {
    id: "cl-one-sided",
    title: "lines on one side of a match",
    description: "Chunks have the lines before a match and none after it, or the other way round.",
    kind: "violation",
    attacks: "stream/cl-gives-context-lines",
    parameters: { side: { title: "where there are lines", default: "before", choices: ["before", "after"] } },
    ...searchAround((context, { values }) => ({
      ...around(0),
      ...(values["side"] === "after" ? { after: context.after } : { before: context.before }),
    })),
  },
  {
    id: "cl-default-is-zero",
    title: "no lines around a match by default",
    description: "Without `cl` chunks have nothing around a match.",
    kind: "violation",
    attacks: "stream/cl-gives-context-lines",
    ...byDefault(0),
  },
  {
    id: "cl-default-is-three",
    title: "three lines around a match by default",
    description: "Without `cl` chunks have three lines before and after a match.",
    kind: "violation",
    attacks: "stream/cl-gives-context-lines",
    ...byDefault(3),
  },
  {
    id: "cl-without-cm",
    title: "a cl that works without cm",
    description: "With `cl` and without `cm` the lines around a match are among the line matches.",
    kind: "violation",
    attacks: "stream/cl-needs-cm",
    ...searchWith(({ maxLineBytes: _onlyForChunks, ...parameters }, run) =>
      isContextAlone(parameters, run) && parameters.context.before > 0
        ? { ...parameters, chunkMatches: true }
        : undefined,
    ),
    also: [
      // The lines come as chunks from the search, and go out as what was asked for.
      changeElements("matches", (match, run) => {
        const chunks = isGiven(run, "cl") && !isChunkSearch(run) ? chunksIn(match) : undefined;
        return chunks === undefined
          ? undefined
          : { ...without(match, "chunkMatches"), lineMatches: chunks.flatMap(lineMatchesOf) };
      }),
    ],
  },
  {
    id: "max-line-len-none-is-nothing",
    title: "a max-line-len=-1 that leaves nothing",
    description: "With `max-line-len=-1` the text of every chunk match is empty.",
    kind: "violation",
    attacks: "stream/chunk-lines-are-whole",
    ...changeChunks((chunk, { given }) =>
      given.get("max-line-len") === "-1" ? [{ ...chunk, context: "" }] : undefined,
    ),
  },
  {
    id: "max-line-len-cuts-line-matches",
    title: "a max-line-len that cuts line matches",
    description: "`max-line-len` cuts the lines of line matches as it cuts those of chunk matches.",
    kind: "violation",
    attacks: "stream/max-line-len-needs-chunks",
    ...changeElements("matches", (match, { given }) => {
      const most = Number(given.get("max-line-len") ?? "");
      const lines = match["lineMatches"];
      return most > 0 && isPayloadArray(lines)
        ? { ...match, lineMatches: lines.map((line) => withLine(line, most)) }
        : undefined;
    }),
  },
];
