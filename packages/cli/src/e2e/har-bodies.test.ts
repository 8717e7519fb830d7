import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { RunResult } from "@assay/results";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { callAssay } from "../testing/call-assay.ts";
import { fixturePath } from "../testing/fixture-streams.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const good = readFileSync(fixturePath("conforms.any-interleaving.sse"));
const afterDone = Buffer.concat([good, Buffer.from("event: done\ndata: {}\n\n")]);

interface Entry {
  readonly content: object;
  /** `Content-Encoding` of the response [none]. */
  readonly coding?: string;
  /** Members next to request and response. */
  readonly members?: object;
}

const logOf = ({ content, coding, members }: Entry): object => ({
  log: {
    entries: [
      {
        startedDateTime: "2026-03-04T10:00:00.000Z",
        time: 12,
        request: { method: "GET", url: "https://search.example.com/.api/search/stream?q=a", headers: [] },
        response: {
          status: 200,
          headers: [
            { name: "Content-Type", value: "text/event-stream" },
            ...(coding === undefined ? [] : [{ name: "Content-Encoding", value: coding }]),
          ],
          content,
        },
        ...members,
      },
    ],
  },
});

async function checked(
  name: string,
  bytes: string | Uint8Array,
): Promise<{ readonly code: number | null; readonly failing: readonly string[]; readonly result: RunResult }> {
  writeFileSync(join(cwd, name), bytes);
  const { code, out } = await callAssay(["check", "--json", name], { cwd });
  const [result]: readonly RunResult[] = JSON.parse(out);
  const failing = result!.verdicts.filter(({ verdict }) => verdict.outcome === "failed").map(({ rule }) => rule);
  return { code, failing, result: result! };
}

const ofEntry = (entry: Entry) => checked("recording.har", JSON.stringify(logOf(entry)));

const base64 = (bytes: Buffer): object => ({ text: bytes.toString("base64"), encoding: "base64" });
const thirds = (bytes: Buffer): readonly Buffer[] => [bytes.subarray(0, 7), bytes.subarray(7, 90), bytes.subarray(90)];
const texts = (bytes: Buffer): readonly string[] => thirds(bytes).map((piece) => piece.toString("latin1"));

const readable: readonly (readonly [name: string, entry: (bytes: Buffer) => Entry])[] = [
  ["text", (bytes) => ({ content: { text: bytes.toString() } })],
  [
    "text, decoded although the response was compressed",
    (bytes) => ({ content: { text: bytes.toString() }, coding: "br" }),
  ],
  ["base64", (bytes) => ({ content: base64(bytes) })],
  ["base64 that is still gzip", (bytes) => ({ content: base64(gzipSync(bytes)), coding: "gzip" })],
  [
    "base64 that is still gzip, with the length of what it stands for",
    (bytes) => ({ content: { ...base64(gzipSync(bytes)), size: bytes.length }, coding: "GZip" }),
  ],
  ["base64 that is still br", (bytes) => ({ content: base64(brotliCompressSync(bytes)), coding: "br" })],
  ["base64 that is still deflate", (bytes) => ({ content: base64(deflateSync(bytes)), coding: "deflate" })],
  ["base64 that is still bare deflate", (bytes) => ({ content: base64(deflateRawSync(bytes)), coding: "deflate" })],
  ["gzip as a text of bytes", (bytes) => ({ content: { text: gzipSync(bytes).toString("latin1") }, coding: "gzip" })],
  ["a list of texts", (bytes) => ({ content: { text: texts(bytes) } })],
  [
    "a list of base64",
    (bytes) => ({ content: { text: thirds(bytes).map((piece) => piece.toString("base64")), encoding: "base64" } }),
  ],
  ["a list of pieces", (bytes) => ({ content: { text: "", _chunks: texts(bytes).map((data) => ({ data })) } })],
  [
    "a list of pieces in base64",
    (bytes) => ({
      content: { _content: thirds(bytes).map((piece) => ({ isBase64: true, body: piece.toString("base64") })) },
    }),
  ],
];

