import type { RunningServer } from "@assay/reference-server";

/** The variables with which `assay run` tests this server with every credential it issues. */
export const environmentFor = ({
  url,
  token,
  tokens,
  access,
  sharing,
}: Pick<RunningServer, "url" | "token" | "tokens" | "access" | "sharing">): Readonly<Record<string, string>> => ({
  SRC_ENDPOINT: url,
  SRC_ACCESS_TOKEN: token,
  ASSAY_OAUTH_TOKEN: tokens.oauth,
  ASSAY_UNSCOPED_TOKEN: tokens.noScope,
  ASSAY_UNSCOPED_OAUTH_TOKEN: tokens.noScopeOauth,
  ASSAY_OTHER_TOKEN: tokens.other,
  ASSAY_READ_TOKEN: tokens.read,
  ASSAY_WRITE_TOKEN: tokens.write,
  ASSAY_QUOTA_TOKEN: tokens.quota,
  ASSAY_ENTITLEMENT_TOKEN: tokens.entitlement,
  ASSAY_ACCESS: access,
  ASSAY_SHARING: sharing ? "on" : "off",
});
