import { HarnessError, defined } from "@assay/contract";
import { dirname, resolve } from "node:path";
import {
  type ClientCertificate,
  type Credentials,
  type TokenVariables,
  checkHeader,
  selectEnvironment,
  readExtraHeaders,
  resolveCredentials,
  findHeaderSecrets,
  findProxySecrets,
  defaultTokenVariables,
} from "@assay/client";
import type { HeaderField, Secret } from "@assay/evidence";
import type { CommandContext } from "../command-context.ts";
import type { TargetConfig } from "../config/assay-config.ts";
import { type NamedTarget, type TargetOptions, findTargetByUrl } from "../config/file-targets.ts";
import { rejectMistypedPath } from "../nearest-file.ts";
import { readStdin } from "../read-stdin.ts";
import { readOtlpHeaders } from "../telemetry/otlp-settings.ts";
import { type CertificateOptions, readTargetCertificate } from "./certificate-flags.ts";

/** Flags for the instance, its token and its client certificate. */
export interface TargetAccessOptions extends TargetOptions, CertificateOptions {
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
}

/** An instance, and the credentials and headers for requests to it. */
export interface ResolvedTarget {
  readonly url: string;
  /** Its name in the configuration file. */
  readonly name?: string;
  readonly credentials: Credentials;
  /** Sent with every request. */
  readonly extraHeaders: readonly HeaderField[];
  /** Sent if the instance requests one. */
  readonly clientCertificate?: ClientCertificate;
  /** Values that must never be stored: tokens, headers, keys, proxy passwords. */
  readonly secrets: readonly Secret[];
  /** Variables that were ignored because their values belong to a different instance. */
  readonly withheld: readonly string[];
}

const setsToken = ({ tokenVariable, tokenFile, tokenCommand }: TargetConfig): boolean =>
  tokenVariable !== undefined || tokenFile !== undefined || tokenCommand !== undefined;

/** Reports whether the configuration file sets the token source of a URL. */
export const hasOwnToken = (url: string, { fileTargets }: TargetOptions): boolean => {
  const namedTarget = findTargetByUrl(url, fileTargets);
  return namedTarget !== undefined && setsToken(namedTarget.target);
};

const toList = (variable: string | undefined): readonly string[] => (variable === undefined ? [] : [variable]);

/**
 * The variables that may contain the tokens of a target. A target that sets its token sources gets no others: `ASSAY_TOKEN`,
 * `SRC_ACCESS_TOKEN` and `ASSAY_*_TOKEN` then belong to other targets that are tested from the same shell.
 */
function findVariables(target: TargetConfig | undefined): TokenVariables {
  if (target === undefined || (!setsToken(target) && target.tokens === undefined)) {
    return defaultTokenVariables;
  }
  const { oauth, other, read, write, unscoped, unscopedOauth, quota, entitlement } = target.tokens ?? {};
  return {
    accessToken: setsToken(target) ? toList(target.tokenVariable) : defaultTokenVariables.accessToken,
    oauthToken: toList(oauth),
    otherAccessToken: toList(other),
    readToken: toList(read),
    writeToken: toList(write),
    unscopedToken: toList(unscoped),
    unscopedOauthToken: toList(unscopedOauth),
    quotaToken: toList(quota),
    entitlementToken: toList(entitlement),
  };
}

interface TokenSource {
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
  readonly commandFolder?: string;
}

const resolveSourcePaths = ({ tokenFile, tokenCommand }: TokenSource, folder: string): TokenSource => ({
  ...(tokenFile === undefined ? {} : { tokenFile: tokenFile === "-" ? "-" : resolve(folder, tokenFile) }),
  ...(tokenCommand === undefined ? {} : { tokenCommand, commandFolder: folder }),
});

function rejectUnsetVariable({ name, target }: NamedTarget, env: NodeJS.ProcessEnv): void {
  const { tokenVariable } = target;
  if (tokenVariable !== undefined && (env[tokenVariable] ?? "") === "") {
    throw new HarnessError(
      "usage",
      `the token of the target ${name} is read from ${tokenVariable} (targets.${name}.tokenVariable), which is not set; set it, or remove the member`,
    );
  }
}

