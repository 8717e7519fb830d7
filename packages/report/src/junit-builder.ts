import * as library from "junit-report-builder";
import type { Builder } from "junit-report-builder";

const isBuilder = (value: unknown): value is Builder =>
  typeof value === "object" && value !== null && "newBuilder" in value && typeof value.newBuilder === "function";

/**
 * An empty report of the library. Its declarations say that the builder is the default export of a default export; at run
 * time it is the default export itself, so the shape decides.
 */
export const newJunitBuilder = (): Builder => {
  const outer: unknown = library.default;
  if (!isBuilder(outer)) {
    throw new TypeError("junit-report-builder does not export a builder; another version than 5.1.2 is installed");
  }
  return outer.newBuilder();
};
