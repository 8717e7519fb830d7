import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer } from "node:http";
import { createClient, createRunClock } from "@assay/client";
import { recordDraft } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { type FetchApiReferenceOptions, fetchApiReference } from "./fetch-api-reference.ts";

interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The links of a page are its lines that begin with `link `. */
const linksOf: NonNullable<FetchApiReferenceOptions["findLinks"]> = (bytes) =>
  [
    ...Buffer.from(bytes)
      .toString()
      .matchAll(/^link (.*)$/gm),
  ].map(([, link = ""]) => link);

/** Fetches from a server with these pages. Returns the requested paths and the records. */
async function fetchFrom(pages: Readonly<Record<string, Page>>, options: Partial<FetchApiReferenceOptions> = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { status = 200, headers = {}, body = "" } = pages[request.url ?? ""] ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/base`,
    clock: createRunClock(),
    userAgent: "assay/1",
  });
  const drafts: ExchangeDraft[] = [];
  let lastId = 0;
  const records = await fetchApiReference({
    describe: async ({ id, probe, ...request }) => ({ ...(await client.describe(request)), id, probe }),
    findLinks: linksOf,
    writer: {
      writeExchange(draft) {
        drafts.push(draft);
        return Promise.resolve(recordDraft(draft).record);
      },
    },
    nextId: () => String((lastId += 1)),
    ...options,
  });
  server.closeAllConnections();
  server.close();
  return { asked, records, drafts };
}

const home = "/base/api-reference";

describe("fetching the OpenAPI document", () => {
  test("accepts a document at the first address", async () => {
    const { asked, records } = await fetchFrom({ [home]: { body: "openapi: 3.1.0" } });
    expect(asked).toEqual([home]);
    expect(records).toMatchObject([{ id: "1", probe: "openapi", interface: "reference", operation: "describe" }]);
  });

  test.each([
    { name: "a link of a page", page: { body: "link /a.yml\nlink /b.yml" }, asked: [home, "/a.yml"] },
    { name: "a relative link", page: { body: "link a.yml" }, asked: [home, "/base/a.yml"] },
    { name: "a redirect", page: { status: 301, headers: { location: "/a.yml" } }, asked: [home, "/a.yml"] },
    {
      name: "the next link if one is broken",
      page: { body: "link /no\nlink /a.yml" },
      asked: [home, "/no", "/a.yml"],
    },
    { name: "the link of a linked page", page: { body: "link /page" }, asked: [home, "/page", "/a.yml"] },
    {
      name: "at most three links",
      page: { body: "link /1\nlink /2\nlink /3\nlink /a.yml" },
      asked: [home, "/1", "/2", "/3"],
    },
    { name: "no link twice", page: { body: "link /no\nlink /no#x\nlink /base/api-reference" }, asked: [home, "/no"] },
    {
      name: "no link elsewhere",
      page: { body: "link https://other.invalid/\nlink //other.invalid/\nlink file:///etc/passwd" },
      asked: [home],
    },
    { name: "no link with a user", page: { body: "link http://u:p@127.0.0.1/" }, asked: [home] },
    {
      name: "no redirect elsewhere",
      page: { status: 302, headers: { location: "http://127.0.0.1:1/" } },
      asked: [home],
    },
    {
      name: "no link of an error page, which is fetched twice",
      page: { status: 500, body: "link /a.yml" },
      asked: [home, home],
    },
    { name: "no invalid link", page: { body: "link http://[" }, asked: [home] },
  ])("follows $name", async ({ page, asked }) => {
    const found = await fetchFrom({ [home]: page, "/a.yml": {}, "/base/a.yml": {}, "/page": { body: "link /a.yml" } });
    expect([found.asked, found.records.length]).toEqual([asked, asked.length]);
  });

  test("starts at another address if one is given", async () => {
    const describeUrl: (string | undefined)[] = [];
    const draft: Omit<ExchangeDraft, "id" | "probe"> = {
      interface: "reference",
      operation: "describe",
      credential: "none",
      request: { method: "GET", url: "http://h/x.json", headers: [] },
      response: { status: 200, headers: [], chunks: [] },
      end: { kind: "complete" },
      times: { sentAtMicros: 1, endedAtMicros: 2 },
    };
    await fetchFrom(
      {},
      {
        url: "http://h/x.json",
        describe: ({ url, id, probe }) => {
          describeUrl.push(url);
          return Promise.resolve({ ...draft, id, probe });
        },
      },
    );
    expect(describeUrl).toEqual(["http://h/x.json"]);
  });

  test("ends with an interrupt", async () => {
    const { asked } = await fetchFrom({ [home]: { body: "x" } }, { signal: AbortSignal.abort("SIGINT") });
    expect(asked).toEqual([]);
  });
});
