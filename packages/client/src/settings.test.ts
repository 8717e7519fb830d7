import { describe, expect, test } from "vitest";
import { parseBaseUrl, searchUrl } from "./base-url.ts";
import { extraHeadersFrom, secretsOfHeaders } from "./extra-headers.ts";
import { createRunClock } from "./run-clock.ts";

describe("a base URL", () => {
  test.each([
    { text: "https://search.example.com", url: "https://search.example.com/.api/search/stream?q=x" },
    { text: " https://search.example.com/ ", url: "https://search.example.com/.api/search/stream?q=x" },
    { text: "http://h:7080/prefix//", url: "http://h:7080/prefix/.api/search/stream?q=x" },
    { text: "http://[::1]:80/a%20b", url: "http://[::1]/a%20b/.api/search/stream?q=x" },
  ])("$text leads to $url", ({ text, url }) => {
    expect(searchUrl(parseBaseUrl(text), { q: "x" })).toBe(url);
  });

  test.each([
    { text: "search.example.com", message: /is not an http or https address; write it like/ },
    { text: "ftp://h", message: /"ftp:\/\/h" is not an http or https/ },
    { text: "", message: /is not an http/ },
    { text: "http://h\u001b[2J/", message: /is not an http/ },
    { text: "https://user:hunter2@h/", message: /holds a user name or password/ },
    { text: "https//user:hunter2@h/", message: /^bad-base-url: the base URL is not/ },
    { text: "https://h/?a=b", message: /has a query or fragment/ },
    { text: "https://h/#a", message: /has a query or fragment/ },
  ])("$text is refused", ({ text, message }) => {
    expect(() => parseBaseUrl(text)).toThrow(message);
    expect(() => parseBaseUrl(text)).toThrow(/^bad-base-url: [ -~]+$/);
    expect(() => parseBaseUrl(text)).not.toThrow(/hunter2/);
  });

  test("parameters keep their order and may repeat", () => {
    const url = searchUrl(parseBaseUrl("http://h"), [
      ["v", "V3"],
      ["q", "a+b c"],
      ["q", "ü&="],
    ]);
    expect(url).toBe("http://h/.api/search/stream?v=V3&q=a%2Bb%20c&q=%C3%BC%26%3D");
    expect(searchUrl(parseBaseUrl("http://h"), {})).toBe("http://h/.api/search/stream");
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
      name: "lines as a shell leaves them",
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
    expect(extraHeadersFrom(env)).toEqual(headers);
  });

  test.each([
    { name: "a line without a colon", env: { SRC_HEADERS: "hunter2" }, message: /line without a colon/ },
    { name: "a name with a space", env: { SRC_HEADERS: "a b:hunter2" }, message: /does not allow: "a b"/ },
    {
      name: "a value with a control character",
      env: { SRC_HEADER_A: "hunter2\u0000" },
      message: /SRC_HEADER_A has a value for the header a/,
    },
    { name: "a value in another script", env: { SRC_HEADER_A: "hunter2漢" }, message: /non-Latin/ },
    {
      name: "a header of the connection",
      env: { SRC_HEADER_HOST: "hunter2" },
      message: /sets the header host, which belongs to the connection/,
    },
  ])("with $name are refused, without quoting the value", ({ env, message }) => {
    expect(() => extraHeadersFrom(env)).toThrow(message);
    expect(() => extraHeadersFrom(env)).toThrow(/^bad-header: /);
    expect(() => extraHeadersFrom(env)).not.toThrow(/hunter2/);
  });

  test("are secrets without the word of their scheme, when long enough to search for", () => {
    expect(
      secretsOfHeaders([
        ["authorization", "Bearer abcdefghij"],
        ["a", "1"],
      ]),
    ).toEqual([{ name: "header authorization", value: "abcdefghij" }]);
  });
});

test("the clock of a run only goes forward", () => {
  const clock = createRunClock();
  const times = Array.from({ length: 1000 }, () => clock.nowMicros());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.every(Number.isSafeInteger)).toBe(true);
});
