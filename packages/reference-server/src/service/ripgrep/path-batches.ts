/** A safe length of a command line; Windows allows 32,767 characters. */
const maxArgumentBytes = process.platform === "win32" ? 24_000 : 100_000;

/** Splits a list of paths into lists that fit on one command line. Preserves order. */
export function* splitIntoBatches(paths: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let size = 0;
  for (const path of paths) {
    // `./`, the separator and possible quotes.
    const pathSize = Buffer.byteLength(path) + 8;
    if (size + pathSize > maxArgumentBytes && batch.length > 0) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(path);
    size += pathSize;
  }
  if (batch.length > 0) {
    yield batch;
  }
}

/** Formats a path as an argument for ripgrep. The leading `./` prevents `-` from being standard input. */
export const toPathArgument = (path: string): string => `./${path}`;
