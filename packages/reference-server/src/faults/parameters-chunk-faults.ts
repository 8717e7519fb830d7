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
import { type Fault, type FaultEffect, type Variants, howParameter, variantOf, violating } from "./fault.ts";
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
  violating("stream/cm-enables-chunk-matches", "cm-ignored")(
    "With `cm=true` matches have line matches, or an empty list of chunk matches.",
    [
      searchWith((parameters, run) =>
        parameters.chunkMatches && variantOf(cmVariants, run) === "lines"
          ? { ...parameters, chunkMatches: false }
          : undefined,
      ),
      changeElements("matches", (match, run) =>
        chunksIn(match) === undefined || variantOf(cmVariants, run) === "lines"
          ? undefined
          : { ...match, chunkMatches: [] },
      ),
    ],
    howParameter(cmVariants),
  ),
  violating("stream/cm-enables-chunk-matches", "cm-for-some-files")(
    "With `cm=true` the matches of every other file, by its name, have line matches alone.",
    changeElements("matches", (match) => {
      const chunks = chunksIn(match);
      const isSpared = hash32(String(match["path"])) % 2 === 0;
      return chunks === undefined || isSpared
        ? undefined
        : { ...without(match, "chunkMatches"), lineMatches: chunks.flatMap(lineMatchesOf) };
    }),
  ),
  violating("stream/chunk-matches-need-cm", "chunks-without-cm")(
    "Without `cm`, or with `cm=false`, matches have chunk matches instead of line matches.",
    searchWith((parameters, run) => {
      const isAbsent = !isGiven(run, "cm");
      const { when } = run.values;
      return parameters.chunkMatches || when === (isAbsent ? "false" : "absent")
        ? undefined
        : { ...parameters, chunkMatches: true };
    }),
    {
      when: { title: "in which searches", default: "absent", choices: ["absent", "false", "both"] },
    },
  ),
  violating("stream/chunk-match-has-context", "chunk-text-renamed")(
    "The text of every chunk match is called `content`, or is missing, or is no text.",
    changeChunks((chunk, run) => {
      const change = variantOf(missingTexts, run);
      return textMember(chunk) === "context" && change !== undefined ? [change(chunk)] : undefined;
    }),
    howParameter(missingTexts),
  ),
  violating("stream/chunk-lines-are-whole", "chunk-lines-shortened")(
    "Without `max-line-len` the lines of chunks are cut to ten characters, where all of their matched lines are longer.",
    changeChunks(shortened),
    { length: { title: "number of characters that stay", default: 10 } },
  ),
  violating("stream/max-line-len-cuts-lines", "max-line-len-ignored")(
    "The lines of chunks stay whole, whatever `max-line-len` says.",
    searchWith(({ maxLineBytes, ...parameters }) =>
      maxLineBytes === undefined || !parameters.chunkMatches ? undefined : parameters,
    ),
  ),
  violating("stream/max-line-len-cuts-lines", "max-line-len-exceeded")(
    "The lines of chunks are cut one byte later than `max-line-len` says, or more.",
    searchWith((parameters, { values }) =>
      parameters.maxLineBytes === undefined || !parameters.chunkMatches
        ? undefined
        : { ...parameters, maxLineBytes: parameters.maxLineBytes + Number(values["more"]) },
    ),
    { more: { title: "number of bytes beyond `max-line-len`", default: 1 } },
  ),
  violating("stream/max-line-len-keeps-short-lines", "max-line-len-cuts-too-much")(
    "Lines of chunks are cut to half of `max-line-len`, or at their first space, or to one character.",
    changeChunks((chunk, run) => {
      const cut = variantOf(cutTooMuch, run);
      return isCutAsked(run) && cut !== undefined
        ? [withChunkLines(chunk, cut(chunkLines(chunk), Number(run.given.get("max-line-len"))))]
        : undefined;
    }),
    howParameter(cutTooMuch),
  ),
  violating("stream/cl-gives-context-lines", "cl-ignored")(
    "Chunks have one line around a match, or as many as the parameter says, whatever `cl` asks for.",
    searchAround((_context, run) => (isGiven(run, "cl") ? around(Number(run.values["lines"])) : undefined)),
    { lines: { title: "number of lines before and after", default: 1 } },
  ),
  violating("stream/cl-gives-context-lines", "cl-too-many")(
    "Chunks have one line more before and after a match than they should, or several.",
    searchAround(({ after, before }, { values }) => ({
      before: before + Number(values["more"]),
      after: after + Number(values["more"]),
    })),
    { more: { title: "number of lines too many", default: 1 } },
  ),
  violating("stream/cl-gives-context-lines", "cl-one-sided")(
    "Chunks have the lines before a match and none after it, or the other way round.",
    searchAround((context, { values }) => ({
      ...around(0),
      ...(values["side"] === "after" ? { after: context.after } : { before: context.before }),
    })),
    { side: { title: "where there are lines", default: "before", choices: ["before", "after"] } },
  ),
  violating("stream/cl-gives-context-lines", "cl-default-is-zero")(
    "Without `cl` chunks have nothing around a match.",
    byDefault(0),
  ),
  violating("stream/cl-gives-context-lines", "cl-default-is-three")(
    "Without `cl` chunks have three lines before and after a match.",
    byDefault(3),
  ),
  violating("stream/cl-needs-cm", "cl-without-cm")(
    "With `cl` and without `cm` the lines around a match are among the line matches.",
    [
      searchWith(({ maxLineBytes: _onlyForChunks, ...parameters }, run) =>
        isContextAlone(parameters, run) && parameters.context.before > 0
          ? { ...parameters, chunkMatches: true }
          : undefined,
      ), // The lines come as chunks from the search, and go out as what was asked for.
      changeElements("matches", (match, run) => {
        const chunks = isGiven(run, "cl") && !isChunkSearch(run) ? chunksIn(match) : undefined;
        return chunks === undefined
          ? undefined
          : { ...without(match, "chunkMatches"), lineMatches: chunks.flatMap(lineMatchesOf) };
      }),
    ],
  ),
  violating("stream/chunk-lines-are-whole", "max-line-len-none-is-nothing")(
    "With `max-line-len=-1` the text of every chunk match is empty.",
    changeChunks((chunk, { given }) => (given.get("max-line-len") === "-1" ? [{ ...chunk, context: "" }] : undefined)),
  ),
  violating("stream/max-line-len-needs-chunks", "max-line-len-cuts-line-matches")(
    "`max-line-len` cuts the lines of line matches as it cuts those of chunk matches.",
    changeElements("matches", (match, { given }) => {
      const most = Number(given.get("max-line-len") ?? "");
      const lines = match["lineMatches"];
      return most > 0 && isPayloadArray(lines)
        ? { ...match, lineMatches: lines.map((line) => withLine(line, most)) }
        : undefined;
    }),
  ),
];
