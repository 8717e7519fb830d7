// Bundles the compiled packages, so that `node` opens a few files instead of a thousand to start the command. The entry point is still
// `packages/cli/bin/assay.js`.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const toolsFolder = dirname(fileURLToPath(import.meta.url));
const root = join(toolsFolder, "..");
const compiledPath = (name) => join(root, "packages/cli/dist", `${name}.js`);
const entry = compiledPath("main");
/** The command, and the exports of the package. */
const entries = Object.fromEntries(
  ["main", "index", "server", "stream", "vitest"].map((name) => [name, compiledPath(name)]),
);
/** Code for other threads and processes, which are started by file name and so need their own files. */
const workers = {
  "bundle-process": compiledPath("load/bundle-process"),
  "results-thread": compiledPath("run/results-thread"),
  "server-thread": compiledPath("run/server-thread"),
  "load-judge-thread": compiledPath("load-judge/load-judge-thread"),
};
const folder = join(root, "packages/cli/dist/bundle");
/** Files of bundled libraries; their licences must be shipped. */
const librariesFile = "libraries.json";

/**
 * Libraries that are not bundled: programs, native libraries, the server that few commands start, libraries loaded on demand, and libraries
 * of projects that import Assay.
 */
const externalLibraries =
  /^(?:@vscode\/ripgrep|libsql|jiti|junit-report-builder|rolldown|vitest|write-file-atomic)(?:\/|$)/u;
const isBundled = (name) => !externalLibraries.test(name);

/** A module finds its neighbouring files by its own URL, which must not change. */
const modulePathPlugin = {
  name: "module-paths",
  transform: {
    filter: { code: /import\.meta\.url/u },
    handler: (code, id) => {
      const modulePath = JSON.stringify(relative(folder, id).split(sep).join("/"));
      return { code: code.replaceAll("import.meta.url", `new URL(${modulePath}, import.meta.url).href`), map: null };
    },
  },
};

/** Checks of our schemas are generated here, so that most commands need no schema compiler. */
const generate = async (path, name) => (await import(new URL(`../packages/${path}`, import.meta.url)))[name]();
const generatedModules = {
  "compile-search-stream": () => generate("openapi/dist/generate-validators.js", "generateSearchStreamModule"),
  "record-checkers": () => generate("evidence/dist/bundle/generate-record-checkers.js", "generateRecordCheckers"),
};
const generatedChecksPlugin = {
  name: "generated-checks",
  load: {
    filter: { id: /\/dist\/(?:compile-search-stream|bundle\/record-checkers)\.js$/u },
    handler: (id) => generatedModules[basename(id, ".js")](),
  },
};

const builtin = (name) => `process.getBuiltinModule("node:${name}")`;
/** Schema compilers have a file of their own, because parsing them at each start takes longer than most commands need. */
const compilersFile = "schema-compilers.cjs";
const compilers = {
  Ajv2020: 'require("ajv/dist/2020.js").Ajv2020',
  addFormats: 'require("ajv-formats")',
  fullFormats: 'require("ajv-formats/dist/formats.js").fullFormats',
};
/** @param {keyof typeof compilers} name */
const lazyCompiler = (name) => ({ [name]: `compilers().${name}` });
/**
 * Imports of our code that are evaluated at their first use, by module and name: schema compilers, and modules of Node that are not
 * loaded at its start. Evaluating all of them takes an eighth of the time of checking a small file, which needs none.
 */
