import { createServer } from "node:http";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actions, removeStepFoldersAfterTests, step } from "./actions-step.js";

removeStepFoldersAfterTests();

const repository = "acme/search";
const head = { sha: "a".repeat(40), repo: { full_name: "someone/search" } };
const marker = "<!-- assay-comment:gate -->";
const bot = { login: "github-actions[bot]" };
const event = (other = {}) => ({
  workflow_run: {
    id: 1,
    html_url: "https://github.com/acme/search/actions/runs/1",
    run_attempt: 2,
    head_sha: head.sha,
    head_repository: head.repo,
    ...other,
  },
});

/** The part of GitHub that the script uses. */
const github = { calls: [], comments: [], pulls: {}, status: 200, url: "" };
const answer = ({ method, url: address }, text) => {
  const { pathname: path, searchParams } = new URL(address, "http://localhost");
  const [, pull] = /^\/repos\/acme\/search\/pulls\/(\d+)$/u.exec(path) ?? [];
  const page = Number(searchParams.get("page") ?? 1);
  if (method === "GET") {
    return pull === undefined ? github.comments.slice((page - 1) * 100, page * 100) : github.pulls[pull];
  }
  return { ...JSON.parse(text), path };
};
async function reply(request, response) {
  const text = (await request.toArray()).join("");
  github.calls.push({
    method: request.method,
    path: request.url,
    token: request.headers.authorization,
    body: text === "" ? undefined : JSON.parse(text).body,
  });
  const found = answer(request, text);
  response.writeHead(found === undefined ? 404 : github.status, { "content-type": "application/json" });
  response.end(JSON.stringify(found ?? {}));
}
const server = createServer((request, response) => void reply(request, response));
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  github.url = `http://127.0.0.1:${server.address().port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  Object.assign(github, {
    calls: [],
    comments: [],
    status: 200,
    pulls: { 7: { head, base: { repo: { full_name: repository } } } },
  });
});

const comment = (body, user = bot, id = 11) => ({ id, body, user });
const writes = () => github.calls.filter(({ method }) => method !== "GET");

/** Runs the script like a job. */
const asProcess = (script, env) =>
  spawn(process.execPath, [script], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });

/** Runs the script in a thread, which starts faster and has its own variables, output and exit code. */
const asThread = (script, env) => new Worker(script, { env, execArgv: [], stdout: true });

/** Runs the script on artifacts: files by path. */
async function run(files, { happened = event(), env = {}, start = asThread } = {}) {
  const { cwd, temp } = step();
  const folder = join(cwd, "artifacts");
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(temp, "event.json"), JSON.stringify(happened));
  symlinkSync("/etc/passwd", join(folder, "link"));
  const child = start(join(actions, "comment/comment.mjs"), {
    GITHUB_API_URL: github.url,
    GITHUB_REPOSITORY: repository,
    GITHUB_TOKEN: "t0ken",
    GITHUB_EVENT_PATH: join(temp, "event.json"),
    COMMENT_FOLDER: folder,
    ...env,
  });
  const log = child.stdout.toArray();
  const [code] = await once(child, "exit");
  return { code, log: (await log).join("") };
}
const artifact = (text, number = "7\n") => ({
  "assay-comment-gate/comment.md": text,
  "assay-comment-gate/pull-request.txt": number,
});

const attempts = (texts) =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => [
      [`assay-comment-gate-${name}/comment.md`, text],
      [`assay-comment-gate-${name}/pull-request.txt`, "7"],
    ]),
  );

describe("the comment", () => {
  test("is created if there is none", async () => {
    const ended = await run(artifact("It holds."), { start: asProcess });
    expect(ended).toEqual({ code: 0, log: "assay: commented on pull request 7\n" });
    expect(writes()).toEqual([
      expect.objectContaining({ method: "POST", path: "/repos/acme/search/issues/7/comments", token: "Bearer t0ken" }),
    ]);
    expect(writes()[0].body).toMatch(new RegExp(`^${marker}\n[^]*It holds\\.$`, "u"));
  });

  test("is replaced if there is one, on any page", async () => {
    github.comments = [
      ...Array.from({ length: 130 }, (_, id) => comment(`other ${id}`, { login: "someone" }, id)),
      comment(`${marker}\nold`, bot, 999),
    ];
    expect((await run(artifact("New."))).log).toBe("assay: updated the comment on pull request 7\n");
    expect(writes()).toEqual([
      expect.objectContaining({ method: "PATCH", path: "/repos/acme/search/issues/comments/999" }),
    ]);
  });

  test.each([
    { name: "of somebody else that has its mark", comments: [comment(`${marker}\nmine`, { login: "someone" })] },
    { name: "that quotes it", comments: [comment(`> ${marker}\nquoted`)] },
    { name: "of another key", comments: [comment("<!-- assay-comment:load -->\nload")] },
  ])("leaves one alone $name", async ({ comments }) => {
    github.comments = comments;
    await run(artifact("New."));
    expect(writes().map(({ method }) => method)).toEqual(["POST"]);
  });

  test("of a branch of the repository has no note", async () => {
    const own = { ...head, repo: { full_name: repository } };
    github.pulls[7] = { head: own, base: own };
    await run(artifact("Hello @someone <b> ![x](y)"), { happened: event({ head_repository: own.repo }) });
    const about = `_About commit \`aaaaaaaaaa\`, from [a run](${event().workflow_run.html_url})._`;
    expect(writes()[0].body).toBe(`${marker}\n${about}\n\nHello @someone <b> ![x](y)`);
  });
});

