import { defineConfig, mergeConfig } from "vitest/config";
import shared from "@assay/tools/vitest";

/** `lib` is code for k6. Its pure parts are tested next to their sources. */
export default mergeConfig(
  shared,
  defineConfig({ test: { include: ["lib/**/*.test.ts", "deploy/*.test.ts", "deploy/proof/*.test.js"] } }),
);
