import { legacyPath, searchPath } from "@assay/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { apiRequest } from "../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
  server = await startServer({ repos: [fixture.directory], outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

test("the page links to a working download, without a token", async () => {
  const page = await apiRequest(server.url, { path: "/api-reference" });
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  const links = [...page.text.matchAll(/href="([^"]+)"/gu)].map(([, link]) => link ?? "");
  expect(links).toEqual(["/api-reference/openapi.yaml", "/api-reference/openapi.json"]);
  const downloads = await Promise.all(links.map((path) => apiRequest(server.url, { path })));
  expect(downloads.map(({ headers, status }) => [status, headers["content-type"]])).toEqual([
    [200, "application/yaml"],
    [200, "application/json"],
  ]);
  expect(downloads[0]?.text).toBe(downloads[1]?.text);
});

test("the document describes every interface of the server", async () => {
  const { json } = await apiRequest(server.url, { path: "/api-reference/openapi.json" });
  expect(json).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/" }] });
  expect(Object.keys(Object(json["paths"]))).toEqual(
    expect.arrayContaining([searchPath, legacyPath, "/api/deepsearch.v1.Service/GetConversation"]),
  );
});

test("every reference inside the document resolves", async () => {
  const { json, text } = await apiRequest(server.url, { path: "/api-reference/openapi.json" });
  const references = [...text.matchAll(/"\$ref": "#\/([^"]+)"/gu)].map(([, path]) => path ?? "");
  const at = (path: string): unknown =>
    path.split("/").reduce<unknown>((value, name) => Reflect.get(Object(value), name), json);
  expect(references.length).toBeGreaterThan(0);
  expect(references.filter((path) => at(path) === undefined)).toEqual([]);
});

test("every used security scheme is described", async () => {
  const { json, text } = await apiRequest(server.url, { path: "/api-reference/openapi.json" });
  const described = Object.keys(Object(Reflect.get(Object(json["components"]), "securitySchemes")));
  const used = [...text.matchAll(/"(\w+)": \[\s*(?:\]|"(?:user|externalapi):)/gu)].map(([, name]) => name ?? "");
  expect(used.filter((name) => name.endsWith("Token") && !described.includes(name))).toEqual([]);
  expect(described.length).toBeGreaterThan(2);
});

test.each(["POST", "HEAD", "DELETE"])("%s is not allowed", async (method) => {
  const { headers, status } = await apiRequest(server.url, { path: "/api-reference", method });
  expect([status, headers["allow"]]).toEqual([405, "GET"]);
});
