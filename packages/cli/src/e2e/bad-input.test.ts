import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunResult } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { assay, startAssay } from "../testing/assay-process.ts";
import type { Ended } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { httpTarget, rawTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const token = "sgp_0123456789abcdef0123456789abcdef01234567";

/** Requirements of every message. */
function expectPlainWords({ out, err }: Pick<Ended, "out" | "err">): void {
  expect(`${out}${err}`).not.toMatch(/\n\s+at [^\n]*:\d+:\d+|Error:|undefined|\[object|PASSED|✓/u);
  expect(out).not.toContain(token);
  expect(err).not.toContain(token);
}

test("a removed working folder is reported with one sentence", () => {
  const command = 'mkdir removed && cd removed && rmdir ../removed && exec "$0" "$@"';
  const bin = fileURLToPath(new URL("../../bin/assay.js", import.meta.url));
  const { status, stderr } = spawnSync("bash", ["-c", command, process.execPath, bin, "list"], { cwd });
  expect([status, stderr.toString()]).toEqual([
    2,
    "assay: the working folder no longer exists; change to an existing folder\n",
  ]);
});

test("a low limit of open files is reported with one sentence, and not with exit code 1", () => {
  const bin = fileURLToPath(new URL("../../bin/assay.js", import.meta.url));
  const few = 'ulimit -n 22; exec "$0" "$@"';
  const { status, stderr } = spawnSync("bash", ["-c", few, process.execPath, bin, "list"], { cwd });
  expect([status, stderr.toString()]).toEqual([
    2,
    "assay: fewer than 32 more files may be open; allow more, such as with `ulimit -n 1024`\n",
  ]);
});

describe("a contradictory call", () => {
  const closed = "http://127.0.0.1:1";
  beforeAll(() => {
    mkdirSync(join(cwd, "full"));
    writeFileSync(join(cwd, "full/file"), "");
    writeFileSync(join(cwd, "a-file"), "");
    writeFileSync(join(cwd, "empty-token"), "\n");
    writeFileSync(join(cwd, "two-lines"), `${token}\n${token}\n`);
    mkdirSync(join(cwd, "no-repository"));
  });

  interface Call {
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly code?: number;
    /** What the sentence names. */
    readonly says: string;
  }
  const run = (...args: readonly string[]): readonly string[] => ["run", "--repo", repository, ...args];
  const remote = (...args: readonly string[]): readonly string[] => ["run", "--url", closed, ...args];

  const calls: readonly Call[] = [
    { args: ["rnu"], says: "unknown command 'rnu'" },
    { args: ["run", "--utl", closed], says: "unknown option '--utl'" },
    { args: ["run", "extra"], says: "too many arguments" },
    { args: ["check"], says: "missing required argument 'FILE'" },
    { args: ["judge"], says: "there is no run that can be judged in reports/runs yet" },
    { args: ["run", "--url"], says: "argument missing" },
    { args: ["run", "--url", closed, "--embedded"], says: "cannot be used with" },
    { args: ["list", "--faults", "--coverage"], says: "cannot be used with" },
    { args: run("--profile", "gat"), says: "did you mean `gate`?" },
    { args: run("--rule", "done-is-lst"), says: "did you mean `stream/done-is-last`?" },
    { args: ["check", "--rule", "done-is-lst", "a-file"], says: "did you mean `stream/done-is-last`?" },
    { args: run("--rule", "zzz*"), code: 3, says: "no rule matches zzz*" },
    { args: run("--rule", ","), code: 3, says: "no rule was named" },
    { args: run("--rule", "done-is-last,zzz*"), code: 3, says: "no rule matches zzz*" },
    { args: ["check", "--rule", "zzz*", "a-file"], code: 3, says: "no rule matches zzz*" },
    { args: run("--fault", "no-don"), says: 'the nearest is "no-done"' },
    { args: ["serve", "--fault", "no-don"], says: 'the nearest is "no-done"' },
    { args: ["serve", "--port", "65536"], says: "It must be a whole number from 0 to 65535." },
    { args: ["serve", "--latency", "slow"], says: "Choose one of instant, laptop, staging, overloaded." },
    { args: ["serve", "--host", "192.0.2.1", "--repo", repository], says: "cannot listen on 192.0.2.1" },
    { args: ["serve", "--repo", "no-repository"], says: "does not accept it as a work tree" },
    { args: ["run", "--repo", "missing"], says: "there is no folder" },
    { args: run("--seed", "-1"), says: "It must be a whole number from 0 to 4294967295." },
    { args: run("--seed", "1e3"), says: "It must be a whole number" },
    { args: run("--timeout", "0"), says: "It must be a whole number from 1 to 86400." },
    { args: run("--access", "open"), says: "Choose one of private, public." },
    { args: remote("--fault", "no-done"), says: "--fault is for the embedded server" },
    { args: remote("--repo", repository), says: "--repo is for the embedded server" },
    { args: remote("--openapi", "/dev/zero"), says: "is a pipe or a device; save it to a file" },
    { args: run("--out", "full"), says: "is not empty" },
    { args: run("--out", "a-file"), says: "--out must name a new or empty folder" },
    { args: run("--out", "a-file/below"), says: "--out must name a new or empty folder" },
    { args: remote("--token-file", "missing"), says: "missing cannot be read; check its path" },
    { args: remote("--token-file", "empty-token"), says: "is empty; check its source" },
    { args: remote("--token-file", "two-lines"), says: "spaces, line breaks or other characters" },
    { args: remote("--token-file", "-"), says: "the token from standard input is empty" },
    {
      args: remote("--token-file", "x", "--token-command", "y"),
      says: "--token-file cannot be used with --token-command",
    },
    { args: remote("--token-command", "exit 7"), says: "exited with code 7" },
    { args: remote(), env: { ASSAY_TOKEN: `${token}\n${token}` }, says: "the token from ASSAY_TOKEN contains" },
    { args: remote(), env: { ASSAY_TOKEN: "short" }, says: "fewer than 8" },
    { args: ["run"], env: { ASSAY_URL: "search.example.com" }, says: '"search.example.com" is not an http or https' },
    { args: ["run"], env: { ASSAY_URL: `https://u:${token}@host` }, says: "contains a user name or password" },
    { args: ["run"], env: { SRC_ENDPOINT: "ftp://host" }, says: '"ftp://host" is not an http or https address' },
    { args: ["run"], env: { SRC_ENDPOINT: "" }, says: "SRC_ENDPOINT is set but empty" },
    { args: remote(), env: { SRC_HEADERS: "no colon" }, says: "SRC_HEADERS has a line without a colon" },
    { args: run(), env: { ASSAY_TIMEOUT: "soon" }, says: "ASSAY_TIMEOUT" },
    { args: ["explain", "a-file", "zzzzzz"], says: "unknown rule `zzzzzz`; `assay list` shows all rules" },
    { args: ["report", "a-file", "--format", "pdf"], says: 'unknown format "pdf"; choose one of html, junit' },
    { args: run("--out", ""), says: "--out is empty; pass a value, or remove the flag" },
    {
      args: ["run", "--url", ""],
      says: "--url is empty; check that the variable it is taken from is set",
    },
    { args: ["run"], env: { ASSAY_URL: "" }, says: "ASSAY_URL is set but empty; check that" },
    { args: run("--openapi="), says: "--openapi is empty" },
    { args: run("--query", ""), says: "--query is empty" },
    { args: run("--fault", ""), says: "--fault is empty" },
    { args: ["serve", "--host", ""], says: "--host is empty" },
    { args: run(), env: { ASSAY_OUT: "" }, says: "ASSAY_OUT is set but empty; set a value, or unset it" },
    { args: run("--token-file", "a-file"), says: "--token-file requires an instance, and none is set" },
    { args: run("--client-cert", "a-file"), says: "--client-cert requires an instance, and none is set" },
    { args: run(), env: { ASSAY_WAIT_FOR: "5" }, says: "--wait-for requires an instance, and none is set" },
  ];

  const shown = ({ args, env = {} }: Call): string =>
    [...Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`), ...args].join(" ");

  /** One line with the error, and one that points to the help if the call cannot be parsed. */
  const oneSentence = /^assay: [^\n]+\n(?:See `assay [a-z ]*--help`\.\n)?$/u;

  test.each(calls.map((call) => ({ ...call, shown: shown(call) })))(
    "`$shown` is refused with one sentence",
    async ({ args, env = {}, code = 2, says }) => {
      const before = readdirSync(cwd);
      const ended = await callAssay(args, { cwd, env });
      expect([ended.code, ended.out]).toEqual([code, ""]);
      expect(ended.err).toContain(says);
      expect(ended.err).toMatch(oneSentence);
      expectPlainWords(ended);
      expect(readdirSync(cwd)).toEqual(before);
    },
  );

  const sample = calls.filter((_, index) => index % 18 === 0).map((call) => ({ ...call, shown: shown(call) }));
  test.concurrent.each(sample)(
    "`$shown` is refused alike in a process of its own",
    async ({ args, env = {}, code = 2, says }) => {
      const ended = await assay(args, { cwd, env });
      expect([ended.code, ended.out, ended.err]).toEqual([code, "", expect.stringMatching(oneSentence)]);
      expect(ended.err).toContain(says);
    },
  );
});

describe("a target that does not answer as one", () => {
  const visited: string[] = [];
  const targets = new Map<string, string>();

  beforeAll(async () => {
    const elsewhere = await httpTarget((request, response) => {
      visited.push(request.url ?? "");
      response.end("event: done\ndata: {}\n\n");
    });
    targets.set("elsewhere", elsewhere);
    targets.set(
      "page",
      await httpTarget((_request, response) => {
        response.setHeader("content-type", "text/html");
        response.end("<!doctype html><title>Sign in</title>");
      }),
    );
    targets.set(
      "redirect",
      await httpTarget((_request, response) => void response.writeHead(302, { location: elsewhere }).end()),
    );
    targets.set(
      "not-found",
      await httpTarget((_request, response) => void response.writeHead(404).end("404 page not found\n")),
    );
    targets.set("broken", await httpTarget((_request, response) => void response.writeHead(500).end()));
    targets.set("busy", await httpTarget((_request, response) => void response.writeHead(429).end()));
    targets.set("private", await httpTarget((_request, response) => void response.writeHead(401).end("no\n")));
    targets.set("silent", await httpTarget(() => undefined));
    targets.set("json", await httpTarget((_request, response) => void response.end('{"error":"\u001B[2J"}')));
    const hostile = 'event: \u001B[2J\u202E\ndata: {"\u001B]0;x\u0007::error::"\n\n';
    targets.set("hostile", await httpTarget((_request, response) => void response.end(hostile)));
    targets.set("garbage", await rawTarget("SSH-2.0-OpenSSH_9.6\r\n"));
    targets.set("hang-up", await rawTarget(""));
    targets.set("closed", "http://127.0.0.1:1");
    targets.set("no-such-name", "http://no-such-host.invalid");
  });

  test.each([
    { target: "closed", code: "unreachable", says: "the connection was refused" },
    { target: "no-such-name", code: "unreachable", says: "its name could not be resolved" },
    { target: "garbage", code: "unreachable", says: "the response is not HTTP/1.1" },
    { target: "hang-up", code: "unreachable", says: "before a complete response head" },
    { target: "silent", code: "transport", says: "no response within" },
    { target: "page", code: "not-the-api", says: "it answered text/html with status 200" },
    { target: "json", code: "not-the-api", says: "nothing in it looks like an event" },
    { target: "redirect", code: "not-the-api", says: "redirects are not followed" },
    { target: "not-found", code: "not-the-api", says: "status 404" },
    { target: "broken", code: "transport", says: "status 500" },
    { target: "busy", code: "transport", says: "status 429" },
    { target: "private", code: "authentication-refused", says: "wants a token and none was given" },
    {
      target: "private",
      env: { ASSAY_TOKEN: token },
      code: "authentication-refused",
      says: "refused the token (status 401)",
    },
  ] as const)("`$target` leaves the run incomplete: $code, $says", async ({ target, code, says, ...rest }) => {
    const env: Readonly<Record<string, string>> = "env" in rest ? rest.env : {};
    const out = `${target}${Object.keys(env).length}`;
    // The one that is waited for in vain is not waited for long.
    const timeout = target === "silent" ? "2" : "600";
    const where = ["--url", targets.get(target) ?? "", "--access", "private"];
    const args = ["run", ...where, "--profile", "smoke", "--out", out, "--timeout", timeout];
    const ended = await callAssay(args, { cwd, env });
    const result: RunResult = JSON.parse(readFileSync(join(cwd, out, "verdicts.json"), "utf8"));
    expect([ended.code, result.outcome, result.incomplete[0]?.code]).toEqual([3, "incomplete", code]);
    expect(result.counts).toMatchObject({ passed: 0, failed: 0, warned: 0 });
    expect(result.summary).toContain(says);
    expect(ended.out.replaceAll(/\s+/gu, " ")).toContain(says);
    expectPlainWords(ended);
    expect(existsSync(join(cwd, out, "footer.json"))).toBe(true);
  });

  test("does not exceed the time for the whole run", async () => {
    // The document is fetched first, so there is time for it even on a busy machine.
    const where = [
      "--url",
      targets.get("silent") ?? "",
      "--access",
      "private",
      "--rule",
      "current/openapi-schema-is-served",
    ];
    const args = ["run", ...where, "--out", "silent-document", "--timeout", "2", "--quiet"];
    await callAssay(args, { cwd, env: { ASSAY_TOKEN: token } });
    const exchanges = readFileSync(join(cwd, "silent-document/exchanges.ndjson"), "utf8");
    expect(exchanges).toContain('"operation":"describe"');
    // Which ends what gets no answer at all, after half a minute.
    expect(exchanges).not.toContain("first-byte-timeout");
  });

  test("is never left for the place it redirects to", async () => {
    const args = ["run", "--url", targets.get("redirect") ?? "", "--out", "redirected", "--quiet"];
    await callAssay(args, { cwd, env: { ASSAY_TOKEN: token } });
    expect(visited).toEqual([]);
    // Had it been followed, this is where it would have been seen.
    await fetch(`${targets.get("elsewhere")}/here`);
    expect(visited).toEqual(["/here"]);
  });

  test("but sends events of its own kind violates the contract", async () => {
    const args = ["run", "--url", targets.get("hostile") ?? "", "--out", "hostile"];
    const ended = await callAssay(args, { cwd });
    expect(ended.code).toBe(1);
    expectPlainWords({ ...ended, out: ended.out.replaceAll("✓", "") });
    expect(ended.out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202E]/u);
  });
});

describe("a bug", () => {
  const bugText =
    "assay: this is a bug in assay: TypeError: x is not a function; set ASSAY_DEBUG=1 for a stack trace, and please report it\n";
  const optionsWith = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

  test("of the harness ends with 70, one sentence and no trace, never with the code of a violation", async () => {
    const env = optionsWith("process.on('SIGUSR2', () => { throw new TypeError('x is not a function') })");
    let onSearch: () => void = () => undefined;
    const searched = new Promise<void>((resolve) => {
      onSearch = resolve;
    });
    const target = await httpTarget(() => onSearch());
    const running = startAssay(["run", "--url", target, "--out", "bug", "--quiet"], { cwd, env });
    await searched;
    running.kill("SIGUSR2");
    const { code, err } = await running.ended;
    expect([code, err]).toEqual([70, bugText]);
  });

  test("ends the process although something still runs", async () => {
    const env = optionsWith(`import crypto from "node:crypto"; import { syncBuiltinESMExports } from "node:module";
      crypto.randomInt = () => { throw new TypeError("x is not a function"); }; syncBuiltinESMExports();
      setInterval(() => {}, 1e9);`);
    const { code, err } = await startAssay(["run", "--out", "left-running", "--quiet"], { cwd, env }).ended;
    expect([code, err]).toEqual([70, bugText]);
  });
});
