import { HarnessError } from "@assay/contract";
import { defined } from "@assay/contract";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer, ServerOptions } from "./server-options.ts";
import { startServer } from "./start-server.ts";
import { createGitFixture, type GitFixture, runGit } from "./testing/git-fixture.ts";
import { outputs } from "./testing/known-outputs.ts";
import { rawRequest, rawSearch } from "./testing/raw-client.ts";
import { eventNamesOf, finalProgressOf, objectsOf } from "./testing/strict-events.ts";

let fixture: GitFixture;
let emptyFolder: string;

beforeAll(() => {
  fixture = createGitFixture({ files: { "a.txt": "needle\n", "deep/b.ts": "needle\n" } });
  emptyFolder = mkdtempSync(join(tmpdir(), "no-repository-"));
});

afterAll(() => {
  fixture.remove();
  rmSync(emptyFolder, { recursive: true, force: true });
});

const failureOf = async (options: ServerOptions): Promise<unknown> => {
  try {
    await (await startServer({ outputs, ...options })).close();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe("starting fails", () => {
  test.each([
    { name: "without repositories", change: { repos: [] }, code: "no-repository", says: /nothing to search/u },
    {
      name: "with a missing folder",
      change: { repos: ["/does/not/exist"] },
      code: "repository-missing",
      says: /no folder \/does\/not\/exist/u,
    },
    {
      name: "with a mistyped fault",
      change: { fault: "thrid-field" },
      code: "unknown-fault",
      says: /nearest is "third-field"/u,
    },
    {
      name: "with an unknown parameter of a fault",
      change: { fault: { id: "large-event", params: { size: 1 } } },
      code: "unknown-fault-parameter",
      says: /its parameters are bytes/u,
    },
    {
      name: "with a bad value of a fault",
      change: { fault: { id: "large-event", params: { bytes: "many" } } },
      code: "invalid-fault-parameter",
      says: /a whole number, 0 or more/u,
    },
    {
      name: "with an unlisted choice of a fault",
      change: { fault: { id: "parameter-refused", params: { name: "zz" } } },
      code: "invalid-fault-parameter",
      says: /one of cm, v, t, max-line-len/u,
    },
    { name: "with a seed that is not whole", change: { seed: 1.5 }, code: "invalid-seed", says: /not a whole number/u },
    {
      name: "on an address of another machine",
      change: { host: "192.0.2.1" },
      code: "cannot-listen",
      says: /EADDRNOTAVAIL/u,
    },
  ])("$name", async ({ change, code, says }) => {
    const error = await failureOf({ repos: [fixture.directory], ...change });
    expect(error).toBeInstanceOf(HarnessError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
  });

  test("in a folder that is not a work tree", async () => {
    expect(await failureOf({ repos: [emptyFolder] })).toMatchObject({
      code: "not-a-work-tree",
      message: expect.stringMatching(/not a git repository/u),
    });
  });

  test("with an unknown latency, and names the closest one", async () => {
    const options = JSON.parse(JSON.stringify({ repos: [fixture.directory], latency: "lapptop" }));
    expect(await failureOf(options)).toMatchObject({
      code: "unknown-latency",
      message: expect.stringMatching(/nearest is "laptop"/u),
    });
  });

  test.each([0, -1, 101, Number.NaN])("with a latency factor of %s", async (latencyFactor) => {
    expect(await failureOf({ repos: [fixture.directory], latencyFactor })).toMatchObject({
      code: "invalid-latency-factor",
      message: expect.stringMatching(/above 0 and up to 100/u),
    });
  });

  test("on a port in use", async () => {
    const first = await startServer({ repos: [fixture.directory], outputs });
    const port = Number(new URL(first.url).port);
    expect(await failureOf({ repos: [fixture.directory], port })).toMatchObject({
      code: "port-in-use",
      message: expect.stringContaining(`port ${port}`),
    });
    await first.close();
  });
});

test("closing frees the port, also for open connections, and may be repeated", async () => {
  const server = await startServer({ repos: [fixture.directory], fault: "stall" });
  const pending = rawSearch(server, "needle");
  await expect.poll(() => server.journal().at(-1)?.faultApplied).toBe(true);
  await Promise.all([server.close(), server.close()]);
  expect((await pending).end).toBe("ECONNRESET");
  const port = Number(new URL(server.url).port);
  const listener = createServer();
  await new Promise<void>((resolve, reject) => listener.once("error", reject).listen(port, "127.0.0.1", resolve));
  expect(listener.listening).toBe(true);
  await new Promise((resolve) => listener.close(resolve));
});

describe("a repository", () => {
  test("without commits is searched, and its commit omitted", async () => {
    const fresh = createGitFixture({ files: { "a.txt": "needle\n" }, committed: false });
    const server = await startServer({ repos: [fresh.directory] });
    const [match] = objectsOf((await rawSearch(server, "needle")).body, "matches");
    expect(match).toMatchObject({ path: "a.txt", repository: expect.stringMatching(/^local\//u) });
    expect(Object.keys(match ?? {})).not.toEqual(expect.arrayContaining(["commit"]));
    await server.close();
    fresh.remove();
  });

  test("that is a shallow clone is searched with its commit", async () => {
    const folder = mkdtempSync(join(tmpdir(), "shallow-"));
    runGit(folder, "clone", "--quiet", "--depth", "1", `file://${fixture.directory}`, "clone");
    const server = await startServer({ repos: [join(folder, "clone")] });
    const [match] = objectsOf((await rawSearch(server, "needle")).body, "matches");
    expect(match).toMatchObject({ commit: fixture.commit });
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("whose files vanish or change after the start is searched in its current state", async () => {
    const moving = createGitFixture({ files: { "a.txt": "needle\n", "b.txt": "needle\n", "c.txt": "hay\n" } });
    const server = await startServer({ repos: [moving.directory] });
    rmSync(join(moving.directory, "a.txt"));
    writeFileSync(join(moving.directory, "c.txt"), "needle\n");
    const { body } = await rawSearch(server, "needle");
    expect(eventNamesOf(body)).not.toContain("error");
    expect(objectsOf(body, "matches").map((match) => match["path"])).toEqual(["b.txt", "c.txt"]);
    await server.close();
    moving.remove();
  });

  test("may be named by a folder inside it, and twice", async () => {
    const server = await startServer({ repos: [fixture.directory, join(fixture.directory, "deep")], seed: 3 });
    expect(new Set(server.repositories).size).toBe(2);
    const { body } = await rawSearch(server, "needle");
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 4, repositoriesCount: 2 });
    expect(new Set(objectsOf(body, "matches").map((match) => match["repositoryID"])).size).toBe(2);
    await server.close();
  });
});

describe("access", () => {
  const servers = new Map<string, RunningServer>();

  beforeAll(async () => {
    for (const access of ["private", "public"] as const) {
      servers.set(access, await startServer({ repos: [fixture.directory], access, outputs }));
    }
  });

  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.close()));
  });

  test.each([
    {
      name: "no token",
      access: "private",
      header: () => undefined,
      status: 401,
      text: "Private mode requires authentication.\n",
    },
    {
      name: "an access token",
      access: "private",
      header: (t: Tokens) => `token ${t["access"]}`,
      status: 200,
      text: undefined,
    },
    {
      name: "another user's token",
      access: "private",
      header: (t: Tokens) => `token ${t["other"]}`,
      status: 200,
      text: undefined,
    },
    {
      name: "an OAuth token",
      access: "private",
      header: (t: Tokens) => `Bearer ${t["oauth"]}`,
      status: 200,
      text: undefined,
    },
    {
      name: "an access token as OAuth",
      access: "private",
      header: (t: Tokens) => `Bearer ${t["access"]}`,
      status: 401,
      text: "Invalid access token.\n",
    },
    {
      name: "a token without scope",
      access: "private",
      header: (t: Tokens) => `token ${t["noScope"]}`,
      status: 403,
      text: "The token lacks the scope user:all.\n",
    },
    {
      name: "an invalid token",
      access: "private",
      header: () => "token sgp_0",
      status: 401,
      text: "Invalid access token.\n",
    },
    {
      name: "an unknown scheme",
      access: "private",
      header: () => "Basic eDp5",
      status: 401,
      text: "Private mode requires authentication.\n",
    },
    {
      name: "sudo",
      access: "private",
      header: (t: Tokens) => `token-sudo user="x",token="${t["access"]}"`,
      status: 403,
      text: expect.stringContaining("site admin"),
    },
    { name: "no token", access: "public", header: () => undefined, status: 200, text: undefined },
    {
      name: "an invalid token",
      access: "public",
      header: () => "token sgp_0",
      status: 401,
      text: "Invalid access token.\n",
    },
    {
      name: "an unknown scheme",
      access: "public",
      header: () => "Digest x",
      status: 401,
      text: "Invalid Authorization header.\n",
    },
  ] as const)("to a $access target with $name is answered $status", async ({ access, header, status, text }) => {
    const { tokens = {}, url = "" } = servers.get(access) ?? {};
    const authorization = header(tokens);
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await rawRequest(url, { parameters: { q: "needle" }, headers });
    expect(answer.status).toBe(status);
    expect(status === 200 ? eventNamesOf(answer.body).at(-1) : answer.body.toString("utf8")).toEqual(text ?? "done");
  });

  test("has tokens of the real shape, equal for equal seeds only", async () => {
    const seededServers = await Promise.all(
      [5, 5, 6, undefined].map((seed) => startServer({ repos: [fixture.directory], outputs, ...defined({ seed }) })),
    );
    const tokens = seededServers.map((server) => server.tokens);
    expect(tokens[0]).toEqual(tokens[1]);
    expect(new Set(tokens.map(({ access }) => access)).size).toBe(3);
    expect(tokens[3]?.access).toMatch(/^sgp_[0-9a-f]{40}$/u);
    expect(tokens[3]?.oauth).toMatch(/^sgo_[0-9a-f]{40}$/u);
    await Promise.all(seededServers.map((server) => server.close()));
  });
});

type Tokens = Readonly<Record<string, string>>;

describe("a path or method that is not served", () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer({ repos: [fixture.directory], outputs });
  });

  afterAll(() => server.close());

  test.each([
    { method: "GET", path: "/", status: 404 },
    { method: "GET", path: "/.api/unknown", status: 404 },
    { method: "GET", path: "/.api/search/stream/", status: 404 },
    { method: "POST", path: "/elsewhere", status: 404 },
    { method: "GET", path: "/%zz", status: 400 },
    { method: "POST", path: "/.api/search/stream", status: 405 },
    { method: "HEAD", path: "/.api/search/stream", status: 405 },
    { method: "OPTIONS", path: "/.api/search/stream", status: 405 },
  ])("$method $path is answered $status as plain text", async ({ method, path, status }) => {
    const answer = await rawRequest(server.url, { method, path });
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toMatch(/^text\/plain/u);
  });
});

test.each(["laptop", "staging"] as const)("latency %s delays and changes nothing else", async (latency) => {
  const [slow, fast] = await Promise.all([
    startServer({ repos: [fixture.directory], seed: 2, latency, outputs }),
    startServer({ repos: [fixture.directory], seed: 2, outputs }),
  ]);
  const texts = await Promise.all(
    [slow, fast].map(async (server) =>
      (await rawSearch(server, "needle")).body.toString("utf8").replaceAll(/"durationMs":\d+/gu, ""),
    ),
  );
  expect(texts[0]).toBe(texts[1]);
  await Promise.all([slow.close(), fast.close()]);
});
