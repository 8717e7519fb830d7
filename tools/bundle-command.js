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
    plugins: [externalsPlugin, generatedChecksPlugin, modulePathPlugin],
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
    codeSplitting: { groups: [{ name: "common", minShareCount: 22, test: (id) => !/\/(?:ajv|fast-uri)\//u.test(id) }] },
  });
  await build.close();
  const writtenFiles = new Set([...output.map(({ fileName }) => fileName), librariesFile]);
  const ids = output.flatMap((chunk) => ("moduleIds" in chunk ? chunk.moduleIds : []));
  writeFileSync(join(folder, librariesFile), JSON.stringify(ids.filter((id) => id.includes("/node_modules/"))));
  for (const name of readdirSync(folder).filter((file) => !writtenFiles.has(file))) {
    rmSync(join(folder, name));
  }
}