const lazyImports = {
  "ajv/dist/2020.js": lazyCompiler("Ajv2020"),
  "ajv-formats": lazyCompiler("addFormats"),
  "ajv-formats/dist/formats.js": lazyCompiler("fullFormats"),
  ...Object.fromEntries(
    Object.entries({
      child_process: ["execFileSync", "spawn", "spawnSync"],
      net: ["Socket"],
      worker_threads: ["MessageChannel", "receiveMessageOnPort", "Worker"],
      zlib: ["brotliDecompressSync", "gunzipSync", "inflateRawSync", "inflateSync"],
    }).map(([module, names]) => [
      `node:${module}`,
      Object.fromEntries(names.map((name) => [name, `${builtin(module)}.${name}`])),
    ]),
  ),
};
const importStatement = /^import (?:\{ (?<named>[\w, ]+) \}|(?<whole>\w+)) from "(?<module>[^"]+)";$/gmu;
/** In the folder of the bundle, so that it finds the file of compilers beside it. */
const lazyModule = join(folder, "lazy-imports.js");
/** Beside code that imports the same libraries, so that they are found from there. */
const compilersModule = join(root, "packages/openapi/dist", compilersFile);
const formatGetters = (codes) => Object.entries(codes).map(([name, code]) => `get ${name}() { return ${code}; }`);
/** Returns the names that an import statement declares if all of them are lazy. */
const findLazyNames = ({ named, whole, module }) => {
  const names = named?.split(", ") ?? [whole];
  return names.every((name) => Object.hasOwn(lazyImports[module] ?? {}, name)) ? names : [];
};
const lazyImportsPlugin = {
  name: "lazy-imports",
  resolveId: { filter: { id: /^lazy-imports$/u }, handler: () => lazyModule },
  load: {
    filter: { id: /\/lazy-imports\.js$/u },
    handler: () => `import { createRequire } from "node:module";
const compilers = () => createRequire(import.meta.url)("./${compilersFile}");
export default { ${Object.values(lazyImports).flatMap(formatGetters).join(", ")} };`,
  },
  transform: {
    filter: {
      code: /^import .* from "(?:ajv|node:(?:child_process|net|worker_threads|zlib)")/mu,
      id: /\/packages\/[^/]+\/dist\//,
    },
    handler: (code, id) => {
      const statements = [...code.matchAll(importStatement)].filter(({ groups }) => findLazyNames(groups).length > 0);
      const names = statements.flatMap(({ groups }) => findLazyNames(groups));
      const rest = statements.reduce((text, [statement]) => text.replace(statement, ""), code);
      const kept = names.find((name) =>
        new RegExp(String.raw`(?:instanceof|extends|typeof) ${name}\b|= ${name}\b(?!\()`, "u").test(rest),
      );
      if (kept !== undefined) {
        throw new Error(`${kept} is lazy in the bundle, so it can only be called, read from or passed on: ${id}`);
      }
      const lazyCode = names.reduce(
        (text, name) =>
          text.replaceAll(new RegExp(String.raw`(?<![\w.])${name}(?=[(.,)])`, "gu"), `lazyImports.${name}`),
        rest,
      );
      return { code: names.length === 0 ? code : `import lazyImports from "lazy-imports";\n${lazyCode}`, map: null };
    },
  },
};

/** What our code uses of undici. Its index loads four times as much: caches, mocks and the interfaces of browsers. */
const undiciExports = {
  buildConnector: "core/connect.js",
  Dispatcher: "dispatcher/dispatcher.js",
  EnvHttpProxyAgent: "dispatcher/env-http-proxy-agent.js",
  errors: "core/errors.js",
  Pool: "dispatcher/pool.js",
};
const undiciPlugin = {
  name: "undici",
  load: {
    filter: { id: /\/node_modules\/undici\/index\.js$/u },
    handler: () => ({
      code: [
        ...Object.entries(undiciExports).map(([name, path]) => `export { default as ${name} } from "./lib/${path}";`),
        // As its index does.
        'import Dispatcher from "./lib/dispatcher/dispatcher.js"; import api from "./lib/api/index.js";',
        "Object.assign(Dispatcher.prototype, api);",
      ].join("\n"),
      moduleType: "js",
    }),
  },
};

/** External imports are resolved from the bundle, so a version other than the importer's could be used silently. */
const externalsPlugin = {
  name: "external-libraries",
  async resolveId(source, importer) {
    if (importer === undefined || /^(?:\.|\/|node:)/u.test(source) || isBundled(source)) {
      return null;
    }
    const [fromImporter, fromBundle] = await Promise.all(
      [importer, entry].map((from) => this.resolve(source, from, { skipSelf: true })),
    );
    if (fromImporter?.id !== fromBundle?.id) {
      throw new Error(
        `${source} resolves differently for ${importer} and for the bundle: ${fromImporter?.id} and ${fromBundle?.id}`,
      );
    }
    return { id: source, external: true };
  },
};

