import { searchIsRefused } from "./search-is-refused.ts";

/** A token that was never issued is no authentication. Source: search-stream, section 5. */
export const invalidTokenIsRefused = searchIsRefused({
  id: "stream/invalid-token-is-refused",
  credential: "invalid-token",
  came: "with a token that was never issued",
});
