import { describe, expect, test } from "vitest";
import { goodStream, recorded, webPage } from "../testing/recorded.ts";
import { ApiWatch, findRootReason } from "./root-reason.ts";

const good = recorded({ id: "0009", body: goodStream });

describe("the root reason", () => {
  test.each([
    {
      name: "nobody answers",
      sketch: { status: 0, failure: { code: "refused", message: "cannot connect to code.example:80: refused" } },
      code: "unreachable",
      message: "cannot connect to code.example:80: refused; check the port, and that the instance and its proxy are up",
    },
    {
      name: "an answer comes without TLS",
      sketch: { status: 0, failure: { code: "tls", message: "it answers without TLS (ERR_SSL_WRONG_VERSION_NUMBER)" } },
      code: "unreachable",
      message:
        "it answers without TLS (ERR_SSL_WRONG_VERSION_NUMBER); write http:// instead of https://, or give the port that takes HTTPS",
    },
    {
      name: "the certificate is not trusted",
      sketch: { status: 0, failure: { code: "tls", message: "its certificate has expired" } },
      code: "unreachable",
      message: "its certificate has expired; `assay doctor --url http://code.example` shows more",
    },
    {
      name: "the connection is closed before an answer",
      sketch: { status: 0, failure: { code: "reset", message: "the connection closed" } },
      code: "unreachable",
      message: "the connection closed; check the address, and that the instance is up",
    },
    {
      name: "an answer does not come in time",
      sketch: { status: 0, failure: { code: "first-byte-timeout", message: "code.example:80: no head in time" } },
      code: "transport",
      message: "code.example:80: no head in time; it accepts connections; check that the instance is well",
    },
    {
      name: "nobody waits for an answer any more",
      sketch: { status: 0, failure: { code: "aborted", message: "code.example:80: the exchange was cancelled" } },
      code: "unreachable",
      message: "code.example:80: the exchange was cancelled before an answer came",
    },
    {
      name: "a token is refused",
      sketch: { status: 401 },
      code: "authentication-refused",
      message:
        "http://code.example refused the token (status 401); check the token in ASSAY_TOKEN (or SRC_ACCESS_TOKEN) and its scope user:all",
    },
    {
      name: "a token is refused with words",
      sketch: { status: 403, body: `Your license\n has expired.\u001B[2J${"x".repeat(500)}` },
      code: "authentication-refused",
      message: `http://code.example refused the token (status 403): "Your license has expired.\\x1b[2J${"x".repeat(127)}…"; check the token in ASSAY_TOKEN (or SRC_ACCESS_TOKEN) and its scope user:all`,
    },
    {
      name: "a token is missing",
      sketch: { status: 401, credential: "none" },
      code: "authentication-refused",
      message:
        "http://code.example wants a token and none was given (status 401); give a token in ASSAY_TOKEN (or SRC_ACCESS_TOKEN)",
    },
    {
      name: "a recorded search was refused",
      sketch: { status: 403, credential: "unknown" },
      code: "authentication-refused",
      message: "http://code.example refused the recorded search (status 403); record one that is answered",
    },
    {
      name: "a web page comes",
      sketch: { body: webPage, headers: [["Content-Type", "text/html"]] },
      code: "not-the-api",
      message:
        "http://code.example is not the API: it answered text/html with status 200; a proxy or a login page may have answered instead; check the address",
    },
    {
      name: "a web page without a type comes",
      sketch: { body: webPage, headers: [] },
      code: "not-the-api",
      message:
        "http://code.example is not the API: it answered a web page with status 200; a proxy or a login page may have answered instead; check the address",
    },
    {
      name: "the search is sent elsewhere",
      sketch: { status: 302, headers: [["location", "https://login.example/\u001B[2J"]] },
      code: "not-the-api",
      message:
        "http://code.example redirects to https://login.example/\\x1b[2J (status 302); redirects are not followed, give the address it leads to",
    },
    {
      name: "there is no such path",
      sketch: { status: 404 },
      code: "not-the-api",
      message:
        "http://code.example answered the search with status 404; check that the address is the base of an instance, without /.api",
    },
    {
      name: "there is no such path below one that was given",
      sketch: { status: 404, url: "http://code.example/search/.api/search/stream?q=test" },
      code: "not-the-api",
      message:
        "http://code.example answered the search with status 404; check that the address is the base of an instance, without /search",
    },
    {
      name: "the target is broken",
      sketch: { status: 503 },
      code: "transport",
      message: "http://code.example answered the search with status 503; try again when it is well",
    },
  ] as const)("when $name is $code", ({ sketch, code, message }) => {
    expect(findRootReason([recorded(sketch)])).toEqual({ code, message });
  });

  test("is that of the first search", () => {
    const searches = [recorded({ status: 404 }), recorded({ id: "0002", status: 500 })];
    expect(findRootReason(searches)?.code).toBe("not-the-api");
  });

  test.each([
    { name: "without any search", exchanges: [] },
    { name: "when the search was answered", exchanges: [good] },
    { name: "when a later search was answered", exchanges: [recorded({ status: 401 }), good] },
    { name: "when only a later search was not", exchanges: [good, recorded({ status: 500 })] },
    { name: "when the stream was cut short", exchanges: [recorded({ failure: { code: "reset", message: "reset" } })] },
    {
      name: "when a token that was never issued was refused",
      exchanges: [recorded({ status: 401, credential: "invalid-token" })],
    },
  ] as const)("does not exist $name", ({ exchanges }) => {
    expect(findRootReason(exchanges)).toBeUndefined();
  });

  test("never looks at what a token that was never issued was answered with", () => {
    const exchanges = [recorded({ status: 404 }), recorded({ credential: "invalid-token", body: goodStream })];
    expect(findRootReason(exchanges)?.code).toBe("not-the-api");
  });
});

