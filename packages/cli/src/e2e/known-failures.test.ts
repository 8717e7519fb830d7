import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyNth } from "@assay/tools/proving";
import { createChecker } from "@assay/reading";
import { type RunResult, RunResultShape } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { copyRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = copyRepository(cwd);
const { problem } = createChecker(RunResultShape);

const list = (...entries: readonly string[]): string =>
  ["# The proxy sends a comment as keep-alive.", "# owner: platform   expires: 2999-12-31", ...entries, ""].join("\n");

const lists: Readonly<Record<string, string>> = {
  "any-target.txt": list("stream/two-fields:comment  *"),
  "stale.txt": list("stream/two-fields:comment  *", "stream/text-is-utf-8  *"),
  "mistyped.txt": list("stream/two-feilds  *"),
  "whole-rule.txt": list("stream/two-fields  *"),
  "other-finding.txt": list("stream/two-fields:id-field  *"),
  "expired.txt": list("stream/two-fields:comment  *").replace("2999", "2001"),
  "without-reason.txt": "stream/two-fields:comment  *\n",
};

beforeAll(() => {
  for (const [name, text] of Object.entries(lists)) {
    writeFileSync(join(cwd, name), text);
  }
});

const read = (...path: readonly string[]): string => readFileSync(join(cwd, ...path), "utf8");

const smallest = ["--repo", repository, "--profile", "smoke", "--interface", "stream", "--seed", "1"];

/** A smallest run against a server that sends a comment between events. */
const runWith = (out: string, ...args: readonly string[]) =>
  callAssay(["run", ...smallest, "--fault", "comment", "--out", out, ...args], { cwd });

describe("a run whose failure is known", () => {
  test("fails without the list", async () => {
    expect((await runWith("plain")).code).toBe(1);
  });

  test("passes with it, and shows the reason in every file", async () => {
    const { code, out } = await runWith("known", "--known-failures", "any-target.txt");
    expect([code, out.includes("The proxy sends a comment as keep-alive.")]).toEqual([0, true]);
    const result: RunResult = JSON.parse(read("known", "verdicts.json"));
    expect(problem(result)).toBeUndefined();
    expect([result.outcome, result.counts["known-failure"], result.counts.failed]).toEqual(["passed", 1, 0]);
    expect(read("known", "junit.xml")).not.toMatch(/<(?:failure|error)[ >]/u);
    expect(read("known", "summary.md")).toContain("exit code 0");
  });

  test("is judged again with the same bytes, even without the list", async () => {
    await runWith("again", "--known-failures", "any-target.txt");
    writeFileSync(join(cwd, "any-target.txt"), "");
    const { code, out } = await callAssay(["judge", "again", "--json"], { cwd });
    writeFileSync(join(cwd, "any-target.txt"), lists["any-target.txt"] ?? "");
    expect([code, out]).toEqual([0, read("again", "verdicts.json")]);
  });

  const redLists = [
    { name: "an entry that is stale", file: "stale.txt", says: "stream/text-is-utf-8" },
    { name: "a mistyped rule", file: "mistyped.txt", says: "did you mean" },
    { name: "an entry that names no finding", file: "whole-rule.txt", says: "`stream/two-fields:comment`" },
    { name: "an entry that names another finding", file: "other-finding.txt", says: "the findings were `comment`" },
    { name: "an entry that has expired", file: "expired.txt", says: "expired on 2001-12-31" },
    { name: "an entry without a reason", file: "without-reason.txt", says: "reason" },
  ];
  test.each(everyNth(redLists, 3))("is red with $name", { tags: "more" }, async ({ file, says }) => {
    const folder = `run with ${file}`;
    const { code, out } = await runWith(folder, "--known-failures", file);
    expect([code, out.replaceAll(/\s+/gu, " ").includes(says)]).toEqual([1, true]);
    const result: RunResult = JSON.parse(read(folder, "verdicts.json"));
    expect([result.outcome, result.exitCode]).toEqual(["failed", 1]);
    expect(read(folder, "junit.xml")).toMatch(/<failure[ >]/u);
    expect(read(folder, "summary.md")).toContain("exit code 1");
  });

  test("fails if the list is for another target", async () => {
    writeFileSync(join(cwd, "elsewhere.txt"), list("stream/two-fields:comment  https://other.example.com"));
    expect((await runWith("elsewhere", "--known-failures", "elsewhere.txt")).code).toBe(1);
  });
});

describe("a recording whose failure is known", () => {
  test("conforms with the list, and violates without it", async () => {
    writeFileSync(
      join(cwd, "comment.sse"),
      ': ping\n\nevent: alert\ndata: {"level":"info"}\n\nevent: done\ndata: {}\n\n',
    );
    const plain = await callAssay(["check", "comment.sse"], { cwd });
    const known = await callAssay(["check", "--known-failures", "any-target.txt", "comment.sse"], { cwd });
    expect([plain.code, known.code]).toEqual([1, 0]);
  });
});

describe("a HAR file whose failure is known on its target", () => {
  const stream = ': ping\n\nevent: alert\ndata: {"level":"info"}\n\nevent: done\ndata: {}\n\n';
  const entry = (base: string, startedDateTime = "2026-03-04T10:00:00.000Z"): object => ({
    startedDateTime,
    time: 12,
    request: { method: "GET", url: `${base}/.api/search/stream?q=a`, headers: [] },
    response: { status: 200, headers: [], content: { text: stream } },
  });
  const har = (name: string, ...entries: readonly object[]): void =>
    writeFileSync(join(cwd, name), JSON.stringify({ log: { entries } }));
  const dated = (expires: string, line: string): string =>
    `# It sends a comment.\n# owner: platform-team   expires: ${expires}\n${line}\n`;
  const here = "https://search.example.com/code";

  test.each([
    { name: "names the target", line: `stream/two-fields:comment  ${here}`, code: 0 },
    { name: "names its host", line: "stream/two-fields:comment  https://search.example.com", code: 0 },
    { name: "names another target", line: "stream/two-fields:comment  https://other.example.com", code: 1 },
    { name: "names another finding", line: `stream/two-fields:id-field  ${here}`, code: 1, says: "did not occur" },
    {
      name: "names a rule that passes",
      line: `stream/two-fields:comment  ${here}\nstream/text-is-utf-8  ${here}`,
      code: 1,
      says: "stream/text-is-utf-8",
    },
    { name: "ends on the day", expires: "2026-03-04", line: `stream/two-fields:comment  ${here}`, code: 0 },
    {
      name: "ended the day before",
      expires: "2026-03-03",
      line: `stream/two-fields:comment  ${here}`,
      code: 1,
      says: "expired on 2026-03-03, before the run of 2026-03-04",
    },
  ])("ends with the code of a run where an entry $name", async ({ line, expires = "2099-12-31", code, says = "" }) => {
    writeFileSync(join(cwd, "of-har.txt"), dated(expires, line));
    har("known.har", entry(here), entry(here, "2026-03-05T10:00:00.000Z"));
    const { code: ended, out } = await callAssay(["check", "--known-failures", "of-har.txt", "known.har"], { cwd });
    expect([ended, out.replaceAll(/\s+/gu, " ").includes(says)]).toEqual([code, true]);
  });

  test("fails if another target of the file fails as well", async () => {
    writeFileSync(join(cwd, "of-har.txt"), dated("2099-12-31", `stream/two-fields:comment  ${here}`));
    har("two.har", entry(here), entry("https://other.example.com"));
    const { code, out } = await callAssay(["check", "--json", "--known-failures", "of-har.txt", "two.har"], { cwd });
    expect([
      code,
      out.includes("is not used, since the recording also has the target https://other.example.com"),
    ]).toEqual([1, true]);
  });

  test("of a stream alone ends with its last day", async () => {
    writeFileSync(join(cwd, "alone.sse"), stream);
    writeFileSync(join(cwd, "of-stream.txt"), dated("2001-12-31", "stream/two-fields:comment  *"));
    const { code, out } = await callAssay(["check", "--known-failures", "of-stream.txt", "alone.sse"], { cwd });
    expect([code, out.includes("expired on 2001-12-31")]).toEqual([1, true]);
  });
});

describe("the shipped list covers only its own entries:", () => {
  const content = { type: "content", path: "a", repositoryID: 1, repository: "r", hunks: null };
  const chunks = (...chunkMatches: readonly unknown[]): unknown => ({ ...content, chunkMatches });
  const usual = { content: "a", contentStart: { offset: 0, line: 0, column: 0 }, ranges: [] };

  test.each<{ name: string; matches?: readonly unknown[]; alert?: object; code: number }>([
    { name: "an alert without a level", alert: { title: "no" }, code: 0 },
    { name: "an alert with another level", alert: { title: "no", level: "ERROR" }, code: 1 },
    { name: "an alert with a level null", alert: { title: "no", level: null }, code: 1 },
    { name: "an owner", matches: [{ type: "person" }, { type: "team" }], code: 0 },
    { name: "a type that nobody knows", matches: [{ type: "banana" }], code: 1 },
    {
      name: "one after many owners",
      matches: [...Array.from({ length: 30 }, () => ({ type: "person" })), { type: "banana" }],
      code: 1,
    },
    { name: "a text in `content`", matches: [chunks(usual)], code: 0 },
    { name: "a chunk match without a text", matches: [chunks(usual, { ranges: [] })], code: 1 },
    { name: "a text that is a number", matches: [chunks(usual), chunks({ ...usual, content: 5 })], code: 1 },
    { name: "a `context` that is a number", matches: [chunks({ ...usual, context: 5 })], code: 1 },
  ])("$name", async ({ name, matches = [], alert = { level: "info" }, code }) => {
    const file = `${name.replaceAll(/\W/gu, "-")}.sse`;
    const progress = { done: true, repositoriesCount: 1, matchCount: 1, durationMs: 1, skipped: [] };
    const events = [
      ["matches", matches],
      ["progress", progress],
      ["alert", alert],
      ["done", {}],
    ] as const;
    const stream = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
    writeFileSync(join(cwd, file), stream);
    expect((await callAssay(["check", "--known-failures", "field", file], { cwd })).code).toBe(code);
  });
});

describe("a list that cannot be read", () => {
  test.each([
    { name: "is not there", file: "missing.txt", says: "cannot be read; check the path" },
    { name: "is a folder", file: "sample", says: "are not a file" },
  ])("because it $name is refused before anything is sent", async ({ file, says }) => {
    const { code, out, err } = await runWith("unread", "--known-failures", file);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
  });
});
