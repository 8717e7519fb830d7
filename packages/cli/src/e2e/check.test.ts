import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { repetitions } from "@assay/tools/proving";
import { exportHar, readBundle } from "@assay/evidence";
import type { RunResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { assay, startAssay } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { fixturePath, fixtureStreams } from "../testing/fixture-streams.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasTool } from "../testing/require-tool.ts";
import { judgeInProcess, runInProcess } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const good = fixturePath("conforms.any-interleaving.sse");

/** Ids of the rules that fail, recording by recording. */
const failing = (out: string): readonly (readonly string[])[] => {
  const results: readonly RunResult[] = JSON.parse(out);
  return results.map(({ verdicts }) =>
    verdicts.filter(({ verdict }) => verdict.outcome === "failed").map(({ rule }) => rule),
  );
};

/** Standard error without the line that work of more than ten seconds prints, as it does on a busy machine. */
const withoutProgress = (err: string): string => err.replaceAll(/^judging: \d+ of \d+ (?:exchanges|rules).*\n/gmu, "");

/** Writes a file into the working folder; its path. */
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(cwd, name);
  writeFileSync(path, content);
  return path;
};

/** Responses that a target may send instead of a stream. Without the request it is unknown that a stream was expected. */
const noStreams: ReadonlySet<string> = new Set(
  ["done-is-last.empty-stream", "two-fields.html-page", "two-fields.plain-text"].map((name) => `violates.${name}.sse`),
);

describe("the committed streams", () => {
  const streams = fixtureStreams.filter(({ name }) => !noStreams.has(name));
  const of = (...standings: readonly string[]) => streams.filter(({ standing }) => standings.includes(standing));

  test("that are none cannot be judged", async () => {
    const { code, out } = await callAssay(["check", ...[...noStreams].map((name) => fixturePath(name))], { cwd });
    expect([code, out]).toEqual([3, expect.stringContaining(`${noStreams.size} not tested  exit code 3`)]);
  });

  test.each([
    { standing: "conforms", flags: [], exitCode: 0, counted: "passed" },
    { standing: "warns", flags: [], exitCode: 0, counted: "passed" },
    { standing: "warns", flags: ["--strict"], exitCode: 1, counted: "failed" },
    { standing: "violates", flags: [], exitCode: 1, counted: "failed" },
  ])("that say `$standing` $counted with $flags", async ({ standing, flags, exitCode, counted }) => {
    const paths = of(standing).map(({ path }) => path);
    const { code, out, err } = await callAssay(["check", ...flags, ...paths], { cwd });
    expect([code, withoutProgress(err)]).toEqual([exitCode, ""]);
    expect(out).toContain(`${paths.length} ${counted}  exit code ${exitCode}`);
  });

  test("that violate each break the rule they are named after", async () => {
    const named = of("violates");
    const { out } = await callAssay(["check", "--json", ...named.map(({ path }) => path)], { cwd });
    const missed = failing(out).flatMap((rules, index) =>
      rules.includes(named[index]?.rule ?? "") ? [] : [named[index]?.name],
    );
    expect(missed).toEqual([]);
  });

  test("of both kinds together violate", async () => {
    const { code, out } = await callAssay(["check", good, fixturePath("violates.done-is-last.no-done.sse")], { cwd });
    expect([code, out.split("\n").at(-2)]).toEqual([1, "✗ 1 passed, 1 failed  exit code 1"]);
  });

  test.each(streams.filter((_, index) => index % 160 === 0))("$name alone ends as it says", async (fixture) => {
    const { code } = await assay(["check", fixture.path], { cwd });
    expect(code).toBe(fixture.standing === "violates" ? 1 : 0);
  });
});

