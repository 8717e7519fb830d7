import { existsSync, readdirSync, readFileSync } from "node:fs";
import { exitCodes } from "@assay/results";
import { conversationLimitNames, conversationLimits } from "@assay/runner";
import { describe, expect, test } from "vitest";
import { createAssayProgram } from "./assay-program.ts";
import { testContext } from "./testing/test-context.ts";

const root = new URL("../../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const guide = (name: string): string => readFileSync(new URL(`packages/cli/docs/${name}`, root), "utf8");
const packages = readdirSync(new URL("packages/", root));
const manifest = readFileSync(new URL("package.json", root), "utf8");

const { program } = await createAssayProgram(testContext());

/** The README, the guides and other pages for people, by their paths from the root. */
const pages = [
  "README.md",
  ...readdirSync(new URL("packages/cli/docs/", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `packages/cli/docs/${name}`),
  ".github/CONTRIBUTING.md",
  ".github/SECURITY.md",
].map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") }));

/** Every `assay <command> [flags]` of a page, without placeholders of values and without arguments of another program after `--`. */
const callsOf = (text: string) =>
  [...text.matchAll(/npx assay ([\w-]+)((?:\\\n|[^\n#`])*)/gu)].map(([, command = "", rest = ""]) => ({
    command,
    flags: [...(rest.split(" -- ")[0] ?? "").matchAll(/--[a-z][a-z0-9-]+/gu)].map(([flag]) => flag),
  }));
const calls = pages.flatMap(({ path, text }) => callsOf(text).map((call) => ({ path, ...call })));

/** Where links of a page lead that are not addresses: a file, and the anchor in it. */
const links = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:)([^)"#]*)(?:#([^)"]+))?[)"]/gu)].map(
    ([, target = "", anchor]) => ({
      path,
      target,
      anchor,
      file: target === "" ? new URL(path, root) : new URL(target, new URL(path, root)),
    }),
  ),
);
const targets = [...new Map(links.map((link) => [`${link.path} ${link.target}`, link])).values()];

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set([
    ...[...page.matchAll(/^#+ (.+)$/gmu)].map(([, heading = ""]) => anchorOf(heading)),
    ...[...page.matchAll(/<a id="([^"]+)">/gu)].map(([, id = ""]) => id),
  ]);

describe("the README", () => {
  test.each(["npm ci && npx assay run", "npm ci && npm test"])("has the line `%s`", (line) => {
    expect(readme).toContain(`\n${line}\n`);
  });

  test.each(["npm ci && npx assay run", "npm ci && npm test"])("has `%s` on the first screen", (line) => {
    expect(readme.split("\n").indexOf(line)).toBeLessThan(40);
  });

  test("is read in a few minutes", () => {
    expect(readme.split("\n").length).toBeLessThan(144);
    expect(readme.split(/\s+/u).length).toBeLessThan(800);
  });

  test("has a row for every exit code, in the words of the program", () => {
    const rows = [...readme.matchAll(/^\| (\d+) \| (.+) \|$/gmu)].map(([, code, meaning]) => ({
      code: Number(code),
      meaning,
    }));
    expect(rows).toEqual(exitCodes.map(({ code, meaning }) => ({ code, meaning })));
  });
});

describe("the guides", () => {
  test("commands.md shows every command", () => {
    const shown = [...guide("commands.md").matchAll(/^## assay (\w+)$/gmu)].map(([, name]) => name);
    expect(new Set(shown)).toEqual(new Set(program.commands.map((command) => command.name())));
  });

  test("architecture.md maps every package and no other", () => {
    const [, map = ""] = guide("architecture.md").split("\n## The map\n");
    const rows = [...(map.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z-]+)` +\|/gmu)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(packages));
  });

  test("configure.md has the pace of each name of limits", () => {
    const shown = (value: number): string => (Number.isFinite(value) ? String(value) : "no limit");
    const rows = [...guide("configure.md").matchAll(/^\| `(local|staging|production)` +\|([^\n]+)/gmu)].map(
      ([, name, rest = ""]) => [
        name,
        ...rest
          .split("|")
          .slice(0, 3)
          .map((cell) => cell.trim()),
      ],
    );
    const limits = conversationLimitNames.map((name) => {
      const { requestsPerSecond, maxConcurrentSearches: searchesAtOnce, questions } = conversationLimits(name);
      return [name, shown(requestsPerSecond), shown(Math.min(4, searchesAtOnce)), shown(questions)];
    });
    expect(rows).toEqual(limits);
  });
});

describe("pages for people", () => {
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
    expect(targets.length).toBeGreaterThan(30);
  });

  test.each(targets)("$path links to $target, which is there", ({ file }) => {
    expect(existsSync(file)).toBe(true);
  });

  test("links to anchors that exist", () => {
    const anchors = new Map<string, ReadonlySet<string>>();
    const isThere = ({ file, anchor = "" }: (typeof links)[number]): boolean => {
      const known = anchors.get(file.href) ?? anchorsOf(readFileSync(file, "utf8"));
      anchors.set(file.href, known);
      return known.has(anchor);
    };
    const named = links.filter(({ anchor, file }) => anchor !== undefined && file.pathname.endsWith(".md"));
    expect(
      named.filter((link) => !isThere(link)).map(({ path, target, anchor }) => ({ path, target, anchor })),
    ).toEqual([]);
    expect(named.length).toBeGreaterThan(100);
  });

  test("the README names every guide", () => {
    const guides = pages.filter(({ path }) => path.startsWith("packages/")).map(({ path }) => path);
    expect(guides.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
  });
});
