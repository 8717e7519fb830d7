import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { partOf } from "./mutated-parts.js";
import shared from "./vitest.js";

const name = process.env["ASSAY_MUTATE_PACKAGE"] ?? "stream-grammar";
const { below, package: mutated, testedBy, tests } = partOf(name);
const sourceOf = (/** @type {string} */ one) => fileURLToPath(new URL(`../${one}/src/index.ts`, import.meta.url));

/** Small files first: the first failure ends a run, and the tests of a whole package are in large files and take long. */
class SmallFirst extends BaseSequencer {
  /** @param {readonly import("vitest/node").TestSpecification[]} files */
  async sort(files) {
    const sized = files.map((file) => ({ file, bytes: statSync(file.moduleId).size }));
    return sized.sort((one, other) => one.bytes - other.bytes).map(({ file }) => file);
  }
}

/**
 * Settings of a test run against one mutant: those of the package, quiet, and with one seed for all generated input, so
 * that what kills a mutant today kills it tomorrow.
 */
export default defineConfig({
  ...shared,
  root: fileURLToPath(new URL(`../${testedBy}`, import.meta.url)),
  // The packages that stand in the copy are those with the mutants; by their names others would be found, outside of it.
  resolve: {
    ...shared.resolve,
    alias:
      below.length === 0
        ? []
        : [mutated, ...below].map((one) => ({ find: `@assay/${one}`, replacement: sourceOf(one) })),
  },
  test: {
    ...shared.test,
    ...(tests === undefined ? {} : { include: [...tests] }),
    // Tests of `npm run prove` kill mutants, too.
    tagsFilter: [],
    // Mutants are tried in threads, which take no flags of the engine.
    execArgv: [],
    // The first prove that work is linear by finishing in time: with every step counted they would only prove that it takes
    // long. The others are about measuring speed, not about what is judged.
    exclude: ["**/linear-work.test.ts", "bench/**"],
    // The rules have many small test files with the same imports: to load those anew for each file takes most of a run.
    isolate: mutated !== "rules",
    sequence: { sequencer: SmallFirst },
    reporters: [{}],
    setupFiles: [fileURLToPath(new URL("fixed-seed.js", import.meta.url))],
  },
});
