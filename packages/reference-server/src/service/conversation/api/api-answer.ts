/** An answer of the conversation API before it is written. */
export interface ApiAnswer {
  readonly status: number;
  /** Names in lower case. `content-length` is added when the answer is written. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as JSON; absent for an answer that is text or has no body. */
  readonly json?: unknown;
  /** Raw body, instead of `json`. */
  readonly text?: string | Buffer;
  /**
   * An action on the connection instead: `reset` before the first byte, `cut` after half of the body, `silence` sends nothing and
   * waits until the client leaves.
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
