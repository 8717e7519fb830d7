/** Limits for bundles that somebody may have sent. */
export interface BundleLimits {
  /** Of `manifest.json` and of `footer.json` [16 MiB]. */
  readonly maxDocumentBytes: number;
  /** Of `exchanges.ndjson` [256 MiB]. */
  readonly maxExchangesBytes: number;
  /** Of one line of `exchanges.ndjson`, its end included [8 MiB]; a longer one is a problem of the bundle. */
  readonly maxLineBytes: number;
}

/** The limits of the reader, and so of the writer: it writes nothing that could not be read again. */
export const bundleLimits: BundleLimits = {
  maxDocumentBytes: 16 * 2 ** 20,
  maxExchangesBytes: 256 * 2 ** 20,
  maxLineBytes: 8 * 2 ** 20,
};

/** Largest body that a record may describe. */
export const maxBodyBytes = 2 ** 31;

/** Most chunks that the record of a body tells apart; a body in more pieces is recorded in coarser ones. */
export const maxRecordedChunks = 32_768;
