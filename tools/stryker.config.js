import { fileURLToPath } from "node:url";
import { findPart } from "./mutated-parts.js";

/**
 * Settings for mutation testing of the package in `ASSAY_MUTATE_PACKAGE`, for `stryker run` at the root of the
 * repository. `ASSAY_MUTATE_FILES` (comma separated, relative to the package) limits which files are mutated.
 */
const name = process.env["ASSAY_MUTATE_PACKAGE"] ?? "stream-grammar";
const part = findPart(name);
const files = (process.env["ASSAY_MUTATE_FILES"] ?? part.files).split(",");

export default {
  testRunner: "vitest",
  vitest: { configFile: "tools/vitest.mutation.js", related: false },
  coverageAnalysis: "perTest",
  mutate: [
    ...files.map((file) => `packages/${part.package}/${file}`),
    `!packages/${part.package}/src/**/*.test.ts`,
    `!packages/${part.package}/src/testing/**`,
    // Contains only exports. The compiler or a test detects a missing one.
    `!packages/${part.package}/src/index.ts`,
    `!packages/${part.package}/src/all-rules.ts`,
    ...part.exceptFiles.map((file) => `!packages/${part.package}/${file}`),
    ...(part.package === "rules" && name !== "counterexamples" ? ["!packages/rules/src/mutations/**"] : []),
  ],
  mutator: { excludedMutations: [...part.excludedMutators] },
  // A static mutant, in code that runs while a module loads, cannot be enabled for one test, so each needs a run of all tests. There
  // are many (ids, constants, patterns, texts and tables), and they would take hours. They are skipped.
  ignoreStatic: true,
  // The copy has the structure of the repository, so tests and settings find files by relative paths.
  ignorePatterns: [
    "**",
    "!tools/**",
    ...[part.package, part.testedBy, ...part.sourceDependencies].map((folder) => `!packages/${folder}/**`),
    "!packages/*/tsconfig*.json",
    "!packages/stream-grammar/fixtures/**",
    "dist",
    "node_modules",
  ],
  tempDirName: ".stryker-tmp",
  cleanTempDir: "always",
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: `.stryker-tmp/${name}.json` },
  // The coverage of thousands of tests by tens of thousands of mutants needs more than the default.
  testRunnerNodeArgs: ["--max-old-space-size=8192"],
  dryRunTimeoutMinutes: 30,
  concurrency: Number(process.env["ASSAY_MUTATE_CONCURRENCY"] ?? 1),
  // Stryker stops an endless loop by counting its iterations. The timeout is a last resort, generous for a busy machine.
  timeoutMS: 60_000,
  timeoutFactor: 4,
  allowConsoleColors: false,
  plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("mutant-sample.js", import.meta.url))],
  checkers: ["sample"],
};