describe("what comes once", () => {
  test.each([
    { name: "a stream", path: good, code: 0 },
    { name: "a stream that is not UTF-8", path: fixturePath("violates.text-is-utf-8.stray-byte.sse"), code: 1 },
  ])("$name is judged on standard input to the byte as it is from its file", async ({ path, code }) => {
    const bytes = readFileSync(path);
    const args = ["check", "--json"];
    const piped = await assay([...args, "-"], { cwd, input: bytes });
    const named = await callAssay([...args, path], { cwd });
    expect([piped.code, named.code]).toEqual([code, code]);
    expect(piped.out.replace('"target": "-"', "")).toBe(named.out.replace(`"target": ${JSON.stringify(path)}`, ""));
  });

  test("a stream of many megabytes is read to its end from standard input", async () => {
    const filling = `event: notice\ndata: "${"é".repeat(50_000)}"\n\n`.repeat(30);
    const input = `${filling}${readFileSync(good, "utf8")}`;
    const { code, err } = await assay(["check", "-"], { cwd, input });
    expect([code, withoutProgress(err)]).toEqual([0, ""]);
  });

  test("nothing on standard input is nothing to judge", async () => {
    const { code, out } = await callAssay(["check", "-"], { cwd });
    expect([code, out]).toEqual([3, expect.stringContaining("standard input contains no stream bytes")]);
  });

  test.skipIf(!hasTool("mkfifo"))("a named pipe is read once and judged", async () => {
    const pipe = join(cwd, "pipe");
    execFileSync("mkfifo", [pipe]);
    const writer = spawn(process.execPath, [
      "-e",
      "fs.writeFileSync(process.argv[1], fs.readFileSync(process.argv[2]))",
      pipe,
      fixturePath("violates.done-is-last.no-done.sse"),
    ]);
    const { code, out } = await callAssay(["check", "--json", pipe], { cwd });
    writer.kill("SIGKILL");
    expect([code, failing(out)]).toEqual([1, [["stream/done-is-last"]]]);
  });

  test.skipIf(!hasTool("mkfifo"))("a named pipe that nobody writes to can be left with Ctrl-C", async () => {
    const pipe = join(cwd, "silent-pipe");
    execFileSync("mkfifo", [pipe]);
    const waiting = startAssay(["check", pipe], { cwd });
    // Opening the other end of the pipe succeeds once the reader waits for it.
    const opener = spawn(process.execPath, [
      "-e",
      'fs.openSync(process.argv[1], "w"); console.log("open"); setInterval(() => {}, 1e8)',
      pipe,
    ]);
    await once(opener.stdout, "data");
    waiting.kill("SIGINT");
    const { signal, out, err } = await waiting.ended;
    opener.kill("SIGKILL");
    expect([signal, out, err]).toEqual(["SIGINT", "", ""]);
  });
});

describe("a file that is not a recorded stream", () => {
  const stream = readFileSync(good);
  const bad = readFileSync(fixturePath("violates.done-is-last.no-done.sse"));
  const behind = (head: string, body: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(`${head.replaceAll("\n", "\r\n")}\r\n\r\n`), body]);
  const inChunks = (body: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
  const redirect = "HTTP/1.1 302 Found\nlocation: /x\n\nHTTP/2 200";

  test.each<{ name: string; bytes: Uint8Array; code: number }>([
    { name: "compressed.sse.gz", bytes: gzipSync(stream), code: 0 },
    { name: "compressed-and-bad.sse", bytes: gzipSync(bad), code: 1 },
    { name: "behind-its-head.txt", bytes: behind("HTTP/1.1 200 OK\nContent-Type: text/event-stream", stream), code: 0 },
    { name: "behind-its-head-and-bad.sse", bytes: behind("HTTP/2 200", bad), code: 1 },
    { name: "behind-a-redirect.txt", bytes: behind(redirect, stream), code: 0 },
    { name: "called-gzip.txt", bytes: behind("HTTP/1.1 200 OK\ncontent-encoding: gzip", stream), code: 0 },
    { name: "gzip.txt", bytes: behind("HTTP/1.1 200 OK\ncontent-encoding: gzip", gzipSync(stream)), code: 0 },
    { name: "br.txt", bytes: behind("HTTP/1.1 200 OK\ncontent-encoding: br", brotliCompressSync(stream)), code: 0 },
    {
      name: "raw.txt",
      bytes: behind("HTTP/1.1 200 OK\ntransfer-encoding: chunked", inChunks(stream)),
      code: 0,
    },
  ])("is unpacked: $name", async ({ name, bytes, code }) => {
    expect((await callAssay(["check", file(name, bytes)], { cwd })).code).toBe(code);
  });

  test("is unpacked on standard input as well", async () => {
    expect((await assay(["check", "-"], { cwd, input: gzipSync(stream) })).code).toBe(0);
  });

  test.each<{ name: string; bytes: string | Uint8Array; says: string }>([
    { name: "empty.sse", bytes: "", says: "contains no stream bytes" },
    { name: "empty.sse.gz", bytes: gzipSync(""), says: "contains no stream bytes" },
    {
      name: "refusal.sse",
      bytes: "Private mode requires authentication.\n",
      says: "it contains no events",
    },
    { name: "error.sse", bytes: '{"message":"no"}', says: "it contains no events" },
    { name: "page.sse", bytes: "<!doctype html>\n<script>x = {\ndata: 1}</script>", says: "is a web page" },
    { name: "refused.sse", bytes: behind("HTTP/1.1 401 Unauthorized", Buffer.from("no")), says: "with status 401" },
    { name: "cut.gz", bytes: gzipSync(stream).subarray(0, 60), says: "cannot be unpacked" },
    {
      name: "other.zst",
      bytes: Buffer.from("28b52ffd00", "hex"),
      says: "uses an unsupported encoding",
    },
  ])("is not judged: $name", async ({ name, bytes, says }) => {
    const { code, out } = await callAssay(["check", file(name, bytes)], { cwd });
    expect([code, out.replaceAll(/\s+/gu, " ")]).toEqual([3, expect.stringContaining(says)]);
  });
});

