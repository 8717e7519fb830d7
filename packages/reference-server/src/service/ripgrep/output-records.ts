const newline = 0x0a;

/**
 * Yields the records of ripgrep's JSON output, grouped by the chunk that completed them. A record may span any number of chunks. Takes
 * linear time.
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  terminator: number = newline,
): AsyncGenerator<readonly string[]> {
  let unfinished: Buffer[] = [];
  for await (const chunk of chunks) {
    const lastEnd = chunk.lastIndexOf(terminator);
    if (lastEnd < 0) {
      unfinished.push(chunk);
      continue;
    }
    const complete = Buffer.concat([...unfinished, chunk.subarray(0, lastEnd)]);
    unfinished = [chunk.subarray(lastEnd + 1)];
    yield complete.toString("utf8").split(String.fromCodePoint(terminator));
  }
}
