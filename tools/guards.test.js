import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { testedFolders, testedNames, listTestFilesIn } from "./test-files.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(root, "node_modules/.bin", name);
const copy = mkdtempSync(join(tmpdir(), "assay-guards-"));

/** Only the files that the guards check: manifests and settings, and in each package one file without imports. */
beforeAll(() => {
  for (const file of ["package.json", "package-lock.json", "turbo.json"]) {
    cpSync(join(root, file), join(copy, file));
  }
  for (const folder of testedFolders) {
    mkdirSync(join(copy, folder, "src"), { recursive: true });
    writeFileSync(join(copy, folder, "src/index.ts"), "export const nothing = 0;\n");
    for (const file of ["package.json", "turbo.json"]) {
      cpSync(join(root, folder, file), join(copy, folder, file));
    }
  }
  spawnSync("git", ["init", "-q"], { cwd: copy });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const withFile = (path, text, run) => {
  const file = join(copy, path);
  writeFileSync(file, text);
  try {
    return run();
  } finally {
    rmSync(file);
  }
};

const boundaries = () => {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1" };
  const { status, stdout, stderr } = spawnSync(bin("turbo"), ["boundaries"], { cwd: copy, env, encoding: "utf8" });
  return { status, said: stdout + stderr };
};

describe("the layers", () => {
  test("hold as they are", () => {
    expect(boundaries()).toMatchObject({ status: 0 });
  });

  test.each([
    ["reference-server", "stream-grammar"],
    ["reference-server", "rules"],
    ["reference-server", "reading"],
    ["contract", "reading"],
    ["contract", "cli"],
    ["rules", "client"],
    ["results", "evidence"],
    ["report", "runner"],
  ])("%s cannot import %s", (from, to) => {
    const text = `export { nothing } from "@assay/${to}";\n`;
    const { status, said } = withFile(`packages/${from}/src/wrong.ts`, text, boundaries);
    expect(said).toContain(`@assay/${to}`);
    expect(status).toBe(1);
  });

  test("a dependency that a layer may not have is refused even when it is declared", () => {
    const path = join(copy, "packages/reference-server/package.json");
    const before = readFileSync(path, "utf8");
    const manifest = JSON.parse(before);
    writeFileSync(
      path,
      JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, "@assay/rules": "0.1.0" } }),
    );
    const { status, said } = boundaries();
    writeFileSync(path, before);
    expect(said).toContain("@assay/rules");
    expect(status).toBe(1);
  });

  test("every package has its own tag, and every tag a rule", () => {
    const { tags } = JSON.parse(readFileSync(join(root, "turbo.json"), "utf8")).boundaries;
    const tagOf = (folder) => JSON.parse(readFileSync(join(root, folder, "turbo.json"), "utf8")).tags;
    expect(testedFolders.map((folder) => tagOf(folder))).toEqual(testedNames.map((name) => [name]));
    expect(Object.keys(tags).sort()).toEqual(testedNames.toSorted());
  });
});

const judges = ["rules", "stream-grammar", "results"];
const pure =
  'import { isUtf8 } from "node:buffer";\nexport const it = (bytes: Uint8Array): boolean => isUtf8(bytes);\n';
const slug = (what) => what.replaceAll(" ", "-");

const impure = {
  "reads the disk": 'import { readFileSync } from "node:fs";\nexport const it = readFileSync;\n',
  "reads the disk under its old name": 'import { readFileSync } from "fs";\nexport const it = readFileSync;\n',
  "opens a socket": 'import { connect } from "node:net";\nexport const it = connect;\n',
  "calls the network": 'export const it = () => fetch("http://localhost");\n',
  "looks at the clock": "export const it = () => Date.now();\n",
  "looks at the other clock": "export const it = () => performance.now();\n",
  "throws dice": "export const it = () => Math.random();\n",
  "reads the environment": "export const it = () => process.env;\n",
  waits: "export const it = () => setTimeout(() => undefined, 1);\n",
};

describe("the judges", () => {
  /** The files with a lint error, of all that are checked below. */
  let refused;
  let said;
  beforeAll(() => {
    const files = Object.fromEntries(
      judges.flatMap((name) => [
        ...Object.entries(impure).map(([what, text]) => [`packages/${name}/src/${slug(what)}.ts`, text]),
        [`packages/${name}/src/pure.ts`, pure],
      ]),
    );
    files["packages/client/src/impure.ts"] = impure["reads the disk"];
    for (const folder of ["service", "faults"]) {
      files[`packages/reference-server/src/${folder}/knowing.ts`] =
        'export { faults } from "../faults/fault-registry.ts";\n';
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text);
    }
    const settings = join(root, "tools/oxlint.json");
    const flags = ["-c", settings, "--format", "json", ...Object.keys(files)];
    const { status, stdout } = spawnSync(bin("oxlint"), flags, { cwd: copy, encoding: "utf8" });
    const { diagnostics, number_of_files: looked } = JSON.parse(stdout);
    said = { status, looked, given: Object.keys(files).length };
    refused = new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ filename }) => filename));
  });

  test("are all linted", () => {
    expect(said).toMatchObject({ status: 1, looked: said.given });
  });

  test.each(judges.flatMap((name) => Object.keys(impure).map((what) => [name, what])))(
    "%s: lint rejects code that %s",
    (name, what) => {
      expect(refused).toContain(`packages/${name}/src/${slug(what)}.ts`);
    },
  );

  test.each(judges)("%s: lint accepts pure code", (name) => {
    expect(refused).not.toContain(`packages/${name}/src/pure.ts`);
  });

  test("serving code cannot import faults, and faults can import each other", () => {
    const found = ["service", "faults"].map((folder) =>
      refused.has(`packages/reference-server/src/${folder}/knowing.ts`),
    );
    expect(found).toEqual([true, false]);
  });

  test("other packages may do all of this", () => {
    expect(refused).not.toContain("packages/client/src/impure.ts");
  });
});

