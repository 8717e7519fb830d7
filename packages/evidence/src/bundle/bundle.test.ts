import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readBundle } from "./bundle-reader.ts";
import type { Manifest } from "./bundle-files.ts";
import { type BundleWriter, createBundleWriter } from "./bundle-writer.ts";
import { toEvidenceError } from "../evidence-error.ts";
import { exampleDraft, exampleManifest, exampleRedactor } from "../testing/exchange-example.ts";
import type { ExchangeDraft } from "../exchange.ts";
import { recordDraft, type RecordedExchange } from "../recorded-exchange.ts";

let root = "";
let directory = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "assay-bundle-"));
  directory = join(root, "runs", "run-1");
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

const start = (secrets: Parameters<typeof exampleRedactor>[0] = []): Promise<BundleWriter> =>
  createBundleWriter({ directory, manifest: exampleManifest, redactor: exampleRedactor(secrets) });

async function writeExample(...bodies: readonly (readonly string[])[]): Promise<void> {
  const writer = await start();
  await Promise.all(bodies.map((chunks, index) => writer.writeExchange(exampleDraft(`e${index}`, chunks))));
  await writer.close({ ended: "complete" });
}

/** Counts the syncs of files that are opened with `fs/promises`. */
async function spyOnSync(name: "sync" | "datasync" = "sync") {
  const handle = await open(import.meta.filename);
  await handle.close();
  const prototype: Pick<FileHandle, "sync" | "datasync"> = Object.getPrototypeOf(handle);
  return vi.spyOn(prototype, name);
}

const bodyOf = (exchange: RecordedExchange | undefined): string =>
  Buffer.concat(Array.from(exchange?.chunks() ?? [], ({ bytes }) => bytes)).toString();

const onlyBody = (): string => {
  const [name = ""] = readdirSync(join(directory, "bodies"));
  return join(directory, "bodies", name);
};

const editJson = (name: string, edit: (value: Record<string, unknown>) => object): void => {
  const path = join(directory, name);
  writeFileSync(path, `${JSON.stringify(edit(JSON.parse(readFileSync(path, "utf8"))), null, 2)}\n`);
};

const editLines = (edit: (text: string) => string): void => {
  const path = join(directory, "exchanges.ndjson");
  writeFileSync(path, edit(readFileSync(path, "utf8")));
};

describe("a written bundle", () => {
  test("reads back with manifest, footer, chunks and times", async () => {
    await writeExample(["event: do", "ne\ndata: {}\n\n"], [], ["x".repeat(3_000_000), "y", "z".repeat(2_000_000)]);
    const bundle = await readBundle(directory);
    expect(bundle).toMatchObject({
      manifest: exampleManifest,
      isComplete: true,
      problems: [],
      footer: { exchanges: 3, bodies: 3 },
    });
    expect(
      Array.from(bundle.exchanges[0]?.chunks() ?? [], ({ bytes, atMicros }) => [
        Buffer.from(bytes).toString(),
        atMicros,
      ]),
    ).toEqual([
      ["event: do", 2000],
      ["ne\ndata: {}\n\n", 3000],
    ]);
    expect(bodyOf(bundle.exchanges[1])).toBe("");
    expect(bodyOf(bundle.exchanges[2])).toBe(`${"x".repeat(3_000_000)}y${"z".repeat(2_000_000)}`);
  });

  test("returns a body repeatedly", async () => {
    await writeExample(["abc"]);
    const {
      exchanges: [exchange],
    } = await readBundle(directory);
    expect([bodyOf(exchange), bodyOf(exchange)]).toEqual(["abc", "abc"]);
  });

  test("keeps an exchange without a response", async () => {
    const writer = await start();
    const { response: _response, ...silent } = exampleDraft("e0");
    await writer.writeExchange({ ...silent, end: { kind: "failed", code: "refused", message: "nobody listens" } });
    await writer.close({ ended: "stopped", reason: "unreachable" });
    const bundle = await readBundle(directory);
    expect(bundle).toMatchObject({ isComplete: true, footer: { ended: "stopped", reason: "unreachable", bodies: 0 } });
    expect(bundle.exchanges[0]?.record.response).toBeUndefined();
    expect(bodyOf(bundle.exchanges[0])).toBe("");
  });

  test("stores equal bodies once and overlapping calls in the order of the calls", async () => {
    await writeExample(...Array.from({ length: 20 }, (_, index) => [`body ${index % 2}`]));
    const bundle = await readBundle(directory);
    expect(readdirSync(join(directory, "bodies"))).toHaveLength(2);
    expect(bundle.exchanges.map(({ record }) => record.id)).toEqual(
      Array.from({ length: 20 }, (_, index) => `e${index}`),
    );
    expect(bundle.exchanges.map(bodyOf)).toEqual(Array.from({ length: 20 }, (_, index) => `body ${index % 2}`));
  });

  test("contains no secret and is readable by its owner only", async () => {
    const value = "open-sesame-123";
    const writer = await start([{ name: "ASSAY_TOKEN", value }]);
    await writer.writeExchange(exampleDraft("e0", ["open-ses", "ame-123"]));
    await writer.close({ ended: "stopped", reason: `refused ${value}` });
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files).toHaveLength(4);
    expect(files.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(value))).toEqual([]);
    expect(files.map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o077)).toEqual([0, 0, 0, 0]);
  });
});

