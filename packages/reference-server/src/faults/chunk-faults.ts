import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import type { ContextLines } from "../service/ripgrep/context-lines.ts";
import { hash32 } from "../service/seeded-random.ts";
import { type EventEffect, changeEach, without } from "./event-transforms.ts";
import {
  type Fault,
  type FaultEffect,
  type Variants,
  choice,
  defineLegalVariation,
  selectVariant,
  withSettings,
  defineViolation,
} from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { findsNothing, isParameterSet, searchWith } from "./parameter-transforms.ts";
import { mutateEachIn } from "./json-mutation.ts";

const listObjects = (value: unknown): readonly PayloadObject[] =>
  isPayloadArray(value) ? value.filter((element) => isPayloadObject(element)) : [];

const readNumber = (value: unknown, ...keys: readonly string[]): number =>
  Number(keys.reduce((part: unknown, key) => (isPayloadObject(part) ? part[key] : undefined), value));

/** Returns the name of the member that contains the text of the chunk. */
const textMember = (chunk: PayloadObject): "context" | "content" => ("context" in chunk ? "context" : "content");

const splitChunkLines = (chunk: PayloadObject): readonly string[] => String(chunk[textMember(chunk)]).split("\n");

/** Replaces the lines of a chunk and keeps its position. */
const withLines = (chunk: PayloadObject, lines: readonly string[]): PayloadObject => ({
  ...chunk,
  [textMember(chunk)]: lines.join("\n"),
});

/** Returns the number of the first line of a chunk in its file, starting at 0. */
const readFirstLine = (chunk: PayloadObject): number => readNumber(chunk, "contentStart", "line");

/** Returns the highlights of a chunk on one line, unchanged. On this server highlights do not extend beyond a line. */
const rangesOnLine = (chunk: PayloadObject, line: number): readonly PayloadObject[] =>
  listObjects(chunk["ranges"]).filter((range) => readNumber(range, "start", "line") === line);

/** Returns the line numbers in the file of the lines with highlights. */
const matchedLines = (chunk: PayloadObject): readonly number[] => [
  ...new Set(listObjects(chunk["ranges"]).map((range) => readNumber(range, "start", "line"))),
];

/** Returns the chunks of a content match, or undefined if it has no list of chunks. */
const listChunks = ({ chunkMatches }: PayloadObject): readonly PayloadObject[] | undefined =>
  isPayloadArray(chunkMatches) ? listObjects(chunkMatches) : undefined;

type Chunks = readonly PayloadObject[];

/** Replaces each chunk of each content match. A chunk is unchanged if the function returns undefined. */
const changeChunks = (
  change: (chunk: PayloadObject, run: FaultRun) => Chunks | PayloadObject | undefined,
): EventEffect =>
  changeEach("matches", (match, run) => {
    const changes = (listChunks(match) ?? []).map((chunk) => ({ chunk, replacement: change(chunk, run) }));
    return changes.some(({ replacement }) => replacement !== undefined)
      ? { ...match, chunkMatches: changes.flatMap(({ chunk, replacement = chunk }) => replacement) }
      : undefined;
  });

/** Changes the lines of chunks. */
const changeLines = (
  change: (lines: readonly string[], run: FaultRun, chunk: PayloadObject) => readonly string[] | undefined,
): EventEffect =>
  changeChunks((chunk, run) => {
    const lines = change(splitChunkLines(chunk), run, chunk);
    return lines === undefined ? undefined : withLines(chunk, lines);
  });

/** Returns the value of `max-line-len`, or 0 if lines are not cut. */
const requestedLineLength = ({ queryParameters }: FaultRun): number =>
  Math.max(0, Number(queryParameters.get("max-line-len") ?? ""));

/** Returns at most `length` characters from the start of a line. */
const beginning = (line: string, length: number): string => Array.from(line).slice(0, length).join("");

type CutLines = (lines: readonly string[], maxLength: number) => readonly string[];

/** Ways to cut lines although they are short enough. */
const cutTooMuch: Variants<CutLines> = {
  half: (lines, maxLength) => lines.map((line) => beginning(line, Math.floor(maxLength / 2))),
  "first-word": (lines) => lines.map((line) => /^\s*\S*/u.exec(line)?.[0] ?? ""),
  "one-character": (lines) => lines.map((line) => beginning(line, 1)),
};

