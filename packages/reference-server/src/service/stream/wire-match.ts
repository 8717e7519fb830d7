import { defined } from "@assay/contract";
import type { Vocabulary } from "../conversation/api/timestamp.ts";
import type { Repository, TrackedFile } from "../repositories/repository.ts";
import type { ByteSpan, HitLine } from "../ripgrep/file-hits.ts";
import { countCodePoints, decodeGoText } from "../ripgrep/go-text.ts";
import type { SearchResult } from "../search/search-result.ts";

/** Encodes a path for a URL. Preserves slashes. */
const urlPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Escapes text for use inside brackets. */
const escapeBrackets = (text: string): string => text.replaceAll(/[[\]\\]/gu, String.raw`\$&`);

const fences = { commit: "COMMIT_EDITMSG", diff: "diff" } as const;

/**
 * Returns the commit members of a match, which are undocumented. The opening fence of `content` is line 0 of `ranges`, which contain
 * line, character and length in characters.
 */
const commitFields = ({
  commit,
  kind,
  repository,
  text,
}: Extract<SearchResult, { kind: "commit" | "diff" }>): object => {
  const { authorDate, authorName, committerDate, committerName, message, oid } = commit;
  const url = `/${repository.name}/-/commit/${oid}`;
  const subject = escapeBrackets(message.split("\n", 1)[0] ?? "");
  return {
    label: `[${escapeBrackets(repository.name)}](/${repository.name}) › [${escapeBrackets(authorName)}](${url}): [${subject}](${url})`,
    url,
    detail: `[\`${oid.slice(0, 7)}\` ${authorDate.slice(0, 10)}](${url})`,
    oid,
    message,
    authorName,
    authorDate,
    committerName,
    committerDate,
    content: ["```" + fences[kind], ...text.lines, "```"].join("\n"),
    ranges: text.ranges,
  };
};

export interface WireOptions {
  readonly chunkMatches: boolean;
  /** Maximum length of lines in chunks, in bytes. */
  readonly maxLineBytes?: number | undefined;
  /** `observed` uses the documented type of a diff and the documented name of the text of a chunk. */
  readonly vocabulary: Vocabulary;
}

