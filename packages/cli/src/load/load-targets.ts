import { HarnessError, defined } from "@assay/contract";
import { resolve } from "node:path";
import { mayShareCredentials, parseBaseUrl, resolveCredentials } from "@assay/client";
import type { ClientCertificate, CredentialSources } from "@assay/client";
import type { HeaderField, Secret } from "@assay/evidence";
import type { CommandContext } from "../command-context.ts";
import { readStdin } from "../read-stdin.ts";
import { readTargetCertificate } from "../run/certificate-flags.ts";
import { type ResolvedTarget, hasOwnToken, resolveTarget, warnAboutWithheldVariables } from "../run/resolve-target.ts";
import { readEndpoint } from "../run/run-target.ts";
import { waitForTarget } from "../run/wait-for-target.ts";
import { redactUrl } from "../redact-url.ts";
import { startEmbeddedProcess } from "./embedded-process.ts";
import type { LoadOptions } from "./load-options.ts";
import { type LoadLimits, resolveLoadLimits } from "./load-safety.ts";

/** One instance under load. */
export interface LoadTarget {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly embedded: boolean;
  readonly token?: string;
  /** Sent if the target requests one. */
  readonly clientCertificate?: ClientCertificate;
}

/** The targets of a load run. */
export interface LoadTargets {
  readonly base: LoadTarget;
  /** The target of `--against`. Undefined if there is no comparison. */
  readonly head?: LoadTarget;
  readonly limits: LoadLimits;
  /** Sent with every request, except to embedded servers. */
  readonly extraHeaders: readonly HeaderField[];
  /** All secrets, which must never be written. */
  readonly secrets: readonly Secret[];
  close(): Promise<void>;
}

const embeddedName = "embedded";

const normalizeTargetUrl = (text: string): string => parseBaseUrl(text).href.replace(/\/+$/u, "");

/** Returns the URLs set by the options, undefined for an embedded server. Throws a `HarnessError` for conflicting options. */
function resolveTargetUrls(
  { url, against, againstFactor }: LoadOptions,
  env: NodeJS.ProcessEnv,
): readonly [string | undefined, string?] {
  const base = url ?? (against === embeddedName ? undefined : readEndpoint(env));
  if (againstFactor !== undefined && against !== embeddedName) {
    throw new HarnessError(
      "usage",
      `--against-factor slows the head of two embedded servers; use it with --against ${embeddedName}`,
    );
  }
  if (against === undefined) {
    return [base];
  }
  if (against !== embeddedName && base === undefined) {
    throw new HarnessError(
      "usage",
      `--against ${redactUrl(against)} compares it with another instance, which you set with --url or SRC_ENDPOINT; use --against ${embeddedName} to try two embedded servers`,
    );
  }
  if (against === embeddedName && base !== undefined) {
    throw new HarnessError(
      "usage",
      `--against ${embeddedName} starts two embedded servers, but the target is ${redactUrl(base)}; remove one of them`,
    );
  }
  return [base, against];
}

const createCredentialSources = (tokenFile: string, context: CommandContext): CredentialSources => ({
  tokenFile: tokenFile === "-" ? "-" : resolve(context.cwd, tokenFile),
  readStdin: () => readStdin(context.stdin),
});

const resolveToken = async (env: NodeJS.ProcessEnv, sources: CredentialSources): Promise<Secret | undefined> => {
  const { accessToken } = await resolveCredentials(env, sources);
  return accessToken === undefined ? undefined : { name: accessToken.source, value: accessToken.value };
};

const toTokenSecret = ({ credentials }: ResolvedTarget): Secret | undefined =>
  credentials.accessToken && { name: credentials.accessToken.source, value: credentials.accessToken.value };

/**
 * Returns the token of the head: from its flag or variable, otherwise from the configuration file, otherwise the token of the base if both
 * have the same trust.
 */
