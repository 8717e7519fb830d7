import type { AssayConfig } from "./assay-config.ts";

export type { AssayConfig, TargetConfig } from "./assay-config.ts";

/** Returns its argument, so that an editor knows the members. A file can import it from `assay` even if that is not installed. */
export const defineConfig = (config: AssayConfig): AssayConfig => config;
