import type { AssayConfig } from "./assay-config.ts";

export type { AssayConfig, TargetConfig } from "./assay-config.ts";

/** Gives back what it is given: an editor then knows the members. A file imports it from `assay`, installed there or not. */
export const defineConfig = (config: AssayConfig): AssayConfig => config;
