/** Collects all values of an iteration. */
export const collected = async <Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> => {
  const all: Value[] = [];
  for await (const value of values) {
    all.push(value);
  }
  return all;
};