describe("a comment on several gates", () => {
  test("contains the results, sorted by name", async () => {
    await run({
      "b/comment.md": "second",
      "b/pull-request.txt": "7",
      "a/comment.md": "first",
      "a/pull-request.txt": "7",
    });
    expect(writes()[0].body).toMatch(/first\n\nsecond$/u);
  });

  test("contains the last attempt of each gate, and marks earlier ones", async () => {
    await run(
      attempts({
        "a-1-1-xyz": "a failed",
        "a-1-2-abc": "a holds",
        "b-1-1-abc": "b failed",
        "c-1-2-aaa": "c failed",
        "c-1-2-bbb": "c holds",
      }),
    );
    expect(writes()[0].body).toMatch(
      /\n\na holds\n\n_From attempt 1; the run is at attempt 2\._\n\nb failed\n\nc failed\n\nc holds$/u,
    );
  });
});

describe("an artifact from a fork", () => {
  test("mentions no user, shows no image, hides nothing", async () => {
    await run(artifact(`a@b @someone <!-- assay-comment:load -->![x](https://e.example/p.png)\u0000\u202E<!-- open`));
    const [{ body }] = writes();
    expect(body).toContain("on a fork");
    expect(body.slice(marker.length)).not.toMatch(/@\w|!\[|<!--|\p{Cc}(?<!\n)|\u202E/u);
  });

  test.each([
    { name: "an image of HTML", text: '<img src="https://e.example/p.png">' },
    { name: "a name that is written as a number", text: "&#64;octocat &commat;octocat" },
    { name: "a comment that is made of two", text: "<!-<!-- x -->- hidden -->" },
    { name: "a comment that is made of many", text: `${"<!-".repeat(50_000)}<!-- -->${"- -->".repeat(50_000)}` },
    { name: "a declaration", text: "<?hidden?><!DOCTYPE hidden><![CDATA[hidden]]>" },
  ])("has no $name", async ({ text }) => {
    await run(artifact(text));
    expect(writes()[0].body.slice(marker.length)).not.toMatch(/[<&][^\u200B\s]/u);
  });

  test.each([
    { name: "too long", text: "x".repeat(100_000) },
    { name: "of characters that are two", text: "\u{1F600}".repeat(60_000) },
    { name: "in a block of code", text: `\`\`\`\n${"y\n".repeat(60_000)}\`\`\`\n` },
  ])("$name is cut to what a comment may hold", async ({ text }) => {
    await run(artifact(text));
    const [{ body }] = writes();
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toContain("does not fit");
    expect(body.isWellFormed?.() ?? true).toBe(true);
    expect((body.match(/^```/gmu) ?? []).length % 2).toBe(0);
  });
});

describe("an artifact that is not from a gate", () => {
  test.each([
    { name: "a number that is none", files: artifact("x", "7; rm -rf /"), says: "do not name one pull request" },
    { name: "a number that is a path", files: artifact("x", "7/../../1"), says: "do not name one pull request" },
    {
      name: "two numbers",
      files: { ...artifact("x"), "b/comment.md": "y", "b/pull-request.txt": "8" },
      says: "do not name one pull request",
    },
    { name: "a huge file", files: artifact("x".repeat(1_100_000)), says: "no file of at most" },
    {
      name: "a folder for a file",
      files: { "a/comment.md/x": "x", "a/pull-request.txt": "7" },
      says: "no file of at most",
    },
  ])("with $name is not used", async ({ files, says }) => {
    const { code, log } = await run(files);
    expect([code, github.calls]).toEqual([1, []]);
    expect(log).toMatch(/^::error title=Assay::[^\n]+\n$/u);
    expect(log).toContain(says);
  });

  test("whose fork was deleted writes nothing", async () => {
    github.pulls[7] = { head: { ...head, repo: null }, base: { repo: { full_name: repository } } };
    const gone = await run(artifact("x"), { happened: event({ head_repository: null }) });
    expect(gone).toEqual({ code: 0, log: expect.stringContaining("nothing is written") });
    expect(writes()).toEqual([]);
  });

  test.each([
    { name: "another pull request", pull: { head: { ...head, sha: "b".repeat(40) } } },
    { name: "one of another fork", pull: { head: { ...head, repo: { full_name: "victim/search" } } } },
    { name: "one into another repository", pull: { head, base: { repo: { full_name: "acme/other" } } } },
    { name: "one whose fork is gone", pull: { head: { ...head, repo: null } } },
  ])("that names $name writes nothing", async ({ pull }) => {
    github.pulls[7] = { base: { repo: { full_name: repository } }, ...pull };
    expect((await run(artifact("x"))).code).toBe(0);
    expect(writes()).toEqual([]);
  });
});

describe("an error", () => {
  test("a missing artifact is not a failure", async () => {
    expect(await run({})).toEqual({ code: 0, log: "assay: the run left no comment\n" });
    // The download then creates no folder.
    const env = { COMMENT_FOLDER: join(step().temp, "missing") };
    expect(await run({}, { env })).toEqual({ code: 0, log: "assay: the run left no comment\n" });
  });

  test.each([
    {
      name: "a refusal of GitHub",
      prepare: () => (github.status = 403),
      says: "status 403; the job needs pull-requests: write",
    },
    { name: "a pull request that is not there", prepare: () => (github.pulls = {}), says: "status 404" },
  ])("$name is one sentence", async ({ prepare, says }) => {
    prepare();
    const { code, log } = await run(artifact("x"), { start: asProcess });
    expect([code, log]).toEqual([1, expect.stringMatching(/^::error title=Assay::[^\n]+\n$/u)]);
    expect(log).toContain(says);
    expect(log).not.toContain("t0ken");
  });

  test.each([
    { name: "another event", happened: {}, says: "no event workflow_run" },
    { name: "a key that is none", env: { COMMENT_KEY: "--> x" }, says: "the key of a comment" },
    { name: "no server", env: { GITHUB_API_URL: "http://127.0.0.1:1" }, says: "got no answer" },
  ])("$name is one sentence", async ({ happened, env, says }) => {
    const { code, log } = await run(artifact("x"), { ...(happened === undefined ? {} : { happened }), env });
    expect([code, log]).toEqual([1, expect.stringContaining(says)]);
  });
});
