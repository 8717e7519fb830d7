import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IncomingHttpHeaders } from "node:http";
import { ruleIds } from "@assay/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { assay } from "../testing/assay-process.ts";
import { callAssay } from "../testing/call-assay.ts";
import { httpTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const tokens = {
  ASSAY_TOKEN: "sgp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  SRC_ACCESS_TOKEN: "sgp_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
  STAGING_TOKEN: "sgp_cccccccccccccccccccccccccccccccccccccccc",
  ASSAY_OTHER_TOKEN: "sgp_dddddddddddddddddddddddddddddddddddddddd",
  FILE_TOKEN: "sgp_eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
} as const;
const elsewhere = "https://elsewhere.example";

let url = "";
let seen: IncomingHttpHeaders[] = [];
beforeAll(async () => {
  // Refuses all requests, so that a run ends at once.
  url = await httpTarget((request, response) => {
    seen.push(request.headers);
    response.writeHead(401).end("no\n");
  });
  writeFileSync(join(cwd, "token"), `${tokens.FILE_TOKEN}\n`);
});
beforeEach(() => {
  seen = [];
});

let number = 0;
async function run(target: object, args: readonly string[], env: Readonly<Record<string, string>>) {
  number += 1;
  const config = { targets: { staging: { url, ...target }, other: { url: elsewhere } } };
  writeFileSync(join(cwd, `config-${number}.json`), JSON.stringify(config));
  const line = [
    "--config",
    `config-${number}.json`,
    "run",
    "--interface",
    "stream",
    "--rule",
    "done-is-last",
    "--quiet",
  ];
  const ended = await callAssay([...line, "--out", `run-${number}`, ...args], { cwd, env });
  const sent = new Set(seen.map(({ authorization }) => authorization));
  return { ...ended, sent: [...sent].filter((each) => each !== undefined) };
}

const named = ["--target", "staging"] as const;
const refused = 3;

describe("the token that is sent", () => {
  test.each<{
    name: string;
    target: object;
    args?: readonly string[];
    env: Readonly<Record<string, string>>;
    sent: readonly string[];
  }>([
    {
      name: "is that of the variable the target names, and no other",
      target: { tokenVariable: "STAGING_TOKEN" },
      env: tokens,
      sent: ["STAGING_TOKEN"],
    },
    { name: "is that of the file the target names", target: { tokenFile: "token" }, env: tokens, sent: ["FILE_TOKEN"] },
    {
      name: "is that of the command the target names",
      target: { tokenCommand: "cat token" },
      env: {},
      sent: ["FILE_TOKEN"],
    },
    {
      name: "is that of a flag before that of the target",
      target: { tokenVariable: "STAGING_TOKEN" },
      args: ["--token-file", "token"],
      env: tokens,
      sent: ["FILE_TOKEN"],
    },
    { name: "is that of ASSAY_TOKEN if the target names none", target: {}, env: tokens, sent: ["ASSAY_TOKEN"] },
    {
      name: "is that of SRC_ACCESS_TOKEN if SRC_ENDPOINT is not set",
      target: {},
      env: { SRC_ACCESS_TOKEN: tokens.SRC_ACCESS_TOKEN },
      sent: ["SRC_ACCESS_TOKEN"],
    },
    {
      name: "is not that of SRC_ACCESS_TOKEN if it is for another endpoint",
      target: {},
      env: { SRC_ACCESS_TOKEN: tokens.SRC_ACCESS_TOKEN, SRC_ENDPOINT: elsewhere },
      sent: [],
    },
    {
      name: "is that of SRC_ACCESS_TOKEN if the target names it, whatever the endpoint",
      target: { tokenVariable: "SRC_ACCESS_TOKEN" },
      env: { SRC_ACCESS_TOKEN: tokens.SRC_ACCESS_TOKEN, SRC_ENDPOINT: elsewhere },
      sent: ["SRC_ACCESS_TOKEN"],
    },
  ])("$name", async ({ target, args = [], env, sent }) => {
    const { code, sent: found, out, err } = await run(target, [...named, ...args], env);
    const values = new Map<string, string>(Object.entries(tokens));
    expect([code, found]).toEqual([refused, sent.map((name) => `token ${values.get(name)}`)]);
    expect(seen.length).toBeGreaterThan(0);
    expect(`${out}${err}`).not.toMatch(/sgp_/u);
  });

  test("is that of a target even if only its address is given", async () => {
    const { sent } = await run({ tokenVariable: "STAGING_TOKEN" }, ["--url", `${url}/`], tokens);
    expect(sent).toEqual([`token ${tokens.STAGING_TOKEN}`]);
  });

  test("is not that of a target if a different address is set", async () => {
    const { sent } = await run({ url: elsewhere, tokenFile: "token" }, ["--url", url], {});
    expect(sent).toEqual([]);
  });

  test("must be set if the target names its variable", async () => {
    const { code, err } = await run({ tokenVariable: "STAGING_TOKEN" }, named, { ASSAY_TOKEN: tokens.ASSAY_TOKEN });
    expect([code, err, seen]).toEqual([
      2,
      "assay: the token of the target staging is read from STAGING_TOKEN (targets.staging.tokenVariable), which is not set; set it, or remove the member\n",
      [],
    ]);
  });

  test("is reported as ignored, by its name only", async () => {
    const env = { SRC_ACCESS_TOKEN: tokens.SRC_ACCESS_TOKEN, SRC_ENDPOINT: elsewhere, SRC_HEADERS: "x-key:12345678" };
    const { err } = await run({}, ["--url", url], env);
    expect(err).toContain(
      `note: SRC_ACCESS_TOKEN, SRC_HEADERS are for elsewhere.example (SRC_ENDPOINT) and not sent to ${new URL(url).host}\n`,
    );
    expect(seen.some((headers) => "x-key" in headers)).toBe(false);
  });
});

describe("headers of a target", () => {
  test("come from the variables it names, before those of SRC_HEADERS", async () => {
    await run({ headers: { "X-Key": "KEY", "x-empty": "EMPTY" } }, named, {
      KEY: "of-target",
      EMPTY: "",
      SRC_HEADERS: String.raw`x-key:general\nx-other:2`,
    });
    expect(seen[0]).toMatchObject({ "x-key": "of-target", "x-other": "2" });
    expect(Object.keys(seen[0] ?? {})).not.toContain("x-empty");
  });

  test("must be set", async () => {
    const { code, err } = await run({ headers: { "x-key": "KEY" } }, named, {});
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("the header x-key of the target staging is read from KEY"),
    ]);
  });
});

