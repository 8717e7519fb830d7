/** A response of the conversation API before it is written. */
export interface ApiAnswer {
  readonly status: number;
  /** Lower-case names. `content-length` is added when the response is written. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON body. Absent if the body is text or missing. */
  readonly json?: unknown;
  /** Raw body, instead of `json`. */
  readonly text?: string | Buffer;
  /**
   * An action on the connection instead of a response: `reset` before the first byte, `cut` after half of the body, or `silence`, which
   * sends nothing and waits until the client disconnects.
   */
  readonly connection?: "reset" | "cut" | "silence";
}

/** Creates a response with a JSON body. */
export const jsonAnswer = (status: number, json: unknown): ApiAnswer => ({
  status,
  headers: { "content-type": "application/json", vary: "Authorization" },
  json,
});

/** Creates a response of one line of plain text. */
export const textAnswer = (status: number, line: string): ApiAnswer => ({
  status,
  headers: {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    vary: "Authorization",
  },
  text: `${line}\n`,
});
