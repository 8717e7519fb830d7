import { HarnessError, defined } from "@assay/contract";
import type { ClientCertificate, Credentials, Token } from "@assay/client";
import type { CredentialKind, HeaderField, HttpVersion, Manifest } from "@assay/evidence";
import { parseFaultChoice } from "@assay/reference-server";
import type { CommandContext } from "../command-context.ts";
import { openSearchedRepositories } from "../searched-repositories.ts";
import { redactUrl } from "../redact-url.ts";
import { type TargetAccessOptions, resolveTarget, warnAboutWithheldVariables } from "./resolve-target.ts";
import { startEmbeddedServer } from "./embedded-server.ts";
import type { RunOptions } from "./run-options.ts";
import { waitForTarget } from "./wait-for-target.ts";

/** The target of a run, with its tokens. */
export interface RunTarget {
  readonly url: string;
  readonly access: Manifest["target"]["access"];
  readonly sharing: "on" | "off" | "undeclared";
  readonly embedded: boolean;
  readonly tokens: Readonly<Partial<Record<CredentialKind, string>>>;
  /** Sent with every request. Empty for a server that was started for the run. */
  readonly extraHeaders: readonly HeaderField[];
  /** Sent if the target requests one. */
  readonly clientCertificate?: ClientCertificate;
  /** Default: 1.1. */
  readonly http?: HttpVersion;
  /** Values that must never be stored. */
  readonly secrets: Credentials["secrets"];
  close(): Promise<void>;
}

/** The flags of `assay run` and `assay doctor` that select a target. */
export type TargetChoiceOptions = Pick<
  RunOptions,
  "url" | "embedded" | "repo" | "fault" | "access" | "sharing" | "http" | "waitFor"
> &
  TargetAccessOptions;

/** Opens the target set by the options, otherwise by the environment, otherwise a reference server started for this run. */
export async function openTarget(
  options: TargetChoiceOptions,
  context: CommandContext,
  seed: number,
): Promise<RunTarget> {
  const endpoint = options.embedded === true ? undefined : (options.url ?? readEndpoint(context.env));
  if (endpoint === undefined) {
    rejectFlagsWithoutUrl(options);
    return openEmbeddedTarget(options, context, seed);
  }
  const embeddedOnlyFlag = options.fault !== undefined ? "--fault" : options.repo !== undefined ? "--repo" : undefined;
  if (embeddedOnlyFlag !== undefined) {
    throw new HarnessError(
      "usage",
      `${embeddedOnlyFlag} is for the embedded server, but the target is ${redactUrl(endpoint)}; remove one of them`,
    );
  }
  return openRemoteTarget(endpoint, options, context);
}

/** Flags that do not apply to the embedded server. */
const instanceOnlyFlags = [
  ["tokenFile", "--token-file"],
  ["tokenCommand", "--token-command"],
  ["clientCert", "--client-cert"],
  ["clientKey", "--client-key"],
  ["waitFor", "--wait-for"],
] as const;

/** Rejects flags that require an instance if there is no URL. Testing the embedded server instead would look like success. */
function rejectFlagsWithoutUrl(options: TargetChoiceOptions): void {
  const [, flagName] = instanceOnlyFlags.find(([optionName]) => options[optionName] !== undefined) ?? [];
  if (options.embedded !== true && flagName !== undefined) {
    throw new HarnessError(
      "usage",
      `${flagName} requires an instance, and none is set; set its address with --url, or test the embedded server with --embedded`,
    );
  }
}

/**
 * Returns `SRC_ENDPOINT`. Rejects an empty value, which means that a secret was forgotten: testing the embedded server instead would look
 * like success.
 */
export function readEndpoint({ SRC_ENDPOINT: endpoint }: NodeJS.ProcessEnv): string | undefined {
  if (endpoint?.trim() === "") {
    throw new HarnessError(
      "usage",
      "SRC_ENDPOINT is set but empty, so the target is unknown; set it to the address of an instance, or pass --embedded",
    );
  }
  return endpoint;
}

async function openEmbeddedTarget(
  { repo, fault, access, sharing, http }: TargetChoiceOptions,
  { cwd, err, outputs }: CommandContext,
  seed: number,
): Promise<RunTarget> {
  if (http === "2") {
    throw new HarnessError(
      "usage",
      "--http 2 requires an instance with https, and the embedded server uses http; set an address with --url, or remove --http 2",
    );
  }
  const searchedRepositories = openSearchedRepositories(repo, cwd);
  if (searchedRepositories.note !== undefined) {
    err(`note: ${searchedRepositories.note}\n`);
  }
  const server = await startEmbeddedServer({
    repos: searchedRepositories.folders,
    seed,
    // Real instances send values outside the documented sets. Only faults should be reported here.
    vocabulary: "observed",
    ...(fault === undefined ? {} : { fault: fault.map((text) => parseFaultChoice(text)) }),
    ...defined({ access, outputs }),
    ...(sharing === undefined ? {} : { sharing: sharing === "on" }),
  }).catch((error: unknown) => {
    searchedRepositories.close();
    throw error;
  });
  const { url, tokens } = server;
  return {
    url,
    access: server.access,
    sharing: server.sharing ? "on" : "off",
    embedded: true,
    tokens: {
      "access-token": tokens.access,
      "oauth-token": tokens.oauth,
      "other-token": tokens.other,
      "read-token": tokens.read,
      "quota-token": tokens.quota,
      "entitlement-token": tokens.entitlement,
      "unscoped-token": tokens.noScope,
      "unscoped-oauth-token": tokens.noScopeOauth,
      "write-token": tokens.write,
    },
    extraHeaders: [],
    secrets: Object.entries(tokens).map(([name, value]) => ({ name, value })),
    close: () => server.close().finally(() => searchedRepositories.close()),
  };
}

async function openRemoteTarget(
  url: string,
  options: TargetChoiceOptions,
  context: CommandContext,
): Promise<RunTarget> {
  const { access = "undeclared", sharing = "undeclared", http } = options;
  const resolvedTarget = await resolveTarget({ url, options, context });
  warnAboutWithheldVariables(resolvedTarget, context);
  const { extraHeaders, clientCertificate } = resolvedTarget;
  const target = { url, embedded: false, ...defined({ clientCertificate, http }) };
  await waitForTarget({ target, env: context.env, extraHeaders }, options.waitFor, context);
  return {
    ...target,
    access,
    sharing,
    tokens: groupTokensByKind(resolvedTarget.credentials),
    extraHeaders,
    secrets: resolvedTarget.secrets,
    close: () => Promise.resolve(),
  };
}

const toTokenEntry = (kind: CredentialKind, token: Token | undefined): Partial<Record<CredentialKind, string>> =>
  token === undefined ? {} : { [kind]: token.value };

/** The configured tokens by kind of credential. */
export const groupTokensByKind = (credentials: Credentials): RunTarget["tokens"] => ({
  ...toTokenEntry("access-token", credentials.accessToken),
  ...toTokenEntry("oauth-token", credentials.oauthToken),
  ...toTokenEntry("other-token", credentials.otherAccessToken),
  ...toTokenEntry("read-token", credentials.readToken),
  ...toTokenEntry("quota-token", credentials.quotaToken),
  ...toTokenEntry("entitlement-token", credentials.entitlementToken),
  ...toTokenEntry("unscoped-token", credentials.unscopedToken),
  ...toTokenEntry("unscoped-oauth-token", credentials.unscopedOauthToken),
  ...toTokenEntry("write-token", credentials.writeToken),
});
