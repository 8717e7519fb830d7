/** Limits for bundles of unknown origin. */
export interface BundleLimits {
  /** Maximum size of `manifest.json` and of `footer.json`. Default: 16 MiB. */
  readonly maxDocumentBytes: number;
  /** Maximum size of `exchanges.ndjson`. Default: 256 MiB. */
  readonly maxExchangesBytes: number;
  /** Maximum size of a line of `exchanges.ndjson`, including its line feed. A longer line is a problem of the bundle. Default: 8 MiB. */
  readonly maxLineBytes: number;
}

/** Limits of the reader. The writer enforces the same limits, so that everything it writes is readable. */
export const bundleLimits: BundleLimits = {
  maxDocumentBytes: 16 * 2 ** 20,
  maxExchangesBytes: 256 * 2 ** 20,
  maxLineBytes: 8 * 2 ** 20,
};

/** Maximum size of a body that a record may describe. */
export const maxBodyBytes = 2 ** 31;

/** Maximum number of chunks in the record of a body. More chunks are merged. */
export const maxRecordedChunks = 32_768;
