import { gunzipSync } from "node:zlib";
import { apiReferencePath, currentPath, currentProcedures, legacyPath, searchPath } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { apiRequest, type ApiResponse } from "../testing/api-client.ts";
import { type RawAnswer, rawRequest } from "../testing/raw-client.ts";
import { eventNamesOf } from "../testing/strict-events.ts";
import { parseFaultChoice } from "./parse-fault-choice.ts";

let fixture: GitFixture;

beforeAll(() => {
  fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
});

afterAll(() => fixture.remove());

/** The answers of a server with a fault to a search and to a list of each interface, and the place of its OpenAPI document. */
interface Answers {
  readonly search: RawAnswer;
  readonly legacy: RawAnswer;
  readonly current: ApiResponse;
  readonly reference: RawAnswer;
}

async function answersOf(fault: string): Promise<Answers> {
  const server = await startServer({ repos: [fixture.directory], seed: 1, fault: parseFaultChoice(fault), outputs });
  try {
    const headers = { authorization: `token ${server.token}`, "x-requested-with": "test 1" };
    const posted = { ...headers, "content-type": "application/json" };
    const list = { path: `${currentPath}/${currentProcedures.list}`, method: "POST", headers: posted, body: "{}" };
    return {
      search: await rawRequest(server.url, { path: searchPath, parameters: { q: "needle" }, headers }),
      legacy: await rawRequest(server.url, { path: legacyPath, headers }),
      current: await apiRequest(server.url, list),
      reference: await rawRequest(server.url, { path: `${apiReferencePath}/openapi.json` }),
    };
  } finally {
    await server.close();
  }
}

/**
 * Range of the offset, in seconds, of a date that was written between two times. Dates are whole seconds, so up to a second old.
 */
function secondsOff({ headers }: Pick<RawAnswer, "headers">, fromMs: number, toMs: number): readonly [number, number] {
  const atMs = Date.parse(headers.date ?? "");
  return [(atMs - toMs) / 1000, (atMs - fromMs) / 1000 + 2];
}

test.each([
  { fault: "clock-skew", off: -600 },
  { fault: "clock-skew:seconds=90,direction=ahead", off: 90 },
])("$fault shifts the date of streams and lists by $off seconds", async ({ fault, off }) => {
  const fromMs = Date.now();
  const { current, legacy, search } = await answersOf(fault);
  const toMs = Date.now();
  for (const answer of [search, legacy, current]) {
    const [minOff, maxOff] = secondsOff(answer, fromMs, toMs);
    expect([minOff <= off, off <= maxOff]).toEqual([true, true]);
  }
});

test.each([
  { fault: "via-proxy", name: "server", value: "nginx/1.27.4" },
  { fault: "via-proxy:how=envoy", name: "x-envoy-upstream-service-time", value: "12" },
  { fault: "via-proxy:how=via", name: "via", value: "1.1 gateway.example.com (squid/6.10)" },
])("$fault adds $name to every answer, and keeps the stream", async ({ fault, name, value }) => {
  const { legacy, search } = await answersOf(fault);
  expect([search.headers[name], legacy.headers[name]]).toEqual([value, value]);
  expect(eventNamesOf(search.body).at(-1)).toBe("done");
});

test("cacheable lets caches keep streams", async () => {
  const { search } = await answersOf("cacheable");
  expect(search.headers["cache-control"]).toBe("public, max-age=300");
});

test.each(["compressed-always", "compressed-and-buffered:ms=1"])("%s compresses without being asked", async (fault) => {
  const { search } = await answersOf(fault);
  expect(search.headers["content-encoding"]).toBe("gzip");
  expect(eventNamesOf(gunzipSync(search.body)).at(-1)).toBe("done");
});

test.each([
  { fault: "compressed-always", inOne: false },
  { fault: "compressed-and-buffered:ms=50", inOne: true },
])("$fault sends the stream in one piece: $inOne", async ({ fault, inOne }) => {
  const { search } = await answersOf(fault);
  expect(search.pieces.length === 1).toBe(inOne);
});

test.each([
  { fault: "redirect-to-login", location: /^https:\/\/login\.example\.com\// },
  { fault: "redirect-to-login:how=sign-in", location: /^\/sign-in\?/ },
  { fault: "redirect-to-login:how=https", location: /^https:\/\/localhost\// },
])("$fault redirects searches and lists", async ({ fault, location }) => {
  const { current, legacy, search } = await answersOf(fault);
  for (const answer of [search, legacy, current]) {
    expect([answer.status, answer.headers.location]).toEqual([302, expect.stringMatching(location)]);
  }
});

describe("a missing endpoint", () => {
  test.each<{ fault: string; statuses: readonly [search: number, legacy: number, current: number, reference: number] }>(
    [
      { fault: "search-missing", statuses: [404, 200, 200, 200] },
      { fault: "search-rate-limited", statuses: [429, 200, 200, 200] },
      { fault: "interface-missing", statuses: [200, 404, 200, 200] },
      { fault: "interface-missing:how=current", statuses: [200, 200, 404, 200] },
      { fault: "current-no-api-reference", statuses: [200, 200, 200, 404] },
      { fault: "current-no-api-reference:how=not-openapi", statuses: [200, 200, 200, 200] },
      { fault: "current-no-api-reference:how=no-link", statuses: [200, 200, 200, 200] },
      { fault: "current-no-api-reference:how=dead-link", statuses: [200, 200, 200, 200] },
    ],
  )("$fault: $statuses", async ({ fault, statuses }) => {
    const { current, legacy, reference, search } = await answersOf(fault);
    expect([search, legacy, current, reference].map(({ status }) => status)).toEqual(statuses);
  });

  test("current-no-api-reference can serve something else", async () => {
    const { reference } = await answersOf("current-no-api-reference:how=not-openapi");
    expect(Object.keys(JSON.parse(reference.body.toString()))).toEqual(["title"]);
  });
});
