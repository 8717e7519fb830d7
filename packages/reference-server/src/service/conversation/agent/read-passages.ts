import type { Repository } from "../../repositories/repository.ts";
import type { SearchContext } from "../../search/search-context.ts";
import type { FoundFile } from "./find-files.ts";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../ripgrep/run-process.ts";

/** Files that are larger in the work tree are not read. */
const maxFileBytes = 1024 * 1024;
/** Output of git after which no more is read. */
const maxOutputBytes = 32 * 1024 * 1024;
const lineFeed = 0x0a;

interface BlobRequest extends SearchContext {
  readonly repository: Repository;
  readonly paths: readonly string[];
}

const isSmall = async (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size <= maxFileBytes,
    () => false,
  );

const selectSmallPaths = async ({ paths, repository }: BlobRequest): Promise<readonly string[]> => {
  const sizes = await Promise.all(paths.map((path) => isSmall(join(repository.directory, path))));
  return paths.filter((_, index) => sizes[index] === true);
};

/** Splits the output of `git cat-file --batch`: for each object a line `<id> blob <size>`, the bytes, a line feed. */
const splitBlobs = (output: Buffer, paths: readonly string[]): ReadonlyMap<string, string> => {
  const contents = new Map<string, string>();
  let start = 0;
  for (const path of paths) {
    const end = output.indexOf(lineFeed, start);
    const [, type, size] = output.toString("latin1", start, Math.max(start, end)).split(" ");
    if (end < 0) {
      break;
    }
    start = end + 1;
    if (type === "blob") {
      contents.set(path, output.toString("utf8", start, start + Number(size)));
      start += Number(size) + 1;
    }
  }
  return contents;
};

const readFromCommit = async (
  { pool, repository, signal }: BlobRequest,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const output = runProcess({
    file: "git",
    args: ["-c", "core.fsmonitor=false", "cat-file", "--batch"],
    cwd: repository.directory,
    env: { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
    input: paths.map((path) => `${commit}:${path}\n`).join(""),
    signal,
    pool,
  });
  for await (const chunk of output) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxOutputBytes) {
      break;
    }
  }
  return splitBlobs(Buffer.concat(chunks), paths);
};

const readFromWorkTree = async (
  { repository }: BlobRequest,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const contents = new Map<string, string>();
  for (const path of paths) {
    const text = await readFile(join(repository.directory, path), "utf8").catch(() => undefined);
    if (text !== undefined) {
      contents.set(path, text);
    }
  }
  return contents;
};

/**
 * Reads files from the commit of the repository, so that links to the commit are still correct after changes to the work tree. Without a
 * commit it reads the work tree. Omits missing files and files over 1 MiB.
 */
const readBlobs = async (request: BlobRequest): Promise<ReadonlyMap<string, string>> => {
  const paths = await selectSmallPaths(request);
  const { commit } = request.repository;
  const contents =
    commit === undefined ? await readFromWorkTree(request, paths) : await readFromCommit(request, commit, paths);
  request.signal.throwIfAborted();
  return contents;
};

/** A line that contains a term. */
export interface Passage {
  readonly repository: Repository;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isDefinition: boolean;
}

export interface PassageRequest extends SearchContext {
  readonly files: readonly FoundFile[];
  readonly terms: readonly string[];
  readonly maxLinesPerFile: number;
  readonly onBytes: (bytes: number) => void;
}

const definitionPattern =
  /(?:^|\s)(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|var|module|package|namespace)\s+$/u;

const wordCharacter = /^[\p{L}\p{N}_$]/u;

/** Characters before a term in which a word such as `function` is searched. */
const maxDefinitionPrefix = 40;

/** Reports whether a line defines a term: the term follows a word such as `function` and is not followed by a character of a name. */
const isDefinition = (line: string, terms: readonly string[]): boolean => {
  const lowerCaseLine = line.toLowerCase();
  return terms.some((term) => {
    const start = lowerCaseLine.indexOf(term);
    const end = start + term.length;
    return (
      start > 0 &&
      definitionPattern.test(line.slice(Math.max(0, start - maxDefinitionPrefix), start)) &&
      !wordCharacter.test(line.slice(end, end + 1))
    );
  });
};

interface FileText {
  readonly file: FoundFile;
  readonly text: string;
}

const selectPassages = ({ file, text }: FileText, terms: readonly string[], maxLines: number): readonly Passage[] => {
  const passages = text.split("\n").flatMap((line, index): readonly Passage[] => {
    const lowerCaseLine = line.toLowerCase();
    return terms.some((term) => lowerCaseLine.includes(term))
      ? [{ ...file, line: index + 1, text: line, isDefinition: isDefinition(line, terms) }]
      : [];
  });
  // Prefers definitions. The selected lines keep the order of the file.
  const rankedPassages = [
    ...passages.filter((passage) => passage.isDefinition),
    ...passages.filter((passage) => !passage.isDefinition),
  ];
  return rankedPassages.slice(0, maxLines).toSorted((a, b) => a.line - b.line);
};

const readTexts = async (request: PassageRequest): Promise<ReadonlyMap<FoundFile, string>> => {
  const texts = new Map<FoundFile, string>();
  for (const repository of new Set(request.files.map((file) => file.repository))) {
    const files = request.files.filter((file) => file.repository === repository);
    const contents = await readBlobs({ ...request, repository, paths: files.map(({ path }) => path) });
    for (const file of files) {
      const text = contents.get(file.path);
      if (text !== undefined) {
        request.onBytes(text.length);
        texts.set(file, text);
      }
    }
  }
  return texts;
};

/** Reads files and returns the lines that contain a term, ignoring case, in file order. */
export const readPassages = async (request: PassageRequest): Promise<readonly Passage[]> => {
  const terms = request.terms.map((term) => term.toLowerCase());
  const texts = await readTexts(request);
  return request.files.flatMap((file) =>
    selectPassages({ file, text: texts.get(file) ?? "" }, terms, request.maxLinesPerFile),
  );
};