describe("a configuration that leaves something running", () => {
  test("does not prevent the command from ending with complete output", async () => {
    const text = "setInterval(() => undefined, 1000);\nexport default { list: { json: true } };";
    writeFileSync(join(cwd, "running.ts"), text);
    const { code, signal, out } = await assay(["list", "--config", "running.ts"], { cwd });
    const rules: readonly unknown[] = JSON.parse(out);
    expect([code, signal, rules.length]).toEqual([0, null, ruleIds.length]);
  });
});

describe("a configuration that", () => {
  const target = JSON.stringify({ targets: { staging: { url: elsewhere } } });

  test("ends the process is a usage error", async () => {
    writeFileSync(join(cwd, "ending.ts"), `process.exit(0);\nexport default ${target};`);
    const { code, err } = await assay(["list", "--config", "ending.ts"], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("ending.ts exits the process while it is being loaded")]);
  });

  test("prints goes to standard error", async () => {
    writeFileSync(join(cwd, "printing.ts"), `console.log("loading");\nexport default ${target};`);
    const { code, out, err } = await assay(["config", "list", "--json", "--config", "printing.ts"], { cwd });
    expect([code, JSON.parse(out), err]).toEqual([0, expect.objectContaining({ command: "list" }), "loading\n"]);
  });
});