async function resolveHeadToken(
  urls: { readonly base: string; readonly head: string },
  baseToken: Secret | undefined,
  { options, context }: { readonly options: LoadOptions; readonly context: CommandContext },
): Promise<Secret | undefined> {
  if (options.againstTokenFile !== undefined) {
    return resolveToken({}, createCredentialSources(options.againstTokenFile, context));
  }
  const headToken = context.env["ASSAY_AGAINST_TOKEN"];
  if (headToken !== undefined && headToken !== "") {
    const token = await resolveToken({ ASSAY_TOKEN: headToken }, {});
    return token === undefined ? undefined : { name: "ASSAY_AGAINST_TOKEN", value: token.value };
  }
  if (hasOwnToken(urls.head, options)) {
    const { fileTargets } = options;
    return toTokenSecret(
      await resolveTarget({ url: urls.head, options: fileTargets === undefined ? {} : { fileTargets }, context }),
    );
  }
  return mayShareCredentials(urls.base, urls.head) ? baseToken : undefined;
}

interface TargetAccess {
  readonly token: Secret | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
}

const toLoadTarget = (url: string, { token, clientCertificate }: TargetAccess): LoadTarget => ({
  url,
  embedded: false,
  ...defined({ token: token?.value, clientCertificate }),
});

/** Returns the certificate of the head: from the configuration, otherwise the base's. k6 uses one certificate for both. */
async function resolveHeadCertificate(
  urls: { readonly base: string; readonly head: string },
  baseCertificate: ClientCertificate | undefined,
  { options, context }: { readonly options: LoadOptions; readonly context: CommandContext },
): Promise<ClientCertificate | undefined> {
  const { fileTargets } = options;
  const headCertificate = await readTargetCertificate({ url: urls.head, options: defined({ fileTargets }), context });
  if (
    headCertificate !== undefined &&
    baseCertificate !== undefined &&
    headCertificate.certificates !== baseCertificate.certificates
  ) {
    throw new HarnessError(
      "usage",
      `${new URL(urls.base).host} and ${new URL(urls.head).host} have different client certificates in the configuration, and k6 uses one for both; compare instances that accept the same one`,
    );
  }
  return headCertificate ?? baseCertificate;
}

function rejectSharedHeaders(urls: readonly string[], headers: readonly HeaderField[]): void {
  const [base, head] = urls;
  if (headers.length > 0 && base !== undefined && head !== undefined && !mayShareCredentials(base, head)) {
    const names = headers.map(([name]) => name).join(", ");
    throw new HarnessError(
      "usage",
      `the headers of the target (${names}) would be sent to both ${new URL(base).host} and ${new URL(head).host}; leave them out, or compare instances of one origin`,
    );
  }
}

async function openRemoteTargets(
  targetUrls: { readonly base: string; readonly head: string | undefined },
  options: LoadOptions,
  context: CommandContext,
): Promise<LoadTargets> {
  const base = normalizeTargetUrl(targetUrls.base);
  const head = targetUrls.head === undefined ? undefined : normalizeTargetUrl(targetUrls.head);
  const urls = [base, ...(head === undefined ? [] : [head])];
  const limits = resolveLoadLimits(urls, options);
  const resolvedTarget = await resolveTarget({ url: base, options, context });
  warnAboutWithheldVariables(resolvedTarget, context);
  const { extraHeaders } = resolvedTarget;
  rejectSharedHeaders(urls, extraHeaders);
  const baseAccess = { token: toTokenSecret(resolvedTarget), clientCertificate: resolvedTarget.clientCertificate };
  const resolveInput = { options, context };
  const headCertificate =
    head === undefined
      ? undefined
      : await resolveHeadCertificate({ base, head }, baseAccess.clientCertificate, resolveInput);
  for (const [index, url] of urls.entries()) {
    const clientCertificate = index === 0 ? baseAccess.clientCertificate : headCertificate;
    const target = { url, embedded: false, clientCertificate };
    await waitForTarget({ target, env: context.env, extraHeaders }, options.waitFor, context);
  }
  const token = head === undefined ? undefined : await resolveHeadToken({ base, head }, baseAccess.token, resolveInput);
  return {
    base: toLoadTarget(base, baseAccess),
    ...(head === undefined ? {} : { head: toLoadTarget(head, { token, clientCertificate: headCertificate }) }),
    limits,
    extraHeaders,
    secrets: [...resolvedTarget.secrets, ...(token === undefined ? [] : [token]), ...(headCertificate?.secrets ?? [])],
    close: () => Promise.resolve(),
  };
}