/** Halves the size. Functions keep their names, so that stack traces are readable. */
const minifyOptions = {
  compress: true,
  mangle: { toplevel: true, keepNames: true },
  codegen: { removeWhitespace: true },
};

/** Modules of frequent commands, in the order in which they get files of their own: each file has what none before it has. */
const commandFiles = {
  start: ["main", "installation"],
  check: ["check/check-command"],
};
/** What most commands need is one file. */
const commonGroup = { name: "common", minShareCount: 22 };

/**
 * Lists the modules that are loaded with a module of this package.
 * @param {readonly import("rolldown").OutputChunk[]} chunks
 * @param {string} name
 */
function findLoadedModules(chunks, name) {
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId === compiledPath(name));
  if (first === undefined) {
    throw new Error(`${name} has no file of its own in the bundle; commandFiles names it`);
  }
  const loaded = new Set([first]);
  for (const { imports } of loaded) {
    chunks.filter(({ fileName }) => imports.includes(fileName)).forEach((chunk) => loaded.add(chunk));
  }
  return [...loaded].flatMap(({ moduleIds }) => moduleIds);
}

/** Only a bundle shows which modules a command loads: most of what the sources import is not used. */
function groupByCommand(output) {
  const chunks = output.filter(({ type }) => type === "chunk");
  return Object.entries(commandFiles).map(([name, modules], index) => {
    const ids = new Set(modules.flatMap((module) => findLoadedModules(chunks, module)));
    return { name, priority: 10 - index, test: (id) => ids.has(id) };
  });
}

const isLibrary = (id) => id.includes("/node_modules/");
const listLibraries = (output) =>
  output.flatMap((chunk) => ("moduleIds" in chunk ? chunk.moduleIds.filter((id) => isLibrary(id)) : []));

/** Writes the file of schema compilers. Returns the files of libraries in it. */
async function bundleCompilers() {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: "schema-compilers",
    platform: "node",
    plugins: [
      {
        name: "schema-compilers",
        resolveId: { filter: { id: /^schema-compilers$/u }, handler: () => compilersModule },
        load: {
          filter: { id: /\/schema-compilers\.cjs$/u },
          handler: () => `module.exports = { ${formatGetters(compilers).join(", ")} };`,
        },
      },
    ],
  });
  const { output } = await build.write({
    file: join(folder, compilersFile),
    format: "cjs",
    minify: true,
    charset: "ascii",
  });
  await build.close();
  return listLibraries(output);
}

/** Writes the bundle and removes the previous one. */
export async function bundleCommand() {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: { ...entries, ...workers },
    platform: "node",
    plugins: [lazyImportsPlugin, undiciPlugin, externalsPlugin, generatedChecksPlugin, modulePathPlugin],
    // The file of the start has what `--version` needs, which is evaluated at its first use all the same.
    checks: { ineffectiveDynamicImport: false },
    // With common chunks in chunks of entries, a command would load what others need.
    experimental: { chunkOptimization: false },
    // Otherwise a command would load everything that an index file exports.
    treeshake: {
      moduleSideEffects: [
        { test: /\/(?:packages\/[^/]+|scenarios)\/dist\//u, sideEffects: false },
        { test: /\/node_modules\/typebox\//u, sideEffects: false },
      ],
    },
  });
  const options = {
    dir: folder,
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    minify: minifyOptions,
    // V8 stores a file with any character beyond Latin-1 in twice the memory, and parses it more slowly.
    charset: "ascii",
  };
  const { output: ungrouped } = await build.generate({ ...options, codeSplitting: { groups: [commonGroup] } });
  // Few files, because resolving an import takes longer than loading a little code in vain.
  const groups = [...groupByCommand(ungrouped), commonGroup];
  const { output } = await build.write({ ...options, codeSplitting: { groups } });
  await build.close();
  const libraries = [...listLibraries(output), ...(await bundleCompilers())];
  writeFileSync(join(folder, librariesFile), JSON.stringify(libraries));
  const writtenFiles = new Set([...output.map(({ fileName }) => fileName), compilersFile, librariesFile]);
  for (const name of readdirSync(folder).filter((file) => !writtenFiles.has(file))) {
    rmSync(join(folder, name));
  }
}
