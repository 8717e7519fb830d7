export { default } from "@assay/config/vitest";
