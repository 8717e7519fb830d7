// Makes one program of the compiled packages: `node` opens a handful of files to start it, not a thousand. The entry stays
// `packages/cli/bin/assay.js`.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const compiled = (name) => join(root, "packages/cli/dist", `${name}.js`);
const entry = compiled("main");
/** The command, and what `import` gives of the package. */
const entries = Object.fromEntries(
  ["main", "index", "server", "stream", "vitest"].map((name) => [name, compiled(name)]),
);
/** What works beside the main thread: programs of their own, because threads and processes are started by file name. */
const beside = {
  "bundle-process": compiled("load/bundle-process"),
  "results-thread": compiled("run/results-thread"),
  "judge-load-thread": compiled("load/judge-load-thread"),
};
const folder = join(root, "packages/cli/dist/bundle");
/** Files of libraries that went in: their licences have to go along. */
const libraries = "libraries.json";

/**
 * Libraries that stay where they are installed: programs and native ones, the server that few commands start, what is loaded
 * only when it is needed, and what belongs to whoever imports us. All others become part of the program.
 */
const outsiders = /^(?:@vscode\/ripgrep|libsql|jiti|junit-report-builder|rolldown|vitest|write-file-atomic)(?:\/|$)/u;
const isTaken = (name) => !outsiders.test(name);

/** A module finds the files beside it by its own address, which has to stay that of the module. */
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

/** What stays outside is looked for from the place of the bundle; another version than its importer sees would be found silently. */
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
      throw new Error(`${source} is another file for ${importer} than for the bundle: ${seen?.id} and ${found?.id}`);
    }
    return { id: source, external: true };
  },
};

/** Half the bytes to install and to read; functions keep their names, so that the trace of a bug can be read. */
const minify = { compress: true, mangle: { toplevel: false, keepNames: true }, codegen: { removeWhitespace: true } };

/** Writes the program, and removes what an earlier one left. */
export async function bundleCommand() {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: { ...entries, ...beside },
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
