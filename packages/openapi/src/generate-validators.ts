import { HarnessError, searchStreamOpenApi } from "@assay/contract";
import standaloneCode from "ajv/dist/standalone/index.js";
import { SchemaLibrary, namedSchemas, schemaReference } from "./compile-validators.ts";

/**
 * Generates the functions that ajv compiles for our document of the streaming search, one for each schema, as the body of a function with
 * the parameter `exports`. With `allErrors`, they collect errors instead of stopping at the first one. Throws a `HarnessError` if they need
 * more than their own code.
 */
export const generateSearchStreamChecks = (allErrors: boolean): string => {
  const library = new SchemaLibrary(searchStreamOpenApi, namedSchemas(searchStreamOpenApi), { trust: "own" });
  const roots = [...library.roots];
  const references = roots.map(([name, { lenientKey }]) => [name, schemaReference(lenientKey)] as const);
  const code = standaloneCode.default(library.createAjv(allErrors, { source: true }), Object.fromEntries(references));
  if (code.includes("require(") || roots.some(([, { strictKey }]) => strictKey !== undefined)) {
    throw new HarnessError("cannot-compile", "the validators of the streaming search cannot be generated");
  }
  return code;
};

/** Generates the module that replaces `compile-search-stream.js` in the bundle. */
export const generateSearchStreamModule = (): string => `import { createValidator } from "./validator.js";
const [first, all] = [{}, {}];
(function (exports) {${generateSearchStreamChecks(false)}})(first);
(function (exports) {${generateSearchStreamChecks(true)}})(all);
export const compileSearchStream = () =>
  Object.fromEntries(
    Object.keys(first).map((name) => [name, createValidator({ firstError: () => first[name], allErrors: () => all[name] })]),
  );
`;
