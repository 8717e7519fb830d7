import { anyCharacter } from "@assay/tools/any-character";
import { execFileSync } from "node:child_process";
import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { curlLine } from "./curl-line.ts";
import type { CredentialKind, HeaderField, TlsFile } from "./exchange.ts";

const record = (
  headers: readonly HeaderField[],
  url = "http://h/.api/search/stream?q=x",
  credential: CredentialKind = "access-token",
) => ({
  credential,
  request: { method: "GET", url, headers },
});

/** The words a shell parses from a line. A command that prints its arguments replaces curl. */
const words = (line: string, env: Readonly<Record<string, string>> = {}): readonly string[] =>
  execFileSync("/bin/sh", ["-c", line.replace(/^curl/, String.raw`printf '%s\0'`)], { env: { ...env } })
    .toString()
    .split("\0")
    .slice(0, -1);

test.each([
  { name: "of Assay only", env: { ASSAY_TOKEN: "a b$c'd" } },
  { name: "of other tools only", env: { SRC_ACCESS_TOKEN: "a b$c'd" } },
  { name: "of other tools, if that of Assay is empty", env: { ASSAY_TOKEN: "", SRC_ACCESS_TOKEN: "a b$c'd" } },
  { name: "of Assay, if both are set", env: { ASSAY_TOKEN: "a b$c'd", SRC_ACCESS_TOKEN: "other" } },
])("sends the request again with the token in the variable $name", ({ env }) => {
  const line = curlLine(
    record([
      ["Accept", "text/event-stream"],
      ["Authorization", "token replaced0"],
      ["Host", "h"],
    ]),
  );
  expect(line).toBe(
    `curl -N --globoff -H 'Accept: text/event-stream' -H "Authorization: token \${ASSAY_TOKEN:-$SRC_ACCESS_TOKEN}" 'http://h/.api/search/stream?q=x'`,
  );
  expect(words(line, env)).toEqual([
    "-N",
    "--globoff",
    "-H",
    "Accept: text/event-stream",
    "-H",
    "Authorization: token a b$c'd",
    "http://h/.api/search/stream?q=x",
  ]);
});

test.each([
  { credential: "oauth-token", value: "Bearer R3placed", shown: "Authorization: Bearer $ASSAY_OAUTH_TOKEN" },
  { credential: "unscoped-token", value: "token R3placed", shown: "Authorization: token $ASSAY_UNSCOPED_TOKEN" },
  { credential: "invalid-token", value: "token R3placed", shown: "Authorization: token 0000000000000000" },
  {
    credential: "shortened-token",
    value: "token R3placed",
    shown: 'Authorization: token $(printf %.8s "${ASSAY_TOKEN:-$SRC_ACCESS_TOKEN}")',
  },
  {
    credential: "lengthened-token",
    value: "token R3placed",
    shown: "Authorization: token ${ASSAY_TOKEN:-$SRC_ACCESS_TOKEN}0",
  },
  { credential: "empty-token", value: "token R3placed", shown: "Authorization: token " },
  { credential: "none", value: "Basic R3placed", shown: "Authorization: Basic $SRC_HEADER_AUTHORIZATION" },
] as const)("of a request with $credential shows no replacement", ({ credential, value, shown }) => {
  const line = curlLine(record([["Authorization", value]], undefined, credential));
  expect(line).toContain(`"${shown}"`);
  expect(line).not.toContain("R3placed");
});

test("replaces other secret headers with variables", () => {
  const line = curlLine(
    record([
      ["X-Auth-Token", "R3placed"],
      ["X-Api-Key", "R3placed2"],
    ]),
  );
  expect(words(line, { SRC_HEADER_X_AUTH_TOKEN: "one", SRC_HEADER_X_API_KEY: "two" })).toEqual(
    expect.arrayContaining(["X-Auth-Token: one", "X-Api-Key: two"]),
  );
  expect(line).not.toContain("R3placed");
});

test("replaces headers given by the user with variables, whatever their names", () => {
  const line = curlLine({
    ...record([
      ["Access-Client-Id", "R3placed"],
      ["X-View", "as it was"],
    ]),
    givenHeaders: ["access-client-id"],
  });
  expect(words(line, { SRC_HEADER_ACCESS_CLIENT_ID: "one" })).toEqual(
    expect.arrayContaining(["Access-Client-Id: one", "X-View: as it was"]),
  );
  expect(line).not.toContain("R3placed");
});

test("replaces secrets in the URL with a variable", () => {
  const line = curlLine(record([], "https://u:R3placed@h/x?token=R3placed&q=it's"));
  expect(line).not.toContain("R3placed");
  expect(words(line, { ASSAY_URL_SECRET: "s" }).at(-1)).toBe("https://s@h/x?token=s&q=it's");
});

