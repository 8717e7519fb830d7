// `npm run pack`: creates the published files in `.packed/`: the package `assay`, which needs no other package of this workspace to be
// installed, and a package with k6 for each system in `--k6 linux-x64,...` (needs Go; `--k6 all` for all six).
// Files have the same paths in the package as in a clone, so that code finds other files in both.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createPackageReadme, convertPageForPackage } from "./package-pages.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const packedFolder = join(root, ".packed");
const stageFolder = join(packedFolder, "assay");
const systems = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"];
const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
const readText = (path) => readFileSync(join(root, path), "utf8");

function writeText(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const formatJson = (value) => `${JSON.stringify(value, null, 2)}\n`;
const cliManifest = readJson("packages/cli/package.json");
const workspace = readJson("package.json");

/** Exits the program with a message. */
function exitWith(sentence) {
  process.stderr.write(`pack: ${sentence}\n`);
  process.exit(1);
}

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** Returns the commit of the files, marked if the checkout has changes. */
function describeCommit() {
  try {
    return `${git("rev-parse", "--short=12", "HEAD")}${git("status", "--porcelain") === "" ? "" : "+"}`;
  } catch {
    return undefined;
  }
}

/** Copies files unchanged to the same path in the package. */
function copyAsIs() {
  const folders = [
    "packages/cli/bin",
    "packages/cli/worker",
    "packages/runner/known-failures",
    "scenarios/deploy/base",
  ];
  const files = [
    "LICENSE",
    "packages/cli/dist/config/define-config.js",
    ...readdirSync(join(root, "packages/cli/docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `packages/cli/docs/${name}`),
    ...readdirSync(join(root, "packages/cli/docs/ci")).map((name) => `packages/cli/docs/ci/${name}`),
    ...readdirSync(join(root, "packages/cli/dist/bundle"))
      .filter((name) => /\.c?js$/u.test(name))
      .map((name) => `packages/cli/dist/bundle/${name}`),
  ];
  for (const path of [...folders, ...files]) {
    cpSync(join(root, path), join(stageFolder, path), { recursive: true });
  }
  // Only programs read these files, and without line breaks they are half as large.
  for (const name of readdirSync(join(root, "packages/results/schemas"))) {
    const path = `packages/results/schemas/${name}`;
    writeText(join(stageFolder, path), JSON.stringify(JSON.parse(readText(path))));
  }
  const examples = "packages/runner/rule-examples.json";
  writeText(join(stageFolder, `${examples}.gz`), gzipSync(readText(examples), { level: 9 }));
  writeText(join(stageFolder, "packages/cli/dist/bundle/built-from.json"), formatJson({ commit: describeCommit() }));
  chmodSync(join(stageFolder, "packages/cli/bin/assay.js"), 0o755);
}

const formGenerator = new URL("../packages/openapi/worker/generate-form.js", import.meta.url);
/** The check of an OpenAPI document is generated here, so that a thread need not compile it for each run. */
const generatedFormPlugin = {
  name: "generated-form",
  load: {
    filter: { id: /\/openapi\/worker\/compile-form\.js$/u },
    handler: async () => (await import(formGenerator)).generateFormModule(),
  },
};

/** Bundles the programs of threads, each in one file with its libraries. Returns the bundled files. */
async function bundleWorkers() {
  const { rolldown } = await import("rolldown");
  const ids = [];
  for (const name of ["document-worker", "yaml-worker"]) {
    const build = await rolldown({
      input: join(root, `packages/openapi/worker/${name}.js`),
      platform: "node",
      plugins: [generatedFormPlugin],
    });
    const file = join(stageFolder, `packages/openapi/worker/${name}.js`);
    const { output } = await build.write({ file, format: "esm", codeSplitting: false, minify: true });
    ids.push(...output.flatMap((chunk) => ("moduleIds" in chunk ? chunk.moduleIds : [])));
    await build.close();
  }
  return ids;
}

/** Bundles scripts for k6, so that the scripts of the package need no bundler. */
async function bundleScenarios() {
  const { bundleScenario, scenarioNames } = await import(new URL("../scenarios/dist/index.js", import.meta.url));
  for (const scenario of scenarioNames) {
    await bundleScenario({ scenario, outFile: join(stageFolder, `scenarios/ready/${scenario}.js`) });
  }
}

const libraryModules = readdirSync(join(root, "scenarios/lib"))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => name.slice(0, -".ts".length));

/** Bundles the modules that custom scenarios import as `assay/scenarios/NAME`. */
async function bundleLibrary() {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: Object.fromEntries(libraryModules.map((name) => [name, join(root, `scenarios/lib/${name}.ts`)])),
    cwd: join(root, "scenarios"),
    platform: "neutral",
    tsconfig: false,
    external: (source) => source === "k6" || source.startsWith("k6/"),
    resolve: { conditionNames: ["source", "import", "default"], mainFields: ["module", "main"] },
    transform: { target: "es2022" },
    treeshake: { moduleSideEffects: (id) => !/\/(?:contract|reading|results)\//u.test(id) },
  });
  await build.write({
    dir: join(stageFolder, "scenarios/lib"),
    format: "esm",
    chunkFileNames: "shared-[name].js",
    comments: false,
  });
  await build.close();
}

/** Returns the declaration file that an import refers to. Undefined for libraries. */
const resolveDeclaration = (from, name) => {
  const [, inside] = /^@assay\/(.+)$/u.exec(name) ?? [];
  if (inside !== undefined) {
    return `${inside === "scenarios" ? "" : "packages/"}${inside}/dist/index.d.ts`;
  }
  return name.startsWith(".")
    ? join(dirname(from), name)
        .replace(/(?:\.d)?\.[jt]s$/u, ".d.ts")
        .replace("scenarios/dist/k6/src/", "scenarios/dist/")
    : undefined;
};

const isPackageIndex = (path) => /^(?:packages\/[^/]+|scenarios)\/dist\/index\.d\.ts$/u.test(path);
const parseSpecifiers = (list) =>
  list.split(",").flatMap((specifier) => /^\s*(?:type\s+)?(?<name>\w+)/u.exec(specifier)?.groups.name ?? []);
const declaresName = (path, name) =>
  new RegExp(String.raw`^export (?:declare )?(?:abstract )?(?:\w+) ${name}\b|^export .*\b${name}\b.*\}`, "mu").test(
    readText(path),
  );

/** Returns the lines of a package's index that export `names`, or all of them for `*`. */
const selectIndexLines = (path, names) =>
  readText(path)
    .split("\n")
    .flatMap((line) => {
      const [, head, list, from] = /^(export (?:type )?)(\*|\{.*\}) from "(.*)";$/u.exec(line) ?? [];
      if (list === undefined || names.has("*")) {
        return [line];
      }
      if (list === "*") {
        return [...names].some((name) => declaresName(resolveDeclaration(path, from), name)) ? [line] : [];
      }
      const keptItems = list
        .slice(1, -1)
        .split(",")
        .filter((item) => parseSpecifiers(item.replace(/^.* as /u, "")).some((name) => names.has(name)));
      return keptItems.length === 0 ? [] : [`${head}{ ${keptItems.join(",").trim()} } from "${from}";`];
    })
    .join("\n");

/**
 * Returns the text of each declaration file that is reachable from the entries, by path. From the index of a workspace package, it
 * follows only the imported names, so that a public type does not pull in every declaration of its package.
 */
function collectDeclarations() {
  const entries = [
    ...["index", "server", "stream", "vitest"].map((name) => `packages/cli/dist/${name}.d.ts`),
    ...libraryModules.map((name) => `scenarios/dist/k6/lib/${name}.d.ts`),
  ];
  const texts = new Map();
  /** Imported names by package. */
  const namesByPath = new Map();
  const pending = [...entries];
  const requestNames = (path, names) => {
    const requestedNames = namesByPath.get(path) ?? new Set();
    const isNew = !texts.has(path) || names.some((name) => !requestedNames.has(name));
    namesByPath.set(path, new Set([...requestedNames, ...names]));
    if (isNew) {
      pending.push(path);
    }
  };
  const importPattern =
    /(?:(?:import|export)\s+(?:type\s+)?(?<list>\*|\{[^}]*\})[^"\n]*?\bfrom\s+|\bimport\(|^import )"(?<name>[^"]+)"(?:\)\.(?<member>\w+))?/gmu;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const text =
      isPackageIndex(path) && !entries.includes(path) ? selectIndexLines(path, namesByPath.get(path)) : readText(path);
    texts.set(path, text);
    for (const { groups } of text.matchAll(importPattern)) {
      const file = resolveDeclaration(path, groups.name);
      if (file !== undefined && isPackageIndex(file)) {
        requestNames(
          file,
          groups.list?.startsWith("{") ? parseSpecifiers(groups.list.slice(1)) : [groups.member ?? "*"],
        );
      } else if (file !== undefined && !texts.has(file)) {
        pending.push(file);
      }
    }
  }
  return texts;
}

/** Writes the declarations. Imports of other packages of the workspace become relative paths. */
function copyTypes() {
  for (const [path, text] of collectDeclarations()) {
    const withPaths = text.replaceAll(/(?<=\bfrom |\bimport\(|^import )"([^"]+)"/gmu, (quoted, name) => {
      const file = resolveDeclaration(path, name);
      const relativePath = relative(dirname(path), file ?? "").replace(/\.d\.ts$/u, ".js");
      return file === undefined
        ? quoted
        : JSON.stringify(relativePath.startsWith(".") ? relativePath : `./${relativePath}`);
    });
    writeText(join(stageFolder, path), withPaths.replaceAll(/^\/\/# sourceMappingURL.*$/gmu, ""));
  }
}

/** Returns the folder of the installed library that a file belongs to. */
function findLibraryFolder(id) {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//u.exec(id) ?? [];
  return folder;
}

/** Writes the licence texts of all libraries whose code is in the package. */
function writeLicences(ids) {
  const folders = new Set(ids.map((id) => findLibraryFolder(id)).filter((folder) => folder !== undefined));
  const parts = [...folders]
    .toSorted((left, right) => (left < right ? -1 : 1))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((fileName) => /^licen[cs]e/iu.test(fileName));
      if (file === undefined && license === undefined) {
        exitWith(`${name} has neither a licence text nor the name of a licence; do not bundle it`);
      }
      const text =
        file === undefined ? `It is under the licence ${license}.` : readFileSync(join(folder, file), "utf8").trim();
      return `## ${name} ${version} (${license})\n\n${text}\n`;
    });
  const head = "# Licences of what is bundled\n\nThe programs of this package hold code of these libraries.\n\n";
  writeText(join(stageFolder, "THIRD-PARTY-LICENSES.md"), head + parts.join("\n"));
}

