import { defined } from "@assay/contract";
import { repetitions, isProving } from "@assay/tools/proving";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "./payload.ts";
import { decodeGoText } from "./ripgrep/go-text.ts";
import type { RunningServer } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { type RawAnswer, rawSearch } from "../testing/raw-client.ts";
import { sampleFiles } from "../testing/sample-files.ts";
import { eventNamesOf, finalProgressOf, objectsIn, objectsOf, strictEvents } from "../testing/strict-events.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({
    files: sampleFiles,
    untracked: { "untracked.txt": "needle\n" },
    remote: "https://reader:secret@git.example.org/team/sample.git",
  });
  server = await startServer({ repos: [fixture.directory], seed: 7, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const search = (q: string, parameters?: Readonly<Record<string, string>>): Promise<RawAnswer> =>
  rawSearch(server, q, parameters);

const matchesOf = async (q: string, parameters?: Readonly<Record<string, string>>): Promise<readonly PayloadObject[]> =>
  objectsOf((await search(q, parameters)).body, "matches");

const pathsOf = async (q: string, parameters?: Readonly<Record<string, string>>): Promise<readonly unknown[]> =>
  (await matchesOf(q, parameters)).map((match) => match["path"]);

const withoutDurations = ({ body }: RawAnswer): string => body.toString("utf8").replaceAll(/"durationMs":\d+/gu, "");

const fileBytes = (path: unknown): Buffer => readFileSync(join(fixture.directory, String(path)));

const numberAt = (value: unknown, ...keys: readonly string[]): number =>
  Number(keys.reduce((part: unknown, key) => (isPayloadObject(part) ? part[key] : undefined), value));

describe("a search with results", () => {
  test("answers with the head of a stream", async () => {
    const { headers, status } = await search("needle");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "transfer-encoding": "chunked",
      "x-accel-buffering": "no",
      vary: "Authorization",
    });
  });

  test("sends events in the required order", async () => {
    const names = eventNamesOf((await search("needle")).body);
    expect(names.slice(0, 3)).toEqual(["filters", "matches", "progress"]);
    expect(names.slice(-2)).toEqual(["progress", "done"]);
    expect(names.filter((name) => name === "done")).toHaveLength(1);
    expect(names.filter((name) => name === "matches").length).toBeGreaterThan(1);
  });

  test("has exactly one final progress, and only it counts repositories", async () => {
    const progress = objectsOf((await search("needle")).body, "progress");
    expect(progress.map(({ done }) => done)).toEqual([...progress.slice(1).map(() => false), true]);
    expect(progress.filter((one) => "repositoriesCount" in one)).toEqual([progress.at(-1)]);
    expect(progress.at(-1)).toMatchObject({ repositoriesCount: 1, skipped: [] });
  });

  test("ends with done whose data is an empty object", async () => {
    const { body } = await search("needle");
    expect(body.toString("utf8").endsWith("event: done\ndata: {}\n\n")).toBe(true);
  });

  test("searches what git tracks: hidden and ignored files when tracked, no untracked ones", async () => {
    const paths = await pathsOf("needle");
    expect(paths).toContain(".hidden/config.yml");
    expect(paths).toContain("bulk/part-001.ts");
    expect(paths).toContain("odd/-dash name.txt");
    expect(paths).not.toContain("untracked.txt");
  });

  test("has no content result for a binary file", async () => {
    expect(await pathsOf("needle file:binary")).toEqual([]);
  });

  test("reports repository and commit, without the credentials in the remote", async () => {
    const { body } = await search("needle file:README");
    expect(objectsOf(body, "matches")[0]).toMatchObject({
      type: "content",
      path: "README.md",
      repository: "git.example.org/team/sample",
      repoLastFetched: "2024-01-02T03:04:05.000Z",
      branches: [""],
      commit: fixture.commit,
      hunks: null,
      language: "Markdown",
    });
    expect(body.includes("secret")).toBe(false);
  });

  test("delivers results in the order of the paths", async () => {
    const paths = (await pathsOf("needle")).map(String);
    expect(paths).toEqual(paths.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
  });

  test("escapes the same characters as the service's encoder", async () => {
    const text = (await search("needle file:^(README|separators)")).body.toString("utf8");
    expect(text).toContain(String.raw`\u003cin\u003e \u0026 out`);
    expect(text).toContain(String.raw`left\u2028needle\u2029right`);
    expect(text).not.toMatch(/[<>&\u2028\u2029]/u);
  });

  test("writes bytes that are not UTF-8 as one replacement character each", async () => {
    const [match] = await matchesOf("needle file:invalid");
    expect(objectsIn(match?.["lineMatches"])).toEqual([
      { line: "before \u{fffd}\u{fffd}\u{fffd} needle", lineNumber: 1, offsetAndLengths: [[11, 6]] },
    ]);
  });
});

describe("offsets", () => {
  const files = ["src/wide.go", "src/crlf.txt", "src/long.txt", "src/invalid.txt", "src/bom.txt", "src/context.py"];

  test.each(files)("of line matches are true to the bytes of %s", async (path) => {
    const lines = objectsIn((await matchesOf(`needle file:^${path}$`))[0]?.["lineMatches"]);
    const fileLines = decodeGoText(fileBytes(path)).split("\n");
    const found = lines.flatMap(({ line, lineNumber, offsetAndLengths }) =>
      (isPayloadArray(offsetAndLengths) ? offsetAndLengths : []).map((pair) => {
        const [offset, length] = isPayloadArray(pair) ? pair.map(Number) : [];
        expect(line).toBe(fileLines[Number(lineNumber)]);
        return [...String(line)].slice(offset, (offset ?? 0) + (length ?? 0)).join("");
      }),
    );
    expect(found.length).toBe(fileBytes(path).toString("latin1").split("needle").length - 1);
    expect(new Set(found)).toEqual(new Set(["needle"]));
  });

  test.each(files)("of chunk matches are true to the bytes of %s", async (path) => {
    const chunks = objectsIn((await matchesOf(`needle file:^${path}$`, { cm: "true" }))[0]?.["chunkMatches"]);
    const bytes = fileBytes(path);
    const ranges = chunks.flatMap((chunk) => objectsIn(chunk["ranges"]));
    for (const range of ranges) {
      const [start, end] = [numberAt(range, "start", "offset"), numberAt(range, "end", "offset")];
      expect(bytes.subarray(start, end).toString("latin1")).toBe("needle");
      const line = decodeGoText(bytes).split("\n")[numberAt(range, "start", "line")] ?? "";
      const columns = [numberAt(range, "start", "column"), numberAt(range, "end", "column")];
      expect([...line].slice(...columns).join("")).toBe("needle");
    }
    expect(ranges).toHaveLength(bytes.toString("latin1").split("needle").length - 1);
  });

  test.each(files)("and contents of chunks are whole lines of %s from where they start", async (path) => {
    const chunks = objectsIn((await matchesOf(`needle file:^${path}$`, { cm: "1", cl: "2" }))[0]?.["chunkMatches"]);
    const bytes = fileBytes(path);
    expect(chunks.length).toBeGreaterThan(0);
    for (const { content, contentStart } of chunks) {
      const rest = bytes.subarray(numberAt(contentStart, "offset"));
      const lineCount = String(content).split("\n").length;
      expect(decodeGoText(rest).split("\n").slice(0, lineCount).join("\n")).toBe(content);
      const before = bytes.subarray(0, numberAt(contentStart, "offset")).toString("latin1");
      expect(before.split("\n").length - 1).toBe(numberAt(contentStart, "line"));
    }
  });
});

describe("parameters", () => {
  test.each([
    { cl: undefined, contents: ["two\nthree needle\nfour", "seven\neight needle\nnine"] },
    { cl: "0", contents: ["three needle", "eight needle"] },
    { cl: "2", contents: ["one\ntwo\nthree needle\nfour\nfive\nsix\nseven\neight needle\nnine"] },
    { cl: "3", contents: ["one\ntwo\nthree needle\nfour\nfive\nsix\nseven\neight needle\nnine"] },
    { cl: "4294967295", contents: ["one\ntwo\nthree needle\nfour\nfive\nsix\nseven\neight needle\nnine"] },
  ])("cl=$cl sets the lines of context", async ({ cl, contents }) => {
    const parameters = { cm: "t", ...defined({ cl }) };
    const [match] = await matchesOf("needle file:context", parameters);
    expect(objectsIn(match?.["chunkMatches"]).map(({ content }) => content)).toEqual(contents);
  });

  test("cl without cm changes nothing", async () => {
    expect(await matchesOf("needle file:context", { cl: "3" })).toEqual(await matchesOf("needle file:context"));
  });

  describe("max-line-len", () => {
    let more: GitFixture;
    let other: RunningServer;
    beforeAll(async () => {
      more = createGitFixture({ files: { "a.txt": "three needle and more\n" } });
      other = await startServer({ repos: [more.directory], outputs });
    });
    afterAll(async () => {
      await other.close();
      more.remove();
    });

    test.each([
      { length: "20", content: "three ne...truncated", cut: true },
      { length: "12", content: "three needle", cut: true },
      { length: "-1", content: "three needle and more", cut: undefined },
    ])("$length cuts lines of chunks", async ({ content, cut, length }) => {
      const { body } = await rawSearch(other, "needle", { cm: "true", "max-line-len": length });
      const [chunk] = objectsIn(objectsOf(body, "matches")[0]?.["chunkMatches"]);
      expect(chunk?.["content"]).toBe(content);
      expect(chunk?.["contentTruncated"]).toBe(cut);
    });
  });

  test.each([0, 1, 7, 100])("display=%i limits delivered results, not counts", async (display) => {
    const { body } = await search("needle", { display: `${display}` });
    const everything = finalProgressOf((await search("needle")).body);
    expect(objectsOf(body, "matches")).toHaveLength(display);
    expect(finalProgressOf(body)?.["matchCount"]).toBe(everything?.["matchCount"]);
    expect(objectsIn(finalProgressOf(body)?.["skipped"])).toMatchObject([{ reason: "display", severity: "info" }]);
  });

  test("display above the number of results is no limit", async () => {
    const { body } = await search("needle", { display: "100000" });
    expect(withoutDurations({ ...(await search("needle")), body })).toBe(withoutDurations(await search("needle")));
  });

  test.each([
    { parameters: { q: "" }, message: "no query found" },
    { parameters: { display: "x" }, message: /^display must be an integer, got "x": / },
    { parameters: { cm: "yes" }, message: /^chunk matches must be parseable as a boolean, got "yes": / },
    { parameters: { t: "odd" }, message: 'unrecognized patternType "odd"' },
  ])("that are invalid give error and done: $parameters", async ({ message, parameters }) => {
    const { body, status } = await search("needle", parameters);
    expect(status).toBe(200);
    expect(strictEvents(body)).toEqual([
      { name: "error", data: { message: expect.stringMatching(message) } },
      { name: "done", data: {} },
    ]);
  });
});

describe("queries", () => {
  test("count stops the search and suggests a larger count", async () => {
    const { body } = await search("needle count:5");
    expect(objectsOf(body, "matches")).toHaveLength(5);
    expect(finalProgressOf(body)).toMatchObject({
      matchCount: 5,
      skipped: [
        {
          reason: "shard-match-limit",
          title: "result limit hit",
          severity: "info",
          suggested: { title: "increase limit", queryExpression: "count:1000" },
        },
      ],
    });
    expect(objectsOf(body, "filters").every(({ exhaustive }) => exhaustive === false)).toBe(true);
  });

  test("count equal to the number of results is no limit", async () => {
    const { body } = await search("needle file:README count:1");
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 1, skipped: [] });
  });

  test.each([
    { name: "a literal with several words", q: "needle behind a", paths: ["odd/-dash name.txt"] },
    { name: "a literal with characters of regular expressions", q: "<in> &", paths: ["README.md"] },
    { name: "a literal that looks like an option", q: "-dash", paths: ["odd/-dash name.txt"] },
    { name: "a quoted phrase", q: '"a haystack"', paths: ["README.md"] },
    { name: "case", q: "A haystack case:yes", paths: ["README.md"] },
    { name: "case that differs", q: "a HAYSTACK case:yes", paths: [] },
    { name: "a regular expression between slashes", q: String.raw`/needle\s+a\w+n/`, paths: ["src/wide.go"] },
    { name: "a regular expression by filter", q: "patternType:regexp ^key: n", paths: [".hidden/config.yml"] },
    { name: "words in any order", q: "patterntype:keyword beta alpha", paths: ["src/needle_test.go"] },
    { name: "words in path and content", q: "patterntype:keyword beta needle_test", paths: ["src/needle_test.go"] },
    { name: "words of which one is missing", q: "patterntype:keyword beta gamma", paths: [] },
    { name: "a language", q: "needle lang:go", paths: ["src/needle_test.go", "src/wide.go"] },
    { name: "an alias of a language", q: "needle lang:py", paths: ["src/context.py"] },
    { name: "paths only", q: "needle type:path", paths: ["src/needle_test.go"] },
    { name: "a negated file", q: "needle file:^src/ -file:txt$ -file:context -lang:go", paths: [] },
    { name: "two files", q: "needle f:^src f:context", paths: ["src/context.py"] },
    { name: "files without any text", q: "file:hidden", paths: [".hidden/config.yml"] },
    { name: "a repository that exists", q: "r:team/sample haystack", paths: ["README.md"] },
    { name: "a repository that is excluded", q: "-repo:sample haystack", paths: [] },
    { name: "either of two", q: "haystack or alpha", paths: ["README.md", "src/needle_test.go"] },
    { name: "both of two", q: "alpha and beta", paths: ["src/needle_test.go"] },
    { name: "one without another", q: "needle and not bulk file:README|part-00", paths: ["README.md"] },
    { name: "a group", q: "(haystack or alpha) and needle lang:go", paths: ["src/needle_test.go"] },
    { name: "nothing but a not", q: "not needle file:^src", paths: [] },
    {
      name: "a not that paths decide",
      q: "not needle type:path file:^src/[a-i]",
      paths: ["src/binary.bin", "src/bom.txt", "src/context.py", "src/crlf.txt", "src/invalid.txt"],
    },
    { name: "either of two with a binary file", q: "needle or haystack file:binary", paths: [] },
    { name: "files once, by selection", q: "needle lang:go select:file", paths: ["src/needle_test.go", "src/wide.go"] },
    { name: "contents, by selection", q: "needle lang:go select:content", paths: ["src/wide.go"] },
    { name: "repositories once, by selection", q: "needle select:repo", paths: [undefined] },
    { name: "filters that change nothing", q: "haystack archived:yes fork:no timeout:5s", paths: ["README.md"] },
  ])("understand $name", async ({ paths, q }) => {
    expect(await pathsOf(q)).toEqual(paths);
  });

  test("t chooses the pattern type unless the query does", async () => {
    expect(await pathsOf("beta alpha")).toEqual([]);
    expect(await pathsOf("beta alpha", { t: "keyword" })).toEqual(["src/needle_test.go"]);
    expect(await pathsOf("beta alpha patterntype:standard", { t: "keyword" })).toEqual([]);
  });

  test("a path result marks where the path matches", async () => {
    expect(await matchesOf("needle type:path")).toMatchObject([
      {
        type: "path",
        path: "src/needle_test.go",
        pathMatches: [{ start: { offset: 4, line: 0, column: 4 }, end: { offset: 10, line: 0, column: 10 } }],
      },
    ]);
  });

  test("a selected repository is a repository result, once, and counts once", async () => {
    const { body } = await search("needle select:repo");
    expect(objectsOf(body, "matches")).toEqual([
      expect.objectContaining({ type: "repo", repository: "git.example.org/team/sample" }),
    ]);
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 1, repositoriesCount: 1 });
  });

  test("a repository result marks where the name matches", async () => {
    expect(await matchesOf("type:repo team")).toMatchObject([
      {
        type: "repo",
        repository: "git.example.org/team/sample",
        repositoryMatches: [{ start: { offset: 16, line: 0, column: 16 }, end: { offset: 20, line: 0, column: 20 } }],
      },
    ]);
  });

  test.each([
    "a AND",
    "not",
    "(a or b",
    "(file:a or b)",
    "type:commit file:a fix",
    "type:person fix",
    "select:file.owners a",
    "fil:x needle",
    "rev:main needle",
    '"never closed',
    "/needle(/",
    "repo:( needle",
    "file:[ needle",
    "lang:klingon needle",
    "count:0 needle",
    "repo:sample@main needle",
    String.raw`/a\nb/`,
    "patternType:structural foo",
  ])("that cannot run give an alert and done: %s", async (q) => {
    expect(strictEvents((await search(q)).body)).toEqual([
      { name: "alert", data: expect.objectContaining({ title: "Unable To Process Query" }) },
      { name: "done", data: {} },
    ]);
  });

  test("for unknown repositories end with final events and an alert", async () => {
    expect(eventNamesOf((await search("repo:nowhere needle")).body)).toEqual(["progress", "alert", "done"]);
  });

  test("without results omit repositoriesCount", async () => {
    const { body } = await search("there is no such text");
    expect(strictEvents(body)).toEqual([
      { name: "progress", data: { done: true, matchCount: 0, durationMs: expect.any(Number), skipped: [] } },
      { name: "done", data: {} },
    ]);
  });
});

