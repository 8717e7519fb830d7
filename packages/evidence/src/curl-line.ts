import { shellQuoted } from "./shell-word.ts";
import type { ExchangeRecord, HeaderField } from "./exchange.ts";
import { isSecretHeaderName, splitScheme } from "./redaction/secret-headers.ts";
import { visibleText } from "./visible-text.ts";

/** curl sets these itself or does not need them. */
const ownHeaders: ReadonlySet<string> = new Set(["host", "connection", "content-length", "user-agent"]);
const isOwn = ([name, value]: HeaderField): boolean =>
  ownHeaders.has(name.toLowerCase()) || (name.toLowerCase() === "accept-encoding" && value === "identity");

/** Obviously a token that no target ever issued. */
const invalidToken = "0000000000000000";

/** The access token is in the first of these variables that is set, as during the run. */
const accessToken = "${ASSAY_TOKEN:-$SRC_ACCESS_TOKEN}";

/** A shell still interprets these four characters inside double quotes. */
const insideDoubleQuotes = (text: string): string => text.replaceAll(/["$`\\]/g, String.raw`\$&`);

/** For credentials derived from a token: the shell expression that follows the scheme. */
const derivedTokens: Readonly<Partial<Record<ExchangeRecord["credential"], string>>> = {
  "invalid-token": invalidToken,
  "invalid-oauth-token": invalidToken,
  "shortened-token": `$(printf %.8s "${accessToken}")`,
  "lengthened-token": `${accessToken}0`,
  "empty-token": "",
};

const variableOf = (header: string): string => `SRC_HEADER_${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;

const variables: Readonly<Partial<Record<ExchangeRecord["credential"], string>>> = {
  "oauth-token": "ASSAY_OAUTH_TOKEN",
  "other-token": "ASSAY_OTHER_TOKEN",
  "read-token": "ASSAY_READ_TOKEN",
  "quota-token": "ASSAY_QUOTA_TOKEN",
  "entitlement-token": "ASSAY_ENTITLEMENT_TOKEN",
  "unscoped-token": "ASSAY_UNSCOPED_TOKEN",
  "unscoped-oauth-token": "ASSAY_UNSCOPED_OAUTH_TOKEN",
  "write-token": "ASSAY_WRITE_TOKEN",
};

function tokenOf({ credential }: Pick<ExchangeRecord, "credential">): string {
  const variable = variables[credential];
  return derivedTokens[credential] ?? (variable === undefined ? accessToken : `$${variable}`);
}

function secretHeader([name, value]: HeaderField, record: Pick<ExchangeRecord, "credential">): string {
  const isToken = name.toLowerCase() === "authorization" && record.credential !== "none";
  const [scheme] = splitScheme(value);
  return `-H "${insideDoubleQuotes(`${name}: ${scheme}`)}${isToken ? tokenOf(record) : `$${variableOf(name)}`}"`;
}

function plainHeader([name, value]: HeaderField): string {
  // `Name;` makes curl send an empty value. `Name:` would remove the header.
  return `-H ${shellQuoted(visibleText(value === "" ? `${name};` : `${name}: ${value}`))}`;
}

/** The body is shown in full, because it determines the answer. */
const bodyOf = (body: string | undefined): readonly string[] =>
  body === undefined ? [] : [`--data-raw ${shellQuoted(visibleText(body))}`];

const secretInUrl = /([?&](?:token|access_token|filter_read_token)=)([^&#]*)|(:\/\/)([^/?#]*)(?=@)/gi;

/** The URL in single quotes. Credentials and tokens in it become variables. */
function quotedUrl(url: string): string {
  let quoted = "";
  let from = 0;
  for (const match of url.matchAll(secretInUrl)) {
    const before = match[1] ?? match[3] ?? "";
    quoted += `${shellQuoted(visibleText(url.slice(from, match.index + before.length)))}"$ASSAY_URL_SECRET"`;
    from = match.index + match[0].length;
  }
  const rest = url.slice(from);
  return rest === "" ? quoted : quoted + shellQuoted(visibleText(rest));
}

/** Over https, curl uses HTTP/2 if it can. */
const versionFlags = ({ httpVersion, request }: Pick<ExchangeRecord, "request" | "httpVersion">): readonly string[] =>
  httpVersion === "2" ? ["--http2"] : httpVersion === "1.1" && /^https:/i.test(request.url) ? ["--http1.1"] : [];

/**
 * Each flag has a variable that names the file. curl accepts one CA file, and the first variable is more likely to name a
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
 * A curl command for a POSIX shell that repeats the request of an exchange.
 *
 * Secrets and their replacements never appear. The token comes from `$ASSAY_TOKEN`, else from `$SRC_ACCESS_TOKEN`; other
 * kinds come from `$ASSAY_OAUTH_TOKEN`, `$ASSAY_OTHER_TOKEN` and so on. Other secret headers, and headers given by the user,
 * come from `$SRC_HEADER_<NAME>`. Certificate and key files come from `$ASSAY_CLIENT_CERT`, `$ASSAY_CLIENT_KEY` and the
 * variable that names the CA file.
 */
export function curlLine(
  record: Pick<ExchangeRecord, "request" | "credential" | "httpVersion" | "tlsFiles" | "givenHeaders">,
): string {
  const { method, url, headers } = record.request;
  const given = new Set(record.givenHeaders?.map((name) => name.toLowerCase()));
  const sent = headers.filter((field) => !isOwn(field));
  return [
    "curl -N --globoff",
    ...versionFlags(record),
    ...tlsFlags(record),
    ...(method === "GET" ? [] : [`-X ${shellQuoted(visibleText(method))}`]),
    ...sent.map((field) => (isSecretHeaderName(field[0], given) ? secretHeader(field, record) : plainHeader(field))),
    ...bodyOf(record.request.body),
    quotedUrl(url),
  ].join(" ");
}
