import { Buffer } from "node:buffer";
import { createRedactor } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { parseBaseUrl, buildSearchUrl } from "../base-url.ts";
import { readExtraHeaders, findHeaderSecrets } from "./extra-headers.ts";
import { createRunClock } from "../run-clock.ts";

describe("a base URL", () => {
  test.each([
    { text: "https://search.example.com", url: "https://search.example.com/.api/search/stream?q=x" },
    { text: " https://search.example.com/ ", url: "https://search.example.com/.api/search/stream?q=x" },
    { text: "http://h:7080/prefix//", url: "http://h:7080/prefix/.api/search/stream?q=x" },
    { text: "http://[::1]:80/a%20b", url: "http://[::1]/a%20b/.api/search/stream?q=x" },
  ])("$text leads to $url", ({ text, url }) => {
    expect(buildSearchUrl(parseBaseUrl(text), { q: "x" })).toBe(url);
  });

  test.each([
    { text: "search.example.com", message: /is not an http or https address; write it like/ },
    { text: "ftp://h", message: /"ftp:\/\/h" is not an http or https/ },
    { text: "", message: /is not an http/ },
    { text: "http://h\u001b[2J/", message: /is not an http/ },
    { text: "https://user:hunter2@h/", message: /contains a user name or password/ },
    { text: "https//user:hunter2@h/", message: /^bad-base-url: the base URL is not/ },
    { text: "https://h/?a=b", message: /has a query or fragment/ },
    { text: "https://h/#a", message: /has a query or fragment/ },
  ])("$text is refused", ({ text, message }) => {
    expect(() => parseBaseUrl(text)).toThrow(message);
    expect(() => parseBaseUrl(text)).toThrow(/^bad-base-url: [ -~]+$/);
    expect(() => parseBaseUrl(text)).not.toThrow(/hunter2/);
  });

  test("parameters keep their order and may repeat", () => {
    const url = buildSearchUrl(parseBaseUrl("http://h"), [
      ["v", "V3"],
      ["q", "a+b c"],
      ["q", "ü&="],
    ]);
    expect(url).toBe("http://h/.api/search/stream?v=V3&q=a%2Bb%20c&q=%C3%BC%26%3D");
    expect(buildSearchUrl(parseBaseUrl("http://h"), {})).toBe("http://h/.api/search/stream");
  });
});

describe("extra headers", () => {
  test.each([
    { name: "none", env: {}, headers: [] },
    {
      name: "lines",
      env: { SRC_HEADERS: "AUTHORIZATION:Bearer abc\nClient-ID: one : two \n\n" },
      headers: [
        ["authorization", "Bearer abc"],
        ["client-id", "one : two"],
      ],
    },
    {
      name: "lines as shells leave them",
      env: { SRC_HEADERS: String.raw`a:1\nb:2` },
      headers: [
        ["a", "1"],
        ["b", "2"],
      ],
    },
    {
      name: "single variables, which win",
      env: { SRC_HEADERS: "extra:1", SRC_HEADER_EXTRA: "2", SRC_HEADER_: "x", SRC_HEADER_EMPTY: "" },
      headers: [["extra", "2"]],
    },
  ])("from $name", ({ env, headers }) => {
    expect(readExtraHeaders(env)).toEqual(headers);
  });

  test.each([
    { name: "a line without a colon", env: { SRC_HEADERS: "hunter2" }, message: /line without a colon/ },
    { name: "a name with a space", env: { SRC_HEADERS: "a b:hunter2" }, message: /invalid header name: "a b"/ },
    {
      name: "a value with a control character",
      env: { SRC_HEADER_A: "hunter2\u0000" },
      message: /SRC_HEADER_A has a value for the header a/,
    },
    { name: "a value in another script", env: { SRC_HEADER_A: "hunter2漢" }, message: /non-Latin/ },
    {
      name: "a header of the connection",
      env: { SRC_HEADER_HOST: "hunter2" },
      message: /sets the header host, which is set by the connection/,
    },
  ])("with $name are refused, without quoting the value", ({ env, message }) => {
    expect(() => readExtraHeaders(env)).toThrow(message);
    expect(() => readExtraHeaders(env)).toThrow(/^bad-header: /);
    expect(() => readExtraHeaders(env)).not.toThrow(/hunter2/);
  });

  test.each([
    { name: "authorization", value: "Bearer abcdefghij", secret: "abcdefghij" },
    { name: "cookie", value: "id=abcdefghij; a=b", secret: "id=abcdefghij; a=b" },
    { name: "x-api-key", value: "abcdefghij", secret: "abcdefghij" },
    { name: "x-auth-token", value: "10000042", secret: "10000042" },
    { name: "x-authtoken", value: "abcdefghij", secret: "abcdefghij" },
    { name: "cf-access-client-secret", value: "abcdefghij", secret: "abcdefghij" },
    { name: "x-amz-signature", value: "abcdefghij", secret: "abcdefghij" },
    { name: "x-session-id", value: "abcdefghij", secret: "abcdefghij" },
    { name: "x-user-password", value: "abcdefghij", secret: "abcdefghij" },
    { name: "x-credentials", value: "abcdefghij", secret: "abcdefghij" },
    { name: "x-client", value: "k9Zq81LmNq07aB2c", secret: "k9Zq81LmNq07aB2c" },
    { name: "x-client", value: "550e8400-e29b-41d4-a716-446655440000", secret: "550e8400-e29b-41d4-a716-446655440000" },
    { name: "x-tenant", value: "10000042", secret: undefined },
    { name: "x-tenant", value: "1000004210000042", secret: undefined },
    { name: "x-view", value: "progress", secret: undefined },
    { name: "x-view", value: "a-rather-long-name-of-a-view", secret: undefined },
    { name: "x-author", value: "somebody-or-other", secret: undefined },
    { name: "x-session", value: "repository", secret: undefined },
    { name: "x-auth-token", value: "short", secret: undefined },
  ])("$name: $value is a secret wherever it appears as $secret", ({ name, value, secret }) => {
    const secrets = findHeaderSecrets([[name, value]]).map((found) => [found.name, found.value]);
    expect(secrets).toEqual(secret === undefined ? [] : [[`header ${name}`, secret]]);
  });

  test("leave an answer unchanged and are still replaced in their headers", () => {
    const headers = readExtraHeaders({ SRC_HEADER_X_TENANT: "10000042", SRC_HEADER_X_VIEW: "progress" });
    const redactor = createRedactor({
      secrets: findHeaderSecrets(headers),
      secretHeaderNames: headers.map(([name]) => name),
      key: Buffer.alloc(32, 7),
    });
    const answer = 'event: progress\ndata: {"repositoryID":10000042}\n\n';
    expect(redactor.text(answer)).toBe(answer);
    const values = redactor.headers(headers.map(([name, value]) => [name.toUpperCase(), value]));
    expect(values.map(([, value]) => value)).toEqual([
      expect.not.stringContaining("10000042"),
      expect.not.stringContaining("progress"),
    ]);
  });
});

test("the clock of a run only goes forward", () => {
  const clock = createRunClock();
  const times = Array.from({ length: 1000 }, () => clock.nowMicros());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.every(Number.isSafeInteger)).toBe(true);
});
