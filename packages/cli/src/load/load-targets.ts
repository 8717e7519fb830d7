import { HarnessError, defined } from "@assay/contract";
import { resolve } from "node:path";
import { isSameTrust, parseBaseUrl, resolveCredentials } from "@assay/client";
import type { ClientCertificate, CredentialSources } from "@assay/client";
import type { HeaderField, Secret } from "@assay/evidence";
import type { CommandContext } from "../command-context.ts";
import { readStdin } from "../read-stdin.ts";
import { certificateFor } from "../run/certificate-flags.ts";
import { type ReachedTarget, hasOwnToken, resolveTarget, reportWithheld } from "../run/resolve-target.ts";
import { endpointOf } from "../run/run-target.ts";
import { waitForTarget } from "../run/wait-for-target.ts";
import { shownAddress } from "../shown-address.ts";
import { startEmbeddedProcess } from "./embedded-process.ts";
import type { LoadOptions } from "./load-options.ts";
import { type LoadLimits, loadLimitsFor } from "./load-safety.ts";

/** One instance under load. */
export interface LoadTarget {
  /** Base address without a trailing slash. */
  readonly url: string;
  readonly embedded: boolean;
  readonly token?: string;
  /** Sent if the target asks for one [none]. */
  readonly clientCertificate?: ClientCertificate;
}

/** The targets of a load run: arm `a`, and `b` in a paired comparison. */
export interface LoadTargets {
  readonly a: LoadTarget;
  readonly b?: LoadTarget;
  readonly limits: LoadLimits;
  /** Sent with every request, except to embedded servers. */
  readonly extraHeaders: readonly HeaderField[];
  /** All secrets, which must never be written. */
  readonly secrets: readonly Secret[];
  close(): Promise<void>;
}

const embeddedName = "embedded";

const plainUrl = (text: string): string => parseBaseUrl(text).href.replace(/\/+$/u, "");

/** The given addresses; undefined for an embedded server. Fails with a `HarnessError` for conflicting options. */
function addressesOf(
  { url, against, againstFactor }: LoadOptions,
  env: NodeJS.ProcessEnv,
): readonly [string | undefined, string?] {
  const first = url ?? (against === embeddedName ? undefined : endpointOf(env));
  if (againstFactor !== undefined && against !== embeddedName) {
    throw new HarnessError(
      "usage",
      `--against-factor slows the second of two embedded servers; it goes with --against ${embeddedName}`,
    );
  }
  if (against === undefined) {
    return [first];
  }
  if (against !== embeddedName && first === undefined) {
    throw new HarnessError(
      "usage",
      `--against ${shownAddress(against)} compares it with another instance, which has to be named by --url or SRC_ENDPOINT; use --against ${embeddedName} to try two embedded servers`,
    );
  }
  if (against === embeddedName && first !== undefined) {
    throw new HarnessError(
      "usage",
      `--against ${embeddedName} starts two embedded servers, but the target is ${shownAddress(first)}; leave out one of them`,
    );
  }
  return [first, against];
}

const sourcesOf = (tokenFile: string, context: CommandContext): CredentialSources => ({
  tokenFile: tokenFile === "-" ? "-" : resolve(context.cwd, tokenFile),
  readStdin: () => readStdin(context.stdin),
});

const tokenFrom = async (env: NodeJS.ProcessEnv, sources: CredentialSources): Promise<Secret | undefined> => {
  const { accessToken } = await resolveCredentials(env, sources);
  return accessToken === undefined ? undefined : { name: accessToken.source, value: accessToken.value };
};

const secretOf = ({ credentials }: ReachedTarget): Secret | undefined =>
  credentials.accessToken && { name: credentials.accessToken.source, value: credentials.accessToken.value };

/**
 * The token of the second target: its own, else that of the configuration file, else that of the first target if both
 * are trusted alike.
 */
async function secondToken(
  urls: { readonly a: string; readonly b: string },
  first: Secret | undefined,
  { options, context }: { readonly options: LoadOptions; readonly context: CommandContext },
): Promise<Secret | undefined> {
  if (options.againstTokenFile !== undefined) {
    return tokenFrom({}, sourcesOf(options.againstTokenFile, context));
  }
  const own = context.env["ASSAY_AGAINST_TOKEN"];
  if (own !== undefined && own !== "") {
    const given = await tokenFrom({ ASSAY_TOKEN: own }, {});
    return given === undefined ? undefined : { name: "ASSAY_AGAINST_TOKEN", value: given.value };
  }
  if (hasOwnToken(urls.b, options)) {
    const { fileTargets } = options;
    return secretOf(
      await resolveTarget({ url: urls.b, options: fileTargets === undefined ? {} : { fileTargets }, context }),
    );
  }
  return isSameTrust(urls.a, urls.b) ? first : undefined;
}

interface Reached {
  readonly token: Secret | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
}

const reachedAt = (url: string, { token, clientCertificate }: Reached): LoadTarget => ({
  url,
  embedded: false,
  ...defined({ token: token?.value, clientCertificate }),
});

/** The certificate for the second target: its own in the configuration, else that of the first. k6 has one for both. */
async function secondCertificate(
  urls: { readonly a: string; readonly b: string },
  first: ClientCertificate | undefined,
  { options, context }: { readonly options: LoadOptions; readonly context: CommandContext },
): Promise<ClientCertificate | undefined> {
  const { fileTargets } = options;
  const own = await certificateFor({ url: urls.b, options: defined({ fileTargets }), context });
  if (own !== undefined && first !== undefined && own.certificates !== first.certificates) {
    throw new HarnessError(
      "usage",
      `${new URL(urls.a).host} and ${new URL(urls.b).host} have different client certificates in the configuration, and k6 takes one for both; compare instances that take the same one`,
    );
  }
  return own ?? first;
}

