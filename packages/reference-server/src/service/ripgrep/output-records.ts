const newline = 0x0a;

/**
 * Yields the records of ripgrep's output, grouped by the chunk that completed them. A record ends with the byte `terminator` and may span
 * any number of chunks. Drops an unterminated last record. Runs in linear time.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  terminator: number = newline,
): AsyncGenerator<readonly string[]> {
  let unfinished: Buffer[] = [];
  for await (const chunk of chunks) {
    const lastTerminator = chunk.lastIndexOf(terminator);
    if (lastTerminator < 0) {
      unfinished.push(chunk);
      continue;
    }
    const complete = Buffer.concat([...unfinished, chunk.subarray(0, lastTerminator)]);
    unfinished = [chunk.subarray(lastTerminator + 1)];
    yield complete.toString("utf8").split(String.fromCodePoint(terminator));
  }
}
