import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const run = "20260131T120000Z-1a2b3c";

beforeAll(() => {
  mkdirSync(join(cwd, "reports/runs", run), { recursive: true });
  writeFileSync(join(cwd, "reports/runs", run, "manifest.json"), "{}");
  writeFileSync(join(cwd, "reports/runs", run, "load.json"), "{}");
  for (const name of ["recorded.sse", "known.txt", "openapi.yaml", "token", "scenario.ts"]) {
    writeFileSync(join(cwd, name), "");
  }
});

const seeHelp = (command: string): string => `\nSee \`assay ${command}--help\`.`;
const noFile = (typed: string, near: string): string =>
  `${typed} cannot be read: no such file or folder; did you mean \`${near}\`?`;

describe("a mistyped name is refused with the nearest one in one sentence:", () => {
  const closed = ["run", "--url", "http://127.0.0.1:1"] as const;
  test.each<{
    what: string;
    args: readonly string[];
    env?: Readonly<Record<string, string>>;
    says: string;
    code?: number;
  }>([
    { what: "a command", args: ["chek", "x"], says: `unknown command 'chek' (Did you mean check?)${seeHelp("")}` },
    {
      what: "a flag",
      args: ["run", "--profil", "gate"],
      says: `unknown option '--profil' (Did you mean --profile?)${seeHelp("run ")}`,
    },
    {
      what: "an advanced flag",
      args: ["run", "--rules-as", "0.1.0"],
      says: `unknown option '--rules-as' (Did you mean --rules-as-of?)${seeHelp("run ")}`,
    },
    {
      what: "a token",
      args: ["run", "--token", "x"],
      says: `unknown option '--token'; never pass a token on the command line: set ASSAY_TOKEN, or use --token-file or --token-command${seeHelp("run ")}`,
    },
    {
      what: "an address without its flag",
      args: ["doctor", "https://search.example.com"],
      says: `Expected 0 arguments but got 1. Pass a URL with --url, or a target in the configuration with --target.${seeHelp("doctor ")}`,
    },
    {
      what: "a flag of a subcommand",
      args: ["baseline", "list", "--jsn"],
      says: `unknown option '--jsn' (Did you mean --json?)${seeHelp("baseline list ")}`,
    },
    {
      what: "a flag in the configuration of a command",
      args: ["config", "run", "--profil", "x"],
      says: `unknown option '--profil' (Did you mean --profile?)${seeHelp("run ")}`,
    },
    {
      what: "a command with a configuration",
      args: ["config", "laod"],
      says: "`laod` is not a command with settings; did you mean `load`?",
    },
    {
      what: "a rule",
      args: [...closed, "--rule", "done-is-lst"],
      says: "unknown rule `done-is-lst`; did you mean `stream/done-is-last`?",
    },
    {
      what: "rules that begin alike",
      args: [...closed, "--rule", "zzz*"],
      says: "no rule matches zzz*",
      code: 3,
    },
    {
      what: "a profile",
      args: [...closed, "--profile", "gat"],
      says: "there is no profile `gat`; did you mean `gate`?",
    },
    {
      what: "an interface",
      args: [...closed, "--interface", "strem"],
      says: 'there is no interface "strem"; did you mean `stream`?',
    },
    {
      what: "a choice",
      args: [...closed, "--access", "privat"],
      says: `option '--access <MODE>' argument 'privat' is invalid. Did you mean "private"? Choose one of private, public.${seeHelp("run ")}`,
    },
    {
      what: "a choice by its variable",
      args: closed,
      env: { ASSAY_LIMITS: "stagin" },
      says: `option '--limits <NAME>' value 'stagin' from env 'ASSAY_LIMITS' is invalid. Did you mean "staging"? Choose one of local, staging, production.${seeHelp("run ")}`,
    },
    {
      what: "a fault",
      args: ["serve", "--fault", "no-don"],
      says: 'there is no fault "no-don"; the nearest is "no-done"',
    },
    {
      what: "a latency",
      args: ["serve", "--latency", "laptp"],
      says: `option '--latency <NAME>' argument 'laptp' is invalid. Did you mean "laptop"? Choose one of instant, laptop, staging, overloaded.${seeHelp("serve ")}`,
    },
    { what: "a scenario", args: ["load", "mixd"], says: "there is no scenario `mixd`; did you mean `mixed`?" },
    { what: "a shape", args: ["load", "mixed", "--shape", "stedy"], says: 'Did you mean "steady"?' },
    { what: "a scenario file", args: ["load", "./scenaro.ts"], says: noFile("./scenaro.ts", "scenario.ts") },
    { what: "a recording", args: ["check", "recoded.sse"], says: noFile("recoded.sse", "recorded.sse") },
    {
      what: "a run to judge",
      args: ["judge", `reports/runs/${run.slice(0, -1)}d`],
      says: noFile(`reports/runs/${run.slice(0, -1)}d`, `reports/runs/${run}`),
    },
    {
      what: "a folder of runs",
      args: ["judge", `reports/rus/${run}`],
      says: noFile(`reports/rus/${run}`, `reports/runs/${run}`),
    },
    {
      what: "a run to list",
      args: ["list", "--coverage", "--run", `report/runs/${run}`],
      says: noFile(`report/runs/${run}`, `reports/runs/${run}`),
    },
    {
      what: "a run to clean up after",
      args: ["cleanup", `reports/runs/${run}x`],
      says: noFile(`reports/runs/${run}x`, `reports/runs/${run}`),
    },
    {
      what: "a run to compare",
      args: ["compare", `${run}x`, "y"],
      says: `there is no load run \`${run}x\`; did you mean \`${run}\`?`,
    },
    {
      what: "a list of known failures",
      args: [...closed, "--known-failures", "fild"],
      says: "there is no list of known failures fild; did you mean `field`, which is included?",
    },
    {
      what: "a file of known failures",
      args: [...closed, "--known-failures", "knwn.txt"],
      says: noFile("knwn.txt", "known.txt"),
    },
    {
      what: "an OpenAPI document",
      args: [...closed, "--openapi", "openapi.yml"],
      says: noFile("openapi.yml", "openapi.yaml"),
    },
    { what: "a token file", args: [...closed, "--token-file", "tokn"], says: noFile("tokn", "token") },
    {
      what: "a configuration",
      args: ["run", "--config", "known.tx"],
      says: "configuration file known.tx not found; did you mean `known.txt`?",
    },
  ])("$what", async ({ args, env = {}, says, code = 2 }) => {
    const ended = await callAssay(args, { cwd, env });
    expect([ended.code, ended.out]).toEqual([code, ""]);
    expect(ended.err).toMatch(/^assay: [^\n]+\n(?:See `assay [a-z ]*--help`\.\n)?$/u);
    expect(ended.err).toContain(says);
  });
});
