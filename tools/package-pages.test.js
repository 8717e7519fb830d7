import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseFirstCommands, createPackageReadme, convertPageForPackage } from "./package-pages.js";
import { root } from "./test-files.js";

const read = (path) => readFileSync(join(root, path), "utf8");
const readme = createPackageReadme(read("tools/package-readme.md"), read("README.md"));

const isInPackage = (target) =>
  ["LICENSE", "THIRD-PARTY-LICENSES.md"].includes(target) ||
  (target.startsWith("packages/cli/docs/") && existsSync(join(root, target)));

describe("the README of the package", () => {
  test("begins with commands that work where it is installed", () => {
    expect(parseFirstCommands(readme)).toEqual([
      { command: "npx assay run", exitCode: 0 },
      { command: "npx assay run --fault comment", exitCode: 1 },
      { command: "npx assay init", exitCode: 0 },
    ]);
    expect(readme).not.toMatch(/npm (?:ci|test|run)/u);
  });

  test("has the example and the exit codes of the README, and is short", () => {
    expect(readme).toContain("toKeepTheStreamContract();\n});\n```\n\n## Exit codes\n");
    expect(readme).toMatch(/\n\| 143 \| .+ \|\n\n## Guides\n/u);
    expect(readme.split("\n").length).toBeLessThan(85);
  });

  test("links to guides and licences alone", () => {
    const targets = [...readme.matchAll(/\]\((?<target>[^)]+)\)/gu)].map(({ groups }) => groups.target);
    expect(targets.filter((target) => !isInPackage(target))).toEqual([]);
    expect(targets.length).toBeGreaterThan(8);
  });

  test("fails without the parts of the README that it includes", () => {
    expect(() => createPackageReadme("<!-- the example of the README -->", "# Nothing")).toThrow("nothing to replace");
  });
});

describe("a guide in the package", () => {
  const text = [
    "<picture>",
    '  <img src="a.png">',
    "</picture>",
    "",
    "[a guide](b.md#part), [a report](../../../reports/c.md#d), [an address](https://example.com), [here](#here)",
    "",
  ].join("\n");
  const page = (repository) =>
    convertPageForPackage(text, {
      path: "packages/cli/docs/a.md",
      isPacked: (file) => file === "packages/cli/docs/b.md",
      repository,
    });

  test("has no pictures, and no links to files that are not in the package", () => {
    expect(page(undefined)).toBe("[a guide](b.md#part), a report, [an address](https://example.com), [here](#here)\n");
  });

  test("links to the repository, once it has an address", () => {
    expect(page("https://code.example.com/it")).toContain(
      "[a report](https://code.example.com/it/blob/main/reports/c.md#d)",
    );
  });
});
