import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { fetchEventSource } from "@microsoft/fetch-event-source";
import { EventSource } from "eventsource";
import { stream } from "fetch-event-stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { RunningServer } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { rawRequest } from "../testing/raw-client.ts";
import { sampleFiles } from "../testing/sample-files.ts";
import { type ReadEvent, strictEvents } from "../testing/strict-events.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  const few = Object.entries(sampleFiles).filter(([path]) => !/^bulk\/part-(?!0)/u.test(path));
  fixture = createGitFixture({ files: Object.fromEntries(few) });
  server = await startServer({ repos: [fixture.directory], seed: 5, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const eventNames = ["matches", "filters", "progress", "alert", "done"];

const searches: readonly Readonly<Record<string, string>>[] = [
  { q: "needle" },
  { q: "needle", cm: "true", cl: "2" },
  { q: "needle file:invalid|separators|wide" },
  { q: "there is no such text" },
  { q: "fille:x" },
];

const urlOf = (parameters: Readonly<Record<string, string>>): string =>
  `${server.url}/.api/search/stream?${new URLSearchParams(parameters).toString()}`;

const authorization = (): string => `token ${server.token}`;

/** Durations differ between any two searches; everything else must not. */
const withoutDurations = (events: readonly ReadEvent[]): unknown =>
  JSON.parse(JSON.stringify(events).replaceAll(/"durationMs":\d+/gu, '"durationMs":0'));

const rawEvents = async (parameters: Readonly<Record<string, string>>): Promise<unknown> => {
  const { body } = await rawRequest(server.url, { parameters, headers: { authorization: authorization() } });
  return withoutDurations(strictEvents(body));
};

const readEvent = (name: string, data: unknown): ReadEvent => ({ name, data: JSON.parse(String(data)) });

describe("eventsource", () => {
  test.each(searches)("delivers the events of $q", async (parameters) => {
    const source = new EventSource(urlOf(parameters), {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: authorization() } }),
    });
    const events = await new Promise<readonly ReadEvent[]>((resolve, reject) => {
      const read: ReadEvent[] = [];
      for (const name of eventNames) {
        source.addEventListener(name, ({ data }: { readonly data?: unknown }) => {
          read.push(readEvent(name, data));
        });
      }
      source.addEventListener("done", () => resolve(read));
      source.addEventListener("error", (event) => {
        reject(new Error(`the client gave up: ${String(event.message)}`));
      });
    });
    // Otherwise a generic client reconnects and searches again.
    source.close();
    expect(withoutDurations(events)).toEqual(await rawEvents(parameters));
  });
});

describe("fetch-event-source", () => {
  beforeEach(() => {
    // The library is written for web pages and needs only these two members.
    vi.stubGlobal("window", { fetch, clearTimeout, setTimeout });
    vi.stubGlobal("document", new EventTarget());
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test.each(searches)("delivers the events of $q", async (parameters) => {
    const events: ReadEvent[] = [];
    await fetchEventSource(urlOf(parameters), {
      headers: { authorization: authorization() },
      openWhenHidden: true,
      onmessage: ({ event, data }) => events.push(readEvent(event, data)),
      onerror: (error) => {
        throw error;
      },
    });
    expect(withoutDurations(events)).toEqual(await rawEvents(parameters));
  });
});

describe("fetch-event-stream", () => {
  test.each(searches)("delivers the events of $q", async (parameters) => {
    const events: ReadEvent[] = [];
    for await (const { event = "", data } of await stream(urlOf(parameters), {
      headers: { authorization: authorization() },
    })) {
      events.push(readEvent(event, data));
    }
    expect(withoutDurations(events)).toEqual(await rawEvents(parameters));
  });
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const isCurlRequired = (process.env["ASSAY_REQUIRE"] ?? "").split(/[\s,]+/u).includes("curl");

test("curl is available if ASSAY_REQUIRE lists it", () => {
  expect({ hasCurl, isCurlRequired }).not.toEqual({ hasCurl: false, isCurlRequired: true });
});

describe.skipIf(!hasCurl)("curl", () => {
  const curl = async (...args: readonly string[]): Promise<Buffer> => {
    const options = { encoding: "buffer", timeout: 300_000, maxBuffer: 64 * 1024 * 1024 } as const;
    const header = `Authorization: ${authorization()}`;
    return (
      await promisify(execFile)("curl", ["--silent", "--noproxy", "*", "--no-buffer", "-H", header, ...args], options)
    ).stdout;
  };

  test.each(searches)("delivers the bytes of $q", async (parameters) => {
    expect(withoutDurations(strictEvents(await curl(urlOf(parameters))))).toEqual(await rawEvents(parameters));
  });

  test.each(searches)("delivers the bytes of $q when it asks for gzip", async (parameters) => {
    const body = await curl("--compressed", urlOf(parameters));
    expect(withoutDurations(strictEvents(body))).toEqual(await rawEvents(parameters));
  });
});
