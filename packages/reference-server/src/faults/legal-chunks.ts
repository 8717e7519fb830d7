import { isPayloadObject } from "../payload.ts";
import type { PayloadObject } from "../payload.ts";
import { changeChunks, chunkLines, firstLineOf, highlightsOf, textMember, withChunkLines } from "./chunk-transforms.ts";
import { type Fault, type Variants, howParameter, legal, variantOf } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { isGiven, searchWith } from "./parameter-transforms.ts";

const numberGiven = (run: FaultRun, name: string, otherwise: number): number =>
  isGiven(run, name) ? Number(run.given.get(name)) : otherwise;

/** Beginnings of a line in the units that are permitted besides bytes. A pair that is cut in two leaves nothing of it. */
const beginnings: Variants<(line: string, length: number) => string> = {
  characters: (line, length) => Array.from(line).slice(0, length).join(""),
  "utf-16": (line, length) => line.slice(0, length).replace(/[\ud800-\udbff]$/u, ""),
};

const cutChunk = (chunk: PayloadObject, run: FaultRun): readonly PayloadObject[] | undefined => {
  const length = numberGiven(run, "max-line-len", 0);
  const cut = variantOf(beginnings, run);
  return length > 0 && cut !== undefined
    ? [
        withChunkLines(
          chunk,
          chunkLines(chunk).map((line) => cut(line, length)),
        ),
      ]
    : undefined;
};

const cutText = (chunk: PayloadObject, run: FaultRun): readonly PayloadObject[] | undefined => {
  const length = numberGiven(run, "max-line-len", 0);
  const lines = chunkLines(chunk);
  const long = lines.findIndex((line) => Array.from(line).length > length);
  return length > 0 && long !== -1
    ? [
        withChunkLines(chunk, [
          ...lines.slice(0, long),
          ...lines.slice(long, long + 1).map((line) => beginnings["characters"]?.(line, length) ?? ""),
        ]),
      ]
    : undefined;
};

/** The part of a chunk that belongs to one of its matched lines. */
const partAround = (chunk: PayloadObject, line: number, contextLines: number): PayloadObject => {
  const lines = chunkLines(chunk);
  const index = line - firstLineOf(chunk);
  const first = Math.max(0, index - contextLines);
  const before = lines.slice(0, first).map((text) => `${text}\n`);
  const start = isPayloadObject(chunk["contentStart"]) ? chunk["contentStart"] : {};
  return {
    ...withChunkLines(chunk, lines.slice(first, index + contextLines + 1)),
    contentStart: {
      ...start,
      offset: Number(start["offset"]) + Buffer.byteLength(before.join("")),
      line: firstLineOf(chunk) + first,
    },
    ranges: highlightsOf(chunk)
      .filter((highlight) => highlight.line === line)
      .map(({ range }) => range),
  };
};

const oneForEachLine = (chunk: PayloadObject, run: FaultRun): readonly PayloadObject[] | undefined => {
  const matched = [...new Set(highlightsOf(chunk).map(({ line }) => line))];
  return matched.length > 1 ? matched.map((line) => partAround(chunk, line, numberGiven(run, "cl", 1))) : undefined;
};

/** Oddities of chunk matches that the document permits: it shows no more of them than their text. */
export const legalChunks: readonly Fault[] = [
  legal("max-line-len-in-characters")(
    "The lines of chunks are cut to so many code points, or UTF-16 units, and nothing tells where.",
    [
      searchWith(({ maxLineBytes, ...parameters }) =>
        maxLineBytes === undefined || !parameters.chunkMatches ? undefined : parameters,
      ),
      changeChunks(cutChunk),
    ],
    howParameter(beginnings),
  ),
  legal("max-line-len-cuts-text")("The text of a chunk ends behind what is left of its first line that is too long.", [
    searchWith(({ maxLineBytes, ...parameters }) =>
      maxLineBytes === undefined || !parameters.chunkMatches ? undefined : parameters,
    ),
    changeChunks(cutText),
  ]),
  legal("chunks-not-merged")(
    "Each matched line has a chunk of its own, also where their lines of context touch or overlap.",
    changeChunks(oneForEachLine),
  ),
  legal("chunk-text-with-last-line-feed")(
    "The text of every chunk ends with the line feed of its last line.",
    changeChunks((chunk) => [{ ...chunk, [textMember(chunk)]: `${String(chunk[textMember(chunk)])}\n` }]),
  ),
];
