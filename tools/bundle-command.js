// Bundles the compiled packages, so that `node` opens a few files instead of a thousand to start the command. The entry point is still
// `packages/cli/bin/assay.js`.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const compiled = (name) => join(root, "packages/cli/dist", `${name}.js`);
const entry = compiled("main");
/** The command, and the exports of the package. */
const entries = Object.fromEntries(
  ["main", "index", "server", "stream", "vitest"].map((name) => [name, compiled(name)]),
);
/** Code for other threads and processes, which are started by file name and so need their own files. */
const workers = {
  "bundle-process": compiled("load/bundle-process"),
  "results-thread": compiled("run/results-thread"),
  "load-judge-thread": compiled("load-judge/load-judge-thread"),
};
const folder = join(root, "packages/cli/dist/bundle");
/** Files of bundled libraries; their licences must be shipped. */
const libraries = "libraries.json";

/**
 * Libraries that are not bundled: programs, native libraries, the server that few commands start, libraries loaded on demand, and libraries
 * of projects that import Assay.
 */
const outsiders = /^(?:@vscode\/ripgrep|libsql|jiti|junit-report-builder|rolldown|vitest|write-file-atomic)(?:\/|$)/u;
const isTaken = (name) => !outsiders.test(name);

/** A module finds its neighbouring files by its own URL, which must not change. */
const addresses = {
  name: "addresses",
  transform: {
    filter: { code: /import\.meta\.url/u },
    handler: (code, id) => {
      const address = JSON.stringify(relative(folder, id).split(sep).join("/"));
      return { code: code.replaceAll("import.meta.url", `new URL(${address}, import.meta.url).href`), map: null };
    },
  },
};

/** External imports are resolved from the bundle, so a version other than the importer's could be used silently. */
const outside = {
  name: "outside",
  async resolveId(source, importer) {
    if (importer === undefined || /^(?:\.|\/|node:)/u.test(source) || isTaken(source)) {
      return null;
    }
    const [seen, found] = await Promise.all(
      [importer, entry].map((from) => this.resolve(source, from, { skipSelf: true })),
    );
    if (seen?.id !== found?.id) {
      throw new Error(
        `${source} resolves differently for ${importer} and for the bundle: ${seen?.id} and ${found?.id}`,
      );
    }
    return { id: source, external: true };
  },
};

/** Halves the size. Functions keep their names, so that stack traces are readable. */
const minify = { compress: true, mangle: { toplevel: false, keepNames: true }, codegen: { removeWhitespace: true } };

/** Writes the bundle and removes the previous one. */
export async function bundleCommand() {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: { ...entries, ...workers },
    platform: "node",
    plugins: [outside, addresses],
  });
  const { output } = await build.write({ dir: folder, format: "esm", chunkFileNames: "[name]-[hash].js", minify });
  await build.close();
  const written = new Set([...output.map(({ fileName }) => fileName), libraries]);
  const ids = output.flatMap((chunk) => ("moduleIds" in chunk ? chunk.moduleIds : []));
  writeFileSync(join(folder, libraries), JSON.stringify(ids.filter((id) => id.includes("/node_modules/"))));
  for (const name of readdirSync(folder).filter((each) => !written.has(each))) {
    rmSync(join(folder, name));
  }
}