describe("a stored run", () => {
  const har = (name: string): string => join(cwd, `${name}.har`);

  beforeAll(async () => {
    await runInProcess({ out: join(cwd, "good"), repo: [repository], profile: "smoke" });
    await runInProcess({ out: join(cwd, "bad"), repo: [repository], fault: ["crlf"], profile: "smoke" });
    await judgeInProcess({
      out: join(cwd, "cut"),
      repo: [repository],
      fault: ["truncate"],
      timeout: 5,
      profile: "smoke",
    });
    for (const name of ["good", "bad"]) {
      writeFileSync(har(name), exportHar(await readBundle(join(cwd, name))));
    }
  });

  test.each([
    { name: "that holds", folder: "good", flags: [], exitCode: 0 },
    { name: "that does not hold", folder: "bad", flags: [], exitCode: 1 },
    { name: "that is incomplete", folder: "cut", flags: [], exitCode: 3 },
    { name: "by a rule that it breaks", folder: "bad", flags: ["--rule", "lines-end-with-lf"], exitCode: 1 },
    { name: "by a rule that it keeps", folder: "bad", flags: ["--rule", "done-is-last"], exitCode: 0 },
  ])("$name is judged as a folder: $exitCode", async ({ folder, flags, exitCode }) => {
    expect(await callAssay(["check", ...flags, folder], { cwd })).toMatchObject({ code: exitCode });
  });

  test.each([
    { name: "holds", folder: "good", exitCode: 0 },
    { name: "does not hold", folder: "bad", exitCode: 1 },
  ])("that $name is judged alike as a HAR file", async ({ folder, exitCode }) => {
    const { code, out } = await callAssay(["check", "--json", har(folder)], { cwd });
    expect([code, failing(out)[0]]).toEqual([
      exitCode,
      failing(`[${readFileSync(join(cwd, folder, "verdicts.json"), "utf8")}]`)[0],
    ]);
  });

  test("in a HAR file is recognized by its content, even on standard input", async () => {
    expect(await callAssay(["check", "-"], { cwd, input: readFileSync(har("good")) })).toMatchObject({ code: 0 });
    const renamed = file("session.json", readFileSync(har("bad")));
    expect(await callAssay(["check", renamed], { cwd })).toMatchObject({ code: 1 });
  });

  test("in a HAR file with one changed body fails", async () => {
    const text = readFileSync(har("good"), "utf8");
    const at = text.indexOf(String.raw`event: done\ndata: {}\n\n`);
    const changed = file(
      "changed.har",
      `${text.slice(0, at)}${text.slice(at).replace(String.raw`data: {}`, String.raw`data: []`)}`,
    );
    const { code, out } = await callAssay(["check", "--json", changed], { cwd });
    expect([code, failing(out)]).toEqual([1, [["stream/done-is-an-empty-object"]]]);
  });

  test("in a HAR file without bodies decides nothing", async () => {
    const { log } = JSON.parse(readFileSync(har("good"), "utf8"));
    for (const { response } of log.entries) {
      delete response.content.text;
    }
    const { code, out } = await callAssay(["check", file("bare.har", JSON.stringify({ log }))], { cwd });
    expect(code).toBe(3);
    expect(out).toContain("the recording does not contain the response body");
  });

  test("in a HAR file without any search decides nothing", async () => {
    const { code, out } = await callAssay(["check", file("none.har", '{"log":{"entries":[]}}')], { cwd });
    expect(code).toBe(3);
    expect(out.replaceAll(/\s+/gu, " ")).toContain("none.har contains neither a search nor a conversation API call");
  });
});