/** Converts the paths of the manifest, so that they are relative to the root of the package. */
const toPackagePaths = (value) =>
  typeof value === "string"
    ? value.replace(/^\.\/(?=bin|dist)/u, "./packages/cli/")
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toPackagePaths(each)]));

/** Reads the versions of the dependencies from the workspace packages that have them. */
function readDependencyVersions() {
  const names = ["@vscode/ripgrep", "jiti", "junit-report-builder", "libsql", "typebox", "write-file-atomic"];
  const manifests = readdirSync(join(root, "packages")).map((name) => readJson(`packages/${name}/package.json`));
  return Object.fromEntries(
    names.map((name) => [
      name,
      manifests.map(({ dependencies }) => dependencies?.[name]).find((version) => version !== undefined),
    ]),
  );
}

function writeManifest() {
  const { name, version, description, license, bin, type, exports, peerDependencies, peerDependenciesMeta } =
    cliManifest;
  const { rolldown } = readJson("scenarios/package.json").dependencies;
  const { engines, repository, keywords } = workspace;
  writeText(
    join(stageFolder, "package.json"),
    formatJson({
      name,
      version,
      description,
      keywords,
      license,
      repository,
      bin: toPackagePaths(bin),
      type,
      exports: {
        ...toPackagePaths(exports),
        "./schemas/*": "./packages/results/schemas/*",
        "./scenarios/*": { types: "./scenarios/dist/k6/lib/*.d.ts", default: "./scenarios/lib/*.js" },
      },
      dependencies: readDependencyVersions(),
      // Only packages built together with this one, because anyone could register an unpublished name.
      optionalDependencies: Object.fromEntries(k6Systems.map((system) => [`assay-k6-${system}`, version])),
      peerDependencies: { ...peerDependencies, rolldown: `^${rolldown}` },
      peerDependenciesMeta: { ...peerDependenciesMeta, rolldown: { optional: true } },
      engines,
    }),
  );
}

