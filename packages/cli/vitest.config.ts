import base from "@assay/tools/vitest";
import { mergeConfig } from "vitest/config";

// Most tests here wait for processes that they started: files side by side end sooner.
export default mergeConfig(base, {
  test: { maxWorkers: 3, maxConcurrency: 6, globalSetup: ["src/testing/updating.ts", "src/testing/git-repository.ts"] },
});
