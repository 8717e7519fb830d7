// Bundles the compiled packages, so that `node` opens a few files instead of a thousand to start the command. The entry point is still
// `packages/cli/bin/assay.js`.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
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
const generatorPath = "../packages/openapi/dist/generate-validators.js";
const generatedChecksPlugin = {
  name: "generated-checks",
  load: {
    filter: { id: /\/openapi\/dist\/compile-search-stream\.js$/u },
    handler: async () => (await import(new URL(generatorPath, import.meta.url))).generateSearchStreamModule(),
  },
};

const builtin = (name) => `process.getBuiltinModule("node:${name}")`;
/**
 * Imports of our code that are evaluated at their first use, by module and name: schema compilers, and modules of Node that are not
 * loaded at its start. Evaluating all of them takes an eighth of the time of checking a small file, which needs none.
 */
const lazyImports = {
  "ajv/dist/2020.js": { Ajv2020: 'require("ajv/dist/2020.js").Ajv2020' },
  "ajv-formats": { addFormats: 'require("ajv-formats")' },
  "ajv-formats/dist/formats.js": { fullFormats: 'require("ajv-formats/dist/formats.js").fullFormats' },
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
const lazyModule = join(root, "packages/openapi/dist/lazy-imports.cjs");
/** Returns the names that an import statement declares if all of them are lazy. */
const findLazyNames = ({ named, whole, module }) => {
  const names = named?.split(", ") ?? [whole];
  return names.every((name) => Object.hasOwn(lazyImports[module] ?? {}, name)) ? names : [];
};
const lazyImportsPlugin = {
  name: "lazy-imports",
  resolveId: { filter: { id: /^lazy-imports$/u }, handler: () => lazyModule },
  load: {
    filter: { id: /\/lazy-imports\.cjs$/u },
    handler: () => {
      const getters = Object.values(lazyImports).flatMap((names) =>
        Object.entries(names).map(([name, code]) => `get ${name}() { return ${code}; }`),
      );
      return `module.exports = { ${getters.join(", ")} };`;
    },
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

/** Writes the bundle and removes the previous one. */
export async function bundleCommand() {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: { ...entries, ...workers },
    platform: "node",
    plugins: [lazyImportsPlugin, externalsPlugin, generatedChecksPlugin, modulePathPlugin],
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
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    minify: minifyOptions,
    // V8 stores a file with any character beyond Latin-1 in twice the memory, and parses it more slowly.
    charset: "ascii",
    // What most commands need is one file, because resolving an import takes longer than loading a little code in vain.
    codeSplitting: {
      groups: [
        {
          name: "common",
          minShareCount: 22,
          test: (id) =>
            !/\/(?:ajv|ajv-formats|fast-uri|fast-deep-equal|json-schema-traverse|lazy-imports)[./]/u.test(id),
        },
      ],
    },
  });
  await build.close();
  const writtenFiles = new Set([...output.map(({ fileName }) => fileName), librariesFile]);
  const ids = output.flatMap((chunk) => ("moduleIds" in chunk ? chunk.moduleIds : []));
  writeFileSync(join(folder, librariesFile), JSON.stringify(ids.filter((id) => id.includes("/node_modules/"))));
  for (const name of readdirSync(folder).filter((file) => !writtenFiles.has(file))) {
    rmSync(join(folder, name));
  }
}
