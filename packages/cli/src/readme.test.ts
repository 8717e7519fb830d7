import { existsSync, readdirSync, readFileSync } from "node:fs";
import { exitCodes } from "@assay/results";
import { describe, expect, test } from "vitest";
import { assayProgram } from "./assay-program.ts";
import { testContext } from "./testing/test-context.ts";

const root = new URL("../../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const packages = readdirSync(new URL("packages/", root));
const manifest = readFileSync(new URL("package.json", root), "utf8");

const { program } = assayProgram(testContext());

/** The README, the guides, and what else is written for people, by their paths from the root. */
const pages = [
  "README.md",
  ...readdirSync(new URL("packages/cli/docs/", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `packages/cli/docs/${name}`),
  ".github/CONTRIBUTING.md",
  ".github/SECURITY.md",
].map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") }));

/** Every `assay <command> [flags]` of a page, apart from what stands in for a value; what stands behind `--` is not ours. */
const callsOf = (text: string) =>
  [...text.matchAll(/npx assay ([\w-]+)((?:\\\n|[^\n#`])*)/gu)].map(([, command = "", rest = ""]) => ({
    command,
    flags: [...(rest.split(" -- ")[0] ?? "").matchAll(/--[a-z][a-z0-9-]+/gu)].map(([flag]) => flag),
  }));
const calls = pages.flatMap(({ path, text }) => callsOf(text).map((call) => ({ path, ...call })));
const shownCommands = new Set(callsOf(readme).map(({ command }) => command));

/** Where links of a page lead that are not addresses, as files. */
const linked = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:|#)([^)"#]+)/gu)].map(([, target = ""]) => ({
    path,
    target,
    file: new URL(target, new URL(path, root)),
  })),
);

describe("the README", () => {
  test.each(["npm ci && npx assay run", "npm ci && npm test"])("has the line `%s`", (line) => {
    expect(readme).toContain(`\n${line}\n`);
  });

  test("shows every command", () => {
    expect(shownCommands).toEqual(new Set(program.commands.map((command) => command.name())));
  });

  test("maps every package and no other", () => {
    const rows = [...readme.matchAll(/^\| `([a-z-]+)` \|/gmu)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(packages));
  });

  test("has a row for every exit code", () => {
    const rows = [...readme.matchAll(/^\| ([\d, ]+) \|/gmu)].flatMap(([, codes = ""]) => codes.split(",").map(Number));
    expect(rows).toEqual(exitCodes.map(({ code }) => code));
  });
});

describe("what is written for people", () => {
  test.each(calls)("$path calls `$command $flags` as it can be called", ({ command, flags }) => {
    const known = program.commands.find((candidate) => candidate.name() === command)?.options.map(({ long }) => long);
    expect([...(known ?? []), "--help"]).toEqual(expect.arrayContaining(flags));
    expect(known).toBeDefined();
  });

  test.each(pages)("$path names scripts that exist", ({ text }) => {
    const named = [...text.matchAll(/npm run (?:-s )?([a-z0-9:-]+)/gu)].map(([, name]) => name);
    expect(named.filter((name) => !manifest.includes(`"${name}":`))).toEqual([]);
  });

  test("has links", () => {
    expect(linked.length).toBeGreaterThan(30);
  });

  test.each(linked)("$path links to $target, which is there", ({ file }) => {
    expect(existsSync(file)).toBe(true);
  });

  test("the README names every guide", () => {
    const guides = pages.filter(({ path }) => path.startsWith("packages/")).map(({ path }) => path);
    expect(guides.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
  });
});
