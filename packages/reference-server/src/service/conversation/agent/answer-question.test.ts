import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRepositories } from "../../repositories/open-repository.ts";
import type { Repository } from "../../repositories/repository.ts";
import { createProcessPool } from "../../ripgrep/process-pool.ts";
import { createGitFixture, type GitFixture, runGit } from "../../../testing/git-fixture.ts";
import { createHeldClock } from "../../../testing/held-clock.ts";
import type { QuestionOutcome } from "../conversation-record.ts";
import { answerQuestion } from "./answer-question.ts";
import { extractTerms } from "./question-terms.ts";

const server = [
  'import { createServer } from "node:http";',
  "",
  "export function startListening(port) {",
  "  // a needle `in` code",
  "  return createServer().listen(port);",
  "}",
].join("\n");

let fixture: GitFixture;
let other: GitFixture;
let fresh: GitFixture;
let repositories: readonly Repository[];

beforeAll(async () => {
  fixture = createGitFixture({
    remote: "https://example.org/team/first.git",
    files: {
      "src/server.js": server,
      "src/odd (name) [x] #1?.txt": "one\ntwo needle\r\nthree\n",
      "docs/`tick`.md": "needle with ``two`` ticks and \u001b[31m colour\n",
      "src/many.txt": "needle line\n".repeat(900),
      "src/more.txt": "needle line of another file, much longer than it needs to be so that the answer grows\n".repeat(
        900,
      ),
      "binary.bin": Buffer.concat([Buffer.from("needle"), Buffer.alloc(10)]),
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `wide/f${index}.txt`,
          `heap of needle ${"x".repeat(90)}\n`.repeat(20),
        ]),
      ),
    },
  });
  other = createGitFixture({
    remote: "https://example.org/team/second.git",
    files: { "lib/use.js": "startListening(8080); // needle\n" },
  });
  fresh = createGitFixture({ files: { "new.txt": "uncommitted needle\n" }, committed: false });
  repositories = await openRepositories([fixture.directory, other.directory]);
});

afterAll(() => [fixture, other, fresh].forEach((each) => each.remove()));

const pool = createProcessPool(4);

const ask = (question: string, searched = repositories): Promise<QuestionOutcome> => {
  const clock = createHeldClock();
  clock.release();
  const { signal } = new AbortController();
  return answerQuestion({ question, repositories: searched, clock, thinkingMs: 120, pool, signal });
};

const answerOf = (outcome: QuestionOutcome): string => ("answer" in outcome ? (outcome.answer ?? "") : "");

const linksOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/\]\((?<link>\/[^()\s]*)\)/gu)].map(({ groups }) => groups?.["link"] ?? "");

const texts = new Map<string, string>();

const committedText = (directory: string, object: string): string => {
  const key = `${directory}\n${object}`;
  const text = texts.get(key) ?? runGit(directory, "show", object);
  texts.set(key, text);
  return text;
};

/** The line behind a link, in the commit. */
const lineAt = (link: string, searched: readonly Repository[]): string => {
  const {
    blob = "",
    commit = "",
    line = "",
    repository = "",
  } = /^\/(?<repository>[^@]+)(?:@(?<commit>[0-9a-f]{40}))?\/-\/blob\/(?<blob>.+)\?L(?<line>\d+)$/u.exec(link)
    ?.groups ?? {};
  const { directory } = searched.find(({ name }) => name === decodeURIComponent(repository)) ?? { directory: "" };
  const path = decodeURIComponent(blob);
  const text =
    commit === "" ? readFileSync(join(directory, path), "utf8") : committedText(directory, `${commit}:${path}`);
  return text.split("\n")[Number(line) - 1] ?? "";
};

const misses = (question: string, markdown: string, searched = repositories): readonly string[] => {
  const terms = extractTerms(question).map(({ text }) => text.toLowerCase());
  return linksOf(markdown).filter((link) => {
    const line = lineAt(link, searched).toLowerCase();
    return !terms.some((term) => line.includes(term));
  });
};

