import { tokenIsAccepted } from "./token-is-accepted.ts";

/** `Authorization: Bearer <OAUTH_TOKEN>`. Source: search-stream, section 5. */
export const oauthTokenIsAccepted = tokenIsAccepted({
  id: "stream/oauth-token-is-accepted",
  credential: "oauth-token",
  name: "OAuth token",
  variable: "ASSAY_OAUTH_TOKEN",
});
