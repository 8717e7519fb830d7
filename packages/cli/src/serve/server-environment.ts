import type { RunningServer } from "@assay/reference-server";

interface ServerEnvironment extends Readonly<Record<string, string>> {
  readonly SRC_ENDPOINT: string;
  readonly ASSAY_ACCESS: "private" | "public";
  readonly ASSAY_SHARING: "on" | "off";
}

/** Returns the variables with which `assay run` tests this server with every credential it issues. */
export const createServerEnvironment = ({
  url,
  token,
  tokens,
  access,
  sharing,
}: Pick<RunningServer, "url" | "token" | "tokens" | "access" | "sharing">): ServerEnvironment => ({
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
