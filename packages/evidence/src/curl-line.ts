import { quoteForShell } from "./shell-word.ts";
import type { ExchangeRecord, HeaderField } from "./exchange.ts";
import { isSecretHeaderName, splitScheme } from "./redaction/secret-headers.ts";
import { visibleText } from "./visible-text.ts";

/** Headers that curl sets itself or does not need. */
const curlDefaultHeaders: ReadonlySet<string> = new Set(["host", "connection", "content-length", "user-agent"]);
const isSetByCurl = ([name, value]: HeaderField): boolean =>
  curlDefaultHeaders.has(name.toLowerCase()) || (name.toLowerCase() === "accept-encoding" && value === "identity");

/** A token that no server would issue. */
const invalidToken = "0000000000000000";

/** The first of these variables that is set contains the access token, as in a run. */
const accessToken = "${ASSAY_TOKEN:-$SRC_ACCESS_TOKEN}";

/** Escapes the four characters that a shell interprets inside double quotes. */
const escapeForDoubleQuotes = (text: string): string => text.replaceAll(/["$`\\]/g, String.raw`\$&`);

/** The shell expression after the scheme, for credentials derived from a token. */
const derivedTokens: Readonly<Partial<Record<ExchangeRecord["credential"], string>>> = {
  "invalid-token": invalidToken,
  "invalid-oauth-token": invalidToken,
  "shortened-token": `$(printf %.8s "${accessToken}")`,
  "lengthened-token": `${accessToken}0`,
  "empty-token": "",
};

const headerVariable = (header: string): string => `SRC_HEADER_${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;

const tokenVariables: Readonly<Partial<Record<ExchangeRecord["credential"], string>>> = {
  "oauth-token": "ASSAY_OAUTH_TOKEN",
  "other-token": "ASSAY_OTHER_TOKEN",
  "read-token": "ASSAY_READ_TOKEN",
  "quota-token": "ASSAY_QUOTA_TOKEN",
  "entitlement-token": "ASSAY_ENTITLEMENT_TOKEN",
  "unscoped-token": "ASSAY_UNSCOPED_TOKEN",
  "unscoped-oauth-token": "ASSAY_UNSCOPED_OAUTH_TOKEN",
  "write-token": "ASSAY_WRITE_TOKEN",
};

function tokenExpression({ credential }: Pick<ExchangeRecord, "credential">): string {
  const variable = tokenVariables[credential];
  return derivedTokens[credential] ?? (variable === undefined ? accessToken : `$${variable}`);
}

function secretHeaderFlag([name, value]: HeaderField, record: Pick<ExchangeRecord, "credential">): string {
  const isToken = name.toLowerCase() === "authorization" && record.credential !== "none";
  const [scheme] = splitScheme(value);
  return `-H "${escapeForDoubleQuotes(`${name}: ${scheme}`)}${isToken ? tokenExpression(record) : `$${headerVariable(name)}`}"`;
}

function plainHeaderFlag([name, value]: HeaderField): string {
  // `Name;` makes curl send an empty value. `Name:` would remove the header.
  return `-H ${quoteForShell(visibleText(value === "" ? `${name};` : `${name}: ${value}`))}`;
}

/** Returns the full body, because the response depends on it. */
const bodyFlags = (body: string | undefined): readonly string[] =>
  body === undefined ? [] : [`--data-raw ${quoteForShell(visibleText(body))}`];

const secretInUrl = /([?&](?:token|access_token|filter_read_token)=)([^&#]*)|(:\/\/)([^/?#]*)(?=@)/gi;

/** Returns the URL in single quotes. Credentials and tokens in it become variables. */
function quoteUrl(url: string): string {
  let quoted = "";
  let from = 0;
  for (const match of url.matchAll(secretInUrl)) {
    const before = match[1] ?? match[3] ?? "";
    quoted += `${quoteForShell(visibleText(url.slice(from, match.index + before.length)))}"$ASSAY_URL_SECRET"`;
    from = match.index + match[0].length;
  }
  const tail = url.slice(from);
  return tail === "" ? quoted : quoted + quoteForShell(visibleText(tail));
}

/** Over https, curl prefers HTTP/2. */
const versionFlags = ({ httpVersion, request }: Pick<ExchangeRecord, "request" | "httpVersion">): readonly string[] =>
  httpVersion === "2" ? ["--http2"] : httpVersion === "1.1" && /^https:/i.test(request.url) ? ["--http1.1"] : [];

/**
 * Each file path comes from an environment variable. curl accepts only one CA file, and NODE_EXTRA_CA_CERTS is more likely to name a
 * private one.
 */
const tlsFlags = ({ tlsFiles = [] }: Pick<ExchangeRecord, "tlsFiles">): readonly string[] => {
  const authorities = (["node-extra-ca-certs", "ssl-cert-file"] as const).find((file) => tlsFiles.includes(file));
  return [
    ...(tlsFiles.includes("client-cert") ? ['--cert "$ASSAY_CLIENT_CERT"'] : []),
    ...(tlsFiles.includes("client-key") ? ['--key "$ASSAY_CLIENT_KEY"'] : []),
    ...(authorities === undefined ? [] : [`--cacert "$${authorities.toUpperCase().replaceAll("-", "_")}"`]),
  ];
};

/**
 * Returns a curl command for a POSIX shell that repeats the request of an exchange.
 *
 * The command never contains secrets or their placeholders. The token is read from `$ASSAY_TOKEN`, or else from `$SRC_ACCESS_TOKEN`. Other
 * kinds are read from `$ASSAY_OAUTH_TOKEN`, `$ASSAY_OTHER_TOKEN` and so on. Other secret headers, and headers given by the user, are read
 * from `$SRC_HEADER_<NAME>`. The paths of certificate and key are read from `$ASSAY_CLIENT_CERT` and `$ASSAY_CLIENT_KEY`, that of the CA
 * file from the variable used in the run.
 */
export function curlLine(
  record: Pick<ExchangeRecord, "request" | "credential" | "httpVersion" | "tlsFiles" | "givenHeaders">,
): string {
  const { method, url, headers } = record.request;
  const givenNames = new Set(record.givenHeaders?.map((name) => name.toLowerCase()));
  const sentHeaders = headers.filter((field) => !isSetByCurl(field));
  return [
    "curl -N --globoff",
    ...versionFlags(record),
    ...tlsFlags(record),
    ...(method === "GET" ? [] : [`-X ${quoteForShell(visibleText(method))}`]),
    ...sentHeaders.map((field) =>
      isSecretHeaderName(field[0], givenNames) ? secretHeaderFlag(field, record) : plainHeaderFlag(field),
    ),
    ...bodyFlags(record.request.body),
    quoteUrl(url),
  ].join(" ");
}