describe("a target that takes no search of a load", () => {
  const refused = recorded({ status: 0, failure: { code: "refused", message: "the connection was refused" } });
  const late = recorded({ status: 0, failure: { code: "first-byte-timeout", message: "too late" } });
  test.each([
    { name: "is not there where no connection was taken", seen: [refused, refused], code: "unreachable" },
    { name: "is slow where one waited in vain", seen: [refused, late], code: undefined },
    { name: "is there where it answered one", seen: [refused, recorded({ status: 503 })], code: undefined },
    { name: "is not known where nothing was asked", seen: [], code: undefined },
  ])("$name", ({ seen, code }) => {
    const watch = new ApiWatch();
    seen.forEach((exchange) => watch.add(exchange));
    expect(watch.findUnreachableReason()?.code).toBe(code);
  });
});

describe("what has answered searches of a load", () => {
  const stream = recorded({ body: goodStream });
  const page = recorded({ body: webPage });
  const login = recorded({ status: 302, headers: [["location", "/sign-in"]] });
  const busy = recorded({ status: 503 });
  const nobody = recorded({ status: 0, failure: { code: "refused", message: "refused" } });
  test.each([
    { name: "a page alone is something else", seen: [page, page], expected: "not-the-api" },
    { name: "a redirect alone is something else", seen: [login, nobody], expected: "not-the-api" },
    { name: "a wrong status alone is something else", seen: [recorded({ status: 404 })], expected: "not-the-api" },
    { name: "a page between busy answers is no stream either", seen: [busy, page], expected: "not-the-api" },
    {
      name: "a redirect between busy answers may be of a target that is not well",
      seen: [login, busy],
      expected: undefined,
    },
    { name: "a page beside a stream is a departure", seen: [page, stream], expected: undefined },
    { name: "a refusal is the API's", seen: [recorded({ status: 401 })], expected: undefined },
    { name: "nothing shows nothing", seen: [nobody], expected: undefined },
  ])("$name", ({ seen, expected }) => {
    const [all, last] = [new ApiWatch(), new ApiWatch()];
    seen.slice(0, -1).forEach((exchange) => all.add(exchange));
    seen.slice(-1).forEach((exchange) => last.add(exchange));
    all.merge(last);
    expect(all.findReason()?.code).toBe(expected);
  });
});