describe("an unreadable file", () => {
  const mayReadAll = process.getuid?.() === 0;

  beforeAll(async () => {
    mkdirSync(join(cwd, "folder"));
    file("plain", "text");
    file("garbage.har", "this is not HAR");
    file("other.har", '{"log":{}}');
    symlinkSync("loop", join(cwd, "loop"));
    const socket = createServer();
    socket.listen(join(cwd, "socket"));
    await once(socket, "listening");
    socket.unref();
  });

  test.each([
    { name: "a file that does not exist", path: "missing.sse", says: "no such file" },
    { name: "a path through a file", path: "plain/below", says: "cannot be read: ENOTDIR" },
    { name: "a link that leads to itself", path: "loop", says: "cannot be read: ELOOP" },
    { name: "a socket", path: "socket", says: "cannot be read" },
    { name: "a folder that is no run", path: "folder", says: "folder contains no run" },
    { name: "a HAR file that is none", path: "garbage.har", says: "export the recording as HAR" },
    { name: "a HAR file without entries", path: "other.har", says: "export the recording as HAR" },
  ])("$name ends with one sentence and exit code 2", async ({ path, says }) => {
    const { code, out, err } = await callAssay(["check", path], { cwd });
    expect([code, out, err.split("\n").length]).toEqual([2, "", 2]);
    expect(err).toContain(says);
    expect(err).toContain(path);
  });

  test("a file that does not exist leaves the verdicts of the others, and exit code 2", async () => {
    const { code, out } = await callAssay(["check", good, "missing.sse"], { cwd });
    expect(code).toBe(2);
    expect(out).toMatch(/✓ passed +\S*.*\n[^]*\? not tested +missing\.sse/u);
    expect(out).toContain("no such file");
  });

  test("standard input is read once", async () => {
    const { code, err } = await callAssay(["check", "-", "-"], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("can be used only once")]);
  });

  test.skipIf(mayReadAll)("a file without permission ends with one sentence and exit code 2", async () => {
    const path = file("secret.sse", "event: done\ndata: {}\n\n");
    chmodSync(path, 0);
    const { code, err } = await callAssay(["check", path], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("permission denied")]);
  });

  test.each([
    { name: "empty.txt", text: "", says: "contains no stream bytes" },
    { name: "page.html", text: "<!doctype html><p>Sign in</p>\n", says: "is a web page" },
    { name: "answer.json", text: '{"error":{"code":5}}\n', says: "is not a stream" },
    { name: "picture.png", text: "\u0089PNG\r\n\u001a\n", says: "is not a stream" },
  ])("$name is no recording, which is no violation", async ({ name, text, says }) => {
    const { code, out } = await callAssay(["check", file(name, text)], { cwd });
    expect([code, out]).toEqual([3, expect.stringContaining(says)]);
  });

  test("a run can be named by its id", async () => {
    const { code } = await callAssay(["run", "--repo", repository, "--quiet", "--rule", "done-is-last"], { cwd });
    const [id = ""] = readdirSync(join(cwd, "reports/runs"));
    expect([code, (await callAssay(["check", id], { cwd })).code]).toEqual([0, 0]);
  });

  test("the content of a recording cannot move the cursor", async () => {
    const hostile = file(
      "hostile.sse",
      "event: done\ndata: {\u001B[2J\u202E\u0007::error::x}\nid: \u001B]0;title\u0007\n\n",
    );
    const { code, out } = await callAssay(["check", hostile], { cwd });
    expect(code).toBe(1);
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202E]/u);
    expect(out).not.toMatch(/^::/mu);
  });
});

describe("a very large stream", () => {
  const bytes = repetitions(15, 200) * 1_000_000;

  test("is judged in little memory", async () => {
    const path = file("large.sse", "");
    const match = { type: "path", path: "a/b.ts", text: "x".repeat(1000) };
    const event = `event: matches\ndata: ${JSON.stringify(Array.from({ length: 100 }, () => match))}\n\n`;
    const megabytes = event.repeat(100);
    for (let written = 0; written < bytes; written += megabytes.length) {
      appendFileSync(path, megabytes);
    }
    appendFileSync(path, readFileSync(good));
    const report = "process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` };
    const { code, err } = await assay(["check", path], { cwd, env });
    expect(code).toBe(0);
    expect(Number(withoutProgress(err))).toBeLessThan(300_000);
  });
});
