import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { rawSearch } from "../testing/raw-client.ts";
import { finalProgressOf, objectsIn, objectsOf, strictEvents } from "../testing/strict-events.ts";

let fixture: GitFixture;
let server: RunningServer;

const gap = (lines: number): string => `needle\n${"-\n".repeat(lines)}needle\n`;

const files = {
  ...Object.fromEntries([0, 1, 2, 3, 6, 7].map((lines) => [`gap${lines}.txt`, gap(lines)])),
  "wide.txt": "ääää needle\n",
  "near.txt": "needle\n".repeat(9),
  "mixed.txt": "ä😀 needle 日本語 and 👩‍👩‍👧 more é\n".repeat(2),
  "context.txt": `${"c".repeat(30)}\na needle\n${"d".repeat(20)}\n`,
  ...Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`many/f${index}.txt`, `a hay stack, line ${index}\n`.repeat(60)]),
  ),
  "one/huge.txt": "needle\n".repeat(12_000),
  "one/large.txt": `needle ${"x".repeat(3_000_000)}\n`.repeat(4),
  "one/small.txt": "needle\n",
};

beforeAll(async () => {
  fixture = createGitFixture({ files });
  server = await startServer({ repos: [fixture.directory], seed: 1, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const eventBytes = (body: Buffer): readonly number[] =>
  body
    .toString("latin1")
    .split("\n\n")
    .map(({ length }) => length);

describe("count:all", () => {
  test("exceeds every default limit, in events of constant size", async () => {
    const { body } = await rawSearch(server, "hay count:all");
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 18_000, skipped: [] });
    expect(objectsOf(body, "matches")).toHaveLength(300);
    expect(strictEvents(body).filter(({ name }) => name === "matches").length).toBeGreaterThan(25);
    expect(Math.max(...eventBytes(body))).toBeLessThan(64 * 1024);
  });

  test("without it the search stops at 10,000", async () => {
    const { body } = await rawSearch(server, "hay");
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 10_000, skipped: [{ reason: "shard-match-limit" }] });
  });

  test("with display keeps counting but delivers no more", async () => {
    const { body } = await rawSearch(server, "hay count:all", { display: "3" });
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 18_000, skipped: [{ reason: "display" }] });
    expect(objectsOf(body, "matches").length).toBeLessThanOrEqual(3);
  });

  test("keeps at most 10,000 matches of one file, reports it, and continues", async () => {
    const { body } = await rawSearch(server, "needle count:all file:huge|small");
    const [huge, small] = objectsOf(body, "matches");
    expect(objectsIn(huge?.["lineMatches"])).toHaveLength(10_001);
    expect(small?.["path"]).toBe("one/small.txt");
    expect(finalProgressOf(body)).toMatchObject({
      matchCount: 10_002,
      skipped: [{ reason: "shard-match-limit", suggested: { queryExpression: "count:1001000" } }],
    });
    expect(objectsOf(body, "filters").map(({ exhaustive }) => exhaustive)).not.toContain(true);
  });

  test("keeps at most about 8 MiB of one file", async () => {
    const { body } = await rawSearch(server, "needle count:all file:large|small");
    const [large, small] = objectsOf(body, "matches");
    expect(objectsIn(large?.["lineMatches"])).toHaveLength(3);
    expect(small?.["path"]).toBe("one/small.txt");
    expect(finalProgressOf(body)).toMatchObject({ skipped: [{ reason: "shard-match-limit" }] });
  });
});