describe("a body", () => {
  const undecoded = { kind: "failed", code: "decompression", message: "not valid br" } as const;

  test.each([
    { code: "decompression", chunks: [], unreadable: "the body could not be decoded: not valid br" },
    { code: "decompression-limit", chunks: [], unreadable: "the body could not be decoded: not valid br" },
    { code: "decompression", chunks: ["event: do"], unreadable: undefined },
    { code: "reset", chunks: [], unreadable: undefined },
  ] as const)("of an exchange that ended by $code with $chunks decoded", async ({ code, chunks, unreadable }) => {
    const writer = await start();
    const draft: ExchangeDraft = { ...exampleDraft("e0", chunks), end: { ...undecoded, code } };
    await writer.writeExchange(draft);
    await writer.close({ ended: "complete" });
    const bundle = await readBundle(directory);
    expect(bundle).toMatchObject({ isComplete: true, problems: [] });
    const exchanges = [bundle.exchanges[0], recordDraft(draft)];
    expect(exchanges.map((exchange) => exchange?.unreadable)).toEqual([unreadable, unreadable]);
  });

  test("that could not be decoded cannot be read, in memory as from disk", async () => {
    const writer = await start();
    const draft: ExchangeDraft = { ...exampleDraft("e0", []), end: undecoded };
    await writer.writeExchange(draft);
    await writer.close({ ended: "complete" });
    const { exchanges } = await readBundle(directory);
    expect(() => bodyOf(exchanges[0])).toThrow(/^body-unreadable: the body could not be decoded/);
    expect(() => bodyOf(recordDraft(draft))).toThrow(/^body-unreadable: the body could not be decoded/);
  });

  test("in very many chunks is recorded in fewer, none earlier than its bytes", async () => {
    const pieces = Array.from({ length: 100_000 }, (_, index) => String(index % 10));
    const writer = await start();
    const record = await writer.writeExchange(exampleDraft("e0", pieces));
    await writer.close({ ended: "complete" });
    const { exchanges, isComplete } = await readBundle(directory);
    const arrivals = Array.from(exchanges[0]?.chunks() ?? [], ({ bytes, atMicros }) => ({
      length: bytes.length,
      atMicros,
    }));
    expect(isComplete).toBe(true);
    expect(bodyOf(exchanges[0])).toBe(pieces.join(""));
    expect(arrivals).toHaveLength(25_000);
    expect(record.response?.body.mergedChunks).toBe(75_000);
    expect(
      arrivals.every(({ length, atMicros }, index) => length === 4 && atMicros === 2000 + (4 * index + 3) * 1000),
    ).toBe(true);
  });

  test("keeps that we closed the connection", async () => {
    const writer = await start();
    const end = { kind: "complete", closedBy: "client" } as const;
    await writer.writeExchange({ ...exampleDraft("e0"), end });
    await writer.close({ ended: "complete" });
    expect((await readBundle(directory)).exchanges[0]?.record.end).toEqual(end);
  });
});

test("all bodies and lines are synced before the footer is written", async () => {
  const sync = await spyOnSync();
  const datasync = await spyOnSync("datasync");
  await writeExample(["a"], ["b"], ["a"]);
  expect([sync.mock.calls.length, datasync.mock.calls.length]).toEqual([2, 1]);
  expect(existsSync(join(directory, "footer.json"))).toBe(true);
});

test("files are synced while exchanges are written", async () => {
  const sync = await spyOnSync();
  const writer = await start();
  await writer.writeExchange(exampleDraft("e0"));
  expect(sync).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(sync).toHaveBeenCalledTimes(1));
  await writer.close({ ended: "complete" });
  expect(sync).toHaveBeenCalledTimes(1);
});

