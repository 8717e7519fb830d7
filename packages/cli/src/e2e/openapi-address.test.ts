import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();

describe("an OpenAPI document of an address is never replaced:", () => {
  const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    "/missing": (response) => response.writeHead(404).end(),
    "/broken": (response) => response.writeHead(500).end("{}"),
    "/moved": (response) => response.writeHead(302, { location: "http://other.example.com/" }).end(),
    "/gone": (response) => response.destroy(),
    "/empty": (response) => response.end("{}"),
    "/none": (response) => response.end(),
    "/login": (response) => response.setHeader("content-type", "text/html").end("<!doctype html><p>Sign in</p>"),
    "/page": (response) => response.end("<!doctype html><a href='/openapi.yaml' download>here</a>"),
  };
  const server = createServer(({ url = "" }, response) => {
    const answer = answers[url];
    if (answer === undefined) {
      response.writeHead(404).end();
    } else {
      answer(response);
    }
  });

  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => void server.close());

  const port = (): string => {
    const address = server.address();
    return typeof address === "object" && address !== null ? String(address.port) : "";
  };

  test.each<[string, number, string]>([
    ["/missing", 3, "is not available (the response status was 404)"],
    ["/broken", 3, "is not available (the response status was 500)"],
    ["/moved", 3, "is not available (the response status was 302)"],
    ["/gone", 3, "is not available ("],
    ["/empty", 2, "cannot be used: "],
    ["/none", 2, "cannot be used: "],
    ["/login", 2, "cannot be used: "],
    ["/page", 2, "cannot be used: "],
  ])("%s ends with %i", async (path, code, says) => {
    const openapi = `http://127.0.0.1:${port()}${path}`;
    const out = `address${path.replaceAll("/", "-")}`;
    const ended = await callAssay(["run", "--openapi", openapi, "--out", out], {
      cwd,
      env: { SRC_ENDPOINT: `http://127.0.0.1:${port()}` },
    });
    expect([ended.code, ended.out, ended.err]).toEqual([code, "", expect.stringContaining(says)]);
    expect(existsSync(join(cwd, out))).toBe(false);
  });
});
