import type { Buffer } from "node:buffer";
import { RecordTable } from "@assay/openapi";
import type { JsonRecord } from "@assay/reading";
import { createBoundaryFinder } from "@assay/stream-grammar";
import type { DataPart, DataReader, StreamEvent } from "@assay/stream-grammar";
import { findChunks } from "../chunk-matches.ts";
import { dataPosition } from "../event-position.ts";
import type { Match, MatchLines, MatchList, PathRanges } from "./match.ts";
import {
  lineField,
  lineRecordLength,
  matchField,
  matchReaders,
  rangeField,
  rangeRecordLength,
} from "./match-reader.ts";
import { parsedMatch } from "./parsed-match.ts";
import type { MatchSource } from "./parsed-match.ts";
import { isEscaped, noNumber } from "./text-numbers.ts";
import type { ByteSpan, TextNumbers } from "./text-numbers.ts";

const comma = 44;
const backslash = 92;
const openingBracket = 91;
const closingBracket = 93;
const isWhitespace = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13;

/** Replaces the index of a record for an element that is not a content match with a record. Such an element is parsed if a rule reads it. */
const noRecord = -1;

/** Indexes in the row of an element: the index of its record, or `noRecord`, and where it starts and ends in the data. */
const rowField = { record: 0, start: 1, end: 2 } as const;
const rowLength = 3;

/** The elements of a `matches` array, read from its bytes without parsing them. Valid until the bytes are reused. */
export class MatchTable {
  readonly records = new RecordTable();
  readonly #rows = new RecordTable();
  #buffer: Buffer | undefined;
  #start = 0;
  readonly #span: ByteSpan = { bytes: new Uint8Array(), start: 0, end: 0 };
  /** Stands for all elements, of every event. */
  #match: TableMatch | undefined;

  get length(): number {
    return this.#rows.used / rowLength;
  }

  clear(): void {
    this.records.used = 0;
    this.#rows.used = 0;
  }

  /** Names the bytes that hold the data, which may have moved since a part of it was read. */
  locate({ buffer, start }: DataPart): void {
    this.#buffer = buffer;
    this.#span.bytes = buffer;
    this.#start = start;
    this.records.origin = start;
  }

  /** Reads the element at an offset of the buffer. Returns the offset after it, or -1 if it is not certainly JSON. */
  read(buffer: Buffer, at: number): number {
    const { records } = this;
    const { content, any } = matchReaders();
    const record = records.used;
    const end = content(buffer, at, records);
    if (end !== -1) {
      this.#addRow(record, at, end);
      return end;
    }
    records.used = record;
    const otherEnd = any(buffer, at, records);
    if (otherEnd !== -1) {
      this.#addRow(noRecord, at, otherEnd);
    }
    return otherEnd;
  }

  #addRow(record: number, at: number, end: number): void {
    const row = this.#rows.reserve(rowLength);
    this.#rows.ints[row + rowField.record] = record;
    this.#rows.ints[row + rowField.start] = at - this.#start;
    this.#rows.ints[row + rowField.end] = end - this.#start;
  }

  #row(index: number, field: number): number {
    return this.#rows.ints[rowLength * index + field] ?? 0;
  }

  recordOf(index: number): number {
    return this.#row(index, rowField.record);
  }

  /** Parses an element. */
  value(index: number): unknown {
    return this.#parse(this.#row(index, rowField.start), this.#row(index, rowField.end));
  }

  /** The text of a string at these offsets, which include its quotes. */
  text(start: number, end: number): string {
    const buffer = this.#buffer;
    const first = this.#start + start + 1;
    const last = this.#start + end - 1;
    for (let at = first; at < last; at += 1) {
      const byte = buffer?.[at] ?? 0;
      if (byte === backslash || byte > 126) {
        return String(this.#parse(start, end));
      }
    }
    return buffer?.toString("latin1", first, last) ?? "";
  }

  #parse(start: number, end: number): unknown {
    return JSON.parse(this.#buffer?.toString("utf8", this.#start + start, this.#start + end) ?? "null");
  }

  /** The bytes of a string at these offsets, without its quotes. The object is reused. */
  span(start: number, end: number): ByteSpan {
    this.#span.start = this.#start + start + 1;
    this.#span.end = this.#start + end - 1;
    return this.#span;
  }

  /** Returns the elements as matches. They replace those of an earlier call. */
  matches(source: MatchSource): MatchList {
    const match = this.#match ?? new TableMatch(this, source);
    this.#match = match;
    match.source = source;
    return new TableList(this, match);
  }
}

class TableList implements MatchList {
  readonly length: number;
  readonly #table: MatchTable;
  readonly #match: TableMatch;

  constructor(table: MatchTable, match: TableMatch) {
    this.length = table.length;
    this.#table = table;
    this.#match = match;
  }