test("makes curl send an empty header", () => {
  expect(words(curlLine(record([["X-Empty", ""]])))).toContain("X-Empty;");
});

describe("quoting", () => {
  test.each([
    "it's",
    "$(touch /tmp/x)",
    "`id`",
    String.raw`a\'b`,
    '"; id; "',
    "a b",
    "*?[x]{a,b}",
    "!!",
    "-o /tmp/x",
    "#x",
  ])("passes %j through a shell unchanged", (value) => {
    expect(words(curlLine(record([["X-A", value]], `http://h/?q=${value}`)))).toEqual(
      expect.arrayContaining([`X-A: ${value}`, `http://h/?q=${value}`]),
    );
  });

  test("of a hostile header name cannot leave its quotes", () => {
    const name = 'x-token-"$(id)`id`\\';
    expect(words(curlLine(record([[name, "v"]])))).toContain(`${name}: `);
  });

  test("never lets a value become a second word or line", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (value) => {
        const line = curlLine(record([["X-A", value]]));
        expect(line).not.toMatch(/[\n\r\0]/);
        expect(words(line)).toHaveLength(5);
      }),
      { numRuns: repetitions(10, 30) },
    );
  });
});

describe("a call with a body", () => {
  const call = (body: string, credential: CredentialKind = "other-token") => ({
    credential,
    request: {
      method: "POST",
      url: "http://h/.api/deepsearch/v1",
      headers: [["Authorization", "token x"]] as const,
      body,
    },
  });

  test("sends the same text", () => {
    const body = JSON.stringify({ question: `it's "quoted" $HOME \`id\`` });
    expect(words(curlLine(call(body))).slice(-3)).toEqual(["--data-raw", body, "http://h/.api/deepsearch/v1"]);
  });

  test.each<[CredentialKind, string]>([
    ["other-token", "token $ASSAY_OTHER_TOKEN"],
    ["read-token", "token $ASSAY_READ_TOKEN"],
    ["quota-token", "token $ASSAY_QUOTA_TOKEN"],
    ["entitlement-token", "token $ASSAY_ENTITLEMENT_TOKEN"],
  ])("takes the token of %s from its variable", (credential, value) => {
    expect(curlLine(call("{}", credential))).toContain(`-H "Authorization: ${value}"`);
  });

  test("keeps a word that is not a scheme", () => {
    const { request } = call("{}");
    const headers = [["Authorization", "Assay 0123456789"]] as const;
    const line = curlLine({ credential: "other-scheme", request: { ...request, headers } });
    expect(line).toContain(`-H "Authorization: Assay \${ASSAY_TOKEN:-$SRC_ACCESS_TOKEN}"`);
  });
});

test.each([
  { name: "2", httpVersion: "2", url: "https://h/x", flags: " --http2" },
  { name: "1.1 over https, where curl would choose 2", httpVersion: "1.1", url: "https://h/x", flags: " --http1.1" },
  { name: "1.1 over http", httpVersion: "1.1", url: "http://h/x", flags: "" },
  { name: "an unknown one", httpVersion: undefined, url: "https://h/x", flags: "" },
] as const)("asks over the version of HTTP that was spoken: $name", ({ httpVersion, url, flags }) => {
  expect(curlLine({ ...record([], url), ...(httpVersion && { httpVersion }) })).toBe(
    `curl -N --globoff${flags} '${url}'`,
  );
});

test.each<{ name: string; tlsFiles: readonly TlsFile[]; given: readonly string[] }>([
  { name: "a certificate", tlsFiles: ["client-cert"], given: ["--cert", "a cert"] },
  { name: "it and its key", tlsFiles: ["client-cert", "client-key"], given: ["--cert", "a cert", "--key", "a key"] },
  { name: "an authority", tlsFiles: ["ssl-cert-file"], given: ["--cacert", "a bundle"] },
  { name: "two", tlsFiles: ["node-extra-ca-certs", "ssl-cert-file"], given: ["--cacert", "an authority"] },
])("names the files of the connection by variables: $name", ({ tlsFiles, given }) => {
  const line = curlLine({ ...record([], "https://h/x"), tlsFiles });
  const env = {
    ASSAY_CLIENT_CERT: "a cert",
    ASSAY_CLIENT_KEY: "a key",
    NODE_EXTRA_CA_CERTS: "an authority",
    SSL_CERT_FILE: "a bundle",
  };
  expect(words(line, env)).toEqual(["-N", "--globoff", ...given, "https://h/x"]);
});
