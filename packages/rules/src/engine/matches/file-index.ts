import type { Match } from "./match.ts";
import { noNumber, TextNumbers } from "./text-numbers.ts";

/** Maximum number of files distinguished in one stream. */
const maxFiles = 20_000;
/** Maximum number of languages distinguished in one stream. */
const maxLanguages = 1000;
/** Maximum number of times of fetches distinguished in one stream. */
const maxFetchTimes = 20_000;

/** Numbers the files of the content matches of a stream, in the order in which they first occur. */
export class FileIndex {
  readonly repositories = new TextNumbers(maxFiles);
  /** Paths, each in the group with the number of its repository. */
  readonly paths = new TextNumbers(maxFiles);
  readonly languages = new TextNumbers(maxLanguages);
  /** Values of `repoLastFetched`. */
  readonly fetchTimes = new TextNumbers(maxFetchTimes);

  /** Returns the number of the match's file, from 0. Returns undefined if it names none, or if there are too many. */
  numberOf({ type, repository, path }: Pick<Match, "type" | "repository" | "path">): number | undefined {
    if (type !== "content" || repository === undefined || path === undefined) {
      return undefined;
    }
    const group = this.repositories.ofText(repository);
    const number = group === noNumber ? noNumber : this.paths.ofText(path, group);
    return number === noNumber ? undefined : number;
  }

  /** Adds a `repoLastFetched`. Returns whether it is known to have occurred before. */
  addFetchTime(text: string | undefined): boolean {
    const { fetchTimes } = this;
    const known = fetchTimes.count;
    return text !== undefined && fetchTimes.ofText(text) !== noNumber && fetchTimes.count === known;
  }

  /** Number of files so far. */
  get count(): number {
    return this.paths.count;
  }
}
