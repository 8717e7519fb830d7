/** Bounds of one exchange. All are always on. */
export interface ClientLimits {
  /** From the attempt to connect until the connection is there, TLS included [10,000]. */
  readonly connectTimeoutMs: number;
  /** From sending until the complete head of the final response, connecting included [30,000]. */
  readonly firstByteTimeoutMs: number;
  /** The whole exchange [120,000]. */
  readonly totalTimeoutMs: number;
  /** Names and values of the response head [65,536]. */
  readonly maxHeaderBytes: number;
  /** Body as sent, before decoding [256 MiB]. */
  readonly maxBodyBytes: number;
  /** Bodies that are on their way at the same time, together [no limit]. */
  readonly maxBytesAtOnce: number;
  /** Bodies of all exchanges of a client together [no limit]. */
  readonly maxBytesInAll: number;
  /** Body after decoding [64 MiB]; for encoded bodies only. */
  readonly maxDecodedBytes: number;
  /** Decoded bytes for each byte sent [200]; looked at from 1 MiB of decoded bytes on. */
  readonly maxDecodedRatio: number;
}

export const defaultLimits: ClientLimits = {
  connectTimeoutMs: 10_000,
  firstByteTimeoutMs: 30_000,
  totalTimeoutMs: 120_000,
  maxHeaderBytes: 65_536,
  maxBodyBytes: 256 * 1024 * 1024,
  maxBytesAtOnce: Number.POSITIVE_INFINITY,
  maxBytesInAll: Number.POSITIVE_INFINITY,
  maxDecodedBytes: 64 * 1024 * 1024,
  maxDecodedRatio: 200,
};