/** The variables that a target specifies. They apply to this target, even if they are used elsewhere too. */
function readNamedVariables(target: TargetConfig | undefined, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = [target?.tokenVariable, ...Object.values(target?.tokens ?? {})].filter((name) => name !== undefined);
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

/** Sources of the tokens and headers of a URL. */
export interface TokenSources {
  readonly namedTarget?: NamedTarget;
  /** Variables for this URL. */
  readonly env: NodeJS.ProcessEnv;
  readonly variables: TokenVariables;
  /** File or command with the access token. It overrides all variables. */
  readonly source: TokenSource;
  /** Whether `source` comes from a flag or its variable. */
  readonly isSetByFlag: boolean;
  /** Variables that belong to a different instance. */
  readonly withheld: readonly string[];
}

/** Returns the sources of the tokens of a URL without reading them. A token flag overrides the token of the target. */
export function findTokenSources({ url, options, context }: TargetRequest): TokenSources {
  const namedTarget = findTargetByUrl(url, options.fileTargets);
  const environment = selectEnvironment(url, context.env);
  const isSetByFlag = options.tokenFile !== undefined || options.tokenCommand !== undefined;
  const folder = options.fileTargets === undefined ? context.cwd : dirname(options.fileTargets.file.path);
  return {
    ...defined({ namedTarget }),
    env: { ...environment.env, ...readNamedVariables(namedTarget?.target, context.env) },
    variables: findVariables(namedTarget?.target),
    source: isSetByFlag
      ? resolveSourcePaths(options, context.cwd)
      : resolveSourcePaths(namedTarget?.target ?? {}, folder),
    isSetByFlag,
    withheld: environment.withheldNames,
  };
}

function readHeaders({ name, target }: NamedTarget, env: NodeJS.ProcessEnv): readonly HeaderField[] {
  return Object.entries(target.headers ?? {}).flatMap(([header, variable]) => {
    const value = env[variable];
    if (value === undefined) {
      throw new HarnessError(
        "usage",
        `the header ${header} of the target ${name} is read from ${variable} (targets.${name}.headers), which is not set; set it, or remove the member`,
      );
    }
    return value === "" ? [] : [checkHeader([header, value], variable)];
  });
}

/** A URL, and the sources of its credentials. */
export interface TargetRequest {
  readonly url: string;
  readonly options: TargetAccessOptions;
  readonly context: CommandContext;
  /** Reads standard input once for several URLs. Default: reads it directly. */
  readonly readInput?: () => Promise<string>;
}

/** The headers of every request to a URL: from `SRC_*`, overridden by the headers of its target. */
export const listExtraHeaders = (
  { namedTarget, env }: TokenSources,
  environment: NodeJS.ProcessEnv,
): readonly HeaderField[] => [
  ...new Map([...readExtraHeaders(env), ...(namedTarget === undefined ? [] : readHeaders(namedTarget, environment))]),
];

/**
 * Returns tokens, headers and secrets for one URL, from the flags, the target of the configuration file with this URL, and the
 * environment, in this order. Ignores `SRC_*` variables if `SRC_ENDPOINT` has a different origin, and the usual token variables if the
 * target sets its token sources. Sends no request. Throws a `HarnessError`, also for an unusable token or header.
 */
export async function resolveTarget({ url, options, context, readInput }: TargetRequest): Promise<ResolvedTarget> {
  const sources = findTokenSources({ url, options, context });
  const { namedTarget, env, variables, source, isSetByFlag, withheld } = sources;
  if (namedTarget !== undefined && !isSetByFlag) {
    rejectUnsetVariable(namedTarget, env);
  }
  if (source.tokenFile !== undefined) {
    rejectMistypedPath(isSetByFlag ? (options.tokenFile ?? source.tokenFile) : source.tokenFile, context.cwd);
  }
  const readInputOnce = readInput ?? (() => readStdin(context.stdin));
  const credentials = await resolveCredentials(env, { ...source, variables, readStdin: readInputOnce });
  const extraHeaders = listExtraHeaders(sources, context.env);
  const clientCertificate = await readTargetCertificate({ url, options, context });
  return {
    url,
    ...(namedTarget === undefined ? {} : { name: namedTarget.name }),
    credentials,
    extraHeaders,
    ...defined({ clientCertificate }),
    secrets: [
      ...credentials.secrets,
      ...findHeaderSecrets(extraHeaders),
      ...findHeaderSecrets(readOtlpHeaders(context.env)),
      ...findProxySecrets(context.env),
      ...(clientCertificate?.secrets ?? []),
    ],
    // A withheld token is not reported if a different source provides one.
    withheld: withheld.filter((name) => name !== "SRC_ACCESS_TOKEN" || credentials.accessToken === undefined),
  };
}

/** Prints a note about ignored variables, and one about an unnecessary client certificate. */
export function warnAboutWithheldVariables(
  { url, withheld, clientCertificate }: ResolvedTarget,
  { env, err }: Pick<CommandContext, "env" | "err">,
): void {
  if (clientCertificate !== undefined && new URL(url).protocol === "http:") {
    err(`note: ${new URL(url).host} uses http, so the client certificate is not sent to it; use https\n`);
  }
  if (withheld.length > 0) {
    const { SRC_ENDPOINT: value = url } = env;
    // An unparsable value is not quoted, because it may contain a password.
    const endpoint = URL.canParse(value) ? new URL(value).host : "a different instance";
    const target = new URL(url).host;
    const verb = withheld.length === 1 ? "is" : "are";
    err(`note: ${withheld.join(", ")} ${verb} for ${endpoint} (SRC_ENDPOINT) and not sent to ${target}\n`);
  }
}
