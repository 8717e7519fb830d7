import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credentials, type CredentialSources, resolveCredentials } from "./credentials.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-token-"));
  writeFileSync(join(folder, "token"), "from-a-file-123\n");
  writeFileSync(join(folder, "big"), "x".repeat(100_000));
  writeFileSync(join(folder, "two"), "one-token-1234\ntwo-token-1234\n");
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("the access token", () => {
  test.each<{
    name: string;
    env?: Record<string, string>;
    sources: () => CredentialSources;
    accessToken: Credentials["accessToken"];
  }>([
    { name: "is not there", sources: () => ({}), accessToken: undefined },
    {
      name: "comes from ASSAY_TOKEN first",
      env: { ASSAY_TOKEN: "first-token", SRC_ACCESS_TOKEN: "second-token" },
      sources: () => ({}),
      accessToken: { value: "first-token", source: "ASSAY_TOKEN" },
    },
    {
      name: "comes from SRC_ACCESS_TOKEN",
      env: { ASSAY_TOKEN: "", SRC_ACCESS_TOKEN: "second-token" },
      sources: () => ({}),
      accessToken: { value: "second-token", source: "SRC_ACCESS_TOKEN" },
    },
    {
      name: "comes from a file before the environment",
      env: { ASSAY_TOKEN: "first-token" },
      sources: () => ({ tokenFile: join(folder, "token") }),
      accessToken: { value: "from-a-file-123", source: expect.stringContaining("the token file ") },
    },
    {
      name: "comes from standard input",
      sources: () => ({ tokenFile: "-", readStdin: () => Promise.resolve("from-stdin-12\n") }),
      accessToken: { value: "from-stdin-12", source: "standard input" },
    },
    {
      name: "comes from a command in a shell",
      sources: () => ({ tokenCommand: "printf '%s-%s\\n' from command; echo warning >&2" }),
      accessToken: { value: "from-command", source: "the token command" },
    },
  ])("$name", async ({ env = {}, sources, accessToken }) => {
    expect((await resolveCredentials(env, sources())).accessToken).toEqual(accessToken);
  });
});

test("all tokens are secrets, the endpoint is not", async () => {
  const env = {
    ASSAY_TOKEN: "token-of-one",
    ASSAY_OTHER_TOKEN: "token-of-two",
    ASSAY_OAUTH_TOKEN: "token-by-oauth",
    ASSAY_UNSCOPED_TOKEN: "token-without-scope",
    ASSAY_READ_TOKEN: "token-that-may-read",
    ASSAY_QUOTA_TOKEN: "token-without-quota",
    ASSAY_ENTITLEMENT_TOKEN: "token-not-entitled",
    SRC_ENDPOINT: "https://h",
  };
  expect(await resolveCredentials(env)).toEqual({
    accessToken: { value: "token-of-one", source: "ASSAY_TOKEN" },
    otherAccessToken: { value: "token-of-two", source: "ASSAY_OTHER_TOKEN" },
    oauthToken: { value: "token-by-oauth", source: "ASSAY_OAUTH_TOKEN" },
    unscopedToken: { value: "token-without-scope", source: "ASSAY_UNSCOPED_TOKEN" },
    readToken: { value: "token-that-may-read", source: "ASSAY_READ_TOKEN" },
    quotaToken: { value: "token-without-quota", source: "ASSAY_QUOTA_TOKEN" },
    entitlementToken: { value: "token-not-entitled", source: "ASSAY_ENTITLEMENT_TOKEN" },
    endpoint: "https://h",
    secrets: [
      { name: "ASSAY_TOKEN", value: "token-of-one" },
      { name: "ASSAY_OTHER_TOKEN", value: "token-of-two" },
      { name: "ASSAY_OAUTH_TOKEN", value: "token-by-oauth" },
      { name: "ASSAY_UNSCOPED_TOKEN", value: "token-without-scope" },
      { name: "ASSAY_READ_TOKEN", value: "token-that-may-read" },
      { name: "ASSAY_QUOTA_TOKEN", value: "token-without-quota" },
      { name: "ASSAY_ENTITLEMENT_TOKEN", value: "token-not-entitled" },
    ],
  });
});

