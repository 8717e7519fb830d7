import { defineConfig, mergeConfig } from "vitest/config";
import shared from "./vitest.js";

export default mergeConfig(shared, defineConfig({ test: { include: ["*.test.js", "workflows/*.test.js"] } }));