/** Lines cut in the permitted units other than bytes. A surrogate pair that the cut would split is removed. */
const cutInOtherUnits: Variants<CutLines> = {
  characters: (lines, maxLength) => lines.map((line) => beginning(line, maxLength)),
  "utf-16": (lines, maxLength) => lines.map((line) => line.slice(0, maxLength).replace(/[\ud800-\udbff]$/u, "")),
};

/** Returns the text up to the cut in its first line that is too long. */
const cutText: CutLines = (lines, maxLength) => {
  const longLineIndex = lines.findIndex((line) => Array.from(line).length > maxLength);
  return longLineIndex < 0
    ? lines
    : [...lines.slice(0, longLineIndex), beginning(lines[longLineIndex] ?? "", maxLength)];
};

/** Cuts lines when the request limits their length. */
const cutWith = (cut: CutLines): EventEffect =>
  changeLines((lines, run) => (requestedLineLength(run) > 0 ? cut(lines, requestedLineLength(run)) : undefined));

/** Searches without cutting lines regardless of `max-line-len`. */
const searchWithoutCutting: FaultEffect = searchWith(({ chunkMatches, maxLineBytes }) =>
  maxLineBytes === undefined || !chunkMatches ? undefined : { maxLineBytes: undefined },
);

/** Does not change chunks with a matched line that would remain whole. Otherwise context lines could not be distinguished from matches. */
const shorten = (length: number): EventEffect =>
  changeLines((lines, run, chunk) => {
    const matchedTexts = matchedLines(chunk).map((line) => lines[line - readFirstLine(chunk)] ?? "");
    return requestedLineLength(run) === 0 && matchedTexts.every((line) => Array.from(line).length > length)
      ? lines.map((line) => beginning(line, length))
      : undefined;
  });

const missingTexts: Variants<(chunk: PayloadObject) => PayloadObject> = {
  renamed: (chunk) => ({ ...without(chunk, "context"), content: chunk["context"] }),
  missing: (chunk) => without(chunk, "context"),
  "not-text": (chunk) => ({ ...chunk, context: splitChunkLines(chunk) }),
  null: (chunk) => ({ ...chunk, context: null }),
};

/** Searches for chunk matches with a different number of context lines. */
const searchAround = (change: (context: ContextLines, run: FaultRun) => ContextLines | undefined): FaultEffect =>
  searchWith(({ chunkMatches, context: { after, before } }, run) => {
    const context = chunkMatches ? change({ after, before }, run) : undefined;
    return context === undefined || (context.before === before && context.after === after) ? undefined : { context };
  });

const contextOf = (lines: number): ContextLines => ({ before: lines, after: lines });

const defaultContextFault = (lines: number, name: string): Fault =>
  defineViolation("stream/cl-gives-context-lines", `cl-default-is-${name}`)(
    `Without \`cl\` chunks have ${name} lines before and after a match.`,
    searchAround((_context, run) => (isParameterSet(run, "cl") ? undefined : contextOf(lines))),
  );

/** Converts every line of a chunk to a line match. Context lines have no highlights. */
const toLineMatches = (chunk: PayloadObject): readonly object[] =>
  splitChunkLines(chunk).map((line, index) => ({
    line,
    lineNumber: readFirstLine(chunk) + index,
    offsetAndLengths: rangesOnLine(chunk, readFirstLine(chunk) + index).map((range) => {
      const column = readNumber(range, "start", "column");
      return [column, readNumber(range, "end", "column") - column];
    }),
  }));

/** Converts the chunks of selected matches to line matches. */
const asLineMatches = (isSelected: (match: PayloadObject, run: FaultRun) => boolean): EventEffect =>
  changeEach("matches", (match, run) => {
    const chunks = isSelected(match, run) ? listChunks(match) : undefined;
    return chunks === undefined
      ? undefined
      : { ...without(match, "chunkMatches"), lineMatches: chunks.flatMap(toLineMatches) };
  });

const isChunkSearch = ({ queryParameters }: FaultRun): boolean =>
  /^(?:1|t|T|TRUE|true|True)$/u.test(queryParameters.get("cm") ?? "");

const missingChunks: Variants<FaultEffect> = {
  lines: searchWith(({ chunkMatches }) => (chunkMatches ? { chunkMatches: false } : undefined)),
  "empty-list": changeEach("matches", (match) =>
    listChunks(match) === undefined ? undefined : { ...match, chunkMatches: [] },
  ),
};

