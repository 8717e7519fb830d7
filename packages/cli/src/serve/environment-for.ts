import type { RunningServer } from "@assay/reference-server";

/** The variables with which `assay run` tests this server with every credential it issues. */
export const environmentFor = ({
  url,
  token,
  tokens,
  access,
}: Pick<RunningServer, "url" | "token" | "tokens" | "access">): Readonly<Record<string, string>> => ({
  SRC_ENDPOINT: url,
  SRC_ACCESS_TOKEN: token,
  ASSAY_OAUTH_TOKEN: tokens.oauth,
  ASSAY_UNSCOPED_TOKEN: tokens.noScope,
  ASSAY_ACCESS: access,
});