/** Writes the README, the changelog and the guides. */
function writePages() {
  const repository = workspace.repository?.url?.replace(/^git\+/u, "").replace(/\.git$/u, "");
  writeText(
    join(stageFolder, "README.md"),
    createPackageReadme(readText("tools/package-readme.md"), readText("README.md")),
  );
  for (const name of ["CHANGELOG.md"].filter((file) => existsSync(join(root, "packages/cli", file)))) {
    writeText(join(stageFolder, name), readText(`packages/cli/${name}`));
  }
  const guides = readdirSync(join(stageFolder, "packages/cli/docs")).map((name) => `packages/cli/docs/${name}`);
  const isPacked = (file) => existsSync(join(stageFolder, file));
  for (const path of ["README.md", ...guides].filter((file) => file.endsWith(".md"))) {
    const text = readFileSync(join(stageFolder, path), "utf8");
    writeText(join(stageFolder, path), convertPageForPackage(text, { path, isPacked, repository }));
  }
}

/** Prepares a package with the k6 of this project for one system. Returns the digest of the program. */
function stageK6(system) {
  const [os, cpu] = system.split("-");
  const folder = join(packedFolder, `assay-k6-${system}`);
  const executable = os === "win32" ? "k6.exe" : "k6";
  const program = join(folder, "bin", executable);
  mkdirSync(dirname(program), { recursive: true });
  const source = join(root, "scenarios/k6");
  const env = {
    ...process.env,
    GOTOOLCHAIN: "local",
    GOFLAGS: "-mod=readonly -buildvcs=false",
    GOWORK: "off",
    CGO_ENABLED: "0",
    GOOS: os === "win32" ? "windows" : os,
    GOARCH: cpu === "x64" ? "amd64" : cpu,
  };
  const buildResult = spawnSync("go", ["build", "-trimpath", "-ldflags", "-s -w", "-o", program, "."], {
    cwd: source,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (buildResult.status !== 0) {
    exitWith(`k6 could not be built for ${system}; \`npm run k6:build\` shows what is missing`);
  }
  chmodSync(program, 0o755);
  const listArguments = ["list", "-m", "-f", "{{.Dir}} {{.Version}}", "go.k6.io/k6/v2"];
  const moduleDescription = spawnSync("go", listArguments, { cwd: source, env, encoding: "utf8" })
    .stdout.trim()
    .split(" ");
  const [k6Folder = "", k6Version = ""] = moduleDescription;
  const licence = ["LICENSE.md", "LICENSE"].map((name) => join(k6Folder, name)).find((path) => existsSync(path));
  if (licence === undefined) {
    exitWith(`the licence of k6 was not found in ${k6Folder}`);
  }
  cpSync(licence, join(folder, "LICENSE.md"));
  const { version, license } = cliManifest;
  writeText(
    join(folder, "README.md"),
    `# assay-k6-${system}\n\nk6 ${k6Version} with the module \`k6/x/assay\`, for ${os} on ${cpu}. \`assay load\` generates load with it. The package\n\`assay\` installs it, so you do not need to. k6 is under the AGPL-3.0 (\`LICENSE.md\`). Its sources are at https://github.com/grafana/k6,\nand the sources of the module are in \`scenarios/k6\` of the repository of Assay (${license}).\n`,
  );
  writeText(
    join(folder, "package.json"),
    formatJson({
      name: `assay-k6-${system}`,
      version,
      description: `k6 with the module of Assay, for ${os} on ${cpu}.`,
      license: "AGPL-3.0-only",
      repository: workspace.repository,
      os: [os],
      cpu: [cpu],
      files: ["bin"],
    }),
  );
  return createHash("sha256").update(readFileSync(program)).digest("hex");
}

/** Packs a folder like npm publish. Returns the name and size of the file. */
function packFolder(folder) {
  const output = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", packedFolder], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(output);
  return { file: relative(root, join(packedFolder, filename)), size, unpackedSize, entryCount };
}

const readFlag = (name) => {
  const flagIndex = process.argv.indexOf(name);
  return flagIndex < 0 ? undefined : process.argv[flagIndex + 1];
};
const k6Flag = readFlag("--k6");
const k6Systems = k6Flag === "all" ? systems : (k6Flag?.split(",") ?? []);
const unknownSystem = k6Systems.find((system) => !systems.includes(system));
if (unknownSystem !== undefined) {
  exitWith(`there is no package of k6 for ${unknownSystem}; choose from ${systems.join(", ")}, or all`);
}
if (!existsSync(join(root, "packages/cli/dist/bundle/libraries.json"))) {
  exitWith("the program is not built; run `npm run build` first");
}
rmSync(packedFolder, { recursive: true, force: true });
mkdirSync(stageFolder, { recursive: true });
copyAsIs();
const workerIds = await bundleWorkers();
await bundleScenarios();
await bundleLibrary();
copyTypes();
writeLicences([...readJson("packages/cli/dist/bundle/libraries.json"), ...workerIds]);
writeManifest();
writePages();
const formatMegabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const { file, size, unpackedSize, entryCount } = packFolder(stageFolder);
process.stdout.write(
  `${file}  ${formatMegabytes(size)}, unpacked ${formatMegabytes(unpackedSize)}, ${entryCount} files\n`,
);
for (const system of k6Systems) {
  const digest = stageK6(system);
  const packedK6 = packFolder(join(packedFolder, `assay-k6-${system}`));
  process.stdout.write(
    `${packedK6.file}  ${formatMegabytes(packedK6.size)}, unpacked ${formatMegabytes(packedK6.unpackedSize)}, sha256 of k6 ${digest}\n`,
  );
}
