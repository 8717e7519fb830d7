import type { SentenceRows } from "./sentence-row.ts";

/** Section 5: credentials. */
export const authentication = {
  "search-stream#5.1-access-token": "An access token is sent in `Authorization` after the word `token`.",
  "search-stream#5.2-oauth-token": "An OAuth token is sent in `Authorization` after the word `Bearer`.",
  "search-stream#5.3-scope": "A token of either sort has to have the scope user:all.",
  "search-stream#5.4-public-instance": "The public hosted instance answers without credentials.",
  "search-stream#5.5-token-refresh": "How tokens expire and are renewed is not given.",
} as const satisfies SentenceRows;
