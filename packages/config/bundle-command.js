// Makes one program of the compiled packages: `node` opens a handful of files to start it, not a thousand. The entry stays
// `packages/cli/bin/assay.js`.
import { readdirSync, rmSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const entry = join(root, "packages/cli/dist/main.js");
/** What judges a run beside the main thread: a program of its own, because a thread is started by file name. */
const thread = join(root, "packages/cli/dist/run/results-thread.js");
const folder = join(root, "packages/cli/dist/bundle");

/** Libraries of many small files that every command loads, and what they load; any other one stays where it is installed. */
const taken = /^(?:undici|ajv|ajv-formats|fast-deep-equal|fast-uri|json-schema-traverse)(?:\/|$)/u;
const isTaken = (name) => name.startsWith("@assay/") || taken.test(name);

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

/** Writes the program, and removes what an earlier one left. */
export async function bundleCommand() {
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: { main: entry, "results-thread": thread },
    platform: "node",
    plugins: [outside, addresses],
  });
  const { output } = await build.write({ dir: folder, format: "esm", chunkFileNames: "[name]-[hash].js" });
  await build.close();
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const name of readdirSync(folder).filter((each) => !written.has(each))) {
    rmSync(join(folder, name));
  }
}
