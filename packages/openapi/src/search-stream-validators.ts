import { compileSearchStream } from "./compile-search-stream.ts";
import type { SearchStreamValidators } from "./compile-search-stream.ts";

let cachedValidators: SearchStreamValidators | undefined;

/**
 * Returns the validators for targets without an OpenAPI document, compiled on the first call and cached. Does not read files. Source:
 * search-stream, sections 2 and 6.
 */
export const searchStreamValidators = (): SearchStreamValidators => {
  cachedValidators ??= compileSearchStream();
  return cachedValidators;
};
