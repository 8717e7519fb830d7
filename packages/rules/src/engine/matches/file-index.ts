import type { Match } from "./match.ts";

/** Maximum number of files distinguished in one stream. */
const maxFiles = 20_000;

/** Numbers the files of the content matches of a stream, in the order in which they first occur. */
export class FileIndex {
  readonly #files = new Map<string, Map<string, number>>();
  #count = 0;

  /** Returns the number of the match's file, from 0. Undefined if it names none, or if there are too many. */
  numberOf({ type, repository, path }: Pick<Match, "type" | "repository" | "path">): number | undefined {
    if (type !== "content" || repository === undefined || path === undefined) {
      return undefined;
    }
    const paths = this.#files.get(repository) ?? new Map<string, number>();
    const known = paths.get(path);
    if (known !== undefined || this.#count === maxFiles) {
      return known;
    }
    this.#files.set(repository, paths.set(path, this.#count));
    this.#count += 1;
    return this.#count - 1;
  }

  /** Number of files so far. */
  get count(): number {
    return this.#count;
  }
}
