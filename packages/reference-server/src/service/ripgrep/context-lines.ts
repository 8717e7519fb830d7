/** How many lines around a matching one come with it. */
export interface ContextLines {
  readonly before: number;
  readonly after: number;
}

/** Matching lines alone. */
export const noContext: ContextLines = { before: 0, after: 0 };