function refuseSharedHeaders(urls: readonly string[], headers: readonly HeaderField[]): void {
  const [a, b] = urls;
  if (headers.length > 0 && a !== undefined && b !== undefined && !isSameTrust(a, b)) {
    const names = headers.map(([name]) => name).join(", ");
    throw new HarnessError(
      "usage",
      `the headers of the target (${names}) would be sent to both ${new URL(a).host} and ${new URL(b).host}; leave them out, or compare instances of one origin`,
    );
  }
}

async function remoteTargets(
  addresses: { readonly a: string; readonly b: string | undefined },
  options: LoadOptions,
  context: CommandContext,
): Promise<LoadTargets> {
  const a = plainUrl(addresses.a);
  const b = addresses.b === undefined ? undefined : plainUrl(addresses.b);
  const urls = [a, ...(b === undefined ? [] : [b])];
  const limits = loadLimitsFor(urls, options);
  const reached = await resolveTarget({ url: a, options, context });
  reportWithheld(reached, context);
  const { extraHeaders } = reached;
  refuseSharedHeaders(urls, extraHeaders);
  const first = { token: secretOf(reached), clientCertificate: reached.clientCertificate };
  const given = { options, context };
  const secondOne = b === undefined ? undefined : await secondCertificate({ a, b }, first.clientCertificate, given);
  for (const [index, url] of urls.entries()) {
    const clientCertificate = index === 0 ? first.clientCertificate : secondOne;
    const target = { url, embedded: false, clientCertificate };
    await waitForTarget({ target, env: context.env, extraHeaders }, options.waitFor, context);
  }
  const token = b === undefined ? undefined : await secondToken({ a, b }, first.token, given);
  return {
    a: reachedAt(a, first),
    ...(b === undefined ? {} : { b: reachedAt(b, { token, clientCertificate: secondOne }) }),
    limits,
    extraHeaders,
    secrets: [...reached.secrets, ...(token === undefined ? [] : [token]), ...(secondOne?.secrets ?? [])],
    close: () => Promise.resolve(),
  };
}

const defaultLatency = "laptop";
/** For two compared servers: with such delays, noise of a busy machine matters little. */
const comparedLatency = "staging";

async function embeddedTargets(count: 1 | 2, options: LoadOptions, { cwd, env }: CommandContext): Promise<LoadTargets> {
  const limits = loadLimitsFor([], options);
  const { latency = count === 1 ? defaultLatency : comparedLatency, againstFactor = 1 } = options;
  const alone = () => startEmbeddedProcess({ cwd, env, latency });
  const compared = (latencyFactor: number) => startEmbeddedProcess({ cwd, env, latency, compared: { latencyFactor } });
  const started = await Promise.allSettled(count === 1 ? [alone()] : [compared(1), compared(againstFactor)]);
  const servers = started.flatMap((server) => (server.status === "fulfilled" ? [server.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const failed = started.find((server) => server.status === "rejected");
  const [a, b] = servers;
  if (failed !== undefined || a === undefined) {
    await close();
    throw failed?.reason;
  }
  return {
    a: { url: a.url, embedded: true, token: a.token },
    ...(b === undefined ? {} : { b: { url: b.url, embedded: true, token: b.token } }),
    limits,
    extraHeaders: [],
    secrets: servers.flatMap(({ tokens }) => Object.entries(tokens).map(([name, value]) => ({ name, value }))),
    close,
  };
}

const startsServer = (url: string | undefined): url is undefined | typeof embeddedName =>
  url === undefined || url === embeddedName;

const expected = (url: string | undefined): LoadTarget =>
  startsServer(url) ? { url: "http://127.0.0.1", embedded: true } : { url: plainUrl(url), embedded: false };

/**
 * The targets of the options, else of the environment, before any is opened. Embedded servers have placeholder
 * addresses. Fails with a `HarnessError` for a target that may not be loaded.
 */
export function checkLoadTargets(
  options: LoadOptions,
  { env }: Pick<CommandContext, "env">,
): Pick<LoadTargets, "a" | "b" | "limits"> {
  const [a, b] = addressesOf(options, env);
  const urls = [a, b].flatMap((url) => (startsServer(url) ? [] : [plainUrl(url)]));
  const limits = loadLimitsFor(urls, options);
  return { a: expected(a), ...(b === undefined ? {} : { b: expected(b) }), limits };
}

/**
 * Opens the targets of the options, else of the environment; without any, reference servers in other processes. Sends
 * nothing except to wait for them. Fails with a `HarnessError` for a target that may not be loaded.
 */
export async function openLoadTargets(options: LoadOptions, context: CommandContext): Promise<LoadTargets> {
  const [a, b] = addressesOf(options, context.env);
  if (a === undefined) {
    return embeddedTargets(b === undefined ? 1 : 2, options, context);
  }
  if (options.latency !== undefined) {
    throw new HarnessError(
      "usage",
      `--latency is for the embedded server, but the target is ${a}; leave out one of them`,
    );
  }
  return remoteTargets({ a, b }, options, context);
}
