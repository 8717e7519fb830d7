import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { isProving, isProvingAll } from "./proving.js";

/**
 * Whether a compiled build is there that belongs to the sources: `npm test` has made one and says so. Packages below the tested
 * one are then loaded as Node loads them, which takes a tenth of the time; else from their sources, so that a test never sees a
 * stale build.
 */
const isBuilt = process.env["ASSAY_BUILT"] === "1";
const progress = fileURLToPath(new URL("progress-reporter.js", import.meta.url));
const conditions = isBuilt ? [] : ["source"];

/** What `npm test`, `npm run prove` and `npm run prove -- --all` run; no test runs twice in one build. */
const wanted = isProvingAll ? [] : [isProving ? "proof or more" : "not proof"];

/** Far beyond what any test takes on a machine that is busy with other work: what this ends is a hang. Proofs try a hundred times as much. */
const timeoutMs = isProving ? 900_000 : 300_000;

/**
 * Most functions run a few times and are gone: to optimise them, and to collect garbage in threads beside, takes a tenth of a run.
 * Node 22 and newer do not know the first of these, and refuse to start with it.
 */
const rarelyOptimising = [
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=800000"] : []),
  "--single-threaded-gc",
];

/**
 * Settings of one package's test run; results are left in `.results/` of the package, from where the closing line of the whole
 * run is summed up.
 */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["src/**/*.test.ts", "bench/**/*.test.ts", "test/**/*.test.ts"],
    // Some of them simulate for minutes before their first test.
    exclude: [...configDefaults.exclude, ...(isProving ? [] : ["**/*.proof.test.ts"])],
    passWithNoTests: true,
    // Many small files with the same imports: to load those anew for each took half of a run, of the rules four fifths. No file
    // changes what another one imports.
    isolate: false,
    execArgv: rarelyOptimising,
    tags: [
      { name: "proof", description: "Only `npm run prove` runs it." },
      { name: "more", description: "`npm test` runs some of its rows, `npm run prove` the others." },
    ],
    ...(wanted.length === 0 ? {} : { tagsFilter: wanted }),
    testTimeout: timeoutMs,
    expect: { poll: { timeout: timeoutMs } },
    hookTimeout: timeoutMs,
    // The message of a failure holds the values themselves: a log, unlike a terminal, shows nothing else of it.
    chaiConfig: { truncateThreshold: 2000 },
    reporters: isProving
      ? [progress, ["json", { outputFile: ".results/prove.json" }]]
      : ["default", ["json", { outputFile: ".results/vitest.json" }]],
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//u, /\/scenarios\/dist\//u] } },
    experimental: {
      fsModuleCache: !isBuilt,
      fsModuleCachePath: fileURLToPath(new URL("../../node_modules/.cache/vitest", import.meta.url)),
    },
  },
});
