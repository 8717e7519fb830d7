import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "../../repositories/repository.ts";
import { runProcess } from "../../ripgrep/run-process.ts";
import type { SearchSurroundings } from "../../search/search-surroundings.ts";

/** Larger files are not read. */
const mostFileBytes = 1024 * 1024;
const mostBytes = 32 * 1024 * 1024;
const lineFeed = 0x0a;

export interface BlobReading extends SearchSurroundings {
  readonly repository: Repository;
  readonly paths: readonly string[];
}

const isSmall = async (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size <= mostFileBytes,
    () => false,
  );

const smallPaths = async ({ paths, repository }: BlobReading): Promise<readonly string[]> => {
  const sizes = await Promise.all(paths.map((path) => isSmall(join(repository.directory, path))));
  return paths.filter((_, index) => sizes[index] === true);
};

/** Cuts what `git cat-file --batch` prints: for each object a line `<id> blob <size>`, the bytes, a line feed. */
const cutBlobs = (output: Buffer, paths: readonly string[]): ReadonlyMap<string, string> => {
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

const fromCommit = async (
  { pool, repository, signal }: BlobReading,
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
    if (bytes > mostBytes) {
      break;
    }
  }
  return cutBlobs(Buffer.concat(chunks), paths);
};

const fromWorkTree = async (
  { repository }: BlobReading,
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
 * Texts of files as they are in the commit of the repository, so that links to the commit are true even when the work tree has
 * changed since; without a commit as they are in the work tree. Files over 1 MiB and files that are not there are left out.
 */
export const readBlobs = async (reading: BlobReading): Promise<ReadonlyMap<string, string>> => {
  const paths = await smallPaths(reading);
  const { commit } = reading.repository;
  const contents = commit === undefined ? await fromWorkTree(reading, paths) : await fromCommit(reading, commit, paths);
  reading.signal.throwIfAborted();
  return contents;
};