describe("refused without quoting the value", () => {
  const quoted = "hunter2";
  test.each<{ name: string; env?: Record<string, string>; sources?: () => CredentialSources; message: RegExp }>([
    {
      name: "a short token",
      env: { ASSAY_TOKEN: quoted },
      message: /^bad-credential: the token from ASSAY_TOKEN has 7 characters, fewer than 8/,
    },
    {
      name: "a word of the protocol",
      env: { ASSAY_TOKEN: "lineMatches" },
      message: /^bad-credential: the token from ASSAY_TOKEN is part of every response or report/,
    },
    {
      name: "a path of the conversation API",
      env: { ASSAY_READ_TOKEN: "deepsearch" },
      message: /^bad-credential: the token from ASSAY_READ_TOKEN is part/,
    },
    {
      name: "a rule",
      env: { ASSAY_OAUTH_TOKEN: "stream/done-is-last" },
      message: /^bad-credential: the token from ASSAY_OAUTH_TOKEN is part/,
    },
    {
      name: "a token in quotation marks",
      env: { ASSAY_TOKEN: `"${quoted}${quoted}"` },
      message: /^bad-credential: the token from ASSAY_TOKEN includes quotation marks; provide only the token/,
    },
    {
      name: "a token after its scheme",
      env: { ASSAY_OTHER_TOKEN: `Bearer ${quoted}${quoted}` },
      message: /^bad-credential: the token from ASSAY_OTHER_TOKEN includes its scheme/,
    },
    {
      name: "a token with a space",
      env: { ASSAY_TOKEN: `${quoted} ${quoted}` },
      message: /^bad-credential: the token from ASSAY_TOKEN contains spaces/,
    },
    {
      name: "a token with a control character",
      env: { ASSAY_OAUTH_TOKEN: `${quoted}\u0007${quoted}` },
      message: /^bad-credential: the token from ASSAY_OAUTH_TOKEN/,
    },
    {
      name: "only white space",
      env: { ASSAY_TOKEN: "  " },
      message: /^bad-credential: the token from ASSAY_TOKEN is empty/,
    },
    { name: "two tokens in a file", sources: () => ({ tokenFile: join(folder, "two") }), message: /^bad-credential: / },
    {
      name: "a missing file",
      sources: () => ({ tokenFile: join(folder, "none") }),
      message: /^token-source-failed: the token file .* cannot be read/,
    },
    {
      name: "a large file",
      sources: () => ({ tokenFile: join(folder, "big") }),
      message: /^token-source-failed: .* larger than/,
    },
    {
      name: "an endless device",
      sources: () => ({ tokenFile: "/dev/zero" }),
      message: /^token-source-failed: the token file \/dev\/zero is a device; pass a file/,
    },
    {
      name: "a folder",
      sources: () => ({ tokenFile: folder }),
      message: /^token-source-failed: .* is a folder; pass a file/,
    },
    {
      name: "missing standard input",
      sources: () => ({ tokenFile: "-" }),
      message: /^token-source-failed: /,
    },
    {
      name: "a file and a command",
      sources: () => ({ tokenFile: "a", tokenCommand: "b" }),
      message: /^bad-credential: both/,
    },
    {
      name: "a command that fails",
      sources: () => ({ tokenCommand: `echo ${quoted}; exit 3` }),
      message: /^token-source-failed: the token command exited with code 3/,
    },
    {
      name: "a command that prints nothing",
      sources: () => ({ tokenCommand: ": hunter2" }),
      message: /^bad-credential: the token from the token command is empty/,
    },
    {
      name: "a command that prints too much",
      sources: () => ({ tokenCommand: "yes hunter2" }),
      message: /^token-source-failed: the token command printed more than/,
    },
    {
      name: "a command that hangs in a child",
      sources: () => ({ tokenCommand: "sleep 30 & wait # hunter2", commandTimeoutMs: 100 }),
      message: /^token-source-failed: the token command did not exit within 100 ms/,
    },
  ])("$name", async ({ env = {}, sources = () => ({}), message }) => {
    await expect(resolveCredentials(env, sources())).rejects.toMatchObject({
      name: "HarnessError",
      message: expect.stringMatching(message),
    });
    await expect(resolveCredentials(env, sources())).rejects.toMatchObject({
      message: expect.not.stringContaining(quoted),
    });
  });
});
