import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const guide = readFileSync(join(root, "packages/cli/docs/write-a-rule.md"), "utf8");

/** A piece of a file that the guide shows, and where it belongs. */
interface Piece {
  readonly file: string;
  /** The table whose last row it becomes; without one it stands at the end of the file. */
  readonly table: string | undefined;
  readonly code: string;
}

const placed =
  /^(?:In|At the end of) `([^`]+)`(?:, as the last (?:record|row) of `(\w+)`)?:\n\n```ts\n([\s\S]*?)^```$/gmu;

const pieces: readonly Piece[] = [...guide.matchAll(placed)].map(([, file = "", table, code = ""]) => ({
  file,
  table,
  code,
}));

/** A shell command of the guide, and its result. */
interface GuideCommand {
  readonly command: string;
  readonly comesTo: string;
}

const commandOf = (line: string): GuideCommand => {
  const [command = "", comesTo = ""] = line.split(/ +# /u);
  return { command, comesTo };
};

const commandsIn = (text: string): readonly GuideCommand[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].flatMap(([, block = ""]) => block.trim().split("\n").map(commandOf));

const [, checkSection = ""] = guide.split("\n## 6. Check\n");
const checks = commandsIn(checkSection.split("\n## ")[0] ?? "");

/** The text of a file with a piece in its place. A table ends with the first bracket that begins a line. */
function withPiece(text: string, { file, table, code }: Piece): string {
  if (table === undefined) {
    return `${text}\n${code}`;
  }
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => new RegExp(`^(?:export )?const ${table}\\b`, "u").test(line));
  const end = lines.findIndex((line, index) => index > begin && /^[\]}]/u.test(line));
  if (begin < 0) {
    throw new Error(`${file} has no table ${table}.`);
  }
  return [...lines.slice(0, end), code.trimEnd(), ...lines.slice(end)].join("\n");
}

describe("the guide that leads through a new rule", () => {
  test("has a record, a check, a test and counterexamples, each with its place", () => {
    expect(pieces.map(({ file }) => file.replace(/^packages\/([^/]+)\/.*$/u, "$1"))).toEqual([
      "contract",
      "rules",
      "rules",
      "rules",
    ]);
    expect(new Set(pieces.map(({ file }) => file)).size).toBe(4);
    expect(guide.match(/^```ts$/gmu)).toHaveLength(pieces.length);
  });

  test("takes at most 150 lines for a rule, its test and its mutations", () => {
    expect(pieces.flatMap(({ code }) => code.trimEnd().split("\n")).length).toBeLessThanOrEqual(150);
  });

  test.each(pieces)("names a file that exists, and a table in it: $file", (piece) => {
    expect(withPiece(readFileSync(join(root, piece.file), "utf8"), piece)).toContain(piece.code);
  });

  test("is about a rule that does not exist yet", () => {
    const ids = pieces.flatMap(({ code }) =>
      [...code.matchAll(/"([a-z]+\/[a-z-]+)"|id: "([a-z-]+)"/gu)].map(([, rule, fault]) => rule ?? fault ?? ""),
    );
    expect(ids.length).toBeGreaterThan(3);
    const texts = pieces.map(({ file }) => readFileSync(join(root, file), "utf8"));
    expect(ids.filter((id) => texts.some((text) => text.includes(`"${id}"`)))).toEqual([]);
  });

  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const commands = commandsIn(guide);
  const filesUnder = (folder: string): readonly string[] =>
    readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" }).map((name) => `src/${name}`);

  test.each(commands.filter(({ command }) => command.startsWith("npm ")))(
    "names a script that exists: $command",
    ({ command }) => {
      const [, script = ""] = /^npm (?:run (?:-s )?)?([\w-]+)/u.exec(command) ?? [];
      expect(Object.keys(scripts)).toContain(script);
    },
  );

  test.each(commands.filter(({ command }) => command.startsWith("npx vitest ")))(
    "names tests that exist: $command",
    ({ command }) => {
      const [, folder = "", patterns = ""] = /^npx vitest run --root (\S+)((?: [\w/-]+)*)$/u.exec(command) ?? [];
      const files = filesUnder(folder).filter((name) => name.endsWith(".test.ts"));
      const names = patterns.split(" ").filter((name) => name !== "" && name !== "-u");
      expect(names.filter((name) => !files.some((file) => file.includes(name)))).toEqual([]);
      expect(files.length).toBeGreaterThan(0);
    },
  );

  test("uses no other commands", () => {
    expect(commands.filter(({ command }) => !/^np(?:m|x (?:vitest|assay)) /u.test(command))).toEqual([]);
    expect(checks.length).toBeGreaterThan(5);
  });
});

