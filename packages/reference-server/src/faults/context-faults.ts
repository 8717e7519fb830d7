import type { SearchParameters } from "../http/search-parameters.ts";
import type { PayloadObject } from "../payload.ts";
import type { ContextLines } from "../ripgrep/context-lines.ts";
import { chunkLines, chunksIn, firstLineOf, highlightsOf } from "./chunk-transforms.ts";
import { changeElements, without } from "./event-transforms.ts";
import type { Fault, FaultEffect, FaultRun } from "./fault.ts";
import { isGiven, searchWith } from "./parameter-transforms.ts";

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

const attacks = "stream/cl-gives-context-lines";

/** Faults in the lines around a match. */
export const contextFaults: readonly Fault[] = [
  {
    id: "cl-ignored",
    title: "a cl that has no effect",
    description: "Chunks have one line around a match, or as many as the parameter says, whatever `cl` asks for.",
    kind: "violation",
    attacks,
    parameters: { lines: { title: "number of lines before and after", default: 1 } },
    ...searchAround((_context, run) => (isGiven(run, "cl") ? around(Number(run.values["lines"])) : undefined)),
  },
  {
    id: "cl-too-many",
    title: "more lines around a match than cl",
    description: "Chunks have one line more before and after a match than they should, or several.",
    kind: "violation",
    attacks,
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
    attacks,
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
    attacks,
    ...byDefault(0),
  },
  {
    id: "cl-default-is-three",
    title: "three lines around a match by default",
    description: "Without `cl` chunks have three lines before and after a match.",
    kind: "violation",
    attacks,
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
];

const isChunkSearch = ({ given }: FaultRun): boolean => /^(?:1|t|T|TRUE|true|True)$/u.test(given.get("cm") ?? "");
