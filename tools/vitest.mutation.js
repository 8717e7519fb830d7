import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { findPart } from "./mutated-parts.js";
import shared from "./vitest.js";

const name = process.env["ASSAY_MUTATE_PACKAGE"] ?? "stream-grammar";
const { sourceDependencies, package: mutatedPackage, testedBy, tests, testFolders } = findPart(name);
const findSourceFile = (/** @type {string} */ packageName) =>
  fileURLToPath(new URL(`../packages/${packageName}/src/index.ts`, import.meta.url));

/** Small files first: the first failure ends a run, and tests of whole packages are in large, slow files. */
class SmallFirst extends BaseSequencer {
  /** @param {readonly import("vitest/node").TestSpecification[]} files */
  async sort(files) {
    const sizedFiles = files.map((file) => ({ file, bytes: statSync(file.moduleId).size }));
    return sizedFiles.sort((left, right) => left.bytes - right.bytes).map(({ file }) => file);
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
      sourceDependencies.length === 0
        ? []
        : [mutatedPackage, ...sourceDependencies].map((dependency) => ({
            find: `@assay/${dependency}`,
            replacement: findSourceFile(dependency),
          })),
  },
  test: {
    ...shared.test,
    ...(tests === undefined ? {} : { include: [...tests] }),
    ...(testFolders === undefined ? {} : { include: testFolders.map((folder) => `${folder}/**/*.test.ts`) }),
    // Tests of `npm run prove` kill mutants, too.
    tagsFilter: name === "state-machine" ? ["not proof"] : [],
    // Mutants run in threads, which accept no engine flags.
    execArgv: [],
    // The first tests prove linear work by finishing in time. With instrumented code they would only prove that it is slow. The
    // others measure speed, not verdicts.
    exclude: ["**/linear-work.test.ts", "bench/**"],
    // The rules have many small test files with the same imports. Loading them again for each file takes most of a run.
    isolate: mutatedPackage !== "rules" && name !== "state-machine",
    sequence: { sequencer: SmallFirst },
    reporters: [{}],
    setupFiles: [fileURLToPath(new URL("fixed-seed.js", import.meta.url))],
  },
});
