import { searchIsRefused } from "./search-is-refused.ts";

/** Tokens of both sorts need the scope `user:all`. Source: search-stream, section 5. */
export const scopeIsRequired = searchIsRefused({
  id: "stream/scope-is-required",
  credential: "unscoped-token",
  came: "with a token that lacks the scope",
  needs: "no search with a token that lacks the scope (give one in ASSAY_UNSCOPED_TOKEN)",
});