describe("filters", () => {
  test("are in the strict order of the service, each value once", async () => {
    const lists = strictEvents((await search("needle")).body).filter(({ name }) => name === "filters");
    expect(lists.length).toBeGreaterThan(1);
    for (const { data } of lists) {
      const ranks = objectsIn(data).map(
        ({ count, kind, value }) => [kind === "type" ? 0 : 1, -Number(count), String(value)] as const,
      );
      const sorted = ranks.toSorted(
        (one, other) => one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : 1),
      );
      expect(ranks).toEqual(sorted);
      expect(new Set(ranks.map(([, , value]) => value)).size).toBe(ranks.length);
    }
  });

  test("suggest types, languages, repositories and exclusions of files", async () => {
    const last = strictEvents((await search("needle")).body).findLast(({ name }) => name === "filters");
    expect(objectsIn(last?.data)).toEqual(
      expect.arrayContaining([
        { value: "type:file", label: "Code", count: 255, exhaustive: true, kind: "type" },
        { value: "type:path", label: "Paths", count: 1, exhaustive: true, kind: "type" },
        { value: 'lang:"jupyter notebook"', label: "Jupyter Notebook", count: 1, exhaustive: true, kind: "lang" },
        expect.objectContaining({ value: String.raw`repo:^git\.example\.org/team/sample$`, count: 256, kind: "repo" }),
        expect.objectContaining({ value: String.raw`-file:_test\.\w+$`, kind: "file" }),
      ]),
    );
  });
});

