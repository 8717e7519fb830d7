import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPayloadArray, type PayloadObject } from "./payload.ts";
import type { RunningServer } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture, runGit } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { type RawAnswer, rawSearch } from "../testing/raw-client.ts";
import { eventNamesOf, finalProgressOf, objectsIn, objectsOf, strictEvents } from "../testing/strict-events.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({
    files: { "src/app.ts": "const one = 1;\nconst two = 2;\n", "docs/read me.md": "old text\n", "b.bin": "\0needle\n" },
    remote: "https://git.example.org/team/history",
    later: [
      {
        message: "Add the Äpfel feature [wip]\n\nSecond line with a needle and a needle.\n\u{1e}odd\n",
        files: { "src/app.ts": "const one = 1;\nconst needle = 2;\n" },
      },
      { message: "fix: 😀 Needle in docs", files: { "docs/read me.md": "new text with äö needle\n-- not a header\n" } },
      { message: "chore: remove docs", files: { "docs/read me.md": null } },
      { message: "chore: nothing", files: {} },
    ],
  });
  server = await startServer({ repos: [fixture.directory], seed: 2, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const search = (q: string): Promise<RawAnswer> => rawSearch(server, q);

const matchesOf = async (q: string): Promise<readonly PayloadObject[]> => objectsOf((await search(q)).body, "matches");

const subjectsOf = async (q: string): Promise<readonly unknown[]> =>
  (await matchesOf(q)).map(({ message }) => String(message).split("\n")[0]);

/** The texts highlighted by the ranges of a commit match, counted from its fence. */
const highlights = (match: PayloadObject | undefined): readonly string[] => {
  const lines = String(match?.["content"]).split("\n");
  return (isPayloadArray(match?.["ranges"]) ? match["ranges"] : []).map((range) => {
    const [line = 0, character = 0, length = 0] = isPayloadArray(range) ? range.map(Number) : [];
    return Array.from(lines[line] ?? "")
      .slice(character, character + length)
      .join("");
  });
};

describe("type:commit", () => {
  test("has all members that real instances send for a commit", async () => {
    const [match] = await matchesOf("type:commit Äpfel");
    const oid = runGit(fixture.directory, "rev-parse", "HEAD~3");
    const url = `/git.example.org/team/history/-/commit/${oid}`;
    expect(match).toEqual({
      type: "commit",
      repositoryID: expect.any(Number),
      repository: "git.example.org/team/history",
      repoLastFetched: "2024-01-02T03:04:05.000Z",
      label: String.raw`[git.example.org/team/history](/git.example.org/team/history) › [Fixture](${url}): [Add the Äpfel feature \[wip\]](${url})`,
      url,
      detail: `[\`${oid.slice(0, 7)}\` 2024-01-02](${url})`,
      oid,
      message: "Add the Äpfel feature [wip]\n\nSecond line with a needle and a needle.\n\u{1e}odd",
      authorName: "Fixture",
      authorDate: expect.stringMatching(/^2024-01-02T03:04:05(?:Z|\+00:00)$/u),
      committerName: "Fixture",
      committerDate: expect.stringMatching(/^2024-01-02T03:04:05(?:Z|\+00:00)$/u),
      content:
        "```COMMIT_EDITMSG\nAdd the Äpfel feature [wip]\n\nSecond line with a needle and a needle.\n\u{1e}odd\n```",
      ranges: [[1, 8, 5]],
    });
  });

  test("highlights every match, counted in characters from the fence", async () => {
    const matches = await matchesOf("type:commit needle");
    expect(matches.map(highlights)).toEqual([["Needle"], ["needle", "needle"]]);
    expect(matches.map(({ ranges }) => ranges)).toEqual([
      [[1, 7, 6]],
      [
        [3, 19, 6],
        [3, 32, 6],
      ],
    ]);
  });

  test.each([
    { q: "type:commit needle case:yes", subjects: ["Add the Äpfel feature [wip]"] },
    { q: "type:commit äpfel", subjects: ["Add the Äpfel feature [wip]"] },
    { q: "type:commit patterntype:regexp ^(fix|chore):\\s\\w+", subjects: ["chore: nothing", "chore: remove docs"] },
    { q: "type:commit chore not docs", subjects: ["chore: nothing"] },
    { q: "type:commit chore or first", subjects: ["chore: nothing", "chore: remove docs", "first"] },
    { q: "type:commit patterntype:keyword line feature", subjects: ["Add the Äpfel feature [wip]"] },
    { q: "type:commit --all", subjects: [] },
    { q: "type:commit -repo:history needle", subjects: [] },
    { q: "select:commit needle case:yes", subjects: ["Add the Äpfel feature [wip]"] },
    {
      q: "type:commit",
      subjects: [
        "chore: nothing",
        "chore: remove docs",
        "fix: 😀 Needle in docs",
        "Add the Äpfel feature [wip]",
        "first",
      ],
    },
  ])("finds the commits of $q", async ({ q, subjects }) => {
    expect(await subjectsOf(q)).toEqual(subjects);
  });
});

describe("type:diff", () => {
  test("shows the matching hunks in a diff fence", async () => {
    const [removed, added, first] = await matchesOf("type:diff needle");
    expect([removed, added, first].map((match) => match?.["type"])).toEqual(["commit", "commit", "commit"]);
    expect(removed?.["content"]).toBe(
      "```diff\ndocs/read me.md /dev/null\n@@ -1,2 +0,0 @@\n-new text with äö needle\n--- not a header\n```",
    );
    expect(added?.["content"]).toContain("\n+new text with äö needle\n");
    expect(first?.["content"]).toBe(
      "```diff\nsrc/app.ts src/app.ts\n@@ -1,2 +1,2 @@\n const one = 1;\n-const two = 2;\n+const needle = 2;\n```",
    );
    expect(first?.["ranges"]).toEqual([[5, 7, 6]]);
    expect([removed, added, first].map(highlights)).toEqual([["needle"], ["needle"], ["needle"]]);
  });

  test.each([
    { q: "type:diff needle file:\\.ts$", subjects: ["Add the Äpfel feature [wip]"] },
    { q: "type:diff needle lang:markdown", subjects: ["chore: remove docs", "fix: 😀 Needle in docs"] },
    { q: "type:diff needle -file:docs", subjects: ["Add the Äpfel feature [wip]"] },
    { q: "type:diff one", subjects: ["first"] },
    { q: "type:diff two and needle", subjects: ["Add the Äpfel feature [wip]"] },
    { q: "type:diff /äö n\\w+/", subjects: ["chore: remove docs", "fix: 😀 Needle in docs"] },
    { q: 'type:diff "-- not"', subjects: ["chore: remove docs", "fix: 😀 Needle in docs"] },
    { q: "select:commit.diff NEEDLE case:yes", subjects: [] },
    { q: "type:diff file:app", subjects: ["Add the Äpfel feature [wip]", "first"] },
  ])("finds the commits of $q", async ({ q, subjects }) => {
    expect(await subjectsOf(q)).toEqual(subjects);
  });

  test("is a separate type with the observed vocabulary", async () => {
    const observed = await startServer({ repos: [fixture.directory], vocabulary: "observed", outputs });
    const { body } = await rawSearch(observed, "type:diff needle");
    expect(new Set(objectsOf(body, "matches").map(({ type }) => type))).toEqual(new Set(["diff"]));
    await observed.close();
  });
});

describe("a search of history", () => {
  test("sends events in the required order, counts highlights and suggests filters", async () => {
    const { body } = await search("type:commit type:diff needle");
    expect(eventNamesOf(body).slice(-2)).toEqual(["progress", "done"]);
    expect(finalProgressOf(body)).toMatchObject({ matchCount: 6, repositoriesCount: 1, skipped: [] });
    const last = strictEvents(body).findLast(({ name }) => name === "filters");
    expect(objectsIn(last?.data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: "type:commit", label: "Commits", count: 3, kind: "type" }),
        expect.objectContaining({ value: "type:diff", label: "Diffs", count: 3, kind: "type" }),
      ]),
    );
  });

  test("respects count and display", async () => {
    const counted = await search("type:commit needle count:2");
    expect(finalProgressOf(counted.body)).toMatchObject({ matchCount: 2, skipped: [{ reason: "shard-match-limit" }] });
    expect(objectsOf(counted.body, "matches").flatMap(highlights)).toEqual(["Needle", "needle"]);
    const displayed = await rawSearch(server, "type:commit", { display: "2" });
    expect(objectsOf(displayed.body, "matches")).toHaveLength(2);
    expect(finalProgressOf(displayed.body)).toMatchObject({ matchCount: 5 });
  });

  test("of a repository without commits finds nothing", async () => {
    const fresh = createGitFixture({ files: { "a.txt": "needle\n" }, committed: false });
    const other = await startServer({ repos: [fresh.directory] });
    expect(eventNamesOf((await rawSearch(other, "type:commit type:diff needle")).body)).toEqual(["progress", "done"]);
    await other.close();
    fresh.remove();
  });

  test("does not start programs that a repository configures", async () => {
    const trap = createGitFixture({
      files: { "a.txt": "needle\n", ".gitattributes": "*.txt diff=trap filter=trap\n" },
      later: [{ message: "needle", files: { "a.txt": "needle twice\n" } }],
    });
    const folder = mkdtempSync(join(tmpdir(), "trap-"));
    const sprung = join(folder, "sprung");
    writeFileSync(join(folder, "trap.sh"), `#!/bin/sh\ntouch ${sprung}\n`, { mode: 0o755 });
    for (const name of [
      "diff.trap.command",
      "diff.trap.textconv",
      "diff.external",
      "core.fsmonitor",
      "gpg.program",
      "core.pager",
    ]) {
      runGit(trap.directory, "config", name, join(folder, "trap.sh"));
    }
    runGit(trap.directory, "config", "log.showSignature", "true");
    const other = await startServer({ repos: [trap.directory] });
    const { body } = await rawSearch(other, "type:commit type:diff needle");
    expect(objectsOf(body, "matches")).toHaveLength(3);
    expect(() => runGit(folder, "hash-object", sprung)).toThrow(/could not open/u);
    await other.close();
    trap.remove();
    rmSync(folder, { recursive: true });
  });
});

test("the reading of history ends when the client leaves", async () => {
  const body = `${"needle ".repeat(400)}\n`;
  const long = createGitFixture({
    files: { "a.txt": "a\n" },
    later: Array.from({ length: 8 }, (_, index) => ({
      message: "needle",
      files: { "a.txt": `${index} ${body}`.repeat(400) },
    })),
  });
  // The repository of the other tests would fit into the buffers and be sent before the client leaves.
  const other = await startServer({ repos: [long.directory], fault: "stall" });
  const leave = new AbortController();
  const response = await fetch(`${other.url}/.api/search/stream?q=needle+type%3Adiff+count%3Aall`, {
    headers: { authorization: `token ${other.token}`, "accept-encoding": "identity" },
    signal: leave.signal,
  });
  expect((await response.body?.getReader().read())?.value?.length).toBeGreaterThan(0);
  await expect.poll(() => other.journal().at(-1)?.faultApplied).toBe(true);
  expect(other.searchProcesses()).toHaveLength(1);
  leave.abort();
  await expect.poll(() => other.journal().at(-1)?.end).toBe("client-left");
  await expect.poll(() => other.searchProcesses(), { timeout: 300_000 }).toEqual([]);
  await other.close();
  long.remove();
});
