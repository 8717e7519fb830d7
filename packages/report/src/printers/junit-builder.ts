import { createRequire } from "node:module";
import type { Builder } from "junit-report-builder";

// Loaded with the first report: it brings a large library along, and most commands write none.
const load = createRequire(import.meta.url);

const isBuilder = (value: unknown): value is Builder =>
  typeof value === "object" && value !== null && "newBuilder" in value && typeof value.newBuilder === "function";

/**
 * An empty report of the library. Its declarations say that the builder is a default export; at run time it is the module
 * itself, so the shape decides.
 */
export const newJunitBuilder = (): Builder => {
  const outer: unknown = load("junit-report-builder");
  if (!isBuilder(outer)) {
    throw new TypeError("junit-report-builder does not export a builder; another version than 5.1.2 is installed");
  }
  return outer.newBuilder();
};
