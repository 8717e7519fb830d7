const newline = 0x0a;

/**
 * Yields the records of ripgrep's output, grouped by the chunk that completed them. A record ends with the byte `terminator` and may span
 * any number of chunks. Drops an unterminated last record. Runs in linear time.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  terminator: number = newline,
): AsyncGenerator<readonly string[]> {
  let unfinishedRecord: Buffer[] = [];
  for await (const chunk of chunks) {
    const lastTerminator = chunk.lastIndexOf(terminator);
    if (lastTerminator < 0) {
      unfinishedRecord.push(chunk);
      continue;
    }
    const completeRecords = Buffer.concat([...unfinishedRecord, chunk.subarray(0, lastTerminator)]);
    unfinishedRecord = [chunk.subarray(lastTerminator + 1)];
    yield completeRecords.toString("utf8").split(String.fromCodePoint(terminator));
  }
}
