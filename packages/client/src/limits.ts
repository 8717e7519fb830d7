/** Limits of one exchange. They all apply at the same time. */
export interface ClientLimits {
  /** From the start of connecting until the connection is established, including TLS. Default: 10,000. */
  readonly connectTimeoutMs: number;
  /** From sending until the head of the final response is complete, including connecting. Default: 30,000. */
  readonly firstByteTimeoutMs: number;
  /** Duration of the whole exchange. Default: 120,000. */
  readonly totalTimeoutMs: number;
  /** Total size of names and values in the response head. Default: 65,536. */
  readonly maxHeaderBytes: number;
  /** Size of the body as sent, before decoding. Default: 256 MiB. */
  readonly maxBodyBytes: number;
  /** Total size of all bodies in flight. Default: no limit. */
  readonly maxBytesInFlight: number;
  /** Total size of all bodies of a client. Default: no limit. */
  readonly maxTotalBytes: number;
  /** Size of the body after decoding. Applies to encoded bodies only. Default: 64 MiB. */
  readonly maxDecodedBytes: number;
  /** Maximum ratio of decoded bytes to sent bytes. Applies from 1 MiB of decoded bytes. Default: 200. */
  readonly maxDecodedRatio: number;
}

export const defaultLimits: ClientLimits = {
  connectTimeoutMs: 10_000,
  firstByteTimeoutMs: 30_000,
  totalTimeoutMs: 120_000,
  maxHeaderBytes: 65_536,
  maxBodyBytes: 256 * 1024 * 1024,
  maxBytesInFlight: Number.POSITIVE_INFINITY,
  maxTotalBytes: Number.POSITIVE_INFINITY,
  maxDecodedBytes: 64 * 1024 * 1024,
  maxDecodedRatio: 200,
};