  at(index: number): Match {
    return this.#table.recordOf(index) === noRecord
      ? parsedMatch(this.#match.source, index, this.#table.value(index))
      : this.#match.move(index);
  }
}

/** A match in a table. One object stands for all of them, so that a match costs no memory. */
class TableMatch implements Match {
  readonly isObject = true;
  readonly type = "content";
  readonly fitsSchema = true;
  readonly hasContexts = true;
  readonly lines: TableLines;
  readonly pathRanges: TableRanges;
  readonly #table: MatchTable;
  readonly #records: RecordTable;
  source: MatchSource;
  index = 0;
  fileNumber: number | undefined;
  isFirstOfFile = false;
  isOfKnownRepository = false;
  hasKnownFetchTime = false;
  /** Index of the record. */
  #at = 0;
  #value: unknown;
  /** Numbers of the repository and the path in the index of files. */
  #repository = noNumber;
  #path = noNumber;
  #chunks: readonly JsonRecord[] | undefined;
  #marks: Match["marks"] | undefined;

  constructor(table: MatchTable, source: MatchSource) {
    this.source = source;
    this.#table = table;
    this.#records = table.records;
    this.lines = new TableLines(table);
    this.pathRanges = new TableRanges(table.records);
  }

  move(index: number): this {
    this.index = index;
    this.#at = this.#table.recordOf(index);
    this.#value = undefined;
    this.#chunks = undefined;
    this.#marks = undefined;
    this.lines.move(this.#field(matchField.firstLine), this.#field(matchField.lines));
    const { repositories, paths, fetchTimes } = this.source.files;
    const known = paths.count;
    const knownRepositories = repositories.count;
    this.#repository = this.#numberIn(repositories, matchField.repository);
    this.isOfKnownRepository = this.#repository !== noNumber && repositories.count === knownRepositories;
    this.#path = this.#repository === noNumber ? noNumber : this.#numberIn(paths, matchField.path, this.#repository);
    this.fileNumber = this.#path === noNumber ? undefined : this.#path;
    this.isFirstOfFile = paths.count > known;
    const knownFetchTimes = fetchTimes.count;
    this.hasKnownFetchTime =
      this.#numberIn(fetchTimes, matchField.repoLastFetched) !== noNumber && fetchTimes.count === knownFetchTimes;
    this.pathRanges.move(this.#field(matchField.firstPathRange), this.#field(matchField.pathRanges));
    return this;
  }

  #field(field: number): number {
    return this.#records.ints[this.#at + field] ?? 0;
  }

  /** The text of a string member. Undefined if it was not sent. */
  #text(span: number): string | undefined {
    const end = this.#field(span + 1);
    return end === 0 ? undefined : this.#table.text(this.#field(span), end);
  }

  /** The number of a string member among the texts. */
  #numberIn(texts: TextNumbers, span: number, group?: number): number {
    const end = this.#field(span + 1);
    if (end === 0) {
      return noNumber;
    }
    const number = texts.ofBytes(this.#table.span(this.#field(span), end), group);
    return number === isEscaped ? texts.ofText(this.#text(span) ?? "", group) : number;
  }

  get event(): StreamEvent {
    return this.source.event;
  }

  get value(): unknown {
    this.#value ??= this.#table.value(this.index);
    return this.#value;
  }

  get repository(): string | undefined {
    return this.#repository === noNumber
      ? this.#text(matchField.repository)
      : this.source.files.repositories.text(this.#repository);
  }

  get path(): string | undefined {
    return this.#path === noNumber ? this.#text(matchField.path) : this.source.files.paths.text(this.#path);
  }

  get commit(): string | undefined {
    return this.#text(matchField.commit);
  }

  get language(): string | undefined {
    const { languages } = this.source.files;
    const number = this.#numberIn(languages, matchField.language);
    return number === noNumber ? this.#text(matchField.language) : languages.text(number);
  }

  get repoLastFetched(): string | undefined {
    return this.#text(matchField.repoLastFetched);
  }

  get branchCount(): number {
    return this.#field(matchField.branches);
  }

  get hunkCount(): number {
    return this.#field(matchField.hunks);
  }

  get hasLineMatches(): boolean {
    return this.#field(matchField.lineMatches + 1) > 0;
  }

  get hasListedChunks(): boolean {
    return this.#field(matchField.chunkMatches + 1) > 0;
  }

  get chunkCount(): number {
    const listed = this.#field(matchField.chunks);
    return listed > 0 || this.#field(matchField.unlistedArrays) === 0 ? listed : this.chunks.length;
  }

  get chunks(): readonly JsonRecord[] {
    this.#chunks ??= findChunks(this.value);
    return this.#chunks;
  }

  get marks(): Match["marks"] {
    this.#marks ??= this.#countMarks();
    return this.#marks;
  }

  #countMarks(): Match["marks"] {
    const { lines, chunkCount } = this;
    if (chunkCount !== this.#field(matchField.chunks)) {
      return parsedMatch(this.source, this.index, this.value).marks;
    }
    let total = this.#field(matchField.ranges);
    let withMarks = this.#field(matchField.chunksWithRanges);
    for (let line = 0; line < lines.count; line += 1) {
      const pairs = lines.pairCount(line);
      total += pairs;
      withMarks += Number(pairs > 0);
    }
    return { total, areEverywhere: withMarks > 0 && withMarks === lines.count + chunkCount };
  }

  position(pointer = ""): ReturnType<Match["position"]> {
    return dataPosition(this.event, `/${this.index}${pointer}`);
  }
}

class TableLines implements MatchLines {
  readonly #table: MatchTable;
  readonly #records: RecordTable;
  /** Indexes of the records of the lines that were read so far. */
  readonly #at: number[] = [];
  /** Texts of the lines that a rule read. Other rules read the same. */
  #texts: string[] | undefined;
  #first = 0;
  count = 0;

