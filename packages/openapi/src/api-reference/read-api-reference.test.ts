import { describe, expect, test } from "vitest";
import { maxDocumentBytes } from "../parse-open-api-document.ts";
import { readApiReference } from "./read-api-reference.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const linksOf = (page: string): readonly string[] => {
  const result = readApiReference(bytesOf(`<!doctype html>${page}`), "text/html; charset=utf-8");
  return result.ok && result.value.kind === "page" ? result.value.links : [];
};

const json = '{"openapi":"3.1.0","paths":{}}';
const document = { openapi: "3.1.0", paths: {} };

describe("the contents of the API reference URL", () => {
  test.each([
    ["JSON", json, "application/json"],
    ["YAML", "openapi: 3.1.0\npaths: {}\n", "application/yaml"],
    ["JSON that is called a page", json, "text/html"],
    ["YAML that is called something", "paths: {}\nopenapi: 3.1.0\n", undefined],
    ["JSON in a page", `<html><script type="application/json" id="api-reference">${json}</script>`, "text/html"],
    [
      "JSON in a setting",
      `<html><script>x</script><script type="application/json">{"a":[{"content":${json}}]}</script>`,
      "",
    ],
    [
      "JSON as text in a setting",
      `<p><script type="application/json">${JSON.stringify({ spec: { content: json } })}</script>`,
      "",
    ],
    [
      "YAML as text in a setting",
      `<p><script type="application/json">${JSON.stringify({ content: "openapi: 3.1.0\npaths: {}" })}</script>`,
      "",
    ],
    [
      "JSON in an attribute",
      `<p><script data-configuration="${JSON.stringify({ content: document }).replaceAll('"', "&quot;")}"></script>`,
      "",
    ],
  ])("is a document when it is %s", (_, text, contentType) => {
    expect(readApiReference(bytesOf(text), contentType)).toEqual({ ok: true, value: { kind: "document", document } });
  });

  test.each([
    [
      "a link to download",
      '<a href="/api-reference/sourcegraph-openapi.yml" download>Download</a>',
      "/api-reference/sourcegraph-openapi.yml",
    ],
    ["a name for the download", "<A class=b HREF='/spec/latest' Download='openapi.yaml'>", "/spec/latest"],
    ["Scalar", '<script id="api-reference" data-url="/v1/description"></script>', "/v1/description"],
    [
      "Scalar with settings",
      `<script id="api-reference" data-configuration="{&quot;spec&quot;:{&quot;url&quot;:&quot;/o.json&quot;}}"></script>`,
      "/o.json",
    ],
    ["Redoc", "<redoc spec-url=../openapi.json></redoc>", "../openapi.json"],
    ["Redoc by script", '<script>Redoc.init( "/public/definition.yaml", {})</script>', "/public/definition.yaml"],
    ["RapiDoc", '<rapi-doc spec-url = "definition" theme="dark"> </rapi-doc>', "definition"],
    ["Elements", '<elements-api apiDescriptionUrl="spec.yaml" router="hash"/>', "spec.yaml"],
    [
      "Swagger UI",
      '<script>window.ui = SwaggerUIBundle({ url: "https://x.example/v3/api-docs?a=1&b=2", dom_id: "#ui" })</script>',
      "https://x.example/v3/api-docs?a=1&b=2",
    ],
    ["Swagger UI with escapes", '<script>var o = {"url":"\\/docs\\/spec.json"}</script>', "/docs/spec.json"],
    ["Swagger UI with several", "<script>({urls: [{name: \"x\", url: '/one.yml'}]})</script>", "/one.yml"],
    ["a service description", '<link rel="service-desc" href="/description">', "/description"],
    ["a plain link", "<p>See <a href=swagger.json#top>it</a>", "swagger.json#top"],
    ["a button", '<button data-target="/files/openapi.yaml">Download</button>', "/files/openapi.yaml"],
    ["a text in a script", "<script>fetch(`/static/openapi-7.1.json`)</script>", "/static/openapi-7.1.json"],
    [
      "an address with character references",
      '<a href="/openapi.json?a=1&amp;b=&#50;&#x33;">',
      "/openapi.json?a=1&b=23",
    ],
    ["a base", '<base href="/docs/"><a href="openapi.json">', "/docs/openapi.json"],
    [
      "a base of another host",
      '<base href="https://x.example/d/"><a href="openapi.json">',
      "https://x.example/d/openapi.json",
    ],
    ["an invalid base URL", '<base href="javascript:a"><a href="openapi.json">', "openapi.json"],
  ])("is a page with a link, given %s", (_, page, link) => {
    expect(linksOf(page)).toEqual([link]);
  });

  test.each([
    ["a script", '<a href="javascript:openapi.json">'],
    ["a script after blanks", '<a href=" \tjava\nscript:fetch(1)//openapi.json">'],
    ["a script after a character reference", '<a href="&#106;avascript:1//openapi.json" download>'],
    ["data", '<a href="data:application/json,openapi.json" download="openapi.json">'],
    ["a file", '<redoc spec-url="file:///etc/openapi.json">'],
    ["an object of the browser", '<a download="openapi.json" href="blob:https://x/1">'],
    ["a password", '<a href="https://user:word@x.example/openapi.json">'],
    ["a backslash", '<a href="\\\\x.example\\openapi.json">'],
    ["a place in the page", '<a href="#openapi.json">'],
    ["a very long address", `<a href="/${"x".repeat(3000)}/openapi.json">`],
    ["a comment", "<!-- <a href='/openapi.json'> -->"],
    ["a comment that does not end", "<!-- <a href='/openapi.json'>"],
    ["a style", "<style><a href='/openapi.json'></style>"],
    ["a part of the viewer", '<script src="/swagger-ui-bundle.js"></script><link href="/swagger-ui.css">'],
    ["something else to download", '<a href="/logo.png" download>'],
    ["a URL in a script", '<script>$.ajax({url: "/sign-out"})</script>'],
    ["an address of an image", '<img data-url="/sign-out">'],
    ["another file", '<link rel="manifest" href="/manifest.json">'],
    ["a login", "<form action=/sign-in><input name=password></form>"],
    ["a broken tag", '<a href="/openapi.json'],
  ])("is a page without a link, given %s", (_, page) => {
    expect(readApiReference(bytesOf(`<html>${page}`), "text/html")).toMatchObject({ error: { code: "html" } });
  });

  test("has the likeliest link first, each once, ten at most", () => {
    const others = Array.from({ length: 20 }, (_, index) => `<a href="/swagger/${index}">`).join("");
    const page = `${others}<a href="/openapi.json"><a href="/openapi.json"><a download href="/openapi.yml">`;
    const links = linksOf(page);
    expect(links.slice(0, 3)).toEqual(["/openapi.yml", "/openapi.json", "/swagger/0"]);
    expect(links).toHaveLength(10);
  });

  test.each([
    ["text", "upstream connect error", "text/plain", "not-json"],
    ["text that is called a page", "upstream connect error", "text/html", "not-json"],
    ["nothing", "", undefined, "not-json"],
    ["broken YAML", "openapi: 3.1.0\nx: [", "application/yaml", "not-yaml"],
    ["XML", "<?xml version='1.0'?><a/>", "text/xml", "html"],
  ])("is refused when it is %s", (...[, text, contentType, code]) => {
    expect(readApiReference(bytesOf(text), contentType)).toMatchObject({ ok: false, error: { code } });
  });

  test("is refused when it is too large, before it is looked at", () => {
    expect(readApiReference(new Uint8Array(maxDocumentBytes + 1), "text/html")).toMatchObject({
      error: { code: "too-large" },
    });
  });

  test("may be a page that is not UTF-8", () => {
    const page = Buffer.from('<html>\u00e9<a href="/openapi.json">', "latin1");
    expect(readApiReference(page, "text/html")).toMatchObject({ value: { links: ["/openapi.json"] } });
  });

  /** Linear work finishes in a moment; quadratic work takes minutes. */
  const pageOf = (piece: string) => bytesOf(`<html>${piece.repeat(1_000_000 / piece.length)}`);

  test.each([
    ["brackets", "<"],
    ["quotes that do not match", "<a b=\"'>"],
    ["tags that do not end", "<a b="],
    ["comments that do not end", "<!--"],
    ["scripts", "<script>"],
    ["quotes in a script", '<script>"'],
    ["settings", '<script>url: "'],
    ["JSON", '<script>{"openapi":{"paths":[{}'],
    ["character references", "&amp;"],
    ["blanks", "<a \n "],
  ])("finds nothing in a million characters of %s, and ends", (_, piece) => {
    expect(readApiReference(pageOf(piece), "text/html")).toMatchObject({ error: { code: "html" } });
  });

  test("finds the one link in a million characters of links, and ends", () => {
    const page = pageOf('<a href="/openapi.json">');
    expect(readApiReference(page, "text/html")).toMatchObject({ value: { links: ["/openapi.json"] } });
  });
});
