/** Closed codes of what is wrong with the settings of a client; nothing was sent then. */
export const clientErrorCodes = [
  "bad-base-url",
  "bad-url",
  "bad-header",
  "bad-body",
  "bad-proxy",
  "bad-ca",
  "bad-credential",
  "token-source-failed",
] as const;
export type ClientErrorCode = (typeof clientErrorCodes)[number];

/** A setting that cannot be used; the message starts with the code and never quotes a secret. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, sentence: string, options?: ErrorOptions) {
    super(`${code}: ${sentence}`, options);
    this.code = code;
  }
}
