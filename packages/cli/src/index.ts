// What `import ... from "assay"` gives: a configuration is written with it.
export { defineConfig } from "./config/define-config.ts";
export type { AssayConfig, TargetConfig } from "./config/define-config.ts";
