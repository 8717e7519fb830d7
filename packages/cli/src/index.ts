// The module `assay`, for configuration files.
export { defineConfig } from "./config/define-config.ts";
export type { AssayConfig, TargetConfig } from "./config/define-config.ts";