describe("the body of a HAR entry that is", () => {
  test.each(readable)("%s is decoded and judged", async (_, entry) => {
    const plain = await ofEntry({ content: { text: good.toString() } });
    const read = await ofEntry(entry(good));
    expect(plain.code).toBe(0);
    expect({ ...read.result, exchanges: [] }).toEqual({ ...plain.result, exchanges: [] });
    expect((await ofEntry(entry(afterDone))).failing).toEqual(["stream/done-is-last"]);
  });

  const cut = gzipSync(good).subarray(0, 60);
  test.each<readonly [string, Entry, string]>([
    [
      "gzip that is cut",
      { content: base64(cut), coding: "gzip" },
      "compressed body (gzip), which cannot be decompressed",
    ],
    [
      "br that is cut",
      { content: base64(brotliCompressSync(good).subarray(0, 60)), coding: "br" },
      "compressed body (br), which cannot be decompressed",
    ],
    [
      "in a coding that is not read",
      { content: base64(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x80])), coding: "zstd" },
      "compressed body (zstd), but this encoding is not",
    ],
    [
      "gzip in a text that lost bytes",
      { content: { text: gzipSync(good).toString() }, coding: "gzip" },
      "compressed body as text, so some of its bytes are",
    ],
    [
      "a reference of Firefox",
      { content: { text: { type: "longString", initial: "event: ", length: 9000 } } },
      "contains only the beginning of the body",
    ],
    ["an object", { content: { text: {} } }, "`text` is an object"],
    ["a list of numbers", { content: { text: [1, 2], size: 9 } }, "does not contain the response body"],
    ["a list with a hole", { content: { text: ["event: done\n", null] } }, "an unknown form: chunks without text"],
    ["in a file that is not there", { content: { _file: "none.txt" } }, "in the file none.txt, which cannot be read"],
  ])("%s is named and not judged", async (_, entry, says) => {
    const { code, failing, result } = await ofEntry(entry);
    expect([code, failing]).toEqual([3, []]);
    expect(JSON.stringify(result)).toContain(says);
  });

  test("undeclared gzip is judged as the bytes of the target", async () => {
    const { result } = await ofEntry({ content: base64(gzipSync(good)) });
    expect(result.exitCode).not.toBe(0);
    expect(JSON.stringify(result)).not.toContain("compressed");
  });
});

describe("the events that Chrome lists", () => {
  const events = (...list: readonly (readonly [name: string, data: string])[]): Entry => ({
    content: { size: 0, text: "" },
    members: { _eventSourceMessages: list.map(([eventName, data], time) => ({ time, eventName, eventId: "", data })) },
  });
  const progress = [
    "progress",
    '{"done":true,"matchCount":0,"durationMs":1,"repositoriesCount":0,"skipped":[]}',
  ] as const;
  const done = ["done", "{}"] as const;
  const standing = ({ verdicts }: RunResult, rule: string): string | undefined =>
    verdicts.find((verdict) => verdict.rule === rule)?.verdict.outcome;

  test("are judged by their order and their data, and not by their form", async () => {
    const { failing, result } = await ofEntry(events(["matches", "[]"], progress, done));
    expect(failing).toEqual([]);
    const rules = ["stream/done-is-last", "stream/data-is-json", "stream/two-fields", "stream/lines-end-with-lf"];
    expect(rules.map((rule) => standing(result, rule))).toEqual(["passed", "passed", "not-tested", "not-tested"]);
    expect(
      result.unspecified
        .filter(({ behaviour }) => behaviour.startsWith("stream/field"))
        .flatMap(({ seen }) => seen ?? []),
    ).toEqual([]);
  });

  test.each([
    { name: "an event after `done`", list: [progress, done, progress], failing: ["stream/done-is-last"] },
    { name: "data that is not JSON", list: [["matches", "[1,"], progress, done], failing: ["stream/data-is-json"] },
    {
      name: "a `done` with members",
      list: [progress, ["done", '{"a":1}']],
      failing: ["stream/done-is-an-empty-object"],
    },
  ] as const)("fail with $name", async ({ list, failing }) => {
    expect((await ofEntry(events(...list))).failing).toEqual(failing);
  });

  test("without `done` leave open how the stream ended", async () => {
    const { code, failing, result } = await ofEntry(events(progress));
    expect([code, failing]).toEqual([3, []]);
    expect(JSON.stringify(result)).toContain("contains events but not the end of the stream");
  });

  test("are ignored if there is a body", async () => {
    const { members } = events(progress, done, progress);
    expect((await ofEntry({ content: { text: good.toString() }, members: members! })).code).toBe(0);
  });
});

