/** Closed codes of reasons why the server does not start. */
export const serverStartErrorCodes = [
  "no-repository",
  "repository-missing",
  "not-a-work-tree",
  "git-missing",
  "unknown-fault",
  "unknown-fault-parameter",
  "invalid-fault-parameter",
  "unknown-latency",
  "invalid-latency-factor",
  "invalid-seed",
  "cannot-open-database",
  "port-in-use",
  "cannot-listen",
] as const;
export type ServerStartErrorCode = (typeof serverStartErrorCodes)[number];

/** The server could not start. The message starts with the code and says what, where, why and what to do next. */
export class ServerStartError extends Error {
  readonly code: ServerStartErrorCode;

  constructor(code: ServerStartErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.name = "ServerStartError";
    this.code = code;
  }
}
