import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { testContext } from "../testing/test-context.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { loadCommand } from "./load-command.ts";

const packages = join(import.meta.dirname, "../../..");

/** Folders with texts for users of `assay load`. */
const folders = ["load/src", "results/src/load", "cli/src/load", "report/src/document"] as const;

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(packages, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("testing"))
    .map((name) => readFileSync(join(packages, folder, name), "utf8"));

/** Texts with a space, which are sentences. Arguments of programs are single words. */
const textsIn = (source: string): readonly string[] =>
  [...source.replaceAll(/\/\*.*?\*\/|^ *\/\/.*$/gmsu, "").matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gu)]
    .map(([text]) => text)
    .filter((text) => text.includes(" "));

/** Flags of every command. */
const commonFlags: ReadonlySet<string> = new Set(["--out", "--help"]);

const texts = folders.flatMap(sourcesIn).flatMap(textsIn);

function flagsOf(command: Command): readonly string[] {
  return [command, ...command.commands].flatMap(({ options }) => options.map(({ long }) => long ?? ""));
}

test("every flag that a text about a load names exists in the command", () => {
  const program = new Command();
  loadCommand(program, testContext({ cwd: temporaryFolder(), env: {} }), () => undefined);
  const known = new Set(program.commands.flatMap(flagsOf));
  const named = texts.flatMap((text) => [...text.matchAll(/(?<![\w-])--[a-z][a-z0-9-]+/gu)].map(([flag]) => flag));
  expect(named).toContain("--max-vus");
  expect([...new Set(named)].filter((flag) => !known.has(flag) && !commonFlags.has(flag))).toEqual([]);
});
