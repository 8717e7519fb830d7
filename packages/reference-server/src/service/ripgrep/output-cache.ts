/** A cache of process outputs, for repositories that never change. */
export interface OutputCache {
  /** Returns the cached output of an equal process, or undefined. */
  find(key: string): readonly Buffer[] | undefined;
  /** Stores an output, and evicts the least recently used ones if necessary. */
  store(key: string, output: readonly Buffer[]): void;
}

const countBytes = (output: readonly Buffer[]): number => output.reduce((bytes, { length }) => bytes + length, 0);

/** Creates a cache with a size limit, 64 MiB by default. Larger outputs are not stored. Several servers may share a cache. */
export const createOutputCache = (maxBytes = 64 * 1024 * 1024): OutputCache => {
  // A map keeps insertion order, so the first entry is the least recently used.
  const outputs = new Map<string, readonly Buffer[]>();
  let bytes = 0;
  const evict = (key: string): void => {
    bytes -= countBytes(outputs.get(key) ?? []);
    outputs.delete(key);
  };
  return {
    find(key) {
      const output = outputs.get(key);
      if (output !== undefined) {
        outputs.delete(key);
        outputs.set(key, output);
      }
      return output;
    },
    store(key, output) {
      evict(key);
      if (countBytes(output) > maxBytes) {
        return;
      }
      outputs.set(key, output);
      bytes += countBytes(output);
      for (const oldest of outputs.keys()) {
        if (bytes <= maxBytes) {
          return;
        }
        evict(oldest);
      }
    },
  };
};
