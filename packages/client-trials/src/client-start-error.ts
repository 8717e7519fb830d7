/** The command of a client could not be started. `code` is that of the system, such as `ENOENT`. */
export class ClientStartError extends Error {
  override readonly name = "ClientStartError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
