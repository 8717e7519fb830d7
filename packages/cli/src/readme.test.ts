import { readdirSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { exitCodes } from "@assay/results";
import { describe, expect, test } from "vitest";
import { assayProgram } from "./assay-program.ts";

const root = new URL("../../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const packages = readdirSync(new URL("packages/", root));
const manifest = readFileSync(new URL("package.json", root), "utf8");

const { program } = assayProgram({
  env: {},
  cwd: "",
  terminal: { colour: false, width: 100, isTty: false, isCi: true },
  out: () => undefined,
  err: () => undefined,
  signal: new AbortController().signal,
  stdin: Readable.from([]),
});

/** Every `assay <command> [flags]` of the README, apart from what stands in for a value. */
const calls = [...readme.matchAll(/assay -- (\w+)([^\n#`]*)/gu)].map(([, command = "", rest = ""]) => ({
  command,
  flags: [...rest.matchAll(/--[a-z-]+/gu)].map(([flag]) => flag),
}));

describe("the README", () => {
  test.each(["npm ci && npm run assay -- run", "npm ci && npm test"])("has the line `%s`", (line) => {
    expect(readme).toContain(`\n${line}\n`);
  });

  test.each(calls)("calls `$command $flags` as it can be called", ({ command, flags }) => {
    const known = program.commands.find((candidate) => candidate.name() === command)?.options.map(({ long }) => long);
    expect(known).toEqual(expect.arrayContaining(flags));
  });

  test("shows several commands", () => {
    expect(new Set(calls.map(({ command }) => command))).toEqual(
      new Set(["run", "check", "judge", "serve", "list", "cleanup", "load", "compare", "baseline"]),
    );
  });

  test("maps every package and no other", () => {
    const rows = [...readme.matchAll(/^\| `([a-z-]+)` \|/gmu)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(packages));
  });

  test("has a row for every exit code", () => {
    const rows = [...readme.matchAll(/^\| ([\d, ]+) \|/gmu)].flatMap(([, codes = ""]) => codes.split(",").map(Number));
    expect(rows).toEqual(exitCodes.map(({ code }) => code));
  });

  test("names scripts that exist", () => {
    const named = [...readme.matchAll(/npm run (?:-s )?([a-z0-9:-]+)/gu)].map(([, name]) => name);
    expect(named.filter((name) => !manifest.includes(`"${name}":`))).toEqual([]);
  });
});
