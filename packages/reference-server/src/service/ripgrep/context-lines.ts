/** Number of lines before and after a matching line. */
export interface ContextLines {
  readonly before: number;
  readonly after: number;
}

/** No context lines. */
export const noContext: ContextLines = { before: 0, after: 0 };
