export { default } from "@assay/tools/vitest";