interface Location {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

interface Range {
  readonly start: Location;
  readonly end: Location;
}

/** Converts byte spans to character spans in one pass over the bytes, so that long lines with many spans are fast. */
const toCharacterSpans = (bytes: Buffer, spans: readonly ByteSpan[]): readonly ByteSpan[] => {
  let byte = 0;
  let column = 0;
  const findColumn = (target: number): number => {
    column =
      target >= byte
        ? column + countCodePoints(bytes.subarray(byte, target))
        : countCodePoints(bytes.subarray(0, target));
    byte = target;
    return column;
  };
  return spans.map(([start, end]): ByteSpan => [findColumn(start), findColumn(end)]);
};

/** Returns the ranges of a line relative to the file. */
const createRanges = ({ bytes, lineNumber, offset, spans }: Omit<HitLine, "text">): readonly Range[] => {
  const columns = toCharacterSpans(bytes, spans);
  return spans.map(([start, end], index) => {
    const [startColumn = 0, endColumn = 0] = columns[index] ?? [];
    return {
      start: { offset: offset + start, line: lineNumber, column: startColumn },
      end: { offset: offset + end, line: lineNumber, column: endColumn },
    };
  });
};

const createNameRanges = (name: string, spans: readonly ByteSpan[]): readonly Range[] =>
  createRanges({ bytes: Buffer.from(name), lineNumber: 0, offset: 0, spans });

const lineMatch = ({ bytes, lineNumber, spans }: HitLine): unknown => ({
  line: decodeGoText(bytes),
  lineNumber,
  offsetAndLengths: toCharacterSpans(bytes, spans).map(([start, end]) => [start, end - start]),
});

const cutMarker = "...truncated";

/** Returns the longest prefix within the limit that does not end inside a character. */
const cutBytes = (bytes: Buffer, maxBytes: number): Buffer => {
  let end = Math.min(Math.max(0, maxBytes), bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.subarray(0, end);
};

const cutLine = (line: string, maxBytes: number): string => {
  const bytes = Buffer.from(line);
  if (bytes.length <= maxBytes) {
    return line;
  }
  const marker = maxBytes > cutMarker.length ? cutMarker : "";
  return cutBytes(bytes, maxBytes - marker.length).toString("utf8") + marker;
};

const chunkMatch = (lines: readonly HitLine[], { maxLineBytes, vocabulary }: WireOptions): unknown => {
  const texts = lines.map(({ bytes }) => decodeGoText(bytes));
  const cutTexts = maxLineBytes === undefined ? texts : texts.map((text) => cutLine(text, maxLineBytes));
  const isTruncated = cutTexts.some((text, index) => text !== texts[index]);
  return {
    // Real instances use a different name for this member than the specification.
    ...(vocabulary === "field" ? {} : { context: cutTexts.join("\n") }),
    ...(vocabulary === "observed" ? {} : { content: cutTexts.join("\n") }),
    contentStart: { offset: lines[0]?.offset ?? 0, line: lines[0]?.lineNumber ?? 0, column: 0 },
    ranges: lines.flatMap(createRanges),
    ...(isTruncated ? { contentTruncated: true } : {}),
  };
};

/** Groups consecutive lines. Drops groups without a hit. */
const groupChunks = (lines: readonly HitLine[]): readonly (readonly HitLine[])[] => {
  const chunks: HitLine[][] = [];
  for (const line of lines) {
    const last = chunks.at(-1);
    if (last !== undefined && last.at(-1)?.lineNumber === line.lineNumber - 1) {
      last.push(line);
    } else {
      chunks.push([line]);
    }
  }
  return chunks.filter((chunk) => chunk.some(({ spans }) => spans.length > 0));
};

const repositoryFields = ({ fetchedAt, id, name }: Repository): object => ({
  repositoryID: id,
  repository: name,
  ...defined({ repoLastFetched: fetchedAt }),
});

const contentFields = (lines: readonly HitLine[], options: WireOptions): object =>
  options.chunkMatches
    ? { chunkMatches: groupChunks(lines).map((chunk) => chunkMatch(chunk, options)) }
    : { lineMatches: lines.filter(({ spans }) => spans.length > 0).map(lineMatch) };

const languageField = ({ language }: TrackedFile): object => (language === undefined ? {} : { language });

const revisionFields = ({ commit }: Repository): object => ({
  branches: [""],
  ...defined({ commit }),
});

type ResultOf<Kind extends SearchResult["kind"]> = Extract<SearchResult, { kind: Kind }>;

const repositoryMatch = ({ nameSpans, repository }: ResultOf<"repo">): object => {
  const ranges = createNameRanges(repository.name, nameSpans);
  return {
    type: "repo",
    ...repositoryFields(repository),
    ...(ranges.length === 0 ? {} : { repositoryMatches: ranges }),
  };
};

const fileMatch = (result: ResultOf<"content"> | ResultOf<"path">, options: WireOptions): object => {
  const { file, kind, pathSpans, repository } = result;
  return {
    type: kind,
    path: file.path,
    ...(pathSpans.length === 0 ? {} : { pathMatches: createNameRanges(file.path, pathSpans) }),
    ...repositoryFields(repository),
    ...revisionFields(repository),
    ...(kind === "content" ? { hunks: null, ...contentFields(result.lines, options) } : {}),
    ...languageField(file),
  };
};

const symbolMatch = ({ file, repository, symbols }: ResultOf<"symbol">): object => ({
  type: "symbol",
  path: file.path,
  ...repositoryFields(repository),
  ...revisionFields(repository),
  ...languageField(file),
  symbols: symbols.map(({ columns: [start, end], kind, line, name }) => ({
    url: `/${repository.name}/-/blob/${urlPath(file.path)}?L${line}:${start}-${line}:${end}`,
    name,
    containerName: "",
    kind,
    line,
  })),
});

/**
 * Encodes a result as an element of a `matches` event. Offsets are in bytes from the start of the file. Columns and lengths are in
 * characters. Line numbers start at 0, those of symbols at 1. Empty and absent parts are omitted, except for `hunks`. Source:
 * search-stream, section 2.3.
 */
export const wireMatch = (result: SearchResult, options: WireOptions): object => {
  switch (result.kind) {
    case "repo":
      return repositoryMatch(result);
    case "content":
    case "path":
      return fileMatch(result, options);
    case "symbol":
      return symbolMatch(result);
    case "commit":
    case "diff":
      return {
        // Real instances send a diff as a commit with a different fence. The specification lists a separate type.
        type: options.vocabulary === "observed" ? result.kind : "commit",
        ...repositoryFields(result.repository),
        ...commitFields(result),
      };
  }
};

/** Estimates the size of a result as JSON: its longest texts, and constants for all other members. Faster than encoding. */
export const estimateBytes = (result: SearchResult): number => {
  switch (result.kind) {
    case "content":
      return result.lines.reduce((sum, { bytes }) => sum + bytes.length + 60, 300);
    case "symbol":
      return result.symbols.reduce(
        (sum, { name }) => sum + 2 * name.length + 150,
        300 + result.symbols.length * result.file.path.length,
      );
    case "commit":
    case "diff":
      return result.text.lines.reduce((sum, line) => sum + line.length, 800 + 2 * result.commit.message.length);
    case "path":
    case "repo":
      return 300;
  }
};