test("equal searches with a seed give equal bytes apart from durations", async () => {
  const again = await startServer({ repos: [fixture.directory], seed: 7 });
  try {
    const answers = await Promise.all([search("needle"), search("needle"), rawSearch(again, "needle")]);
    expect(new Set(answers.map(withoutDurations)).size).toBe(1);
  } finally {
    await again.close();
  }
});

test("more parallel searches than processes are all answered in full, each by its own processes", async () => {
  const busy = await startServer({ repos: [fixture.directory], seed: 7 });
  try {
    const q = isProving ? "needle" : "needle file:^src";
    const one = withoutDurations(await search(q));
    const answers = await Promise.all(Array.from({ length: repetitions(24, 50) }, () => rawSearch(busy, q)));
    expect(new Set(answers.map(withoutDurations))).toEqual(new Set([one]));
    expect(busy.searchProcesses()).toEqual([]);
  } finally {
    await busy.close();
  }
});

test("the observed vocabulary has only documented kinds and reasons", async () => {
  const observed = await startServer({ repos: [fixture.directory], vocabulary: "observed", outputs });
  try {
    const { body } = await rawSearch(observed, "needle", { display: "1" });
    expect(new Set(objectsOf(body, "filters").map(({ kind }) => kind))).toEqual(new Set(["type", "lang", "repo"]));
    expect(finalProgressOf(body)?.["skipped"]).toEqual([]);
  } finally {
    await observed.close();
  }
});
