import { searchStreamOpenApi } from "@assay/contract";
import { compileByteReader } from "@assay/openapi";
import type { ByteReader, ReadSchema } from "@assay/openapi";

/** Indexes in the record of a match. A span takes two. */
export const matchField = {
  repository: 0,
  path: 2,
  commit: 4,
  language: 6,
  repoLastFetched: 8,
  branches: 10,
  hunks: 11,
  lineMatches: 12,
  lines: 14,
  firstLine: 15,
  pathRanges: 16,
  firstPathRange: 17,
  chunkMatches: 18,
  chunks: 20,
  chunksWithRanges: 21,
  ranges: 22,
  unlistedArrays: 23,
} as const;
export const matchRecordLength = 24;

/** Indexes in the record of a line. Its pairs follow the record, two integers each. */
export const lineField = { text: 0, number: 2, pairs: 3 } as const;
export const lineRecordLength = 4;

/** Indexes in the record of a range of a path. */
export const rangeField = { start: 0, end: 1 } as const;
export const rangeRecordLength = 2;

const { schemas } = searchStreamOpenApi.components;
const { ContentMatch, LineMatch, Range, Position } = schemas;

const position = (integer: number): ReadSchema => ({
  ...Position,
  properties: { ...Position.properties, offset: { ...Position.properties.offset, integer } },
});

const pair: ReadSchema = {
  ...LineMatch.properties.offsetAndLengths.items,
  items: { type: "integer", push: true },
};

const line: ReadSchema = {
  ...LineMatch,
  record: lineRecordLength,
  properties: {
    line: { type: "string", span: lineField.text },
    lineNumber: { ...LineMatch.properties.lineNumber, integer: lineField.number },
    offsetAndLengths: { ...LineMatch.properties.offsetAndLengths, items: pair, total: lineField.pairs },
  },
};

const pathRange: ReadSchema = {
  ...Range,
  record: rangeRecordLength,
  properties: { start: position(rangeField.start), end: position(rangeField.end) },
};

/** Chunk matches as most targets send them. Others are parsed. */
const chunkPosition: ReadSchema = {
  type: "object",
  properties: { offset: { type: "integer" }, line: { type: "integer" }, column: { type: "integer" } },
};
const chunk: ReadSchema = {
  type: "object",
  required: ["context"],
  properties: {
    context: { type: "string" },
    contentStart: chunkPosition,
    ranges: {
      type: "array",
      items: { type: "object", properties: { start: chunkPosition, end: chunkPosition } },
      total: matchField.ranges,
      filled: matchField.chunksWithRanges,
    },
  },
};

const content: ReadSchema = {
  ...ContentMatch,
  record: matchRecordLength,
  unlistedArrays: matchField.unlistedArrays,
  properties: {
    ...ContentMatch.properties,
    repository: { type: "string", span: matchField.repository },
    path: { type: "string", span: matchField.path },
    language: { type: "string", span: matchField.language },
    repoLastFetched: { ...ContentMatch.properties.repoLastFetched, span: matchField.repoLastFetched },
    commit: { ...ContentMatch.properties.commit, span: matchField.commit },
    branches: { ...ContentMatch.properties.branches, total: matchField.branches },
    hunks: { type: ["array", "null"], total: matchField.hunks },
    lineMatches: {
      type: "array",
      items: line,
      span: matchField.lineMatches,
      total: matchField.lines,
      first: matchField.firstLine,
    },
    pathMatches: {
      type: "array",
      items: pathRange,
      total: matchField.pathRanges,
      first: matchField.firstPathRange,
    },
    chunkMatches: {
      type: "array",
      items: chunk,
      span: matchField.chunkMatches,
      total: matchField.chunks,
    },
  },
};

const resolve = (ref: string): ReadSchema => {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  return (schemas as Readonly<Record<string, ReadSchema>>)[name] ?? {};
};

let compiled: { readonly content: ByteReader; readonly any: ByteReader } | undefined;

/** Returns the reader of content matches, and the reader of any JSON, which writes no record. Compiled on first use. */
export const matchReaders = () =>
  (compiled ??= { content: compileByteReader(content, resolve), any: compileByteReader({}, resolve) });
