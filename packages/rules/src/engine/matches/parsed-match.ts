import { searchStreamValidators } from "@assay/openapi";
import { arrayMember, elementsOf, isRecord, member, stringMember } from "@assay/reading";
import type { JsonRecord } from "@assay/reading";
import type { StreamEvent } from "@assay/stream-grammar";
import { findChunks } from "../chunk-matches.ts";
import { dataPosition } from "../event-position.ts";
import type { FileIndex } from "./file-index.ts";
import type { Match, MatchLines, MatchList, PathRanges } from "./match.ts";

/** Where matches are from. */
export interface MatchSource {
  readonly event: StreamEvent;
  readonly files: FileIndex;
}

/** A match that was parsed. */
class ParsedMatch implements Match {
  readonly event: StreamEvent;
  readonly index: number;
  readonly value: unknown;
  readonly fileNumber: number | undefined;
  readonly isFirstOfFile: boolean;
  readonly isOfKnownRepository = false;
  readonly hasKnownFetchTime: boolean;
  #chunks: readonly JsonRecord[] | undefined;

  constructor({ event, files }: MatchSource, index: number, value: unknown) {
    this.event = event;
    this.index = index;
    this.value = value;
    const known = files.count;
    this.fileNumber = files.numberOf(this);
    this.isFirstOfFile = files.count > known;
    this.hasKnownFetchTime = files.addFetchTime(this.repoLastFetched);
  }

  get isObject(): boolean {
    return isRecord(this.value);
  }

  get type(): string | undefined {
    return stringMember(this.value, "type");
  }

  get repository(): string | undefined {
    return stringMember(this.value, "repository");
  }

  get path(): string | undefined {
    return stringMember(this.value, "path");
  }

  get commit(): string | undefined {
    return stringMember(this.value, "commit");
  }

  get language(): string | undefined {
    return stringMember(this.value, "language");
  }

  get repoLastFetched(): string | undefined {
    return stringMember(this.value, "repoLastFetched");
  }

  get fitsSchema(): boolean {
    return searchStreamValidators().ContentMatch.check(this.value);
  }

  get branchCount(): number {
    return arrayMember(this.value, "branches").length;
  }

  get hunkCount(): number {
    return arrayMember(this.value, "hunks").length;
  }

  get hasLineMatches(): boolean {
    return member(this.value, "lineMatches") !== undefined;
  }

  get lines(): MatchLines {
    return new ParsedLines(arrayMember(this.value, "lineMatches"));
  }

  get pathRanges(): PathRanges {
    return new ParsedRanges(arrayMember(this.value, "pathMatches"));
  }

  get hasListedChunks(): boolean {
    return Array.isArray(member(this.value, "chunkMatches"));
  }

  get chunkCount(): number {
    return this.chunks.length;
  }

  get chunks(): readonly JsonRecord[] {
    this.#chunks ??= findChunks(this.value);
    return this.#chunks;
  }

  get hasContexts(): boolean {
    return this.chunks.every((chunk) => typeof member(chunk, "context") === "string");
  }

  get marks(): Match["marks"] {
    const lists = [
      ...arrayMember(this.value, "lineMatches").map((line) => member(line, "offsetAndLengths")),
      ...this.chunks.map((chunk) => member(chunk, "ranges")),
    ];
    return {
      total: lists.reduce((sum: number, list) => sum + elementsOf(list).length, 0),
      areEverywhere: lists.length > 0 && lists.every((list) => elementsOf(list).length > 0),
    };
  }

  position(pointer = ""): ReturnType<Match["position"]> {
    return dataPosition(this.event, `/${this.index}${pointer}`);
  }
}

class ParsedLines implements MatchLines {
  readonly #lines: readonly unknown[];

  constructor(lines: readonly unknown[]) {
    this.#lines = lines;
  }

  get count(): number {
    return this.#lines.length;
  }

  number(line: number): number | undefined {
    const number = member(this.#lines[line], "lineNumber");
    return typeof number === "number" ? number : undefined;
  }

  text(line: number): string | undefined {
    return stringMember(this.#lines[line], "line");
  }

  hasPairs(line: number): boolean {
    return Array.isArray(member(this.#lines[line], "offsetAndLengths"));
  }

  pairCount(line: number): number {
    return arrayMember(this.#lines[line], "offsetAndLengths").length;
  }

  pair(line: number, pair: number): readonly [number, number] | undefined {
    const [offset, length, ...more] = elementsOf(arrayMember(this.#lines[line], "offsetAndLengths")[pair]);
    const isPair = Number.isInteger(offset) && Number.isInteger(length) && more.length === 0;
    return isPair ? [Number(offset), Number(length)] : undefined;
  }
}

class ParsedRanges implements PathRanges {
  readonly #ranges: readonly unknown[];

  constructor(ranges: readonly unknown[]) {
    this.#ranges = ranges;
  }

  get count(): number {
    return this.#ranges.length;
  }

  offsets(range: number): readonly [number, number] | undefined {
    const [start, end] = (["start", "end"] as const).map((name) => member(member(this.#ranges[range], name), "offset"));
    return Number.isInteger(start) && Number.isInteger(end) ? [Number(start), Number(end)] : undefined;
  }
}

/** Returns the elements of a parsed array. */
export const parsedMatches = (source: MatchSource, values: readonly unknown[]): MatchList => ({
  length: values.length,
  at: (index) => new ParsedMatch(source, index, values[index]),
});

/** One parsed element among others that were not parsed. */
export const parsedMatch = (source: MatchSource, index: number, value: unknown): Match =>
  new ParsedMatch(source, index, value);
