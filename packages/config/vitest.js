import { defineConfig } from "vitest/config";

/**
 * Settings of one package's test run. Workspace packages resolve to their sources, so a test never sees a stale build;
 * results are left in `.results/` of the package, from where the closing line of the whole run is summed up.
 */
export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["src/**/*.test.ts", "bench/**/*.test.ts", "test/**/*.test.ts"],
    passWithNoTests: true,
    // Many small files with the same imports: to load those anew for each took half of a run, of the rules four fifths. No file
    // changes what another one imports.
    isolate: false,
    // Far beyond what any test takes on a busy machine: what it ends is a hang.
    testTimeout: 60_000,
    reporters: ["default", ["json", { outputFile: ".results/vitest.json" }]],
  },
});
