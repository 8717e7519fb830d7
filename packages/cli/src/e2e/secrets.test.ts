import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { scanForSecrets } from "@assay/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { assay } from "../testing/assay-process.ts";
import type { Ended } from "../testing/assay-process.ts";
import { httpTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const accessToken = 'glowing-"Zebra"/42+<peanut>';
const oauthToken = "sgo_fedcba9876543210fedcba9876543210fedcba98";
const proxyKey = "proxy key: Straße 7";
const secrets = [
  { name: "access token", value: accessToken },
  { name: "OAuth token", value: oauthToken },
];

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const spellings = (text: string): readonly string[] => [
  text,
  JSON.stringify(text),
  encodeURIComponent(text),
  encodeURIComponent(encodeURIComponent(text)),
  base64(text),
  base64(`x${text}`),
  Buffer.from(text).toString("base64url"),
  Buffer.from(text).toString("hex"),
  text.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
];

/** Repeats the request in its response: in headers, in the data of events, as an event, and as a filter. */
function gossip(told: string, response: ServerResponse): void {
  const written = spellings(told);
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "x-you-said": encodeURIComponent(told),
    "x-echo": base64(told),
    "set-cookie": `session=${encodeURIComponent(told)}`,
  });
  // Some of them a run would add to its query.
  const filters = written
    .flatMap((value) => [value, `repo:${value}`])
    .map((value) => ({ value, label: value, count: 1, exhaustive: true, kind: value }));
  response.write(`event: ${told}\ndata: ${JSON.stringify(written)}\n\n`);
  response.write(`event: filters\ndata: ${JSON.stringify(filters)}\n\n`);
  response.write(`event: progress\ndata: ${JSON.stringify({ done: told, trace: written.join(" ") })}\n\n`);
  const raw = written.join("\n");
  // In the middle of a secret the bytes are sent apart.
  response.write(raw.slice(0, 9));
  response.end(`${raw.slice(9)}\n\n`);
}

describe("a target that repeats the request", () => {
  let run: Ended = { code: null, signal: null, out: "", err: "" };
  let judged = run;
  let checked = run;

  beforeAll(async () => {
    const url = await httpTarget((request, response) => {
      const { authorization = "", "x-proxy-key": key = "" } = request.headers;
      gossip(`${authorization.replace(/^\S+ /u, "")} ${String(key)}`.trim(), response);
    });
    const env = {
      ASSAY_TOKEN: accessToken,
      ASSAY_OAUTH_TOKEN: oauthToken,
      SRC_HEADER_X_PROXY_KEY: encodeURIComponent(proxyKey),
    };
    run = await assay(["run", "--url", url, "--access", "private", "--out", "run", "--verbose"], { cwd, env });
    judged = await assay(["judge", "run", "--out", "again", "--verbose"], { cwd });
    checked = await assay(["check", "run", "--json"], { cwd });
    for (const [name, { out, err }] of Object.entries({ run, judged, checked })) {
      writeFileSync(join(cwd, `${name}.out`), out);
      writeFileSync(join(cwd, `${name}.err`), err);
    }
  });

  test("is judged: it violates the contract", () => {
    expect([run.code, judged.code, checked.code]).toEqual([1, 1, 1]);
    expect(readdirSync(join(cwd, "run/bodies")).length).toBeGreaterThan(2);
    expect(readFileSync(join(cwd, "run/exchanges.ndjson"), "utf8")).toContain("x-you-said");
  });

  test("leaves no secret, however spelled, in a file or in anything that was printed", async () => {
    const all = [...secrets, { name: "proxy key", value: encodeURIComponent(proxyKey) }];
    expect(await scanForSecrets(cwd, all)).toEqual([]);
  });

  test("leaves nothing of a secret that a plain search finds", () => {
    const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
    const found = secrets.flatMap(({ name, value }) =>
      spellings(value)
        .filter((spelling) => text.includes(spelling))
        .map(() => name),
    );
    expect([files.length > 8, found]).toEqual([true, []]);
    expect(text).not.toMatch(/Zebra|peanut|fedcba9876543210/u);
  });
});

test("a HAR whose server repeats the token of its requests is reported without it, in any encoding", async () => {
  const told = "hunter-Secret_42!zebra";
  const each = (write: (code: number) => string): string =>
    Array.from(told, (one) => write(one.charCodeAt(0))).join("");
  const written = [
    told,
    each((code) => `&#${code};`),
    each((code) => `\\x${code.toString(16)}`),
    each((code) => `%u00${code.toString(16)}`),
    each((code) => `=${code.toString(16).toUpperCase()}`),
    base64(`xy${told}`),
  ];
  const filters = written.map((value) => ({ value, label: value, count: value }));
  const text = `event: filters\ndata: ${JSON.stringify(filters)}\n\n: ${written.join("\n: ")}\n\n`;
  const request = {
    method: "GET",
    url: "https://s.example/.api/search/stream?q=test",
    headers: [{ name: "Authorization", value: `token ${told}` }],
  };
  const response = { status: 200, headers: [], content: { size: text.length, text } };
  const entries = [{ startedDateTime: "2026-01-01T00:00:00Z", time: 10, request, response }];
  writeFileSync(join(cwd, "told.har"), JSON.stringify({ log: { version: "1.2", creator: { name: "x" }, entries } }));
  mkdirSync(join(cwd, "told"));
  for (const [name, flag] of [
    ["terminal", "--verbose"],
    ["json", "--json"],
  ] as const) {
    const { code, out, err } = await assay(["check", "told.har", flag], { cwd });
    expect(code).toBe(1);
    writeFileSync(join(cwd, "told", name), out + err);
  }
  expect(await scanForSecrets(join(cwd, "told"), [{ name: "token", value: told }])).toEqual([]);
});
