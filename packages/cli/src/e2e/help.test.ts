import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { createAssayProgram } from "../assay-program.ts";
import { advancedHeading } from "../flag.ts";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";

const cwd = temporaryFolder();
const { program } = await createAssayProgram(testContext());

interface Named {
  readonly path: readonly string[];
  readonly command: Command;
}

const withSubcommands = (command: Command, path: readonly string[]): readonly Named[] => [
  { path, command },
  ...command.commands.flatMap((inner) => withSubcommands(inner, [...path, inner.name()])),
];

const all = withSubcommands(program, []).map(({ path, command }) => ({
  name: ["assay", ...path].join(" "),
  path,
  command,
}));

async function askHelp(path: readonly string[]): Promise<string> {
  const { code, out, err } = await callAssay([...path, "--help"], { cwd });
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const asked = new Map<readonly string[], Promise<string>>();

/** The help of a command, cached. */
function helpOf(path: readonly string[]): Promise<string> {
  const help = asked.get(path) ?? askHelp(path);
  asked.set(path, help);
  return help;
}

/** Words of a line as a shell sees them, without the explanation after it. */
const wordsOf = (line: string): readonly string[] =>
  [...line.replace(/ {3,}.*$/u, "").matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu)].map(([word]) =>
    word.replaceAll(/['"]/gu, ""),
  );

/** The calls of `assay` among the examples of a help text. */
const examplesIn = (help: string): readonly string[] => {
  const [, block = ""] = /^Examples:\n((?: {2}.*\n?)+)/mu.exec(help) ?? [];
  return block
    .split("\n")
    .filter((line) => /\bassay\b/u.test(line))
    .map((line) => line.trim());
};

/** Reads a command line as the command would, and does nothing. */
async function parse(words: readonly string[]): Promise<void> {
  const { program: fresh } = await createAssayProgram(testContext({ cwd }));
  for (const { command } of withSubcommands(fresh, []).slice(1)) {
    command.action(() => undefined);
  }
  await fresh.parseAsync(words, { from: "user" });
}

/** A configuration with every target that an example names. */
async function configFor(): Promise<string> {
  const texts = await Promise.all(all.map(({ path }) => helpOf(path)));
  const names = texts.flatMap((text) => [...text.matchAll(/--target (\w+)/gu)].map(([, name = ""]) => name));
  const targets = Object.fromEntries(names.map((name) => [name, { url: "https://search.example.org" }]));
  writeFileSync(join(cwd, "examples.json"), JSON.stringify({ targets }));
  return "examples.json";
}

const configuration = configFor();

describe.each(all)("the help of $name", ({ name, path, command }) => {
  test("fits a screen of 100 columns", async () => {
    const lines = (await helpOf(path)).trimEnd().split("\n");
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    const most =
      new Map([
        ["assay run", 60],
        ["assay", 53],
        ["assay load", 48],
        ["assay doctor", 45],
      ]).get(name) ?? 40;
    expect(lines.length).toBeLessThan(most);
  });

  test("has examples that can be called as they are", async () => {
    const examples = examplesIn(await helpOf(path));
    expect(examples.length).toBeGreaterThan(0);
    const calls = examples.map((line) => wordsOf(line.slice(line.search(/\bassay\b/u))).slice(1));
    const config = await configuration;
    for (const words of calls) {
      // Without a target none may be there to be chosen.
      const settings = words.includes("--target") ? ["--config", config] : ["--no-config"];
      await expect(parse([...settings, ...words])).resolves.toBeUndefined();
    }
    expect(calls.some((words) => path.every((word, index) => words[index] === word))).toBe(true);
  });

  test("ends with a line about the advanced flags, which only --all shows", async () => {
    const advanced = command.options
      .filter(({ helpGroupHeading }) => helpGroupHeading === advancedHeading)
      .map(({ flags }) => `\n  ${flags}  `);
    const [short, whole] = [await helpOf(path), await helpOf([...path, "--all"])];
    expect(advanced.filter((each) => short.includes(each))).toEqual([]);
    expect(advanced.filter((each) => !whole.includes(each))).toEqual([]);
    const hint = new RegExp(`\`${name} --help --all\` shows ${advanced.length} more flags?\\.\n$`, "u");
    expect(hint.test(short)).toBe(advanced.length > 0);
    expect(whole).not.toContain("--help --all");
  });

  test("has a description of the command and of each flag", () => {
    expect(command.description()).not.toBe("");
    expect(command.options.filter(({ description }) => description === "").map(({ long }) => long)).toEqual([]);
  });
});