describe("an answer", () => {
  test.each([
    { question: "Where is startListening used?" },
    { question: "Which code has a needle?" },
    { question: 'Where does "two needle" stand?' },
    { question: "How do createServer and needle go together?" },
    { question: "tick" },
  ])("to $question has links, and each leads to a line with a term", async ({ question }) => {
    const markdown = answerOf(await ask(question));
    expect(linksOf(markdown).length).toBeGreaterThan(0);
    expect(misses(question, markdown)).toEqual([]);
  });

  test("separates definitions from uses and lists its sources", async () => {
    const outcome = await ask("Where is startListening used? [assay run=7]");
    expect(outcome).toMatchObject({
      kind: "completed",
      title: "Where is startListening used",
      sources: [
        { type: "Repository", link: "/example.org/team/first", label: "example.org/team/first" },
        { type: "Repository", link: "/example.org/team/second", label: "example.org/team/second" },
      ],
      followups: [expect.stringContaining("startListening"), expect.any(String), expect.any(String)],
    });
    expect(answerOf(outcome)).toMatch(
      /defined\n\n- \[src\/server\.js line 3\].*\n\n## Where it is used\n\n- \[lib\/use\.js line 1\]/u,
    );
    expect(answerOf(outcome)).not.toContain("assay");
  });

  test("counts the work in its stats", async () => {
    const { stats } = await ask("needle").then((outcome) => ("stats" in outcome ? outcome : { stats: undefined }));
    // One search for the term, and six files read; each reading of the clock advances it by a second.
    expect(stats).toMatchObject({ toolCalls: 7, timeMs: 1000, promptTokens: 2 });
    expect(stats?.inputTokens).toBeGreaterThan(1000);
    expect(stats?.credits).toBe(Math.ceil(((stats?.inputTokens ?? 0) + (stats?.completionTokens ?? 0) + 2) / 3000));
  });

  test("is the same every time", async () => {
    const question = "How do createServer and needle go together?";
    expect(await ask(question)).toEqual(await ask(question));
  });

  test.each([
    {
      question: "absent_from_everywhere",
      says: /^Nothing in the searched repositories contains `absent_from_everywhere`\.$/u,
    },
    { question: "Why?", says: /contains no search term/u },
  ])("to $question reports that nothing was found", async ({ question, says }) => {
    const outcome = await ask(question);
    expect(outcome).toMatchObject({ kind: "completed", sources: [] });
    expect(answerOf(outcome)).toMatch(says);
  });

  test("that is too long is cut and ends in an error that contains it", async () => {
    const question = "List every needle";
    const outcome = await ask(question);
    expect(outcome).toMatchObject({
      kind: "failed",
      code: "ERROR_INTERNAL",
      message: expect.stringContaining("exceeds"),
    });
    expect(answerOf(outcome)).toHaveLength(40_000);
    const whole = answerOf(outcome).slice(0, answerOf(outcome).lastIndexOf("\n"));
    expect(misses(question, whole)).toEqual([]);
  });
});

test("links stay correct when the work tree has changed since the commit", async () => {
  const changed = createGitFixture({ files: { "a.txt": "zero\nneedle\n", "b.txt": "gone needle\n" } });
  const searched = await openRepositories([changed.directory]);
  writeFileSync(join(changed.directory, "a.txt"), "new line\nneedle\nneedle\n");
  writeFileSync(join(changed.directory, "b.txt"), "nothing\n");
  const markdown = answerOf(await ask("needle", searched));
  expect(linksOf(markdown)).toHaveLength(1);
  expect(misses("needle", markdown, searched)).toEqual([]);
  changed.remove();
});

test("links of a repository without commits lead to the work tree", async () => {
  const searched = await openRepositories([fresh.directory]);
  const markdown = answerOf(await ask("needle", searched));
  expect(linksOf(markdown)).toEqual([expect.stringMatching(/^\/local\/[^@]+\/-\/blob\/new\.txt\?L1$/u)]);
  expect(misses("needle", markdown, searched)).toEqual([]);
});

test("an aborted answer is not finished", async () => {
  const stop = new AbortController();
  const clock = createHeldClock();
  const asked = answerQuestion({ question: "needle", repositories, clock, thinkingMs: 120, pool, signal: stop.signal });
  stop.abort();
  await expect(asked).rejects.toThrow(/abort/u);
});
