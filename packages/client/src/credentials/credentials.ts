import { HarnessError, isHarnessError } from "@assay/contract";
import { minSecretLength } from "@assay/evidence";
import type { CredentialKind, Secret } from "@assay/evidence";
import { findFirstSet } from "./environment.ts";
import type { Environment } from "./environment.ts";
import { isProtocolText } from "../protocol-text.ts";
import { readSmallFile } from "./small-file.ts";
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

const maxOutputBytes = 64 * 1024;

const createCommandError = (clause: string): HarnessError =>
  new HarnessError("token-source-failed", `the token command ${clause}; run it manually to find out why`);

/** Kills the shell and its children, which would otherwise keep the pipe open. */
function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid ?? Number.NaN), "SIGKILL");
  } catch {
    // The process has already exited.
    return;
  }
}

/**
 * Runs a shell command and returns its output, at most 64 KiB. Messages contain neither the command, which may include a secret, nor its
 * output. Standard error is discarded. Kills the command and throws `token-source-failed` if it cannot be started, exits with a code other
 * than 0, prints too much or exceeds `timeoutMs`.
 */
function runCommand(
  command: string,
  { timeoutMs, cwd }: { readonly timeoutMs: number; readonly cwd?: string | undefined },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "ignore"], detached: true, cwd });
    const pieces: Buffer[] = [];
    const stop = (clause: string): void => {
      clearTimeout(timer);
      killGroup(child);
      reject(createCommandError(clause));
    };
    const timer = setTimeout(() => stop(`did not exit within ${timeoutMs} ms`), timeoutMs);
    child.stdout.on("data", (piece: Buffer) => {
      pieces.push(piece);
      if (pieces.reduce((sum, { length }) => sum + length, 0) > maxOutputBytes) {
        stop(`printed more than ${maxOutputBytes} bytes`);
      }
    });
    child.on("error", () => stop("could not be started"));
    child.on("close", (code, signal) => {
      if (code === 0) {
        clearTimeout(timer);
        resolve(Buffer.concat(pieces).toString("utf8"));
      } else {
        stop(code === null ? `was killed by ${signal}` : `exited with code ${code}`);
      }
    });
  });
}

/** A credential and its source. */
export interface Token {
  readonly value: string;
  /** The source, for display: a variable, a file or "the token command". */
  readonly source: string;
}

/** The credentials of a run. Those that were not given are absent. */
export interface Credentials {
  readonly accessToken?: Token;
  /** Access token of a second user. */
  readonly otherAccessToken?: Token;
  readonly oauthToken?: Token;
  /** A valid access token without the scopes for searching and for the current conversation interface. */
  readonly unscopedToken?: Token;
  /** An access token of the same user with the scope `externalapi:read` only. */
  readonly readToken?: Token;
  /** A valid OAuth token without the scope for searching. */
  readonly unscopedOauthToken?: Token;
  /** An access token of the same user with the scope `externalapi:write` only. */
  readonly writeToken?: Token;
  /** Access token of a user whose quota is exhausted. */
  readonly quotaToken?: Token;
  /** Access token of a user whose entitlement is exhausted. */
  readonly entitlementToken?: Token;
  /** Base URL from `SRC_ENDPOINT`, verbatim. */
  readonly endpoint?: string;
  /** The tokens as secrets for the redactor. */
  readonly secrets: readonly Secret[];
}

export interface CredentialSources {
  /** File with the access token, or `-` for standard input. Takes precedence over the environment. */
  readonly tokenFile?: string;
  /** Shell command that prints the access token. Takes precedence over the environment. */
  readonly tokenCommand?: string;
  /** Reads standard input to its end. */
  readonly readStdin?: () => Promise<string>;
  /** Working directory of the command. Default: that of the process. */
  readonly commandFolder?: string;
  /** Time limit of the command. Default: 30,000. */
  readonly commandTimeoutMs?: number;
  /** Variables to read. If set, only these are read, and a token without a variable is absent. Default: the usual ones. */
  readonly variables?: TokenVariables;
}

/** Variables that may contain each token. The first one that is set takes precedence. */
export type TokenVariables = Readonly<
  Partial<Record<Exclude<keyof Credentials, "endpoint" | "secrets">, readonly string[]>>
>;

/** Default variables of tokens. */
export const defaultTokenVariables = {
  accessToken: ["ASSAY_TOKEN", "SRC_ACCESS_TOKEN"],
  otherAccessToken: ["ASSAY_OTHER_TOKEN"],
  oauthToken: ["ASSAY_OAUTH_TOKEN"],
  unscopedToken: ["ASSAY_UNSCOPED_TOKEN"],
  unscopedOauthToken: ["ASSAY_UNSCOPED_OAUTH_TOKEN"],
  readToken: ["ASSAY_READ_TOKEN"],
  writeToken: ["ASSAY_WRITE_TOKEN"],
  quotaToken: ["ASSAY_QUOTA_TOKEN"],
  entitlementToken: ["ASSAY_ENTITLEMENT_TOKEN"],
} as const satisfies Required<TokenVariables>;

const maxTokenBytes = 64 * 1024;

