import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { findPart } from "./mutated-parts.js";
import shared from "./vitest.js";

const name = process.env["ASSAY_MUTATE_PACKAGE"] ?? "stream-grammar";
const { below, package: mutated, testedBy, tests } = findPart(name);
const sourceFile = (/** @type {string} */ one) =>
  fileURLToPath(new URL(`../packages/${one}/src/index.ts`, import.meta.url));

/** Small files first: the first failure ends a run, and tests of whole packages are in large, slow files. */
class SmallFirst extends BaseSequencer {
  /** @param {readonly import("vitest/node").TestSpecification[]} files */
  async sort(files) {
    const sized = files.map((file) => ({ file, bytes: statSync(file.moduleId).size }));
    return sized.sort((one, other) => one.bytes - other.bytes).map(({ file }) => file);
  }
}

/**
 * Test settings for mutants: those of the package, quiet, with one seed for all generated input, so that results are repeatable.
 */
export default defineConfig({
  ...shared,
  root: fileURLToPath(new URL(`../packages/${testedBy}`, import.meta.url)),
  // The copy contains the mutated packages. Resolving them by name would find the originals outside it.
  resolve: {
    ...shared.resolve,
    alias:
      below.length === 0
        ? []
        : [mutated, ...below].map((one) => ({ find: `@assay/${one}`, replacement: sourceFile(one) })),
  },
  test: {
    ...shared.test,
    ...(tests === undefined ? {} : { include: [...tests] }),
    // Tests of `npm run prove` kill mutants, too.
    tagsFilter: [],
    // Mutants run in threads, which accept no engine flags.
    execArgv: [],
    // The first ones prove linear work by finishing in time; with instrumented code they would only prove that it is slow. The
    // others measure speed, not verdicts.
    exclude: ["**/linear-work.test.ts", "bench/**"],
    // The rules have many small test files with the same imports. Loading them again for each file takes most of a run.
    isolate: mutated !== "rules",
    sequence: { sequencer: SmallFirst },
    reporters: [{}],
    setupFiles: [fileURLToPath(new URL("fixed-seed.js", import.meta.url))],
  },
});
