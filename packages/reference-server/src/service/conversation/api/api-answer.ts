/** An answer of the conversation API just before it is written. */
export interface ApiAnswer {
  readonly status: number;
  /** Names in lower case. `content-length` is added when the answer is written. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as JSON; absent for an answer that is text or has no body. */
  readonly json?: unknown;
  /** Body as it is, instead of `json`. */
  readonly text?: string | Buffer;
  /**
   * What happens to the connection instead: `reset` before any byte of the answer, `cut` after one half of the body, `silence`
   * sends nothing and leaves the connection open until the client has left.
   */
  readonly connection?: "reset" | "cut" | "silence";
}

/** An answer with a JSON body. */
export const jsonAnswer = (status: number, json: unknown): ApiAnswer => ({
  status,
  headers: { "content-type": "application/json", vary: "Authorization" },
  json,
});

/** An answer of one line of plain text. */
export const textAnswer = (status: number, line: string): ApiAnswer => ({
  status,
  headers: {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    vary: "Authorization",
  },
  text: `${line}\n`,
});