const copy = temporaryFolder();

/** Variables of this test run, or of the user's own target, are not part of the guide. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|ASSAY|SRC_|NODE_ENV|NODE_OPTIONS)/u.test(name)),
);

const run = (command: string, cwd: string) =>
  spawnSync(command, { cwd, env, shell: true, encoding: "utf8", maxBuffer: 2 ** 27 });

/** Files that belong to the repository, as they are now. */
const ownFiles = (): readonly string[] =>
  run("git ls-files --cached --others --exclude-standard", root)
    .stdout.split("\n")
    .filter((name) => name !== "" && existsSync(join(root, name)));

/** The repository with what was compiled of it, and with links to what is installed; its own packages are those of the copy. */
function copyRepository(files: readonly string[]): void {
  for (const name of files) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    copyFileSync(join(root, name), join(copy, name));
  }
  const folders = ["scenarios", "tools", ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`)];
  for (const compiled of folders.map((name) => `${name}/dist`).filter((name) => existsSync(join(root, name)))) {
    cpSync(join(root, compiled), join(copy, compiled), { recursive: true, preserveTimestamps: true });
  }
  mkdirSync(join(copy, "node_modules/@assay"), { recursive: true });
  const own = new Set(["@assay", "assay", ".bin"]);
  for (const name of readdirSync(join(root, "node_modules")).filter((entry) => !own.has(entry))) {
    symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  }
  symlinkSync(join(copy, "packages/cli"), join(copy, "node_modules/assay"));
  mkdirSync(join(copy, "node_modules/.bin"));
  for (const name of readdirSync(join(root, "node_modules/.bin"))) {
    const program = name === "assay" ? join(copy, "packages/cli/bin/assay.js") : join(root, "node_modules/.bin", name);
    symlinkSync(program, join(copy, "node_modules/.bin", name));
  }
  for (const name of readdirSync(join(root, "node_modules/@assay"))) {
    const place = ["scenarios", "tools"].includes(name) ? name : `packages/${name}`;
    symlinkSync(join(copy, place), join(copy, "node_modules/@assay", name));
  }
}

const changed = (files: readonly string[]): readonly string[] =>
  files.filter((name) => !readFileSync(join(root, name)).equals(readFileSync(join(copy, name))));

/** What a command ended with, and the words that its output has to have. */
const cameTo = ({ command, comesTo }: GuideCommand): readonly string[] => {
  const { status, stdout, stderr } = run(command, copy);
  const printed = stdout + stderr;
  const words = comesTo.includes("exit code")
    ? comesTo.split(", ").filter((part) => !part.startsWith("exit code"))
    : [];
  const missing = words.filter((word) => !printed.toLowerCase().includes(word));
  const wanted = Number(/exit code (\d)/u.exec(comesTo)?.[1] ?? 0);
  return status === wanted && missing.length === 0
    ? []
    : [`${command} came to ${String(status)}, without ${missing.join(", ")}`, printed.slice(-4_000)];
};

// Compiles, runs tests and searches, which takes minutes: `npm run prove -- write-a-rule`.
test("following the guide adds a rule with four edited files", { tags: "proof", timeout: 1_800_000 }, () => {
  const files = ownFiles();
  copyRepository(files);
  for (const piece of pieces) {
    const path = join(copy, piece.file);
    writeFileSync(path, withPiece(readFileSync(path, "utf8"), piece));
  }
  const byHand = changed(files);
  expect(byHand.length).toBeLessThanOrEqual(4);
  expect([...byHand].sort()).toEqual(pieces.map(({ file }) => file).sort());
  run("git init -q && git add -A && git -c user.name=guide -c user.email=guide@example.com commit -q -m guide", copy);
  for (const check of checks) {
    expect(cameTo(check)).toEqual([]);
  }
  expect(changed(files)).toEqual(byHand);
});
