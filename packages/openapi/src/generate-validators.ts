import { HarnessError, searchStreamOpenApi } from "@assay/contract";
import standaloneCode from "ajv/dist/standalone/index.js";
import { SchemaLibrary, schemaReference } from "./compile-validators.ts";
import { checkedSchemas } from "./compile-search-stream.ts";

/**
 * Generates the functions that ajv compiles for the schemas of the streaming search that rules check, as the body of a function with
 * the parameter `exports`. With `allErrors`, they collect errors instead of stopping at the first one. Throws a `HarnessError` if they need
 * more than their own code.
 */
export const generateSearchStreamChecks = (allErrors: boolean): string => {
  const { schemas } = searchStreamOpenApi.components;
  const library = new SchemaLibrary(searchStreamOpenApi, new Map(checkedSchemas.map((name) => [name, schemas[name]])), {
    trust: "own",
  });
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