/** Text that is often copied along with a token, from a shell or a header. */
const copiedWrappings = [
  ["quotation marks", /^(["'`]).*\1$/su],
  ["its scheme", /^(?:token|bearer)\s/iu],
] as const;

/** Validates a token for use in a header. Throws `bad-credential` without quoting the value. */
export function checkToken(value: string, source: string): Token {
  const token = value.trim();
  if (token === "") {
    throw new HarnessError("bad-credential", `the token from ${source} is empty; check its source`);
  }
  const [wrapping] = copiedWrappings.find(([, pattern]) => pattern.test(token)) ?? [];
  if (wrapping !== undefined) {
    throw new HarnessError("bad-credential", `the token from ${source} includes ${wrapping}; provide only the token`);
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const reason = "spaces, line breaks or other characters that are not valid in a token";
    throw new HarnessError("bad-credential", `the token from ${source} contains ${reason}; check its source`);
  }
  if (token.length < minSecretLength) {
    const reason = `${token.length} characters, fewer than ${minSecretLength}`;
    throw new HarnessError(
      "bad-credential",
      `the token from ${source} has ${reason}, so it could not be redacted in reports`,
    );
  }
  if (isProtocolText(token)) {
    const reason = "part of every response or report";
    throw new HarnessError(
      "bad-credential",
      `the token from ${source} is ${reason}, so it is not a token; check its source`,
    );
  }
  return { value: token, source };
}

const createSourceError = (sentence: string, cause?: unknown): HarnessError =>
  new HarnessError("token-source-failed", sentence, { cause });

async function loadTokenFile(path: string, readStdin: (() => Promise<string>) | undefined): Promise<Token> {
  if (path === "-") {
    if (readStdin === undefined) {
      throw createSourceError("the token file is -, but there is no standard input; pass a file");
    }
    return checkToken(await readStdin(), "standard input");
  }
  try {
    return checkToken(await readTokenFile(path), `the token file ${path}`);
  } catch (cause) {
    throw isHarnessError(cause)
      ? cause
      : createSourceError(`the token file ${path} cannot be read; check its path`, cause);
  }
}

const readTokenFile = (path: string): Promise<string> =>
  readSmallFile({
    path,
    maxBytes: maxTokenBytes,
    reject: (clause) =>
      createSourceError(
        `the token file ${path} ${clause}; pass a file that contains only the token, or - for standard input`,
      ),
  });

async function readAccessToken(env: Environment, sources: CredentialSources): Promise<Token | undefined> {
  const { tokenFile, tokenCommand, readStdin, commandTimeoutMs = 30_000, variables = defaultTokenVariables } = sources;
  if (tokenFile !== undefined && tokenCommand !== undefined) {
    throw new HarnessError("bad-credential", "both a token file and a token command are set; use only one");
  }
  if (tokenFile !== undefined) {
    return loadTokenFile(tokenFile, readStdin);
  }
  return tokenCommand === undefined
    ? readTokenVariable(env, variables.accessToken ?? [])
    : checkToken(
        await runCommand(tokenCommand, { timeoutMs: commandTimeoutMs, cwd: sources.commandFolder }),
        "the token command",
      );
}

function readTokenVariable(env: Environment, names: readonly string[]): Token | undefined {
  const variable = findFirstSet(env, names);
  return variable && checkToken(variable.value, variable.name);
}

/**
 * Reads the tokens of a run. The access token is read from the token file or command if given, otherwise from `ASSAY_TOKEN` or
 * `SRC_ACCESS_TOKEN`. The other tokens are read from their variables, by default `ASSAY_OTHER_TOKEN` (second user), `ASSAY_OAUTH_TOKEN`,
 * `ASSAY_UNSCOPED_TOKEN` (no scope for searching) and so on. Tokens are never read from the command line, where other processes could see
 * them. Throws `bad-credential` or `token-source-failed`.
 */
export async function resolveCredentials(env: Environment, sources: CredentialSources = {}): Promise<Credentials> {
  const accessToken = await readAccessToken(env, sources);
  const { accessToken: _first, ...otherVariables } = sources.variables ?? defaultTokenVariables;
  const otherTokens = Object.entries(otherVariables).flatMap(([name, variables]) => {
    const token = readTokenVariable(env, variables);
    return token === undefined ? [] : [[name, token] as const];
  });
  const endpoint = findFirstSet(env, ["SRC_ENDPOINT"])?.value;
  const tokens = [accessToken, ...otherTokens.map(([, token]) => token)].filter((token) => token !== undefined);
  return {
    ...(accessToken && { accessToken }),
    ...Object.fromEntries(otherTokens),
    ...(endpoint !== undefined && { endpoint }),
    secrets: tokens.map(({ value, source }) => ({ name: source, value })),
  };
}

const bearerCredentials: ReadonlySet<CredentialKind> = new Set([
  "oauth-token",
  "unscoped-oauth-token",
  "invalid-oauth-token",
  "access-token-as-bearer",
]);

/** The scheme before a token. */
export type AuthorizationScheme = "token" | "Bearer";

/**
 * Returns the scheme of a credential: Bearer for OAuth tokens and tokens sent like them, an unknown scheme for `other-scheme`, otherwise
 * the given one.
 */
const resolveScheme = (credential: CredentialKind, scheme: AuthorizationScheme | undefined): string =>
  credential === "other-scheme" ? "Assay" : (scheme ?? findDefaultScheme(credential));

/** Returns the default scheme of a credential. */
export const findDefaultScheme = (credential: CredentialKind): AuthorizationScheme =>
  bearerCredentials.has(credential) ? "Bearer" : "token";

/**
 * Returns the Authorization header of a credential, or undefined if it sends none. `scheme` precedes the token; the default is that of
 * the credential. Throws `bad-credential` if the token is missing or invalid. Source: search-stream, section 5; conversation-api, section
 * 5.
 */
export function createAuthorization(
  credential: CredentialKind,
  token: string | undefined,
  scheme?: AuthorizationScheme,
): string | undefined {
  if (credential === "none" || credential === "unknown") {
    return undefined;
  }
  if (credential === "empty-token") {
    return resolveScheme(credential, scheme);
  }
  if (token === undefined) {
    throw new HarnessError("bad-credential", `a request with the credential ${credential} needs a token`);
  }
  const { value } = checkToken(token, `the credential ${credential}`);
  return `${resolveScheme(credential, scheme)} ${value}`;
}
