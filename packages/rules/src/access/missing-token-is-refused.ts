import { searchIsRefused } from "./search-is-refused.ts";

/** Only a public instance answers without authentication. Source: search-stream, section 5. */
export const missingTokenIsRefused = searchIsRefused({
  id: "stream/missing-token-is-refused",
  credential: "none",
  came: "without a token",
});