/** Hides every second file from the selected searches. */
const withoutFiles = (isSelected: (run: FaultRun) => boolean): FaultEffect => ({
  layer: "index",
  apply: (repositories, run) =>
    isSelected(run)
      ? repositories.map((repository) => ({
          ...repository,
          files: repository.files.filter(({ path }) => hash32(path) % 2 === 0),
        }))
      : repositories,
});

/** Returns the part of a chunk around one of its matched lines. */
const chunkPartAround = (chunk: PayloadObject, line: number, contextLines: number): PayloadObject => {
  const lines = splitChunkLines(chunk);
  const index = line - readFirstLine(chunk);
  const first = Math.max(0, index - contextLines);
  const before = lines.slice(0, first).map((text) => `${text}\n`);
  const start = isPayloadObject(chunk["contentStart"]) ? chunk["contentStart"] : {};
  return {
    ...withLines(chunk, lines.slice(first, index + contextLines + 1)),
    contentStart: {
      ...start,
      offset: Number(start["offset"]) + Buffer.byteLength(before.join("")),
      line: readFirstLine(chunk) + first,
    },
    ranges: rangesOnLine(chunk, line),
  };
};

const splitByMatchedLine = (chunk: PayloadObject, run: FaultRun): Chunks | undefined => {
  const contextLines = isParameterSet(run, "cl") ? Number(run.queryParameters.get("cl")) : 1;
  const lineNumbers = matchedLines(chunk);
  return lineNumbers.length > 1 ? lineNumbers.map((line) => chunkPartAround(chunk, line, contextLines)) : undefined;
};