describe("chunks", () => {
  const chunksOf = async (
    path: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ReturnType<typeof objectsIn>> => {
    const { body } = await rawSearch(server, `needle file:^${path}$`, parameters);
    return objectsIn(objectsOf(body, "matches")[0]?.["chunkMatches"]);
  };

  test.each([
    { lines: 0, cl: "0", chunks: 1 },
    { lines: 1, cl: "0", chunks: 2 },
    { lines: 1, cl: "1", chunks: 1 },
    { lines: 2, cl: "1", chunks: 1 },
    { lines: 3, cl: "1", chunks: 2 },
    { lines: 6, cl: "3", chunks: 1 },
    { lines: 7, cl: "3", chunks: 2 },
  ])("$lines lines apart with cl=$cl are $chunks", async ({ chunks, cl, lines }) => {
    const found = await chunksOf(`gap${lines}.txt`, { cm: "true", cl });
    expect(found).toHaveLength(chunks);
    expect(found.flatMap(({ ranges }) => objectsIn(ranges))).toHaveLength(2);
  });

  test.each([
    { length: "15", content: "ääää needle" },
    { length: "14", content: "ä...truncated" },
    { length: "13", content: "...truncated" },
    { length: "12", content: "ääää nee" },
    { length: "3", content: "ä" },
    { length: "0", content: "ääää needle" },
  ])("of a line cut to $length bytes keep whole characters", async ({ content, length }) => {
    const [chunk] = await chunksOf("wide.txt", { cm: "true", cl: "0", "max-line-len": length });
    expect(chunk?.["content"]).toBe(content);
    expect(chunk?.["contentTruncated"]).toBe(content === "ääää needle" ? undefined : true);
    expect(objectsIn(chunk?.["ranges"])).toMatchObject([{ start: { offset: 9, column: 5 }, end: { offset: 15 } }]);
  });

  test("are cut line by line, context included", async () => {
    const [chunk] = await chunksOf("context.txt", {
      cm: "1",
      "max-line-len": "20",
    });
    expect(chunk?.["content"]).toBe(`${"c".repeat(8)}...truncated\na needle\n${"d".repeat(20)}`);
  });

  test.each([1, 2, 5, 12, 13, 14, 20, 25, 31])(
    "cut to %i have no longer line, in characters or bytes",
    async (length) => {
      const found = await chunksOf("mixed.txt", { cm: "true", "max-line-len": `${length}` });
      const lines = found.flatMap(({ content }) => String(content).split("\n"));
      expect(lines).toHaveLength(2);
      expect(lines.filter((line) => Buffer.byteLength(line) > length || [...line].length > length)).toEqual([]);
      expect(found.map(({ contentTruncated }) => contentTruncated)).toEqual([true]);
    },
  );

  test.each([
    { count: 1, cl: 0, lines: 1 },
    { count: 1, cl: 2, lines: 3 },
    { count: 3, cl: 2, lines: 5 },
    { count: 3, cl: 6, lines: 9 },
    { count: 8, cl: 4, lines: 9 },
  ])("of $count matches keep $cl lines after the last one when there are more", async ({ cl, count, lines }) => {
    const asked = [`needle file:^near.txt$ count:${count}`, "needle file:^near.txt$"] as const;
    const cut = await rawSearch(server, asked[0], { cm: "true", cl: `${cl}` });
    const displayed = await rawSearch(server, asked[1], { cm: "true", cl: `${cl}`, display: `${count}` });
    const all = [cut, displayed].map(({ body }) => objectsIn(objectsOf(body, "matches")[0]?.["chunkMatches"]));
    expect(all[0]).toEqual(all[1]);
    expect(all[0]).toHaveLength(1);
    expect(all[0]?.[0]?.["content"]).toBe(Array.from({ length: lines }, () => "needle").join("\n"));
    expect(objectsIn(all[0]?.[0]?.["ranges"])).toHaveLength(count);
  });

  test.each([
    { vocabulary: "field", member: "content", other: "context" },
    { vocabulary: "observed", member: "context", other: "content" },
  ] as const)("have their text as $member in the vocabulary $vocabulary", async ({ member, other, vocabulary }) => {
    const speaking = await startServer({ repos: [fixture.directory], seed: 1, vocabulary, outputs });
    const { body } = await rawSearch(speaking, "needle file:^gap0", { cm: "true", cl: "0" });
    await speaking.close();
    const [chunk] = objectsIn(objectsOf(body, "matches")[0]?.["chunkMatches"]);
    expect(chunk).toMatchObject({ [member]: "needle\nneedle", contentStart: { line: 0 } });
    expect(Object.keys(chunk ?? {})).not.toContain(other);
  });

  test("have their text in both members with the vocabulary for all clients, and diffs are commits", async () => {
    const speaking = await startServer({ repos: [fixture.directory], seed: 1, vocabulary: "both", outputs });
    const { body } = await rawSearch(speaking, "needle file:^gap0", { cm: "true", cl: "0" });
    const diffs = await rawSearch(speaking, "type:diff needle");
    await speaking.close();
    const [chunk] = objectsIn(objectsOf(body, "matches")[0]?.["chunkMatches"]);
    expect(chunk).toMatchObject({ content: "needle\nneedle", context: "needle\nneedle" });
    expect(objectsOf(diffs.body, "matches").every(({ type }) => type === "commit")).toBe(true);
  });

  test("are sent only on request, and line matches are never cut", async () => {
    expect(await chunksOf("context.txt", { cl: "3", "max-line-len": "4" })).toEqual([]);
    const { body } = await rawSearch(server, "needle file:small", { "max-line-len": "2", cl: "5" });
    expect(objectsIn(objectsOf(body, "matches")[0]?.["lineMatches"])).toEqual([
      { line: "needle", lineNumber: 0, offsetAndLengths: [[0, 6]] },
    ]);
  });
});
