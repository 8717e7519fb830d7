import type { AssayConfig } from "./assay-config.ts";

export type { AssayConfig, TargetConfig } from "./assay-config.ts";

/**
 * Returns its argument, so that an editor knows its type. A configuration file can import it from `assay` even if that package is not
 * installed.
 */
export const defineConfig = (config: AssayConfig): AssayConfig => config;