const defaultLatency = "laptop";
/** For two servers that are compared: with these delays, the noise of a busy machine matters little. */
const comparisonLatency = "staging";

async function startEmbeddedTargets(
  count: 1 | 2,
  options: LoadOptions,
  { cwd, env }: CommandContext,
): Promise<LoadTargets> {
  const limits = resolveLoadLimits([], options);
  const { latency = count === 1 ? defaultLatency : comparisonLatency, againstFactor = 1 } = options;
  const startSingleServer = () => startEmbeddedProcess({ cwd, env, latency });
  const startComparisonServer = (latencyFactor: number) =>
    startEmbeddedProcess({ cwd, env, latency, comparison: { latencyFactor } });
  const startResults = await Promise.allSettled(
    count === 1 ? [startSingleServer()] : [startComparisonServer(1), startComparisonServer(againstFactor)],
  );
  const servers = startResults.flatMap((server) => (server.status === "fulfilled" ? [server.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const failure = startResults.find((server) => server.status === "rejected");
  const [base, head] = servers;
  if (failure !== undefined || base === undefined) {
    await close();
    throw failure?.reason;
  }
  return {
    base: { url: base.url, embedded: true, token: base.token },
    ...(head === undefined ? {} : { head: { url: head.url, embedded: true, token: head.token } }),
    limits,
    extraHeaders: [],
    secrets: servers.flatMap(({ tokens }) => Object.entries(tokens).map(([name, value]) => ({ name, value }))),
    close,
  };
}

const isEmbeddedUrl = (url: string | undefined): url is undefined | typeof embeddedName =>
  url === undefined || url === embeddedName;

const createExpectedTarget = (url: string | undefined): LoadTarget =>
  isEmbeddedUrl(url) ? { url: "http://127.0.0.1", embedded: true } : { url: normalizeTargetUrl(url), embedded: false };

/**
 * Returns the targets set by the options, otherwise by the environment, without opening them. Embedded servers have placeholder URLs.
 * Throws a `HarnessError` for a target that must not be loaded.
 */
export function checkLoadTargets(
  options: LoadOptions,
  { env }: Pick<CommandContext, "env">,
): Pick<LoadTargets, "base" | "head" | "limits"> {
  const [base, head] = resolveTargetUrls(options, env);
  const urls = [base, head].flatMap((url) => (isEmbeddedUrl(url) ? [] : [normalizeTargetUrl(url)]));
  const limits = resolveLoadLimits(urls, options);
  return {
    base: createExpectedTarget(base),
    ...(head === undefined ? {} : { head: createExpectedTarget(head) }),
    limits,
  };
}

/**
 * Opens the targets set by the options, otherwise by the environment. If there are none, starts reference servers in other processes.
 * Sends no requests except to wait for the targets. Throws a `HarnessError` for a target that must not be loaded.
 */
export async function openLoadTargets(options: LoadOptions, context: CommandContext): Promise<LoadTargets> {
  const [base, head] = resolveTargetUrls(options, context.env);
  if (base === undefined) {
    return startEmbeddedTargets(head === undefined ? 1 : 2, options, context);
  }
  if (options.latency !== undefined) {
    throw new HarnessError(
      "usage",
      `--latency is for the embedded server, but the target is ${base}; remove one of them`,
    );
  }
  return openRemoteTargets({ base, head }, options, context);
}
