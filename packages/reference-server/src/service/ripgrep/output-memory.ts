/** What searching processes printed, for repositories that do not change: an equal process need not run again. */
export interface OutputMemory {
  /** What a process printed that was started in the same way; undefined when that is not known. */
  recall(key: string): readonly Buffer[] | undefined;
  /** Keeps it; the outputs that were not asked for longest make room. */
  keep(key: string, output: readonly Buffer[]): void;
}

const sizeOf = (output: readonly Buffer[]): number => output.reduce((bytes, { length }) => bytes + length, 0);

/** Remembers outputs up to a number of bytes in all, 64 MiB by default; a longer one is not kept. Several servers may share it. */
export const createOutputMemory = (maxBytes = 64 * 1024 * 1024): OutputMemory => {
  // A map keeps its entries in the order in which they were set: the first was not asked for longest.
  const outputs = new Map<string, readonly Buffer[]>();
  let bytes = 0;
  const forget = (key: string): void => {
    bytes -= sizeOf(outputs.get(key) ?? []);
    outputs.delete(key);
  };
  return {
    recall(key) {
      const output = outputs.get(key);
      if (output !== undefined) {
        outputs.delete(key);
        outputs.set(key, output);
      }
      return output;
    },
    keep(key, output) {
      forget(key);
      outputs.set(key, output);
      bytes += sizeOf(output);
      for (const oldest of outputs.keys()) {
        if (bytes <= maxBytes) {
          return;
        }
        forget(oldest);
      }
    },
  };
};