  constructor(table: MatchTable) {
    this.#table = table;
    this.#records = table.records;
  }

  move(first: number, count: number): void {
    this.#first = first;
    this.count = count;
    this.#at.length = 0;
    this.#texts = undefined;
  }

  /** Returns the index of the record of a line: each is as long as its pairs make it. */
  #recordOf(line: number): number {
    const known = this.#at;
    while (known.length <= line) {
      const last = known.at(-1);
      known.push(
        last === undefined
          ? this.#first
          : last + lineRecordLength + 2 * (this.#records.ints[last + lineField.pairs] ?? 0),
      );
    }
    return known[line] ?? 0;
  }

  #field(line: number, field: number): number {
    return this.#records.ints[this.#recordOf(line) + field] ?? 0;
  }

  number(line: number): number {
    return this.#field(line, lineField.number);
  }

  text(line: number): string {
    this.#texts ??= [];
    this.#texts[line] ??= this.#table.text(this.#field(line, lineField.text), this.#field(line, lineField.text + 1));
    return this.#texts[line];
  }

  hasPairs(): boolean {
    return true;
  }

  pairCount(line: number): number {
    return this.#field(line, lineField.pairs);
  }

  pair(line: number, pair: number): readonly [number, number] {
    const at = lineRecordLength + 2 * pair;
    return [this.#field(line, at), this.#field(line, at + 1)];
  }
}

class TableRanges implements PathRanges {
  readonly #records: RecordTable;
  #first = 0;
  count = 0;

  constructor(records: RecordTable) {
    this.#records = records;
  }

  move(first: number, count: number): void {
    this.#first = first;
    this.count = count;
  }

  offsets(range: number): readonly [number, number] {
    const at = this.#first + rangeRecordLength * range;
    const { ints } = this.#records;
    return [ints[at + rangeField.start] ?? 0, ints[at + rangeField.end] ?? 0];
  }
}

function skipWhitespace(buffer: Buffer, start: number): number {
  let at = start;
  while (isWhitespace(buffer[at])) {
    at += 1;
  }
  return at;
}

/** Long arrays are read in pieces of at least this length while they arrive. */
const minPieceBytes = 32 * 1024;

/**
 * Reads the data of `matches` events while it arrives. A boundary between two elements is guessed from its bytes, and verified by reading
 * the elements before it. The data is left to the parser after a wrong guess, or if it is not certainly JSON.
 */
export function createMatchReader(): DataReader<MatchTable> {
  const table = new MatchTable();
  /** Offset in the data of the next element. 0 before the first. */
  let next = 0;
  const boundaries = createBoundaryFinder(minPieceBytes);
  let gaveUp = false;
  let isFinished = false;

  const startNext = (): void => {
    table.clear();
    next = 0;
    boundaries.reset();
    gaveUp = false;
    isFinished = false;
  };

  /** Reads elements up to the one after which `isLast`. Returns the offset after its end, or -1. */
  const readUntil = (part: DataPart, isLast: (end: number) => boolean): number => {
    const { buffer, start } = part;
    table.locate(part);
    let at = next === 0 ? skipWhitespace(buffer, start) : start + next;
    if (next === 0) {
      if (buffer[at] !== openingBracket) {
        return -1;
      }
      at = skipWhitespace(buffer, at + 1);
      if (buffer[at] === closingBracket) {
        return at;
      }
    }
    for (;;) {
      const end = table.read(buffer, at);
      if (end === -1) {
        return -1;
      }
      const after = skipWhitespace(buffer, end);
      if (isLast(after)) {
        return after;
      }
      if (buffer[after] !== comma) {
        return -1;
      }
      at = skipWhitespace(buffer, after + 1);
    }
  };

  return {
    grow(part) {
      if (isFinished) {
        startNext();
      }
      const cut = gaveUp ? undefined : boundaries.find(part);
      if (cut !== undefined) {
        gaveUp = readUntil(part, (at) => at >= cut) !== cut;
        next = cut + 1 - part.start;
      }
    },
    finish(whole) {
      if (isFinished) {
        startNext();
      }
      isFinished = true;
      const { buffer, end } = whole;
      const last = gaveUp ? -1 : readUntil(whole, (at) => buffer[at] === closingBracket);
      // The buffer may hold bytes of an earlier line after the data, even more whitespace.
      const isWhole = last !== -1 && last < end && skipWhitespace(buffer, last + 1) >= end;
      return isWhole ? table : undefined;
    },
  };
}
