import { describe, expect, test } from "vitest";
import { findChunks, chunkText } from "./chunk-matches.ts";

const lineChunk = { context: "a line" };
const inherited: unknown = Object.create({ chunkMatches: [lineChunk], others: [lineChunk] });

describe("chunk matches are found", () => {
  test.each<{ where: string; match: unknown; chunks: readonly unknown[] }>([
    { where: "in `chunkMatches`", match: { chunkMatches: [lineChunk] }, chunks: [lineChunk] },
    {
      where: "in `chunkMatches`, with or without `context`",
      match: { chunkMatches: [{}, lineChunk] },
      chunks: [{}, lineChunk],
    },
    {
      where: "in `chunkMatches` before others",
      match: { others: [lineChunk, lineChunk], chunkMatches: [lineChunk] },
      chunks: [lineChunk],
    },
    {
      where: "under any name that is not documented",
      match: { others: [lineChunk, lineChunk] },
      chunks: [lineChunk, lineChunk],
    },
    {
      where: "under another name when `chunkMatches` is empty",
      match: { chunkMatches: [], others: [lineChunk] },
      chunks: [lineChunk],
    },
    {
      where: "in the first such array",
      match: { a: [1], b: [lineChunk], c: [lineChunk, lineChunk] },
      chunks: [lineChunk],
    },
    {
      where: "under the name `__proto__`",
      match: JSON.parse('{"__proto__":[{"context":"a line"}]}'),
      chunks: [lineChunk],
    },
  ])("$where", ({ match, chunks }) => {
    expect(findChunks(match)).toEqual(chunks);
  });

  test("without elements that are not objects", () => {
    expect(findChunks({ chunkMatches: [null, 1, "text", [lineChunk], lineChunk] })).toEqual([lineChunk]);
  });
});

describe("no chunk matches are found", () => {
  test.each<{ where: string; match: unknown }>([
    { where: "in a match without any", match: { type: "content", lineMatches: [] } },
    { where: "in `pathMatches`", match: { pathMatches: [lineChunk] } },
    { where: "in `branches`", match: { branches: [lineChunk] } },
    { where: "in `hunks`", match: { hunks: [lineChunk] } },
    { where: "in `lineMatches`", match: { lineMatches: [lineChunk] } },
    { where: "in an array in which one has no `context`", match: { others: [lineChunk, {}] } },
    { where: "in an array in which a `context` is not a string", match: { others: [lineChunk, { context: 1 }] } },
    { where: "in `chunkMatches` that is not an array", match: { chunkMatches: { 0: lineChunk, length: 1 } } },
    { where: "in what is not an object", match: [lineChunk] },
    { where: "in a list of lists", match: [[lineChunk]] },
    { where: "in null", match: null },
    { where: "in a text", match: "chunkMatches" },
    { where: "in what a match inherits", match: inherited },
  ])("$where", ({ match }) => {
    expect(findChunks(match)).toEqual([]);
  });
});

describe("the text of a chunk match", () => {
  test.each<{ name: string; chunk: Readonly<Record<string, unknown>>; text: string | undefined }>([
    { name: "is its `context`", chunk: { context: "a" }, text: "a" },
    { name: "is its `context` before its `content`", chunk: { content: "b", context: "a" }, text: "a" },
    { name: "is its `content` without a `context`", chunk: { content: "b" }, text: "b" },
    { name: "is its `content` when `context` is not a string", chunk: { context: null, content: "b" }, text: "b" },
    { name: "may be empty", chunk: { context: "", content: "b" }, text: "" },
    { name: "is missing without either", chunk: {}, text: undefined },
    { name: "is missing when neither is a string", chunk: { context: 1, content: ["b"] }, text: undefined },
  ])("$name", ({ chunk, text }) => {
    expect(chunkText(chunk)).toBe(text);
  });
});
