import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { isProving, isProvingAll } from "./proving.js";

/**
 * True if there is a current build, as `npm test` declares. Dependencies are then loaded compiled, which takes a tenth of the time.
 * Otherwise they are loaded from their sources, so that a test never uses a stale build.
 */
const isBuilt = process.env["ASSAY_BUILT"] === "1";
const progressReporter = fileURLToPath(new URL("progress-reporter.js", import.meta.url));
const conditions = isBuilt ? [] : ["source"];

/** The tests of `npm test`, `npm run prove` and `npm run prove -- --all`. No test runs twice in one build. */
const tagFilters = isProvingAll ? [] : [isProving ? "proof or more" : "not proof"];

/** Much longer than any test takes on a busy machine, so only a hang exceeds it. Proofs do a hundred times the work. */
const timeoutMs = isProving ? 900_000 : 300_000;

/**
 * Most functions run only a few times, so optimising them and collecting garbage in other threads wastes a tenth of a run. Node 22
 * and newer do not support the first flag, and refuse to start with it.
 */
const engineFlags = [
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=800000"] : []),
  "--single-threaded-gc",
];

/** Test settings of a package. Results go to its `.results/`, for the summary of the whole run. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["src/**/*.test.ts", "bench/**/*.test.ts", "test/**/*.test.ts"],
    // Some of them simulate for minutes before their first test.
    exclude: [...configDefaults.exclude, ...(isProving ? [] : ["**/*.proof.test.{ts,js}"])],
    passWithNoTests: true,
    // Many small files import the same modules. Loading them again for each file took half of a run, four fifths for the rules. No test
    // file changes a module that other files import.
    isolate: false,
    execArgv: engineFlags,
    tags: [
      { name: "proof", description: "Only `npm run prove` runs it." },
      { name: "more", description: "`npm test` runs some of its rows, `npm run prove` the others." },
    ],
    ...(tagFilters.length === 0 ? {} : { tagsFilter: tagFilters }),
    testTimeout: timeoutMs,
    expect: { poll: { timeout: timeoutMs } },
    hookTimeout: timeoutMs,
    // Failure messages contain the full values, because a log contains no other record of them.
    chaiConfig: { truncateThreshold: 2000 },
    reporters: isProving
      ? [progressReporter, ["json", { outputFile: ".results/prove.json" }]]
      : ["default", ["json", { outputFile: ".results/vitest.json" }]],
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//u, /\/scenarios\/dist\//u] } },
    experimental: {
      fsModuleCache: !isBuilt,
      fsModuleCachePath: fileURLToPath(new URL("../node_modules/.cache/vitest", import.meta.url)),
    },
  },
});