describe("tests for `npm run prove`", () => {
  const tests = testedFolders.flatMap((folder) =>
    listTestFilesIn(folder).map((path) => ({ path, text: readFileSync(join(root, folder, path), "utf8") })),
  );
  const pathsOf = (isWanted) => tests.filter(isWanted).map(({ path }) => path);

  // In one piece it would be the tag of this file.
  const tag = ["/** @module", "tag proof */\n"].join("-");
  const isConditional = ({ text }) => /(?:skipIf|runIf)\([^)]*isProving/u.test(text) && !text.startsWith(tag);

  test("are whole files by name, which say so for the filter of tags", () => {
    const named = pathsOf(({ path }) => /\.proof\.test\.[jt]s$/u.test(path));
    expect(named.length).toBeGreaterThan(5);
    expect(pathsOf(({ text }) => text.startsWith(tag))).toEqual(named);
  });

  test("have the tag `more` where they run the rows that `npm test` leaves out", () => {
    const tables = pathsOf(({ text }) => /(?:everyNth|selectRows)\(/u.test(text));
    const tagged = new Set(pathsOf(({ text }) => text.includes('tags: "more"')));
    expect(tables.filter((path) => !tagged.has(path))).toEqual([]);
  });

  test("have a tag, since a condition alone does not make `npm run prove` run them", () => {
    expect(pathsOf(isConditional)).toEqual([]);
  });
});

describe("the lock file", () => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const entries = Object.entries(lock.packages);

  test("has no package with an install script", () => {
    expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([]);
  });

  test("names no place to download from", () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined && /^https?:/u.test(resolved))).toEqual([]);
  });

  test("every version in a manifest is exact", () => {
    const manifests = ["package.json", ...testedFolders.map((folder) => `${folder}/package.json`)];
    const versions = manifests.flatMap((file) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, file), "utf8"));
      return Object.entries({ ...dependencies, ...devDependencies });
    });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/u.test(version))).toEqual([]);
  });
});

describe("the documentation", () => {
  test("names no source file or folder that is not there", () => {
    const { stdout } = spawnSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" });
    const named = stdout
      .split("\n")
      .filter((file) => file !== "")
      .flatMap((file) =>
        Array.from(
          readFileSync(join(root, file), "utf8").matchAll(/`((?:[a-z][\w-]*\/)*src\/[\w./-]+)`/gu),
          ([, path]) => ({
            file,
            path,
          }),
        ),
      );
    const isThere = ({ file, path }) =>
      [dirname(file), "packages", "."].some((folder) => existsSync(join(root, folder, path)));
    expect(named.filter((one) => !isThere(one))).toEqual([]);
    expect(named.length).toBeGreaterThan(50);
  });
});

describe("the owner of the repository", () => {
  test("is known to the manifest alone", () => {
    const [, known] =
      /github\.com[/:]([\w.-]+)\//u.exec(
        JSON.parse(readFileSync(join(root, "package.json"), "utf8")).repository?.url ?? "",
      ) ?? [];
    const placeholders = new Set(["OWNER", "acme", known]);
    const files = spawnSync("git", ["ls-files", "*.md", "*.yml", "*.ts", "*.js", "*.mjs", "*.sh", "*.json"], {
      cwd: root,
      encoding: "utf8",
    });
    const named = files.stdout
      .split("\n")
      .filter((path) => path !== "" && path !== "package.json" && existsSync(join(root, path)))
      .flatMap((path) =>
        [...readFileSync(join(root, path), "utf8").matchAll(/(?:github\.com[/:]|uses: )([\w.-]+)\/assay\b/gu)].map(
          ([, owner]) => ({ path, owner }),
        ),
      );
    expect(named.filter(({ owner }) => !placeholders.has(owner))).toEqual([]);
    expect(named.length).toBeGreaterThan(3);
  });
});

describe("the top level", () => {
  test("shows nothing but what belongs there", () => {
    const shown = spawnSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
      .stdout.split("\n")
      .map((path) => path.split("/")[0]);
    const expected = [
      "LICENSE",
      "README.md",
      "package-lock.json",
      "package.json",
      "packages",
      "reports",
      "scenarios",
      "site",
      "strangers",
      "tools",
      "turbo.json",
    ];
    expect(
      [...new Set(shown)].filter((name) => name !== "" && !name.startsWith(".") && !expected.includes(name)),
    ).toEqual([]);
  });
});
