import { isUtf8 } from "node:buffer";
import { findLanguage } from "./language-table.ts";
import type { TrackedFile } from "./repository.ts";

/** Index modes of regular files. Links and submodules are not searched. */
const regularFileMode = /^100(?:644|755) /u;

const createTrackedFile = (path: string): TrackedFile => {
  const language = findLanguage(path);
  return language === undefined ? { path } : { path, language };
};

/** Splits a buffer at NUL bytes and drops an unterminated end. */
const splitAtNul = (listing: Buffer): readonly Buffer[] => {
  const records: Buffer[] = [];
  let start = 0;
  for (let end = listing.indexOf(0, start); end >= 0; end = listing.indexOf(0, start)) {
    records.push(listing.subarray(start, end));
    start = end + 1;
  }
  return records;
};

/**
 * Parses the output of `git ls-files --stage -z`. Returns distinct regular files in git's order (bytes of the path). Skips paths that
 * contain a line break or are not UTF-8, because they cannot be passed to the search reliably.
 */
export const readTrackedFiles = (listing: Buffer): readonly TrackedFile[] => {
  const paths = splitAtNul(listing)
    .filter((record) => isUtf8(record))
    .map((record) => record.toString("utf8"))
    .filter((record) => regularFileMode.test(record))
    .map((record) => record.slice(record.indexOf("\t") + 1))
    .filter((path) => !/[\n\r]/u.test(path));
  return [...new Set(paths)].map(createTrackedFile);
};
