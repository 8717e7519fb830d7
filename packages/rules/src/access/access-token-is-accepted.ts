import { tokenIsAccepted } from "./token-is-accepted.ts";

/** `Authorization: token <ACCESS_TOKEN>`. Source: search-stream, section 5. */
export const accessTokenIsAccepted = tokenIsAccepted({
  id: "stream/access-token-is-accepted",
  credential: "access-token",
  name: "access token",
  variable: "ASSAY_TOKEN",
});