/** Faults in chunk matches: when they are sent, the text of their lines, and their context lines. */
export const chunkFaults: readonly Fault[] = [
  defineViolation("stream/cm-enables-chunk-matches", "cm-ignored")(
    "With `cm=true` matches have no chunk matches, for example line matches instead.",
    selectVariant(missingChunks, (effect) => effect),
  ),
  defineViolation("stream/cm-enables-chunk-matches", "cm-for-some-files")(
    "With `cm=true` the matches of about half of the files, chosen by name, have only line matches.",
    asLineMatches(({ path }) => hash32(String(path)) % 2 !== 0),
  ),
  defineViolation("stream/chunk-matches-need-cm", "chunks-without-cm")(
    "Without `cm`, or with `cm=false`, matches have chunk matches instead of line matches.",
    withSettings({ when: choice("in which searches", "absent", "false", "both") }, ({ when }) =>
      searchWith(({ chunkMatches }, run) =>
        chunkMatches || when === (isParameterSet(run, "cm") ? "absent" : "false") ? undefined : { chunkMatches: true },
      ),
    ),
  ),
  defineViolation("stream/chunk-match-has-context", "chunk-text-renamed")(
    "Chunk matches have no text, for example because the member is named `content`.",
    selectVariant(missingTexts, (change) =>
      changeChunks((chunk) => (textMember(chunk) === "context" ? change(chunk) : undefined)),
    ),
  ),
  defineViolation("stream/chunk-lines-are-whole", "chunk-lines-shortened")(
    "Without `max-line-len` the lines of chunks are truncated to ten characters, if all of their matched lines are longer.",
    withSettings({ length: { title: "number of characters that are kept", default: 10 } }, ({ length }) =>
      shorten(length),
    ),
  ),
  defineViolation("stream/max-line-len-cuts-lines", "max-line-len-ignored")(
    "The lines of chunks are not truncated, regardless of `max-line-len`.",
    searchWithoutCutting,
  ),
  defineViolation("stream/max-line-len-cuts-lines", "max-line-len-exceeded")(
    "The lines of chunks are truncated too late, for example one byte beyond `max-line-len`.",
    withSettings({ more: { title: "number of bytes beyond `max-line-len`", default: 1 } }, ({ more }) =>
      searchWith(({ chunkMatches, maxLineBytes }) =>
        maxLineBytes === undefined || !chunkMatches ? undefined : { maxLineBytes: maxLineBytes + more },
      ),
    ),
  ),
  defineViolation("stream/max-line-len-keeps-short-lines", "max-line-len-cuts-too-much")(
    "The lines of chunks are truncated too early, for example to half of `max-line-len`.",
    selectVariant(cutTooMuch, cutWith),
  ),
  defineViolation("stream/line-parameters-keep-files", "chunks-lose-files")(
    "With `cm=true`, `cl` or `max-line-len` about half of the files, chosen by name, are not searched.",
    withSettings({ name: choice("with which parameter", "cm", "cl", "max-line-len") }, ({ name }) =>
      withoutFiles((run) => isChunkSearch(run) && isParameterSet(run, name)),
    ),
  ),
  defineViolation("stream/line-parameters-keep-files", "chunks-find-nothing")(
    "With parameters for chunks, for example `cm=true`, nothing is found.",
    withSettings({ name: choice("with which parameter", "cm", "cl", "max-line-len") }, ({ name }) =>
      findsNothing((run) => isChunkSearch(run) && isParameterSet(run, name)),
    ),
  ),
  defineViolation("stream/max-line-len-leaves-no-line-out", "max-line-len-drops-lines")(
    "Lines of chunks that are longer than `max-line-len` are omitted.",
    [searchWithoutCutting, cutWith((lines, maxLength) => lines.filter((line) => Buffer.byteLength(line) <= maxLength))],
  ),
  defineViolation("stream/cl-gives-context-lines", "cl-ignored")(
    "Chunks have a fixed number of lines around a match, for example one, regardless of `cl`.",
    withSettings({ lines: { title: "number of lines before and after", default: 1 } }, ({ lines }) =>
      searchAround((_context, run) => (isParameterSet(run, "cl") ? contextOf(lines) : undefined)),
    ),
  ),
  defineViolation("stream/cl-gives-context-lines", "cl-too-many")(
    "Chunks have one or more extra lines before and after a match.",
    withSettings({ more: { title: "number of extra lines", default: 1 } }, ({ more }) =>
      searchAround(({ after, before }) => ({ before: before + more, after: after + more })),
    ),
  ),
  defineViolation("stream/cl-gives-context-lines", "cl-one-sided")(
    "Chunks have the lines before a match and none after it, or vice versa.",
    withSettings({ side: choice("where there are lines", "before", "after") }, ({ side }) =>
      searchAround((context) => ({ ...contextOf(0), [side]: context[side] })),
    ),
  ),
  defaultContextFault(0, "zero"),
  defaultContextFault(3, "three"),
  // The search returns chunks, which are converted to the requested form.
  defineViolation("stream/cl-needs-cm", "cl-without-cm")(
    "With `cl` and without `cm` the lines around a match are among the line matches.",
    [
      searchWith(({ chunkMatches, context }, run) =>
        !chunkMatches && isParameterSet(run, "cl") && context.before > 0
          ? { chunkMatches: true, maxLineBytes: undefined }
          : undefined,
      ),
      asLineMatches((_match, run) => isParameterSet(run, "cl") && !isChunkSearch(run)),
    ],
  ),
  defineViolation("stream/chunk-lines-are-whole", "max-line-len-none-is-nothing")(
    "With `max-line-len=-1` the text of every chunk match is empty.",
    changeLines((_lines, { queryParameters }) => (queryParameters.get("max-line-len") === "-1" ? [] : undefined)),
  ),
  defineViolation("stream/max-line-len-needs-chunks", "max-line-len-cuts-line-matches")(
    "`max-line-len` also truncates the lines of line matches.",
    changeEach("matches", (match, run) => {
      const maxLength = requestedLineLength(run);
      const cutLine = (line: PayloadObject): object => ({ ...line, line: beginning(String(line["line"]), maxLength) });
      return maxLength > 0 ? mutateEachIn("lineMatches", cutLine)(match) : undefined;
    }),
  ),
  defineLegalVariation("max-line-len-in-characters")(
    "The lines of chunks are truncated to that number of code points or UTF-16 units, without a mark.",
    [searchWithoutCutting, selectVariant(cutInOtherUnits, cutWith)],
  ),
  defineLegalVariation("max-line-len-cuts-text")(
    "The text of a chunk ends after the cut in its first line that is too long.",
    [searchWithoutCutting, cutWith(cutText)],
  ),
  defineLegalVariation("chunks-not-merged")(
    "Each matched line has its own chunk, even if the context lines touch or overlap.",
    changeChunks(splitByMatchedLine),
  ),
  defineLegalVariation("chunk-text-with-last-line-feed")(
    "The text of every chunk ends with the line feed of its last line.",
    changeLines((lines) => [...lines, ""]),
  ),
];