describe("a body in a file of its own", () => {
  mkdirSync(join(cwd, "next/resources"), { recursive: true });
  writeFileSync(join(cwd, "next/body.txt"), good);
  writeFileSync(join(cwd, "next/resources/body.txt"), good);
  writeFileSync(join(cwd, "next/body.gz"), gzipSync(good));
  writeFileSync(join(cwd, "outside.txt"), good);
  symlinkSync("../outside.txt", join(cwd, "next/link.txt"));
  symlinkSync("body.txt", join(cwd, "next/inner-link.txt"));
  execFileSync("mkfifo", [join(cwd, "next/pipe.txt")]);
  const kept = (name: string, coding?: string): string =>
    JSON.stringify(logOf({ content: { size: -1, _file: name }, ...(coding === undefined ? {} : { coding }) }));

  test.each([
    ["body.txt", undefined],
    ["resources/body.txt", undefined],
    ["inner-link.txt", undefined],
    ["body.gz", "gzip"],
  ])("next to the HAR file is read: %s", async (name, coding) => {
    expect((await checked("next/recording.har", kept(name, coding))).code).toBe(0);
  });

  const outside = "is outside the folder of the HAR file";
  test.each([
    ["../outside.txt", outside],
    [join(cwd, "next/body.txt"), outside],
    ["link.txt", outside],
    ["resources/../../outside.txt", outside],
    [".", outside],
    ["resources", "is not a regular file"],
    ["pipe.txt", "is not a regular file"],
    ["body.txt\0", outside],
    ["", outside],
  ])("is not read where it may not be: %j", async (name, says) => {
    const { code, result } = await checked("next/recording.har", kept(name));
    expect([code, JSON.stringify(result).includes(says)]).toEqual([3, true]);
  });

  test("is not read for standard input", async () => {
    const { code, out } = await callAssay(["check", "-"], { cwd: join(cwd, "next"), input: kept("body.txt") });
    expect([
      code,
      out
        .replaceAll(/\s+/gu, " ")
        .includes("can be read only if you pass the HAR file by path instead of standard input"),
    ]).toEqual([3, true]);
  });

  test("may contain a request, too", async () => {
    writeFileSync(join(cwd, "next/question.json"), '{"question":"where?"}');
    const har = JSON.stringify({
      log: {
        entries: [
          {
            startedDateTime: "2026-03-04T10:00:00.000Z",
            time: 12,
            request: {
              method: "POST",
              url: "https://search.example.com/.api/deepsearch/v1",
              headers: [],
              postData: { mimeType: "application/json", _file: "question.json" },
            },
            response: { status: 202, headers: [], content: { text: "[]" } },
          },
        ],
      },
    });
    expect((await checked("next/recording.har", har)).failing).toContain("legacy/create-is-accepted");
  });
});

describe("a HAR file as other tools write it:", () => {
  const log = logOf({ content: { text: good.toString() } });
  const text = JSON.stringify(log, null, 2);
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.replaceAll("\n", "\r\n"), "utf16le")]);

  test.each([
    ["UTF-16 of PowerShell", "a.har", utf16],
    ["UTF-16 of PowerShell with another name", "a.json", utf16],
    ["UTF-16 without a mark", "b.har", utf16.subarray(2)],
    ["UTF-16 with the larger byte first", "c.har", Buffer.from(utf16).swap16()],
    ["YAML", "a.yaml", stringify(log)],
    ["YAML behind comments", "b.har", `# recorded\n---\n${stringify(log)}`],
    ["YAML that is compressed", "a.yaml.gz", gzipSync(stringify(log))],
  ])("%s", async (_, name, bytes) => {
    expect((await checked(name, bytes)).code).toBe(0);
  });

  test.each([
    ["YAML that is broken", "broken.har", "log:\n  entries: [\n", 2, "cannot parse the file as YAML"],
    ["YAML that is not HAR", "other.har", "log:\n  entries: 1\n", 2, "without `log.entries`"],
    ["a zip archive", "a.zip", Buffer.from("PK\u0003\u0004 and more"), 3, "is a zip archive; unpack it"],
    [
      "a stream in UTF-16",
      "a.sse",
      Buffer.from(`\uFEFF${good.toString()}`, "utf16le"),
      3,
      "as written by `>` in PowerShell",
    ],
    ["YAML of something else", "other.yaml", "log:\n  - not: har\n", 3, "it contains no events"],
  ])("%s is named", async (...[, name, bytes, exitCode, says]) => {
    writeFileSync(join(cwd, name), bytes);
    const { code, out, err } = await callAssay(["check", name], { cwd });
    expect([code, `${out}${err}`.replaceAll(/\s+/gu, " ").includes(says)]).toEqual([exitCode, true]);
  });
});
