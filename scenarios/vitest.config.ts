import { defineConfig, mergeConfig } from "vitest/config";
import shared from "@assay/config/vitest";

/** What k6 runs lies in `lib`; what is pure of it is tested beside its source. */
export default mergeConfig(shared, defineConfig({ test: { include: ["lib/**/*.test.ts", "deploy/*.test.ts"] } }));