test("the files of known failures are kept in full, a secret in them is not", async () => {
  const secret = { name: "ASSAY_TOKEN", value: "token-of-somebody" };
  const text = "# why: token-of-somebody\nstream/two-fields *\n";
  const manifest: Manifest = { ...exampleManifest, knownFailures: [{ source: "known.txt", text }] };
  const writer = await createBundleWriter({ directory, manifest, redactor: exampleRedactor([secret]) });
  await writer.close({ ended: "stopped", cause: "deadline", reason: "late" });
  const { manifest: read, footer } = await readBundle(directory);
  const [file] = read.knownFailures ?? [];
  expect([file?.source, file?.text.length]).toEqual(["known.txt", text.length]);
  expect(file?.text).toMatch(/^# why: .{17}\nstream\/two-fields \*\n$/u);
  expect(file?.text).not.toContain(secret.value);
  expect(footer).toMatchObject({ ended: "stopped", cause: "deadline", reason: "late" });
});

test.each([
  { name: "known failures that are not a list", edit: { knownFailures: "x" } },
  { name: "known failures without a text", edit: { knownFailures: [{ source: "x" }] } },
])("a manifest with $name is none", async ({ edit }) => {
  await writeExample([]);
  const path = join(directory, "manifest.json");
  writeFileSync(path, JSON.stringify({ ...exampleManifest, ...edit }));
  await expect(readBundle(directory)).rejects.toThrow("not-a-bundle");
});

test("our own words stay in the manifest even if they equal a secret; the URL does not", async () => {
  const secrets = ["stream/done-is-last", "http://127.0.0.1:1", "release-profile"].map((value) => ({
    name: "S",
    value,
  }));
  const manifest: Manifest = { ...exampleManifest, profile: "release-profile", notes: ["seen at http://127.0.0.1:1"] };
  const writer = await createBundleWriter({ directory, manifest, redactor: exampleRedactor(secrets) });
  await writer.close({ ended: "complete" });
  const stored = (await readBundle(directory)).manifest;
  expect(stored).toMatchObject({ rules: manifest.rules, profile: "release-profile", tool: manifest.tool });
  expect(JSON.stringify(stored)).not.toContain("127.0.0.1");
});

describe("the writer refuses", () => {
  test("a folder with something in it", async () => {
    await writeExample(["x"]);
    await expect(start()).rejects.toThrow(/^folder-not-empty: /);
  });

  test("a path that goes through a file", async () => {
    writeFileSync(join(root, "runs"), "");
    await expect(start()).rejects.toMatchObject({ name: "HarnessError", code: "folder-removed" });
  });

  test("a repeated id, and continues", async () => {
    const writer = await start();
    await writer.writeExchange(exampleDraft("e0"));
    await expect(writer.writeExchange(exampleDraft("e0"))).rejects.toThrow(/^duplicate-exchange: /);
    await writer.writeExchange(exampleDraft("e1"));
    expect(await writer.close({ ended: "complete" })).toMatchObject({ exchanges: 2 });
  });

  const withHeader = (id: string, length: number): ExchangeDraft => ({
    ...exampleDraft(id),
    request: { method: "GET", url: "http://h/", headers: [["x-long", "x".repeat(length)]] },
  });

  test.each([
    { name: "a record over the limit of the reader", limits: {}, length: 9 * 2 ** 20 },
    { name: "a record longer than its limit", limits: { maxLineBytes: 2000 }, length: 2000 },
    { name: "more records than the reader accepts", limits: { maxExchangesBytes: 3000 }, length: 2500 },
  ])("$name, and goes on", async ({ limits, length }) => {
    const writer = await createBundleWriter({
      directory,
      manifest: exampleManifest,
      redactor: exampleRedactor(),
      limits,
    });
    await writer.writeExchange(exampleDraft("e0"));
    await expect(writer.writeExchange(withHeader("e1", length))).rejects.toThrow(/^too-large: .* e1 is \d+ bytes/);
    await writer.writeExchange(exampleDraft("e2"));
    await writer.close({ ended: "complete" });
    const bundle = await readBundle(directory, limits);
    expect(bundle).toMatchObject({ isComplete: true, footer: { exchanges: 2 } });
  });

  test("a complete exchange without a response", async () => {
    const writer = await start();
    const { response: _response, ...silent } = exampleDraft("e0");
    await expect(writer.writeExchange(silent)).rejects.toThrow("the record of the exchange e0 is invalid");
  });

  test("anything after the end", async () => {
    const writer = await start();
    await writer.close({ ended: "complete" });
    await expect(writer.writeExchange(exampleDraft("e0"))).rejects.toThrow(/^writer-closed: /);
  });

  test("to continue without its folder, with the same error each time", async () => {
    const writer = await start();
    rmSync(directory, { recursive: true });
    const { response: _response, ...silent } = exampleDraft("e0");
    const end = { kind: "failed", code: "refused", message: "nobody listens" } as const;
    await expect(writer.writeExchange({ ...silent, end })).rejects.toThrow(/^folder-removed: /);
    await expect(writer.writeExchange(exampleDraft("e1"))).rejects.toThrow(/^folder-removed: /);
    await expect(writer.close({ ended: "complete" })).rejects.toThrow(/^folder-removed: /);
  });

  test("to continue after a failed sync, with the same error each time", async () => {
    const sync = await spyOnSync();
    sync.mockRejectedValue(Object.assign(new Error("no"), { code: "EIO", syscall: "fsync" }));
    const writer = await start();
    await writer.writeExchange(exampleDraft("e0"));
    await vi.waitFor(() => expect(sync).toHaveBeenCalled());
    await setTimeout(10);
    await expect(writer.writeExchange(exampleDraft("e1"))).rejects.toThrow(/^disk-failed: /);
    await expect(writer.close({ ended: "complete" })).rejects.toThrow(/^disk-failed: /);
  });

  test.runIf(process.platform === "linux")("a full disk is named", () => {
    const fill = (): unknown => {
      try {
        return writeFileSync("/dev/full", "x");
      } catch (cause) {
        return toEvidenceError(cause, "write the bundle");
      }
    };
    expect(fill()).toMatchObject({
      code: "disk-full",
      message: expect.stringMatching(/^disk-full: could not write the bundle: /),
    });
  });
});

describe("a retry", () => {
  const retriesIn = async () =>
    (await readBundle(directory)).exchanges.map(({ record: { id, retryOf } }) => [id, retryOf]);

  test("names the exchange that it repeats", async () => {
    const writer = await start();
    await writer.writeExchange({ ...exampleDraft("e0", ["a"]), retryOf: "e-first" });
    await writer.close({ ended: "complete" });
    expect(await retriesIn()).toEqual([["e0", "e-first"]]);
  });

  test("of an older run is found by its id", async () => {
    await writeExample(["a"]);
    editLines((text) => text + text.replace('"id":"e0"', '"id":"e0-again"'));
    expect(await retriesIn()).toEqual([
      ["e0", undefined],
      ["e0-again", "e0"],
    ]);
  });
});

describe("a damaged or hostile bundle", () => {
  beforeEach(async () => {
    await writeExample(["abcdef"]);
  });

  test.each([
    { name: "no footer", spoil: () => rmSync(join(directory, "footer.json")), problem: /footer.json is missing/ },
    {
      name: "an invalid footer",
      spoil: () => writeFileSync(join(directory, "footer.json"), "[]"),
      problem: /not the footer/,
    },
    {
      name: "no lines",
      spoil: () => rmSync(join(directory, "exchanges.ndjson")),
      problem: /exchanges.ndjson is missing/,
    },
    {
      name: "an incomplete last line",
      spoil: () => editLines((text) => text + text.slice(0, 40)),
      problem: /incomplete/,
    },
    {
      name: "a line that is not an exchange",
      spoil: () => editLines((text) => `{"id":1}\n${text}`),
      problem: /line 1 .* is not an exchange/,
    },
    {
      name: "a complete exchange without a response",
      spoil: () =>
        editLines((text) => `${text}${JSON.stringify({ ...JSON.parse(text), id: "e1", response: undefined })}\n`),
      problem: /line 2 .* marks the exchange e1 as complete, but it has no response/,
    },
    {
      name: "a line over the limit",
      spoil: () => editLines((text) => `${text}${"x".repeat(9 * 2 ** 20)}\n`),
      problem: /line 2 .* is 9437184 bytes, over the limit of 8388608/,
    },
    {
      name: "a retry of an invalid id",
      spoil: () => editLines((text) => `${JSON.stringify({ ...JSON.parse(text), retryOf: 1 })}\n`),
      problem: /line 1 .* is not an exchange/,
    },
    { name: "an id twice", spoil: () => editLines((text) => text + text), problem: /line 2 .* repeats the id e0/ },
    {
      name: "changed lines",
      spoil: () => editLines((text) => text.replace("example", "exemple")),
      problem: /digest of exchanges.ndjson/,
    },
    {
      name: "fewer rules in its manifest",
      spoil: () => editJson("manifest.json", (manifest) => ({ ...manifest, rules: [] })),
      problem: /^the digest of manifest.json differs from the one in the footer$/,
    },
    {
      name: "an invalid digest of its manifest",
      spoil: () => editJson("footer.json", (footer) => ({ ...footer, manifestSha256: "" })),
      problem: /not the footer/,
    },
  ])("with $name is incomplete and says so", async ({ spoil, problem }) => {
    spoil();
    const bundle = await readBundle(directory);
    expect(bundle.isComplete).toBe(false);
    expect(bundle.problems.join("\n")).toMatch(problem);
  });

  test("whose footer has no digest of the manifest is complete", async () => {
    editJson("footer.json", ({ manifestSha256: _digest, ...footer }) => footer);
    expect(await readBundle(directory)).toMatchObject({ isComplete: true, problems: [] });
  });

  test.each([
    { name: "is gone", spoil: () => rmSync(onlyBody()), problem: /is not stored/ },
    { name: "was changed", spoil: () => writeFileSync(onlyBody(), "abcdeX"), problem: /does not match its digest/ },
    { name: "was cut", spoil: () => truncateSync(onlyBody(), 3), problem: /does not match its digest/ },
    {
      name: "is a link out of the folder",
      spoil: () => {
        renameSync(onlyBody(), join(root, "outside"));
        symlinkSync(
          join(root, "outside"),
          join(directory, "bodies", "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721"),
        );
      },
      problem: /is not stored/,
    },
    {
      name: "lies in a linked folder",
      spoil: () => {
        renameSync(join(directory, "bodies"), join(root, "elsewhere"));
        symlinkSync(join(root, "elsewhere"), join(directory, "bodies"));
      },
      problem: /is not stored/,
    },
    {
      name: "has another length in its line",
      spoil: () => editLines((text) => text.replace('"bytes":6,"chunks":[[6,', '"bytes":5,"chunks":[[5,')),
      problem: /does not match/,
    },
  ])("whose body $name cannot give it", async ({ spoil, problem }) => {
    spoil();
    const { problems, exchanges } = await readBundle(directory);
    expect(problems.join("\n")).toMatch(problem);
    expect(exchanges[0]?.unreadable).toMatch(problem);
    expect(() => bodyOf(exchanges[0])).toThrow(/^body-unreadable: /);
  });

  test.each([
    { name: "a path instead of a digest", from: /"sha256":"\w+"/, to: '"sha256":"../../outside"' },
    { name: "chunks that do not add up", from: '"bytes":6', to: '"bytes":7' },
    { name: "a negative chunk", from: "[[6,", to: "[[-1,1],[7," },
    {
      name: "an unknown failure code",
      from: '{"kind":"complete"}',
      to: '{"kind":"failed","code":"boom","message":""}',
    },
    { name: "another client closing it", from: '{"kind":"complete"}', to: '{"kind":"complete","closedBy":"x"}' },
    { name: "a wrong number of merged chunks", from: '"bytes":6', to: '"mergedChunks":-1,"bytes":6' },
    { name: "control characters in its id", from: '"id":"e0"', to: String.raw`"id":"e\u001b[2J"` },
    { name: "a header that is not a pair", from: '["Accept","text/event-stream"]', to: '["Accept"]' },
  ])("a line with $name is not an exchange", async ({ from, to }) => {
    editLines((text) => text.replace(from, to));
    const { exchanges, problems } = await readBundle(directory);
    expect(exchanges).toEqual([]);
    expect(problems).toContain("line 1 of exchanges.ndjson is not an exchange");
  });

  test.each([
    { name: "another schema version", manifest: '{"schemaVersion":2}', message: /^unsupported-schema: / },
    { name: "no JSON", manifest: "{", message: /^not-a-bundle: / },
    { name: "JSON of something else", manifest: '{"name":"x"}', message: /^not-a-bundle: / },
  ])("with a manifest of $name is refused", async ({ manifest, message }) => {
    writeFileSync(join(directory, "manifest.json"), manifest);
    await expect(readBundle(directory)).rejects.toThrow(message);
  });

  test("larger than the limits is refused", async () => {
    await expect(readBundle(directory, { maxExchangesBytes: 10 })).rejects.toThrow(/^too-large: /);
    await expect(readBundle(directory, { maxDocumentBytes: 10 })).rejects.toThrow(/^too-large: /);
  });

  test("whose manifest is a named pipe is refused at once", async () => {
    rmSync(join(directory, "manifest.json"));
    execFileSync("mkfifo", [join(directory, "manifest.json")]);
    await expect(readBundle(directory)).rejects.toThrow(/^not-a-bundle: /);
  });

  test("that is not a folder is refused", async () => {
    await expect(readBundle(join(root, "nothing"))).rejects.toThrow(/^not-a-bundle: /);
  });
});