describe("a secret in the wrong place", () => {
  test.each([
    { name: "the name of a file", args: ["run", "--url", elsewhere, "--token-file", tokens.STAGING_TOKEN] },
    { name: "a number", args: ["run", "--seed", tokens.STAGING_TOKEN] },
    { name: "a command", args: ["config", "run", "--url", elsewhere, "--token-command", "give sgpcccccccccccccccc"] },
  ])("such as $name is not repeated", async ({ args }) => {
    const { out, err } = await callAssay(args, { cwd });
    expect(`${out}${err}`).toMatch(/\*\*\*|--token-command +a command/u);
    expect(`${out}${err}`).not.toContain("cccccccccccccccc");
  });
});

describe("an address with a password", () => {
  const address = "https://me:hunt/er22@search.example";
  test.each([
    { name: "in a configuration", args: ["config", "run", "--url", address] },
    { name: "in SRC_ENDPOINT", args: ["config", "run"], env: { SRC_ENDPOINT: address } },
    { name: "of a proxy", args: ["config", "run", "--url", elsewhere], env: { HTTPS_PROXY: address } },
    { name: "where it does not belong", args: ["run", "--url", address, "--fault", "no-done"] },
  ])("$name is shown without it", async ({ args, env = {} }) => {
    const { out, err } = await callAssay(args, { cwd, env });
    expect(`${out}${err}`).toContain("https://***@search.example");
    expect(`${out}${err}`).not.toContain("er22");
  });
});

describe("a target", () => {
  test("takes precedence over SRC_ENDPOINT if it is named, and prints one line about it", async () => {
    const { err } = await run({}, named, { SRC_ENDPOINT: elsewhere });
    expect(seen.length).toBeGreaterThan(0);
    expect(err).toContain(
      `note: SRC_ENDPOINT is elsewhere.example, which is ignored because --target staging is ${new URL(url).host}\n`,
    );
  });

  test.each(["run", "load", "cleanup"])(
    "that is mistyped is refused by assay %s with the nearest name",
    async (command) => {
      writeFileSync(join(cwd, "mistyped.json"), JSON.stringify({ targets: { staging: { url } } }));
      const scenario = command === "load" ? ["search-first-match"] : [];
      const args = ["--config", "mistyped.json", command, ...scenario, "--target", "stagin"];
      const { code, err } = await callAssay(args, { cwd });
      expect([code, err]).toEqual([2, 'assay: unknown target "stagin"; did you mean `staging`?\n']);
    },
  );

  test("needs a file", async () => {
    const { code, err } = await callAssay(["run", "--target", "staging"], { cwd });
    expect([code, err]).toEqual([
      2,
      'assay: there is no target "staging", because there is no configuration file here; create one with `assay init`, or pass --url\n',
    ]);
  });

  test("that shares its address with another one must be named", async () => {
    writeFileSync(join(cwd, "twice.json"), JSON.stringify({ targets: { a: { url }, b: { url: `${url}/` } } }));
    const { code, err } = await callAssay(["--config", "twice.json", "run", "--url", url], { cwd });
    expect([code, err]).toEqual([
      2,
      `assay: several targets have the URL ${url}: a, b; choose one of them with --target\n`,
    ]);
  });

  test("is confirmed for load by its own member, and not by its name", async () => {
    const target = { url: "https://search.example", limits: "staging" };
    writeFileSync(
      join(cwd, "load.json"),
      JSON.stringify({ targets: { a: target, b: { ...target, confirmHost: "search.exmple" } } }),
    );
    const load = (name: string) =>
      callAssay(["--config", "load.json", "load", "search-first-match", "--target", name], { cwd });
    expect((await load("a")).err).toContain(
      "must be confirmed with --confirm-host search.example; nothing was confirmed",
    );
    expect((await load("b")).err).toContain("--confirm-host names search.exmple");
  });
});
